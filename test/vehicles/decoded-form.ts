/** The form in which the corpus gives decoded payloads, and ours in the same form. */
import { decodeMessage, exactPhysical } from '../../daemon/vehicles/dbc/decode-message.js';
import { type DecodePlan, SIGNAL_FLOAT } from '../../daemon/vehicles/dbc/decode-plan.js';
import { readExact, readRaw } from '../../daemon/vehicles/dbc/read-raw.js';

/** integers beyond ±2^53 and non-finite floats are strings */
export type Value = number | string;
/** raw, physical, label */
export type Entry = [Value, Value, string?];
export type Decoded = Record<string, Entry>;

export interface Vector {
  id: number;
  ext: boolean;
  msg: string;
  data: string;
  sig?: Decoded;
  /** the other reader refused; `fit` holds what an independent extractor found */
  error?: string;
  fit?: Decoded;
}

/** The decoded payload in the form of the vectors: [raw, physical, label?] by signal name. */
export function decodeEntries(plan: DecodePlan, m: number, data: Uint8Array): Decoded {
  const values = new Float64Array(plan.maxSignalsPerMessage);
  const present = new Uint8Array(plan.maxSignalsPerMessage);
  decodeMessage(plan, m, data, 0, data.length, values, present);
  const result: Decoded = {};
  const first = plan.messageFirstSignal[m]!;
  for (let s = first; s < plan.messageFirstSignal[m + 1]!; s++) {
    if (present[s - first] !== 1) continue;
    const value = values[s - first]!;
    const raw = readRaw(plan, s, data, 0);
    const exact = exactPhysical(plan, s, value, data, 0);
    const isFloat = (plan.signalFlags[s]! & SIGNAL_FLOAT) !== 0;
    const exactRaw = isFloat || Math.abs(raw) <= 2 ** 53 ? number(raw) : String(readExact(plan, s, data, 0));
    const label = plan.signalLabels[s]?.get(raw);
    const entry: Entry = [exactRaw, exact === undefined ? number(value) : String(exact)];
    if (label !== undefined) entry.push(label);
    result[plan.signalName[s]!] = entry;
  }
  return result;
}

const number = (value: number): Value => (Number.isFinite(value) ? value : String(value));
export const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));

/** What differs, '' if nothing; numbers by ===. */
export function difference(got: Decoded, want: Decoded): string {
  for (const name of new Set([...Object.keys(got), ...Object.keys(want)])) {
    const a = got[name];
    const b = want[name];
    if (!a || !b) return `${name}: ${a ? 'not expected' : 'missing'}`;
    for (let i = 0; i < 3; i++) if (a[i] !== b[i]) return `${name}: got ${a.join()}, want ${b.join()}`;
  }
  return '';
}

/** Decodes the payloads of vectors and says what differs. */
export function vectorDifferences(
  plan: DecodePlan,
  vectors: readonly Vector[],
): { wrong: string[]; values: number } {
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
  return { wrong, values };
}
