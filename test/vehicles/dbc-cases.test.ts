/**
 * 61 small DBC texts of the corpus, each with what a tolerant reader should do, and every decode and encode
 * of another reader's own test-suite.
 */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { compilePlan } from '../../daemon/vehicles/dbc/compile-plan.js';
import { decodeMessage } from '../../daemon/vehicles/dbc/decode-message.js';
import {
  type DecodePlan,
  FRAME_MUX_UNKNOWN,
  FRAME_SHORT,
  findSignal,
} from '../../daemon/vehicles/dbc/decode-plan.js';
import { encodeMessage, writeExact } from '../../daemon/vehicles/dbc/encode-message.js';
import { parseDbc } from '../../daemon/vehicles/dbc/parse-dbc.js';
import { readExact, readRaw } from '../../daemon/vehicles/dbc/read-raw.js';
import { corpusFile, corpusMissing } from '../helpers/paths.js';
import { type MessageModel, modelDifferences } from './dbc-model.js';
import { bytes, decodeEntries, type Vector, vectorDifferences } from './decoded-form.js';

interface EdgeCase {
  name: string;
  dbc?: string | null;
  dbc_base64?: string;
  messages?: MessageModel[];
  vectors?: Vector[];
}

/** Findings wanted, `code` or `code:line:column`; cases that are not named have none. */
const findings: Record<string, string[]> = {
  'VAL_ with duplicate key': ['duplicate_value:12:18'],
  'VAL_ for unknown message': ['unknown_message:12:1'],
  'CM_ for unknown signal': ['unknown_signal:12:1'],
  'CM_ SG_ without signal name (as in opendbc honda)': ['statement_skipped:12:13'],
  'CM_ id without BO_ (as in opendbc hyundai)': ['statement_skipped:12:5'],
  'CM_ without semicolon before BO_ (as in toyota_radar_dsu_tssp)': ['missing_semicolon:9:19'],
  'empty file': ['empty_file:1:1'],
  'id > 11 bit without bit 31': ['message_id_without_ext_flag:9:1'],
  'id beyond 29 bit': ['no_messages:1:1', 'message_id_out_of_range:9:1'],
  'duplicate message id': ['duplicate_message:12:1'],
  'duplicate signal name in one message': ['duplicate_signal:11:2'],
  'overlapping signals': ['signal_overlap:11:2'],
  'signal beyond the frame': ['signal_outside_message:10:2'],
  'signal length 0': ['signal_length_invalid:10:2'],
  'signal length 65': ['signal_length_invalid:10:2'],
  'factor 0': ['scale_zero:10:2'],
  'names starting with a digit': ['name_not_identifier:9:9', 'name_not_identifier:10:6'],
  'BA_DEF_DEF_ with bare word false': ['statement_skipped:13:17'],
  'syntax error in the middle (missing @)': ['syntax_error:10:14'],
  'unterminated string': ['unterminated_string:10:29'],
  'file cut off in the middle': ['unexpected_end:10:11'],
  'binary garbage': ['not_text:1:1'],
};

/** The other reader keeps both of two duplicates; here only one is used. */
const modelDiffers = new Set([
  'duplicate message id',
  'duplicate signal name in one message',
  'signal without receiver',
]);

const casesFile = corpusFile('can', 'vectors', 'dbc_edge_cases.json');
t.test('edge cases', { skip: casesFile === null ? corpusMissing : false }, async (t) => {
  const { cases } = JSON.parse(readFileSync(casesFile!, 'utf8')) as { cases: EdgeCase[] };
  t.equal(cases.length, 61);
  for (const edge of cases) {
    const text = edge.dbc_base64 ? Buffer.from(edge.dbc_base64, 'base64') : Buffer.from(edge.dbc ?? '');
    const { database, diagnostics } = parseDbc(text);
    const plan = compilePlan([database]);
    const wanted = findings[edge.name] ?? [];
    const found = diagnostics.map((d, i) =>
      wanted[i]?.includes(':') ? `${d.code}:${d.line}:${d.column}` : d.code,
    );
    t.same(found, wanted, `${edge.name}: findings`);
    if (edge.messages && !modelDiffers.has(edge.name)) {
      t.same(modelDifferences(database.messages, edge.messages), [], `${edge.name}: model`);
    }
    if (edge.vectors && edge.name !== 'signal without receiver') {
      t.same(vectorDifferences(plan, edge.vectors).wrong, [], `${edge.name}: values`);
    }
  }

  const openCase = (name: string) => {
    const edge = cases.find((candidate) => candidate.name === name)!;
    const text = edge.dbc_base64 ? Buffer.from(edge.dbc_base64, 'base64') : Buffer.from(edge.dbc ?? '');
    const { database } = parseDbc(text);
    const plan = compilePlan([database]);
    const physical = (id: number, ext: boolean, data: string) =>
      Object.fromEntries(
        Object.entries(decodeEntries(plan, plan.find(id, ext), bytes(data))).map(([key, entry]) => [
          key,
          entry[1],
        ]),
      );
    return { database, plan, physical };
  };
  const value = (name: string, data: string, id = 291, ext = false) => openCase(name).physical(id, ext, data);

  t.same(value('factor .25 without leading zero (as in opendbc chrysler)', '1fffffffffffffff'), {
    S: 1547.75,
  });
  t.same(value('signal without receiver', '0102000000000000'), { S: 1 });
  t.same(value('id > 11 bit without bit 31', '01', 275906560, true), { D: 1 });
  t.same(value('same number standard and extended', '0700000000000000', 384, false), { A: 7 });
  t.same(value('same number standard and extended', '0700000000000000', 384, true), { B: 14 });
  t.same(value('overlapping signals', 'a5f0000000000000'), { S: 0xa5, T: 0x0a });
  t.same(value('signal beyond the frame', 'a5f0'), { T: 0xa5 });
  t.same(value('signal length 65', 'ff00000000000000'), {});
  t.same(value('names starting with a digit', '0700000000000000'), { '0_COUNTER': 7 });
  t.same(value('signed multiplexer selector', 'ff05000000000000'), { M: -1, A: 5 }, 'raw bits are compared');
  t.same(value('simple multiplexing', '0277000000000009'), { M: 2, ALL: 9 }, 'unknown selector value');
  t.same(value('extended multiplexing (nested, ranges)', '81aabb0000000000'), { M0: 1, M1: 8 });
  t.same(value('syntax error in the middle (missing @)', '07', 292), { T: 7 }, 'the next message is read');
  t.equal(openCase('unterminated string').database.messages.length, 2, 'reading goes on behind the string');
  t.equal(openCase('UTF-8 byte order mark').database.messages[0]?.signals[0]?.unit, '°C');
  t.equal(openCase('cp1252 degree sign').database.messages[0]?.signals[0]?.unit, '°C');
  t.equal(openCase('binary garbage').database.messages.length, 0);
});

type SuiteValue = number | string | { name: string; value: number } | { bigint: string };

interface SuiteRecord {
  op: 'decode' | 'encode';
  test: string;
  file: string;
  id: number;
  ext: boolean;
  payload?: string;
  signals?: Record<string, SuiteValue>;
  args: boolean[];
  kwargs: Record<string, boolean>;
  result?: string | Record<string, SuiteValue>;
  error?: string;
  text?: string;
}

const suiteFile = corpusFile('can', 'vectors', 'cantools_suite.json');
t.test("another reader's own suite", { skip: suiteFile === null ? corpusMissing : false }, async (t) => {
  const { records } = JSON.parse(readFileSync(suiteFile!, 'utf8')) as { records: SuiteRecord[] };
  const plans = new Map<string, DecodePlan>();
  for (const record of records) {
    const source = corpusFile('can', 'cantools_dbc_src', record.file);
    if (source === null) {
      t.pass(`${record.file} is not in the corpus`);
      continue;
    }
    const plan = plans.get(record.file) ?? compilePlan([parseDbc(readFileSync(source)).database]);
    plans.set(record.file, plan);
    const m = plan.find(record.id, record.ext);
    const what = `${record.test} ${record.op} ${JSON.stringify(record.signals ?? record.payload)}`;
    if (m < 0) t.fail(`${what}: message ${record.id} is missing`);
    else if (record.op === 'decode') checkDecode(t, plan, m, record, what);
    else checkEncode(t, plan, m, record, what);
  }
});

function checkDecode(t: Test, plan: DecodePlan, m: number, record: SuiteRecord, what: string): void {
  const data = bytes(record.payload!);
  const entries = decodeEntries(plan, m, data);
  if (record.error) {
    const findings = decodeMessage(plan, m, data, 0, data.length, values(plan), present(plan));
    t.ok((findings & (FRAME_SHORT | FRAME_MUX_UNKNOWN)) !== 0, `${what}: said instead of refused`);
    return;
  }
  const isScaled = record.args[1] ?? true;
  const wanted = Object.entries(record.result as Record<string, SuiteValue>);
  t.same(Object.keys(entries).sort(), wanted.map(([name]) => name).sort(), `${what}: signals`);
  for (const [name, want] of wanted) {
    const [raw, physical, label] = entries[name] ?? [];
    if (typeof want === 'number') t.equal(isScaled ? physical : raw, want, `${what}: ${name}`);
    else if (typeof want === 'string') t.equal(label, want, `${what}: ${name}`);
    else if ('bigint' in want) t.equal(raw, want.bigint, `${what}: ${name}`);
    else t.same([raw, label], [want.value, want.name], `${what}: ${name}`);
  }
}

function checkEncode(t: Test, plan: DecodePlan, m: number, record: SuiteRecord, what: string): void {
  const first = plan.messageFirstSignal[m]!;
  const isScaled = record.kwargs['scaling'] ?? record.args[0] ?? true;
  const isPadded = record.kwargs['padding'] ?? record.args[1] ?? false;
  const data = new Uint8Array(plan.messageLength[m]!).fill(isPadded ? 0xff : 0);
  const given = values(plan);
  const has = present(plan);
  const exact: [signal: number, raw: bigint][] = [];
  for (const [name, value] of Object.entries(record.signals!)) {
    const s = findSignal(plan, m, name);
    if (s < 0) continue;
    if (typeof value === 'object' && 'bigint' in value) {
      exact.push([s, BigInt(value.bigint)]);
      continue;
    }
    has[s - first] = 1;
    if (typeof value === 'number' && isScaled) given[s - first] = value;
    else given[s - first] = rawOf(plan, s, value) * plan.signalScale[s]! + plan.signalOffset[s]!;
  }
  if (record.error) {
    // Limits of the DBC are documentation here: what the bits can hold is encoded, and comes back unclamped.
    try {
      encodeMessage(plan, m, given, has, data, 0);
    } catch (error) {
      t.match(error, { code: 'SIGNAL_UNENCODABLE' }, what);
      return;
    }
    const back = values(plan);
    decodeMessage(plan, m, data, 0, data.length, back, present(plan));
    for (let k = 0; k < has.length; k++) {
      if (has[k] === 1)
        t.ok(Math.abs(back[k]! - given[k]!) <= Math.abs(plan.signalScale[first + k]!) / 2, what);
    }
    return;
  }
  t.equal(encodeMessage(plan, m, given, has, data, 0), data.length);
  for (const [s, raw] of exact) {
    writeExact(plan, s, raw, data, 0);
    t.equal(readExact(plan, s, data, 0), raw);
  }
  t.equal(Buffer.from(data).toString('hex'), record.result, what);
  for (let k = 0; k < has.length; k++) {
    if (has[k] === 1 && !isScaled)
      t.equal(
        readRaw(plan, first + k, data, 0),
        rawOf(plan, first + k, record.signals![plan.signalName[first + k]!]!),
        what,
      );
  }
}

function rawOf(plan: DecodePlan, signal: number, value: SuiteValue): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'object') return 'value' in value ? value.value : Number(value.bigint);
  for (const [raw, label] of plan.signalLabels[signal] ?? []) if (label === value) return raw;
  throw new Error(`no label ${value}`);
}

const values = (plan: DecodePlan): Float64Array => new Float64Array(plan.maxSignalsPerMessage);
const present = (plan: DecodePlan): Uint8Array => new Uint8Array(plan.maxSignalsPerMessage);

type Test = Pick<typeof t, 'same' | 'equal' | 'ok' | 'match'>;
