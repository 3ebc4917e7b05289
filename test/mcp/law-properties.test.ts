/**
 * Properties of the importers: whatever tree of norms comes, its numbers, its spans and its bytes stay; a converter that
 * loses a number is noticed; a damaged file is refused and never crashes anything.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { DriveMcpError } from '../../daemon/core/errors.js';
import { parseDocumentFile } from '../../mcp/rules/format/load-pack.js';
import { CanonicalText, type ProvisionText } from '../../mcp/rules/import/canonical-text.js';
import { documentFileText } from '../../mcp/rules/import/document-file.js';
import { plain } from '../../mcp/rules/import/gii-markup.js';
import { importGiiNorm } from '../../mcp/rules/import/gii-norm.js';
import { readLaw } from '../../mcp/rules/import/import-law.js';
import { isInlineIn } from '../../mcp/rules/import/inline-markup.js';
import { numberTokens } from '../../mcp/rules/import/number-tokens.js';
import { checkProvision } from '../../mcp/rules/import/text-invariants.js';
import { decodeXml } from '../../mcp/rules/import/xml-encoding.js';
import { childElements, isElement } from '../../mcp/rules/import/xml-query.js';
import { parseXml, type XmlElement, type XmlNode } from '../../mcp/rules/import/xml-tree.js';
import { corpusFile, fixture } from '../helpers/paths.js';

/** A piece of a norm, and the numbers in it in any order. */
interface Piece {
  readonly xml: string;
  readonly numbers: readonly string[];
}
const join = (pieces: readonly Piece[], between = ''): Piece => ({
  xml: pieces.map(({ xml }) => xml).join(between),
  numbers: pieces.flatMap(({ numbers }) => numbers),
});
const wrap = (piece: Piece, before: string, after: string): Piece => ({
  ...piece,
  xml: `${before}${piece.xml}${after}`,
});

const number = fc.oneof(
  fc.integer({ min: 0, max: 9999 }).map(String),
  fc.tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 9 })).map(([a, b]) => `${a},${b}`),
);
const words: fc.Arbitrary<Piece> = fc.oneof(
  fc
    .constantFrom('über', 'Ströme', 'a\u0308hnlich', 'bei &lt; Nacht', '&#160;', '\n  ', '„so“', '§')
    .map((xml) => ({ xml: ` ${xml} `, numbers: [] })),
  number.map((one) => ({ xml: ` ${one}\u00a0km/h `, numbers: [one] })),
  number.map((one) => ({ xml: ` <NB>${one} m</NB>`, numbers: [one] })),
  number.map((one) => ({ xml: `<B>${one}</B> `, numbers: [one] })).map((piece) => wrap(piece, ' ', ' ')),
  number.map((one) => ({ xml: `<!-- ${one} --> <![CDATA[${one}]]> `, numbers: [one] })),
  number.map((one) => ({ xml: ` m<SUP>${one}</SUP> `, numbers: [one] })),
  number.map((one) => ({ xml: ` 10<SUP>${one}</SUP>`, numbers: ['10', one] })),
  fc.constant({ xml: ' <BR/> ', numbers: [] }),
  fc.constant({ xml: ' <IMG SRC="7.jpg" alt="8"/> ', numbers: [] }),
);
const sentence = fc.array(words, { minLength: 0, maxLength: 5 }).map((pieces) => join(pieces));

const { list, table } = fc.letrec<{ list: Piece; item: Piece; table: Piece }>((tie) => ({
  item: fc
    .tuple(
      fc.constantFrom('1.', '2.', '2a.', 'a)', 'bb)', '–', ''),
      sentence,
      fc.option(tie('list'), { depthSize: 'small' }),
      sentence,
    )
    .map(([mark, before, inner, after]) => ({
      xml: `<DT>${mark}</DT><DD><LA>${before.xml}${inner?.xml ?? ''}${after.xml}</LA></DD>`,
      numbers: [...numberTokens(mark), ...before.numbers, ...(inner?.numbers ?? []), ...after.numbers],
    })),
  list: fc
    .array(tie('item'), { minLength: 1, maxLength: 3 })
    .map((items) => wrap(join(items), '<DL>', '</DL>')),
  table: fc
    .array(fc.array(sentence, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
    .map((rows) => {
      const written = rows.map((cells) =>
        wrap(join(cells.map((cell) => wrap(cell, '<entry>', '</entry>'))), '<row>', '</row>'),
      );
      return wrap(join(written), '<table><tgroup><tbody>', '</tbody></tgroup></table>');
    }),
}));
const paragraph = fc
  .tuple(
    fc.option(fc.constantFrom('1', '2', '2a', '3')),
    fc.array(fc.oneof(sentence, list), { minLength: 1, maxLength: 4 }),
  )
  .map(([name, parts]) => {
    const inner = join(parts, ' ');
    const mark = name === null ? 'Satz ' : `(${name}) `;
    return { xml: `<P>${mark}${inner.xml}</P>`, numbers: [...numberTokens(mark), ...inner.numbers] };
  });
const content = fc
  .array(fc.oneof(paragraph, table), { minLength: 1, maxLength: 4 })
  .map((parts) => join([{ xml: '<P>Anfang</P>', numbers: [] }, ...parts]));

const act = (label: string, inner: string): string =>
  `<dokumente builddate="20260101000000" doknr="BJNR1"><norm><metadaten><jurabk>X</jurabk></metadaten></norm><norm><metadaten><enbez>${label}</enbez></metadaten><textdaten><text><Content>${inner}</Content></text></textdaten></norm></dokumente>`;
const sorted = (tokens: readonly string[]): string[] => [...tokens].sort();

function checkSpans({ body, spans }: ProvisionText): void {
  const all = [...spans];
  for (const [name, [start, end]] of all) {
    const words = body.slice(start, end);
    if (words === '' || words !== words.trim()) throw new Error(`span ${name} is '${words}'`);
    for (const [other, [from, to]] of all) {
      const isApart = to <= start || end <= from;
      const isInside = (from >= start && to <= end) || (start >= from && end <= to);
      if (!isApart && !isInside) throw new Error(`${name} crosses ${other}`);
      if (
        name !== other &&
        name !== 'text' &&
        from >= start &&
        to <= end &&
        !(from === start && to === end) &&
        !other.startsWith(name)
      )
        throw new Error(`${other} lies in ${name} and does not say so`);
    }
  }
}

t.test(
  'whatever the tree: every number as often, spans beside or inside each other, canonical text',
  async (t) => {
    for (const label of ['§ 1', 'Anlage 2']) {
      fc.assert(
        fc.property(content, ({ xml, numbers }) => {
          const text = act(label, xml);
          const { versions } = importGiiNorm(parseXml(text, 'f.xml'), 'f.xml');
          const bodies = versions.map((one) => one.text?.body ?? '');
          if (sorted(bodies.flatMap(numberTokens)).join(' ') !== sorted(numbers).join(' '))
            throw new Error(`${sorted(numbers).join(' ')} became ${bodies.join('\n')}`);
          for (const { text: one, unit } of versions) {
            if (one === null) continue;
            checkSpans(one);
            const { body } = one;
            if (body !== body.normalize('NFC') || / {2}|\n\n|[^\S \n]|^\s| \n|\n /.test(body))
              throw new Error(`not canonical: ${JSON.stringify(body)}`);
            // The file of it reads back as the same text and spans.
            const spans = Object.fromEntries(
              [...one.spans].map(([name, [start, end]]) => [name, [start, end] as [number, number]]),
            );
            const head = {
              doc_id: `de:x:${unit}`,
              source: 'x',
              title: 'a "b"',
              cite: 'c',
              lang: 'de',
              valid_from: '2026-01-01',
              text: 'official' as const,
              spans,
            };
            const back = parseDocumentFile('f.md', documentFileText(head, body));
            if (back.body !== body || JSON.stringify(back.head.spans) !== JSON.stringify(spans))
              throw new Error('does not read back');
          }
          const again = importGiiNorm(parseXml(text, 'f.xml'), 'f.xml');
          return JSON.stringify(again) === JSON.stringify({ ...again, versions });
        }),
        { numRuns: 100 },
      );
    }
    t.pass('200 trees');
  },
);

t.test('the writer alone: any order of words, lines and spans', async (t) => {
  const step = fc.oneof(
    fc
      .constantFrom(' a', 'b ', '5', '\u00a0', '\u0308', '7,5', '\u00ad', '')
      .map((text) => (out: CanonicalText) => out.inline(text)),
    fc.constant((out: CanonicalText) => out.newLine()),
    fc.constant((out: CanonicalText) => out.stayOnLine()),
    fc.constant((out: CanonicalText) => out.apart()),
    fc.constantFrom('1', 'a', 'text').map((name) => (out: CanonicalText) => out.open(name)),
    fc.constant((out: CanonicalText) => out.close()),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const out = new CanonicalText();
      for (const one of steps) one(out);
      checkSpansOnly(out.finish());
    }),
    { numRuns: 500 },
  );
  t.pass('500 sequences');
});

function checkSpansOnly({ body, spans }: ProvisionText): void {
  for (const [name, [start, end]] of spans)
    if (start >= end || end > body.length || body.slice(start, end).trim() === '')
      throw new Error(`${name}: ${start}-${end} of '${body}'`);
}

/** Every copy of a tree in which one text with a digit is missing. */
function* withoutOneNumber(element: XmlElement): Generator<XmlElement> {
  for (const [i, node] of element.children.entries()) {
    const replaced = (by: XmlNode): XmlElement => ({ ...element, children: element.children.with(i, by) });
    if (isElement(node)) for (const inner of withoutOneNumber(node)) yield replaced(inner);
    else if (/\d/.test(node)) yield replaced(node.replace(/\d+/g, ''));
  }
}

t.test('a converter that drops any piece with a number is noticed', async (t) => {
  const sources = [
    fixture('law', 'annex.gii.xml'),
    corpusFile('rules', 'samples', 'de', 'BJNR036710013.excerpt.gii.xml'),
  ];
  let tried = 0;
  for (const file of sources) {
    if (file === null) continue;
    const root = parseXml(decodeXml(readFileSync(file), file), file);
    for (const norm of childElements(root, 'norm')) {
      const whole = childElements(norm, 'textdaten')[0];
      if (!whole || childElements(norm, 'metadaten').every((one) => childElements(one, 'enbez').length === 0))
        continue;
      for (const lossy of withoutOneNumber(whole)) {
        // What a lossy converter would have written, held against what it was given.
        const mutated = {
          ...root,
          children: [
            childElements(root, 'norm')[0]!,
            { ...norm, children: norm.children.map((one) => (one === whole ? lossy : one)) },
          ],
        };
        const texts = importGiiNorm(mutated, file).versions.flatMap(({ text }) =>
          text === null ? [] : [text],
        );
        const check = (): void =>
          checkProvision({ label: 'it', roots: [whole], texts }, isInlineIn(plain), file);
        tried++;
        t.throws(check, { code: 'LAW_TEXT_LOST', location: { file } });
      }
    }
  }
  t.ok(tried > 25, `${tried} pieces`);
});

t.test('any bytes: a law, or an error with a code', async (t) => {
  const files = [
    'annex.gii.xml',
    'order.clml.xml',
    'legi/LEGIARTI000000000002.xml',
    'legi/LEGIARTI000000000004.xml',
    'ris/NOR99990001.xml',
  ];
  let refused = 0;
  for (const name of files) {
    const good = readFileSync(fixture('law', ...name.split('/')));
    const place = fc.integer({ min: 0, max: good.length - 1 });
    const edit = fc.oneof(
      fc.tuple(fc.constant('set' as const), place, fc.integer({ min: 0, max: 255 })),
      fc.tuple(fc.constant('cut' as const), place, fc.integer({ min: 1, max: 400 })),
      fc.tuple(fc.constant('copy' as const), place, fc.integer({ min: 1, max: 400 })),
    );
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        let bytes: Buffer = Buffer.from(good);
        for (const [kind, at, value] of edits) {
          if (kind === 'set' && at < bytes.length) bytes[at] = value;
          else if (kind === 'cut') bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + value)]);
          else if (kind === 'copy')
            bytes = Buffer.concat([
              bytes.subarray(0, at),
              bytes.subarray(at, at + value),
              bytes.subarray(at),
            ]);
        }
        try {
          readLaw([{ file: 'f.xml', bytes }], 'auto');
        } catch (error) {
          if (!(error instanceof DriveMcpError)) throw error;
          if (!error.code.startsWith('LAW_') || error.location.line === undefined) throw error;
          refused++;
        }
      }),
      { numRuns: 200 },
    );
  }
  t.ok(refused > 100, `${refused} of 1000 refused`);
});

t.test('elements cut out or doubled: still well-formed, and nothing crashes', async (t) => {
  const files = ['annex.gii.xml', 'order.clml.xml', 'legi/LEGIARTI000000000002.xml', 'ris/NOR99990001.xml'];
  const text = (node: XmlNode): string =>
    isElement(node)
      ? `<${node.name}${[...node.attributes].map(([key, value]) => ` ${key}="${value.replace(/[&<"]/g, '')}"`).join('')}>${node.children.map(text).join('')}</${node.name}>`
      : node.replace(/[&<]/g, ' ');
  for (const name of files) {
    const root = parseXml(readFileSync(fixture('law', ...name.split('/')), 'utf8'), name);
    const count = (node: XmlElement): number =>
      1 + childElements(node).reduce((sum, child) => sum + count(child), 0);
    const all = count(root);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: all - 1 }),
        fc.integer({ min: 1, max: all - 1 }),
        fc.boolean(),
        (victim, donor, isCut) => {
          const flat: XmlElement[] = [];
          const collect = (node: XmlElement): void => {
            flat.push(node);
            for (const child of childElements(node)) collect(child);
          };
          collect(root);
          const swap = (node: XmlElement): XmlElement => ({
            ...node,
            children: node.children.flatMap((child): XmlNode[] =>
              !isElement(child)
                ? [child]
                : child === flat[victim]
                  ? isCut
                    ? []
                    : [flat[donor]!]
                  : [swap(child)],
            ),
          });
          try {
            readLaw([{ file: 'f.xml', bytes: Buffer.from(text(swap(root))) }], 'auto');
          } catch (error) {
            if (!(error instanceof DriveMcpError)) throw error;
          }
        },
      ),
      { numRuns: 200 },
    );
  }
  t.pass('800 trees');
});
