/**
 * The reader and the executor against the external corpus: 128 public DBC files as another reader understood
 * them, some 90,000 decoded values, and 61 small edge cases. Values are compared with ===.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import t from 'tap';
import { compilePlan } from '../../daemon/vehicles/dbc/compile-plan.js';
import type { DbcMessage, DbcSignal } from '../../daemon/vehicles/dbc/database.js';
import type { DecodePlan } from '../../daemon/vehicles/dbc/decode-plan.js';
import { parseDbc } from '../../daemon/vehicles/dbc/parse-dbc.js';
import { corpusFile, corpusMissing } from '../helpers/paths.js';
import { bytes, decodeEntries, difference, type Vector } from './decoded-form.js';

interface SignalModel {
  name: string;
  start: number;
  length: number;
  order: string;
  signed: boolean;
  float: boolean;
  scale: number;
  offset: number;
  min?: number;
  max?: number | string;
  unit?: string;
  choices?: Record<string, string>;
  comment?: string;
  muxIds?: number[];
  muxBy?: string;
  mux?: string;
  receivers?: string[];
}

interface MessageModel {
  id: number;
  ext: boolean;
  name: string;
  length: number;
  fd: boolean;
  senders: string[];
  cycle_ms?: number;
  comment?: string;
  protocol?: string;
  signals: SignalModel[];
}

interface VectorFile {
  file: string;
  messages?: MessageModel[];
  vectors?: Vector[];
  note: string | null;
}

function checkVectors(t: Tap.Test, plan: DecodePlan, vectors: readonly Vector[]): number {
  const wrong: string[] = [];
  let values = 0;
  for (const vector of vectors) {
    const want = vector.sig ?? vector.fit;
    const m = plan.find(vector.id, vector.ext);
    if (m < 0 || plan.messageName[m] !== vector.msg) {
      wrong.push(`${vector.id}: found ${plan.messageName[m] ?? 'nothing'} instead of ${vector.msg}`);
      continue;
    }
    const got = decodeEntries(plan, m, bytes(vector.data));
    if (want === undefined) continue;
    values += Object.keys(want).length;
    const differs = difference(got, want);
    if (differs !== '') wrong.push(`${vector.msg} ${vector.data}: ${differs}`);
  }
  t.same(wrong.slice(0, 5), [], `${values} values`);
  return values;
}

/** The model of a signal in the form of the vectors. */
function signalModel(signal: DbcSignal): SignalModel {
  const model: SignalModel = {
    name: signal.name,
    start: signal.startBit,
    length: signal.bitLength,
    order: signal.byteOrder,
    signed: signal.isSigned,
    float: signal.floatBits > 0,
    scale: signal.scale,
    offset: signal.offset,
  };
  if (signal.min !== null) model.min = signal.min;
  if (signal.max !== null) model.max = signal.max;
  if (signal.unit !== '') model.unit = signal.unit;
  if (signal.labels !== null && signal.labels.size > 0) {
    model.choices = Object.fromEntries([...signal.labels].map(([key, text]) => [String(key), text]));
  }
  if (signal.comment) model.comment = signal.comment;
  if (signal.mux?.selector != null) {
    model.muxIds = signal.mux.ranges.flatMap(({ from, to }) =>
      Array.from({ length: to - from + 1 }, (_, i) => from + i),
    );
    model.muxBy = signal.mux.selector;
  }
  if (signal.receivers.length > 0) model.receivers = [...signal.receivers];
  return model;
}

function messageModel(message: DbcMessage): Omit<MessageModel, 'signals'> {
  return {
    id: message.id,
    ext: message.ext,
    name: message.name,
    length: message.length,
    fd: message.isFd,
    senders: [...message.senders],
    ...(message.cycleMs === null ? {} : { cycle_ms: message.cycleMs }),
    ...(message.comment ? { comment: message.comment } : {}),
  };
}

function checkModel(t: Tap.Test, messages: readonly DbcMessage[], want: readonly MessageModel[]): void {
  const wrong: string[] = [];
  const compare = (what: string, a: unknown, b: unknown) => {
    // The other reader takes UTF-8 files for cp1252: letters beyond ASCII are compared in the edge cases.
    const [left, right] = [a, b].map((v) => JSON.stringify(v ?? null).replace(/[^ -~]/g, ''));
    if (left !== right) wrong.push(`${what}: got ${left}, want ${right}`);
  };
  for (const model of want) {
    const message = messages.find((m) => m.id === model.id && m.ext === model.ext && m.name === model.name);
    if (!message) {
      wrong.push(`message ${model.name} is missing`);
      continue;
    }
    const { signals, protocol: _protocol, ...head } = model;
    const { cycle_ms, comment, ...rest } = head;
    const wanted = {
      ...rest,
      ...(cycle_ms ? { cycle_ms } : {}),
      ...(comment ? { comment } : {}),
    };
    compare(model.name, messageModel(message), wanted);
    const byName = new Map(message.signals.map((signal) => [signal.name, signal]));
    for (const signal of signals) {
      const { mux: _mux, muxIds, ...fields } = comparable(signal);
      const got = byName.get(signal.name);
      if (!got) {
        wrong.push(`signal ${model.name}.${signal.name} is missing`);
        continue;
      }
      const { muxIds: gotIds, ...gotFields } = signalModel(got);
      compare(`${model.name}.${signal.name}`, sorted(gotFields), sorted(fields));
      compare(`${model.name}.${signal.name} values`, gotIds?.sort(), muxIds?.sort());
    }
  }
  t.same(wrong.slice(0, 5), [], 'model');
}

/** Limits are documentation: float64 is enough, and [0.0|0.0] means 'not given' as [0|0] does. */
function comparable(signal: SignalModel): SignalModel {
  const { min, max, ...rest } = signal;
  if (min === undefined || max === undefined || (min === 0 && max === 0)) return rest;
  return { ...rest, min, max: Number(max) };
}

function sorted(value: object): unknown {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}

declare namespace Tap {
  type Test = Pick<typeof t, 'same' | 'equal' | 'ok'>;
}

for (const [folder, sources] of [
  ['dbc', 'dbc_src'],
  ['cantools_dbc', 'cantools_dbc_src'],
] as const) {
  const root = corpusFile('can', 'vectors', folder);
  t.test(`vectors of ${folder}`, { skip: root === null ? corpusMissing : false }, async (t) => {
    let values = 0;
    for (const name of readdirSync(root!)) {
      if (name === 'index.json') continue;
      const file = JSON.parse(readFileSync(join(root!, name), 'utf8')) as VectorFile;
      const source = corpusFile('can', sources, file.file);
      if (source === null) continue;
      const { database } = parseDbc(readFileSync(source), basename(source));
      await t.test(file.file, async (t) => {
        if (file.messages) checkModel(t, database.messages, file.messages);
        values += checkVectors(t, compilePlan([database]), file.vectors ?? []);
      });
    }
    t.ok(values > 1000, `${values} values compared`);
  });
}
