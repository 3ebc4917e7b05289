/** The tolerant reader on texts of our own: what it takes, what it says, where it goes on; hostile input. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { compilePlan } from '../../daemon/vehicles/dbc/compile-plan.js';
import { attributeValue } from '../../daemon/vehicles/dbc/database.js';
import { decodeMessage } from '../../daemon/vehicles/dbc/decode-message.js';
import { type DbcDiagnostic, dbcCodes } from '../../daemon/vehicles/dbc/diagnostics.js';
import { maxErrors, maxFileBytes, maxSignals } from '../../daemon/vehicles/dbc/limits.js';
import { type ParsedDbc, parseDbc } from '../../daemon/vehicles/dbc/parse-dbc.js';
import { corpusFile, corpusMissing } from '../helpers/paths.js';

const parse = (text: string): ParsedDbc => parseDbc(Buffer.from(text), 'test.dbc');
const places = (diagnostics: readonly DbcDiagnostic[]): string[] =>
  diagnostics.map((d) => `${d.line}:${d.column} ${d.severity} ${d.code}`);
const sg = (name: string, rest = ': 0|8@1+ (1,0) [0|0] "" X') => ` SG_ ${name} ${rest}\n`;

t.test('a file as editors write it', async (t) => {
  const { database, diagnostics } = parse(
    [
      'VERSION "1.2"',
      '',
      'NS_ :',
      '\tNS_DESC_',
      '\tCM_',
      '\tBA_DEF_',
      '',
      'BS_: 500:1,2',
      '',
      'BU_: Engine Dash',
      'VAL_TABLE_ OnOff 0 "off" 1 "on" ;',
      '',
      'BO_ 291 STATUS: 8 Engine',
      ' SG_ Speed : 7|16@0+ (0.01,0) [0|655.35] "km/h" Dash,Engine',
      ' SG_ Lamp : 16|1@1+ (1,0) [0|0] "" Vector__XXX',
      '',
      'BO_TX_BU_ 291 : Engine,Dash;',
      'EV_ Env1: 0 [0|10] "" 0 2 DUMMY_NODE_VECTOR0 Dash;',
      'ENVVAR_DATA_ Env1: 5;',
      'CM_ "network";',
      'CM_ BU_ Engine "node";',
      'CM_ BO_ 291 "message";',
      'CM_ SG_ 291 Speed "first',
      'BO_ 5 second: 8 X";',
      'BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;',
      'BA_DEF_ "BusType" STRING ;',
      'BA_DEF_ SG_ "Kind" ENUM "a","b";',
      'BA_DEF_REL_ BU_SG_REL_ "Rel" INT 0 1;',
      'BA_DEF_DEF_ "GenMsgCycleTime" 0;',
      'BA_DEF_DEF_ "Kind" "a";',
      'BA_ "BusType" "CAN";',
      'BA_ "GenMsgCycleTime" BO_ 291 20;',
      'BA_ "Kind" SG_ 291 Speed 1;',
      'BA_REL_ "Rel" BU_SG_REL_ Dash SG_ 291 Speed 1;',
      'VAL_ 291 Lamp OnOff;',
      'VAL_ 291 Speed 65535 "invalid" ;',
      'VAL_ Env1 0 "zero" 1 "one" ;',
      'SIG_GROUP_ 291 Group 1 : Speed Lamp;',
      'SIG_VALTYPE_ 291 Lamp : 0;',
      '',
    ].join('\r\n'),
  );
  t.same(places(diagnostics), []);
  t.equal(database.version, '1.2');
  t.equal(database.comment, 'network');
  t.same(database.nodes, ['Engine', 'Dash']);
  t.equal(database.attributes.get('BusType'), 'CAN');
  const message = database.messages[0]!;
  t.match(message, {
    id: 291,
    ext: false,
    name: 'STATUS',
    length: 8,
    senders: ['Engine', 'Dash'],
    cycleMs: 20,
    comment: 'message',
    line: 13,
  });
  const [speed, lamp] = message.signals;
  t.match(speed, { startBit: 7, byteOrder: 'motorola', scale: 0.01, min: 0, max: 655.35, unit: 'km/h' });
  t.equal(speed?.comment, 'first\nBO_ 5 second: 8 X', 'a keyword in a comment is text');
  t.same([speed?.receivers, lamp?.receivers], [['Dash', 'Engine'], []]);
  t.same(
    [...(lamp?.labels ?? [])],
    [
      [0, 'off'],
      [1, 'on'],
    ],
  );
  t.equal(attributeValue(database.attributeDefinitions, speed!.attributes, 'Kind'), 'b');
  t.equal(attributeValue(database.attributeDefinitions, lamp!.attributes, 'Kind'), 'a');
});

t.test('each finding has its place, its severity and lets the rest be read', async (t) => {
  const good = `BO_ 2 GOOD: 8 X\n${sg('G')}`;
  const cases: [text: string, findings: string[]][] = [
    [
      'BO_ x BAD: 8 X\n SG_ A : 0|8@1+ (1,0) [0|0] "" X\n SG_ B : 0|8@1+ (1,0) [0|0] "" X\n',
      ['1:5 error syntax_error'],
    ],
    ['BO_ 1 BAD 8 X\n', ['1:11 error syntax_error']],
    ['BO_ 1 M: 8 X\n SG_ A : 0|8@2+ (1,0) [0|0] "" X\n', ['2:14 error syntax_error']],
    ['BO_ 1 M: 8 X\n SG_ A : 0|8@1* (1,0) [0|0] "" X\n', ['2:15 error syntax_error']],
    ['BO_ 1 M: 8 X\n SG_ A : 0|8@1+ (1) [0|0] "" X\n', ['2:19 error syntax_error']],
    ['BO_ 1 M: 8 X\n SG_ A : 0|8@1+ (1e999,0) [0|0] "" X\n', ['2:23 error syntax_error']],
    ['BO_ 1 M: 8 X\n SG_ A : 0|8@1+ (1,0) [0|x] "" X\n', ['2:24 warning invalid_number']],
    ['BO_ 1 M: 8 X\n SG_ A : 0|8@1+ (1,0) [0|1.#INF] "" X\n', ['2:24 warning invalid_number']],
    ['BO_ 1 M: 8 X\n SG_ A : 0|8@1+ (1,0) [0|0]\n', ['3:1 error syntax_error']],
    ['BO_ 1 M: 8 X\n SG_ A : 0|8@1+ (1,0) [0|0] "km\n', ['2:29 error unterminated_string']],
    ['BO_ 1 M: 8 X\n SG_ A q : 0|8@1+ (1,0) [0|0] "" X\n', ['2:8 error syntax_error']],
    [sg('ORPHAN') + sg('ORPHAN2'), ['1:2 error signal_without_message']],
    ['CM_ "no end\n', ['1:5 error unterminated_string']],
    ['CM_ BO_ 2 text;\n', ['1:11 warning statement_skipped']],
    ['CM_ BO_ 9 "x";\n', ['1:1 warning unknown_message']],
    ['CM_ SG_ 2 N "x";\n', ['1:1 warning unknown_signal']],
    ['CM_ BU_ N "x";\n', ['1:1 info unknown_node']],
    ['CM_ "x"\n', ['1:8 warning missing_semicolon']],
    ['VAL_ 2 G 1 "a" 1 "b";\n', ['1:16 warning duplicate_value']],
    ['VAL_ 2 G 1.5 "a";\n', ['1:10 warning invalid_number']],
    ['VAL_ 2 G NOTABLE;\n', ['1:1 warning unknown_value_table']],
    ['VAL_ 2 G 1 a;\n', ['1:12 warning statement_skipped']],
    ['SIG_VALTYPE_ 2 G : 1;\n', ['3:2 warning float_length_mismatch']],
    ['SIG_VALTYPE_ 2 G : x;\n', ['1:20 error syntax_error']],
    ['SG_MUL_VAL_ 2 G NOPE 0-1;\n', ['3:2 warning mux_selector_missing']],
    ['SG_MUL_VAL_ 2 G G 0-1;\n', ['3:2 info mux_selector_unmarked', '3:2 warning mux_cycle']],
    ['SG_MUL_VAL_ 2 G NOPE 5-1;\n', ['1:22 warning mux_range_invalid', '3:2 warning mux_selector_missing']],
    ['BA_DEF_ XX_ "a" INT 0 1;\n', ['1:13 warning statement_skipped']],
    ['BA_DEF_ __proto__ "a" STRING;\n', ['1:19 warning statement_skipped']],
    ['SIG_VALTYPE_ 2 G : 3;\n', ['1:20 error syntax_error']],
    ['BA_DEF_ "a" BOOL;\n', ['1:17 warning statement_skipped']],
    ['BA_DEF_DEF_ "a" 1;\n', ['1:1 info unknown_attribute']],
    ['BA_ "a" BO_ 2 yes;\n', ['1:15 warning statement_skipped']],
    ['FOO_ bar;\n', ['1:1 error unexpected_text']],
    ['%!PS\n\u0000\u0001\n', ['1:1 error unexpected_text']],
    ['BO_ 1 M: 99 X\n', ['1:1 warning message_length_unusual']],
    ['BO_ 1 M: 99999 X\n', ['1:10 error syntax_error']],
    ['BO_ 99999999999 F: 8 X\n SG_ A : 0|8@1+ (1,0) [0|0] "" X\n', ['1:1 warning message_id_out_of_range']],
    ['BO_ 3 GOOD: 8 X\n', ['2:1 warning duplicate_message_name']],
    [
      'BO_ 2147483650 E: 1 X\n SG_ A : 0|8@1+ (1,0) [0|0] "" X\nBO_ 4294967295 F: 8 X\n',
      ['3:1 warning message_id_out_of_range'],
    ],
  ];
  for (const [text, findings] of cases) {
    const { database, diagnostics } = parse(text + good);
    t.same(places(diagnostics), findings, JSON.stringify(text));
    t.ok(
      database.messages.some((m) => m.id === 2 && !m.ext && m.signals.some((s) => s.name === 'G')),
      `${JSON.stringify(text)}: the next message is read`,
    );
    for (const { code, severity } of diagnostics) t.equal(severity, dbcCodes[code]);
  }
});

t.test('long names replace short ones where they tell signals apart', async (t) => {
  const { database, diagnostics } = parse(
    [
      'BU_: NodeShort',
      'BO_ 1 Short: 8 NodeShort',
      ' SG_ M M : 0|8@1+ (1,0) [0|0] "" X',
      ' SG_ a m1 : 8|8@1+ (1,0) [0|0] "" NodeShort',
      ' SG_ b m1 : 16|8@1+ (1,0) [0|0] "" X',
      'BA_ "SystemMessageLongSymbol" BO_ 1 "LongMessage";',
      'BA_ "SystemNodeLongSymbol" BU_ NodeShort "LongNode";',
      'BA_ "SystemSignalLongSymbol" SG_ 1 M "LongSelector";',
      'BA_ "SystemSignalLongSymbol" SG_ 1 a "LongName";',
      'BA_ "SystemSignalLongSymbol" SG_ 1 b "LongName";',
      'VAL_ 1 a 1 "one" ;',
      '',
    ].join('\n'),
  );
  t.same(places(diagnostics), ['5:2 warning duplicate_signal']);
  const message = database.messages[0]!;
  t.same([message.name, message.senders, database.nodes], ['LongMessage', ['LongNode'], ['LongNode']]);
  t.same(
    message.signals.map((s) => [s.name, s.mux?.selector ?? null]),
    [
      ['LongSelector', null],
      ['LongName', 'LongSelector'],
      ['b', 'LongSelector'],
    ],
  );
  t.equal(message.signals[1]?.labels?.get(1), 'one', 'the file refers by short names');
});

t.test('names and texts without measure are cut, and references still meet them', (t) => {
  const long = 'N'.repeat(5_000_000);
  const longUnit = 'u'.repeat(2000);
  const { database, diagnostics } = parse(
    `VERSION ""\nBU_: X\nBO_ 1 M${long}: 8 X\n${sg(`S${long}`, `: 0|8@1+ (1,0) [0|0] "${longUnit}" X`)}${sg('T', ': 8|8@1+ (1,0) [0|0] "" X')}` +
      `VAL_ 1 S${long} 0 "${longUnit}" ;\n` +
      `BA_DEF_ SG_ "SystemSignalLongSymbol" STRING ;\nBA_DEF_DEF_ "SystemSignalLongSymbol" "";\n` +
      `BA_ "SystemSignalLongSymbol" SG_ 1 T "T${long}";\n`,
  );
  const message = database.messages[0]!;
  const [first, second] = message.signals;
  t.same(
    [message.name, first?.name, second?.name].map((name) => name?.length),
    [256, 256, 256],
  );
  t.equal(first?.unit.length, 1024);
  t.equal(first?.labels?.get(0)?.length, 1024);
  t.same(diagnostics.map(({ code }) => code).sort(), [
    'name_too_long',
    'name_too_long',
    'name_too_long',
    'text_too_long',
    'text_too_long',
  ]);
  t.ok(diagnostics.every((found) => found.message.length < 1000));
  t.end();
});

t.test('a missing quote loses its own statement and not the file', async (t) => {
  const { database, diagnostics } = parse(
    `BO_ 1 A: 8 X\n${sg('S')}CM_ SG_ 1 S "no end;\nBO_ 2 B: 8 X\n${sg('T')}CM_ BO_ 2 "fine";\n`,
  );
  t.same(places(diagnostics), ['3:13 error unterminated_string']);
  t.same(
    database.messages.map((m) => [m.name, m.signals.length, m.comment]),
    [
      ['A', 1, null],
      ['B', 1, 'fine'],
    ],
  );
});

t.test('a file cut off anywhere says so, unless a whole line ends there', async (t) => {
  const text = `BO_ 1 A: 8 X\n${sg('S', ': 0|8@1+ (1,0) [0|0] "km/h" X')}CM_ SG_ 1 S "text\nof two lines";\nVAL_ 1 S 0 "off" 1 "on" ;\n`;
  t.same(parse(text).diagnostics, []);
  for (let length = 1; length < text.length - 1; length++) {
    const cut = text.slice(0, length);
    const isWholeLine = /\n\s*$/.test(cut) && !cut.endsWith('text\n');
    const isWholeStatement = cut.endsWith(';');
    const codes = parse(cut).diagnostics.map((d) => d.code);
    t.equal(codes.length > 0, !isWholeLine && !isWholeStatement, JSON.stringify(cut.slice(-12)));
  }
});

t.test('lists of nodes over several lines; labels over several lines; end marks of old tools', async (t) => {
  const { database, diagnostics } = parse(
    `BU_: A,B\n C\nD E\nBO_ 1 M: 8 A\n${sg('S')}VAL_ 1 S 0 "two\nlines" 1 "x";\n\u001a`,
  );
  t.same(diagnostics, []);
  t.same(database.nodes, ['A', 'B', 'C', 'D', 'E']);
  t.same(
    [...(database.messages[0]?.signals[0]?.labels ?? [])],
    [
      [0, 'two\nlines'],
      [1, 'x'],
    ],
  );
  t.same(places(parse('BU_ A\nBO_ 1 M: 8 A\n').diagnostics), ['1:5 warning statement_skipped']);
});

t.test('a signal with two flaws keeps the plan whole', async (t) => {
  const ring = ` SG_ A m1M : 0|0@1+ (1,0) [0|0] "" X\n SG_ B m1M : 0|65@1+ (1,0) [0|0] "" X\n`;
  const { database } = parse(
    `BO_ 1 M: 8 X\n${ring}${sg('C')}SG_MUL_VAL_ 1 A B 1-1;\nSG_MUL_VAL_ 1 B A 1-1;\n`,
  );
  const plan = compilePlan([database]);
  t.same(plan.signalName, ['A', 'B', 'C']);
  const present = new Uint8Array(3);
  decodeMessage(plan, 0, new Uint8Array(8), 0, 8, new Float64Array(3), present);
  t.same([...present], [0, 0, 1]);
});

t.test('encodings', async (t) => {
  const text = (unit: Uint8Array) =>
    Buffer.concat([Buffer.from('BO_ 1 M: 8 X\n SG_ S : 0|8@1+ (1,0) [0|0] "'), unit, Buffer.from('" X\n')]);
  const unitOf = (bytes: Uint8Array) => {
    const { database, diagnostics } = parseDbc(bytes);
    t.same(diagnostics, []);
    return database.messages[0]?.signals[0]?.unit;
  };
  t.equal(unitOf(text(Buffer.from('°C'))), '°C', 'UTF-8');
  t.equal(
    unitOf(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), text(Buffer.from('°C'))])),
    '°C',
    'with mark',
  );
  t.equal(unitOf(text(Buffer.from([0xb0, 0x43]))), '°C', 'cp1252');
  t.equal(unitOf(text(Buffer.from([0x80]))), '€', 'cp1252, not latin-1');
  t.equal(unitOf(text(Buffer.from([0xa1, 0xe6]))), '¡æ', 'GB2312 bytes do not fail');
  const wide = Buffer.from(`\ufeff${text(Buffer.from('°C')).toString('utf8')}`, 'utf16le');
  t.equal(unitOf(wide), '°C', 'UTF-16 with mark');
  t.equal(
    unitOf(Buffer.from(text(Buffer.from('V')).toString('utf8').replaceAll('\n', '\r'))),
    'V',
    'CR alone',
  );
});

t.test('hostile files end in a located error or a valid table', async (t) => {
  const attacks: Record<string, [text: string, code: string]> = {
    signals: [
      `BO_ 1 M: 8 X\n${Array.from({ length: maxSignals + 1 }, (_, i) => sg(`S${i}`)).join('')}`,
      'too_many_signals',
    ],
    strings: ['CM_ "a\n'.repeat(maxErrors + 1), 'too_many_errors'],
    labels: [
      `VAL_TABLE_ T ${Array.from({ length: 400_000 }, (_, i) => `${i} "x"`).join(' ')};\n`,
      'too_many_entries',
    ],
    nodes: [`BU_: ${'N '.repeat(400_000)}\n`, 'too_many_entries'],
    quotes: ['"'.repeat(1_000_000), 'unexpected_text'],
    one_line: [`EV_ ${'CM_ '.repeat(1_000_000)}`, 'unexpected_end'],
  };
  for (const [name, [text, code]] of Object.entries(attacks)) {
    const { diagnostics } = parse(text);
    const error = diagnostics.find((d) => d.severity === 'error' && d.code === code);
    t.ok(error && error.line >= 1 && error.column >= 1, `${name}: ${code}`);
  }
  t.same(places(parseDbc(new Uint8Array(5000)).diagnostics), ['1:1 error not_text']);
  t.same(places(parseDbc(new Uint8Array(maxFileBytes + 1)).diagnostics), ['1:1 error file_too_large']);

  const ring = Array.from({ length: 2000 }, (_, i) =>
    sg(`S${i}`, `m1M : ${i % 8}|1@1+ (1,0) [0|0] "" X`),
  ).join('');
  const links = Array.from({ length: 2000 }, (_, i) => `SG_MUL_VAL_ 1 S${i} S${(i + 1) % 2000} 0-1;\n`).join(
    '',
  );
  const { database, diagnostics } = parse(`BO_ 1 M: 8 X\n${ring}${links}`);
  t.ok(diagnostics.some((d) => d.code === 'mux_cycle'));
  const plan = compilePlan([database]);
  const present = new Uint8Array(plan.maxSignalsPerMessage);
  decodeMessage(plan, 0, new Uint8Array(8), 0, 8, new Float64Array(plan.maxSignalsPerMessage), present);
  t.ok(
    present.every((value) => value === 0),
    'signals that select each other are never present',
  );
  const names = parse(
    `BO_ 1 __proto__: 8 X\n${sg('__proto__')}${sg('constructor', ': 8|8@1+ (1,0) [0|0] "" X')}CM_ SG_ 1 __proto__ "x";\n`,
  );
  t.same(names.diagnostics, []);
  t.equal(names.database.messages[0]?.signals[0]?.comment, 'x');
  const hostile = parse('\u001b[2Jboo\n').diagnostics[0];
  t.notMatch(hostile?.message, /\u001b/, 'no control characters reach a terminal');
});

t.test('mutated files never throw, and what is read compiles and decodes', async (t) => {
  const rounds = Number(process.env['DRIVEMCP_FUZZ_ROUNDS'] ?? 400);
  const seed = Number(process.env['DRIVEMCP_FUZZ_SEED'] ?? 1);
  const random = mulberry32(seed);
  const pick = (n: number) => Math.floor(random() * n);
  const originals = fuzzTexts.map((text) => Buffer.from(text));
  const folder = corpusFile('can', 'cantools_dbc_src');
  if (folder !== null) {
    for (const name of readdirSync(folder)) {
      const bytes = readFileSync(join(folder, name));
      if (bytes.length < 20_000) originals.push(bytes);
    }
  }
  const tokens = [
    'BO_ ',
    'SG_ ',
    '"',
    ';',
    '\n',
    'VAL_ ',
    '@',
    '|',
    '4294967295',
    '-1',
    '1e309',
    'm0M ',
    '\0',
    ':',
    ',',
    '//',
  ];
  for (let round = 0; round < rounds; round++) {
    let bytes: Buffer = Buffer.from(originals[pick(originals.length)]!);
    for (let edits = 1 + pick(8); edits > 0; edits--) {
      const at = pick(bytes.length + 1);
      const kind = pick(5);
      const insert = kind === 0 ? Buffer.from([pick(256)]) : Buffer.from(tokens[pick(tokens.length)]!);
      const end = Math.min(bytes.length, at + (kind === 2 ? pick(200) : kind === 3 ? 1 : 0));
      const middle = kind === 4 ? bytes.subarray(pick(bytes.length + 1)).subarray(0, 300) : insert;
      bytes = Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(end)]);
    }
    try {
      const { database, diagnostics } = parseDbc(bytes);
      const plan = compilePlan([database]);
      if (plan.blockFirstSignal.at(-1) !== plan.signalCount || plan.signalName.length !== plan.signalCount) {
        throw new Error('signals are lost');
      }
      const values = new Float64Array(plan.maxSignalsPerMessage);
      const present = new Uint8Array(plan.maxSignalsPerMessage);
      const data = Uint8Array.from({ length: 8 }, () => pick(256));
      for (let m = 0; m < plan.messageCount; m++) {
        decodeMessage(plan, m, data, 0, 8, values, present);
        const count = plan.messageFirstSignal[m + 1]! - plan.messageFirstSignal[m]!;
        for (let k = 0; k < count; k++)
          if (present[k] === 1 && values[k] === undefined) throw new Error('no value');
      }
      for (const { line, column } of diagnostics) if (line < 1 || column < 1) throw new Error('no place');
    } catch (error) {
      t.fail(`seed ${seed} round ${round}: ${error instanceof Error ? error.stack : error}`);
      t.comment(bytes.toString('base64').slice(0, 4000));
      return;
    }
  }
  t.pass(`${rounds} files`);
});

/** Small deterministic generator (Tommy Ettinger, public domain), so that a failure names its round. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

const fuzzTexts = [
  `VERSION ""\nNS_ :\n\tCM_\nBS_:\nBU_: A B\nBO_ 1 M: 8 A\n${sg('S', 'M : 0|4@1- (1,0) [0|0] "" B')}${sg('T', 'm1M : 4|4@1+ (0.5,-3) [0|10] "V" B')}${sg('U', 'm2 : 15|48@0- (1E-007,0) [0|0] "" A,B')}CM_ SG_ 1 S "two\nlines";\nVAL_ 1 S 0 "off" -1 "x" ;\nSG_MUL_VAL_ 1 U T 0-3, 7-9;\nSIG_VALTYPE_ 1 U : 2;\n`,
  `BO_ 2364540158 EEC1: 8 X\n${sg('RPM', ': 24|16@1+ (0.125,0) [0|8031.875] "rpm" X')}BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","reserved","J1939PG";\nBA_DEF_DEF_ "VFrameFormat" "J1939PG";\nBA_ "VFrameFormat" BO_ 2364540158 3;\nBA_DEF_ SG_ "SystemSignalLongSymbol" STRING ;\nBA_ "SystemSignalLongSymbol" SG_ 2364540158 RPM "EngineSpeedOfTheEngine";\n`,
];

t.test(
  'all public files of the corpus are read',
  { skip: corpusFile('can') === null ? corpusMissing : false },
  async (t) => {
    // Files that end within a statement or hold a line that no reader can know; all others have no errors.
    for (const folder of ['dbc', 'dbc_src', 'cantools_dbc_src']) {
      const path = corpusFile('can', folder);
      if (path === null) continue;
      for (const name of readdirSync(path)) {
        if (!/\.dbc$/i.test(name)) continue;
        const { database, diagnostics } = parseDbc(readFileSync(join(path, name)), name);
        t.same(
          diagnostics.filter((d) => d.severity === 'error'),
          [],
          `${folder}/${name}`,
        );
        compilePlan([database]);
      }
    }
    const known: [file: string, place: string][] = [
      ['honda_civic_touring_2016_can_generated.dbc', '211:13 warning statement_skipped'],
      ['hyundai_can_generated.dbc', '1659:5 warning statement_skipped'],
      ['toyota_radar_dsu_tssp.dbc', '138:19 warning missing_semicolon'],
      ['toyota_2017_ref_pt.dbc', 'message_id_out_of_range'],
    ];
    for (const [file, place] of known) {
      const path = corpusFile('can', 'dbc_src', file);
      if (path === null) continue;
      const found = places(parseDbc(readFileSync(path)).diagnostics);
      t.ok(
        found.some((text) => text.endsWith(place)),
        `${file}: ${place}; found ${found.slice(0, 3).join(', ')}`,
      );
    }
  },
);
