/** The form in which the corpus gives databases, and comparison of ours with it. */
import type { DbcMessage, DbcSignal } from '../../daemon/vehicles/dbc/database.js';

export interface SignalModel {
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

export interface MessageModel {
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

/** What differs between the messages as read and the model of the corpus. */
export function modelDifferences(messages: readonly DbcMessage[], want: readonly MessageModel[]): string[] {
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
  return wrong;
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
