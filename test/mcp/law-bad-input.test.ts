/** Files that are no law, are hostile or are damaged: each is refused with a code, a place and a hint, and nothing is written. */
import { cpSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import t from 'tap';
import { DriveMcpError } from '../../daemon/core/errors.js';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { readLaw } from '../../mcp/rules/import/import-law.js';
import { readLawFiles } from '../../mcp/rules/import/read-law-files.js';
import { xmlBounds } from '../../mcp/rules/import/xml-tree.js';
import { readPackFolder } from '../../mcp/rules/integrity/pack-files.js';
import { treeHash } from '../../mcp/rules/integrity/pack-lock.js';
import { drivemcp } from '../helpers/command.js';
import { fixture } from '../helpers/paths.js';

const head = '<dokumente doknr="BJNR1"><norm><metadaten><jurabk>X</jurabk></metadaten></norm>';
const norm = (content: string): string =>
  `<norm><metadaten><enbez>§ 1</enbez></metadaten><textdaten><text><Content>${content}</Content></text></textdaten></norm>`;
const act = (content: string): string => `${head}${norm(content)}</dokumente>`;
const annex = readFileSync(fixture('law', 'annex.gii.xml'));

/** `CODE line:column message`, or `read`. */
function outcome(bytes: Buffer | string): string {
  try {
    readLaw([{ file: 'f.xml', bytes: Buffer.from(bytes) }], 'auto');
    return 'read';
  } catch (error) {
    if (!(error instanceof DriveMcpError)) throw error;
    return `${error.code} ${error.location.line}:${error.location.column} ${error.message} (${error.hint})`;
  }
}

t.test('XML', async (t) => {
  const cases: readonly [name: string, bytes: Buffer | string, expected: RegExp][] = [
    ['a whole one', act('<P>(1) Zahl 5.</P>'), /^read$/],
    ['a document type that is only named', annex, /^read$/],
    ['not closed', `${head}<norm>`, /^LAW_XML_INVALID 1:\d+ .*unclosed tag/],
    ['closed wrongly', '<dokumente>\n  <a></b></dokumente>', /^LAW_XML_INVALID 2:\d+ /],
    ['text alone', 'Nur Text.', /^LAW_XML_INVALID 1:\d+ /],
    ['two roots', `${act('<P>x</P>')}<a/>`, /^LAW_XML_INVALID /],
    ['cut in the middle', annex.subarray(0, 1500), /^LAW_XML_INVALID \d+:\d+ /],
    [
      'billion laughs',
      `<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><dokumente>&b;</dokumente>`,
      /^LAW_XML_INVALID 1:\d+ .*entities/,
    ],
    [
      'an external entity',
      `<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><dokumente>&x;</dokumente>`,
      /^LAW_XML_INVALID .*entities/,
    ],
    [
      'a parameter entity',
      `<!DOCTYPE d [<!ENTITY % p SYSTEM "http://localhost/"> %p;]><dokumente/>`,
      /^LAW_XML_INVALID .*entities/,
    ],
    ['an entity nobody declared', act('<P>5&nbsp;km</P>'), /^LAW_XML_INVALID 1:\d+ .*entity/],
    ['a number that is no character', act('<P>&#0;</P>'), /^LAW_XML_INVALID /],
    ['a control character', act('<P>\u0001</P>'), /^LAW_XML_INVALID /],
    ['100,000 levels', `${'<a>'.repeat(100_000)}`, /^LAW_XML_TOO_LARGE 1:\d+ nested deeper than 128/],
    [
      'many attributes',
      `<dokumente ${Array.from({ length: 65 }, (_, i) => `a${i}=""`).join(' ')}/>`,
      /^LAW_XML_TOO_LARGE .*64 attributes/,
    ],
    ['a giant attribute', `<dokumente a="${'x'.repeat(200_000)}"/>`, /^LAW_XML_TOO_LARGE .*attribute longer/],
    ['a giant text', act(`<P>${'x'.repeat(1_100_000)}</P>`), /^LAW_XML_TOO_LARGE .*without a tag/],
    ['too many elements', `<dokumente>${'<a/>'.repeat(300_001)}`, /^LAW_XML_TOO_LARGE .*300000 elements/],
    ['a character beyond U+FFFF', act('<P>(1) \u{1f600}</P>'), /^LAW_XML_INVALID 1:\d+ .*U\+1F600/],
    ['another format', '<akomaNtoso/>', /^LAW_FORMAT_UNKNOWN 1:1 .*Akoma Ntoso.*gii-norm/],
    ['a web page', '<html><body/></html>', /^LAW_FORMAT_UNKNOWN .*web page/],
    ['an act without an id', '<dokumente/>', /^LAW_EMPTY 1:1 /],
    ['an empty act', `${head}</dokumente>`, /^LAW_EMPTY 1:1 .*no provision/],
    ['a provision without text', act(''), /^LAW_TEXT_LOST 1:\d+ § 1 has no text/],
    [
      'CLML without sections',
      '<Legislation IdURI="http://x/id/uksi/2026/1"><Body/></Legislation>',
      /^LAW_EMPTY /,
    ],
    [
      'LEGI without a number',
      '<ARTICLE><CONTEXTE><TEXTE cid="L1"/></CONTEXTE></ARTICLE>',
      /^LAW_EMPTY .*NUM/,
    ],
    ['RIS without a provision', '<risdok><nutzdaten/></risdok>', /^LAW_EMPTY .*gesnr/],
  ];
  for (const [name, bytes, expected] of cases) t.match(outcome(bytes).slice(0, 400), expected, name);
});

t.test('encodings', async (t) => {
  const text = act('<P>(1) für 5 km/h</P>');
  const declared = (name: string): string => `<?xml version="1.0" encoding="${name}"?>${text}`;
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
  const cases: readonly [name: string, bytes: Buffer, expected: RegExp][] = [
    ['UTF-8', Buffer.from(declared('UTF-8')), /^read$/],
    ['UTF-8 with its mark', Buffer.from(`\ufeff${text}`), /^read$/],
    ['UTF-16, little end first', utf16, /^read$/],
    ['UTF-16, big end first', Buffer.from(utf16).swap16(), /^read$/],
    ['ISO-8859-1', Buffer.from(declared('ISO-8859-1'), 'latin1'), /^read$/],
    [
      'ISO-8859-1 that says UTF-8',
      Buffer.from(declared('UTF-8'), 'latin1'),
      new RegExp(`^LAW_ENCODING_INVALID 1:${declared('UTF-8').indexOf('§') + 1} a byte that is not UTF-8`),
    ],
    ['UTF-16 without its mark', utf16.subarray(2), /^LAW_ENCODING_INVALID 1:1 .*byte order mark/],
    [
      'UTF-16 cut in a character',
      utf16.subarray(0, 51),
      /^LAW_ENCODING_INVALID 1:\d+ a byte that is not UTF-16LE/,
    ],
    [
      'a mark of UTF-8 before another name',
      Buffer.from(`\ufeff${declared('ISO-8859-1')}`),
      /^LAW_ENCODING_INVALID .*declares ISO-8859-1/,
    ],
    [
      'windows-1252',
      Buffer.from(declared('windows-1252'), 'latin1'),
      /^LAW_ENCODING_INVALID .*iconv -f windows-1252/,
    ],
    ['EBCDIC', Buffer.from([0x4c, 0x6f, 0xa7, 0x94, 0x93]), /^LAW_ENCODING_INVALID 1:3 /],
  ];
  for (const [name, bytes, expected] of cases) t.match(outcome(bytes), expected, name);
});

interface Entry {
  readonly name: string;
  readonly content: Buffer;
  readonly size?: number;
  readonly flags?: number;
  readonly sum?: number;
}

/** A zip of deflated entries, after the same note of its makers that the reader follows. */
function zip(entries: readonly Entry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, size = content.length, flags = 0, sum = crc32(content) } of entries) {
    const data = deflateRawSync(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    const file = Buffer.concat([local, Buffer.from(name), data]);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(sum, 16);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(size, 24);
    entry.writeUInt16LE(Buffer.byteLength(name), 28);
    entry.writeUInt32LE(at, 42);
    directory.push(entry, Buffer.from(name));
    files.push(file);
    at += file.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...files, ...directory, end]);
}

t.test('files, folders, zips', async (t) => {
  const root = t.testdir();
  const read = (bytes: Buffer | string | null, name = 'f.zip'): string => {
    const path = join(root, name);
    if (bytes !== null) writeFileSync(path, bytes);
    try {
      return `read ${readLaw(readLawFiles(path), 'auto').files.length}`;
    } catch (error) {
      if (!(error instanceof DriveMcpError)) throw error;
      return `${error.code} ${error.location.file?.replace(root, '')} ${error.message} (${error.hint})`;
    }
  };
  const xml = { name: 'BJNR1.xml', content: annex };
  const picture = { name: 'x.jpg', content: Buffer.alloc(1000, 7) };
  t.equal(read(zip([picture, xml])), 'read 1', 'as the publisher packs it, with pictures');
  t.match(read(zip([picture])), /^LAW_EMPTY .*no \.xml/);
  t.match(
    read(zip([{ ...xml, flags: 1 }])),
    /^LAW_FORMAT_UNKNOWN \/f\.zip: BJNR1\.xml the entry is encrypted/,
  );
  t.match(read(zip([{ ...xml, sum: 1 }])), /^LAW_FORMAT_UNKNOWN .*does not unpack/);
  t.match(
    read(zip([{ ...xml, size: 100 }])),
    /^LAW_FORMAT_UNKNOWN .*does not unpack/,
    'more than its directory says',
  );
  t.match(read(zip([{ ...xml, size: xmlBounds.fileMaxBytes + 1 }])), /^LAW_XML_TOO_LARGE .*32 MiB/);
  t.match(
    read(zip([{ name: 'bomb.xml', content: Buffer.alloc(xmlBounds.fileMaxBytes + 10), size: 1000 }])),
    /does not unpack/,
  );
  const whole = zip([xml]);
  for (const length of [4, 60, whole.length - 30, whole.length - 1])
    t.match(read(whole.subarray(0, length)), /^LAW_FORMAT_UNKNOWN .*not a whole zip/, `cut after ${length}`);
  t.match(read(Buffer.from([0x1f, 0x8b, 8, 0])), /^LAW_FORMAT_UNKNOWN .*gzip.*gunzip/);
  t.match(read('', 'empty.xml'), /^LAW_XML_INVALID .*empty/);
  t.match(read(null, 'absent.xml'), /^FILE_MISSING/);
  writeFileSync(join(root, 'huge.xml'), '');
  truncateSync(join(root, 'huge.xml'), 200_000_000);
  t.match(read(null, 'huge.xml'), /^LAW_XML_TOO_LARGE .*32 MiB/, '200 MB');
  t.throws(() => [...readLawFiles('/dev/zero')], { code: 'LAW_XML_TOO_LARGE' }, 'a stream that never ends');
  mkdirSync(join(root, 'mixed'));
  t.match(read(null, 'mixed'), /^LAW_EMPTY .*no \.xml/);
  cpSync(fixture('law', 'annex.gii.xml'), join(root, 'mixed', 'a.xml'));
  cpSync(fixture('law', 'order.clml.xml'), join(root, 'mixed', 'b.xml'));
  t.match(
    read(null, 'mixed'),
    /^LAW_FORMAT_UNKNOWN \/mixed\/b\.xml is clml, the files before it are gii-norm/,
  );
  writeFileSync(join(root, 'mixed', 'b.xml'), annex.toString().replaceAll('BJNR999990099', 'BJNR2'));
  t.match(read(null, 'mixed'), /is of the act BJNR2, the files before it are of BJNR999990099/);
});

t.test('nothing is written where a file of several is bad', async (t) => {
  const root = t.testdir();
  const pack = join(root, 'DEU');
  cpSync(join(packageFile('rulepacks'), 'DEU'), pack, { recursive: true });
  const before = treeHash(readPackFolder(pack));
  mkdirSync(join(root, 'law'));
  writeFileSync(join(root, 'law', 'a.xml'), annex);
  writeFileSync(join(root, 'law', 'b.xml'), annex.subarray(0, 2000));
  const run = await drivemcp([
    'rulepack',
    'import',
    join(root, 'law'),
    '--into',
    pack,
    '--source',
    'muster',
    '--json',
  ]);
  t.equal(run.code, 78);
  t.match(JSON.parse(run.stderr.trim().split('\n').at(-1) ?? ''), {
    error: { code: 'LAW_XML_INVALID', file: /b\.xml$/, line: 7, hint: /nothing was written/ },
  });
  t.equal(run.stdout, '');
  t.equal(treeHash(readPackFolder(pack)), before);
});
