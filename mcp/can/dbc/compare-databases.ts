import type { DbcDatabase, DbcMessage, DbcSignal } from '../../../daemon/vehicles/dbc/database.js';

export const changeKinds = [
  'message_added',
  'message_removed',
  'message_changed',
  'signal_added',
  'signal_removed',
  'signal_changed',
] as const;

export interface DbcChange {
  readonly kind: (typeof changeKinds)[number];
  /** as it is after the change, or as it was where it is gone */
  readonly message: DbcMessage;
  readonly signal: string | null;
  readonly field: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

type Fields<T> = readonly (readonly [name: string, read: (from: T) => unknown])[];

const messageFields: Fields<DbcMessage> = [
  ['name', ({ name }) => name],
  ['length_bytes', ({ length }) => length],
  ['cycle_ms', ({ cycleMs }) => cycleMs],
  ['senders', ({ senders }) => senders],
  ['is_fd', ({ isFd }) => isFd],
  ['is_j1939', ({ isJ1939 }) => isJ1939],
  ['comment', ({ comment }) => comment],
];

const signalFields: Fields<DbcSignal> = [
  ['start_bit', ({ startBit }) => startBit],
  ['length_bits', ({ bitLength }) => bitLength],
  ['byte_order', ({ byteOrder }) => byteOrder],
  ['is_signed', ({ isSigned }) => isSigned],
  ['float_bits', ({ floatBits }) => floatBits],
  ['factor', ({ scale }) => scale],
  ['offset', ({ offset }) => offset],
  ['min', ({ min }) => min],
  ['max', ({ max }) => max],
  ['unit', ({ unit }) => unit],
  ['is_selector', ({ isSelector }) => isSelector],
  ['multiplexed', ({ mux }) => mux],
  ['receivers', ({ receivers }) => receivers],
  ['comment', ({ comment }) => comment],
  ['labels', ({ labels }) => (labels === null ? null : [...labels].sort(([a], [b]) => a - b))],
];

/** What differs, by identifier; messages are matched by (identifier, width), signals by name. */
export function* compareDatabases(before: DbcDatabase, after: DbcDatabase): Generator<DbcChange> {
  const old = byIdentifier(before);
  const now = byIdentifier(after);
  const keys = [...new Set([...old.keys(), ...now.keys()])].sort((a, b) => a - b);
  for (const key of keys) {
    const was = old.get(key);
    const is = now.get(key);
    if (is === undefined) yield whole('message_removed', was!);
    else if (was === undefined) yield whole('message_added', is);
    else yield* compareMessages(was, is);
  }
}

function* compareMessages(was: DbcMessage, is: DbcMessage): Generator<DbcChange> {
  for (const [field, before, after] of differences(messageFields, was, is)) {
    yield { kind: 'message_changed', message: is, signal: null, field, before, after };
  }
  const old = new Map(was.signals.map((signal) => [signal.name, signal]));
  const now = new Set(is.signals.map(({ name }) => name));
  for (const signal of was.signals) if (!now.has(signal.name)) yield whole('signal_removed', is, signal.name);
  for (const signal of is.signals) {
    const known = old.get(signal.name);
    if (known === undefined) yield whole('signal_added', is, signal.name);
    else {
      for (const [field, before, after] of differences(signalFields, known, signal)) {
        yield { kind: 'signal_changed', message: is, signal: signal.name, field, before, after };
      }
    }
  }
}

function* differences<T>(
  fields: Fields<T>,
  was: T,
  is: T,
): Generator<[string, string | null, string | null]> {
  for (const [name, read] of fields) {
    const before = text(read(was));
    const after = text(read(is));
    if (before !== after) yield [name, before, after];
  }
}

/** Numbers as they print, so that NaN equals itself and -0 equals 0. */
function text(value: unknown): string | null {
  if (value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function whole(kind: DbcChange['kind'], message: DbcMessage, signal: string | null = null): DbcChange {
  return { kind, message, signal, field: null, before: null, after: null };
}

/** 11-bit identifiers before those of 29 bits. */
function byIdentifier({ messages }: DbcDatabase): Map<number, DbcMessage> {
  return new Map(messages.map((message) => [message.id + (message.ext ? 2 ** 32 : 0), message]));
}
