/** Answers of UDS service 19, ReadDTCInformation (ISO 14229-1): the sub-functions that read. */
import type { DiagnosticContent } from './diagnostic-content.js';
import { codeOf, hexByte, stateOf, type TroubleCode } from './trouble-code.js';

type Details = Record<string, number>;

interface RecordForm {
  /** bytes between the sub-function and the first record, the availability mask at `maskAt` (−1: none) */
  readonly headBytes: number;
  readonly maskAt: number;
  readonly bytes: number;
  /** where in a record the three bytes of the code and its status stand (−1: no status) */
  readonly codeAt: number;
  readonly statusAt: number;
  readonly details?: (data: Uint8Array, at: number) => Details;
}

const plain: RecordForm = { headBytes: 1, maskAt: 0, bytes: 4, codeAt: 0, statusAt: 3 };
const withSeverity: RecordForm = {
  headBytes: 1,
  maskAt: 0,
  bytes: 6,
  codeAt: 2,
  statusAt: 5,
  details: (data, at) => ({ severity: data[at]!, functional_unit: data[at + 1]! }),
};

/** By sub-function; 15 and 55 report permanent codes. */
const lists: ReadonlyMap<number, RecordForm> = new Map([
  ...[0x02, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x13, 0x15].map((sub) => [sub, plain] as const),
  [
    0x03,
    {
      headBytes: 0,
      maskAt: -1,
      bytes: 4,
      codeAt: 0,
      statusAt: -1,
      details: (data, at) => ({ snapshot: data[at + 3]! }),
    },
  ],
  [0x08, withSeverity],
  [0x09, withSeverity],
  [
    0x14,
    {
      headBytes: 0,
      maskAt: -1,
      bytes: 4,
      codeAt: 0,
      statusAt: -1,
      // Signed: −128 … 127, positive while a fault is on its way to being confirmed.
      details: (data, at) => ({ fault_counter: (data[at + 3]! << 24) >> 24 }),
    },
  ],
  [0x17, { headBytes: 2, maskAt: 1, bytes: 4, codeAt: 0, statusAt: 3 }],
  [
    0x42,
    {
      headBytes: 4,
      maskAt: 1,
      bytes: 5,
      codeAt: 1,
      statusAt: 4,
      details: (data, at) => ({ severity: data[at]! }),
    },
  ],
  [0x55, { headBytes: 3, maskAt: 1, bytes: 4, codeAt: 0, statusAt: 3 }],
]);

const counts = new Set([0x01, 0x07, 0x11, 0x12]);
/** one code with its status, then data records of the maker */
const records = new Set([0x04, 0x06, 0x10, 0x18, 0x19]);
const permanent = new Set([0x15, 0x55]);

/** `59 sub …`; codes that are whole are given also where the list is cut. */
export function udsCodes(response: Uint8Array): DiagnosticContent {
  if (response.length < 2) return { service: 0x19, error: 'short' };
  const sub = response[1]! & 0x7f;
  const head = { service: 0x19, sub };
  if (counts.has(sub)) {
    if (response.length < 6) return { ...head, error: 'short' };
    const value = (response[4]! << 8) | response[5]!;
    return { ...head, values: { DTC_COUNT: { value, unit: 'count' } } };
  }
  if (records.has(sub)) {
    const at = sub === 0x18 || sub === 0x19 ? 3 : 2;
    if (response.length < at + 4) return { ...head, dtcs: [], error: 'short' };
    return { ...head, dtcs: [troubleCode(response, at, response[at + 3]!)] };
  }
  const form = lists.get(sub);
  return form === undefined ? head : { ...head, ...codeList(response, form, permanent.has(sub)) };
}

function codeList(
  response: Uint8Array,
  form: RecordForm,
  isPermanent: boolean,
): Pick<DiagnosticContent, 'dtcs' | 'error'> {
  const from = 2 + form.headBytes;
  if (response.length < from) return { dtcs: [], error: 'short' };
  const mask = form.maskAt < 0 ? 0xff : response[2 + form.maskAt]!;
  const dtcs: TroubleCode[] = [];
  let at = from;
  for (; at + form.bytes <= response.length; at += form.bytes) {
    const codeAt = at + form.codeAt;
    if ((response[codeAt]! | response[codeAt + 1]! | response[codeAt + 2]!) === 0) continue;
    const status = form.statusAt < 0 ? null : response[at + form.statusAt]! & mask;
    const code = troubleCode(response, codeAt, status, form.details?.(response, at));
    dtcs.push(isPermanent ? { ...code, state: 'permanent' } : code);
  }
  const isCut = at < response.length;
  return { dtcs, ...(isCut ? { error: 'short' as const } : {}) };
}

function troubleCode(data: Uint8Array, at: number, status: number | null, details?: Details): TroubleCode {
  return {
    code: codeOf((data[at]! << 8) | data[at + 1]!),
    ftb: hexByte(data[at + 2]!),
    ...(status === null ? {} : { status: hexByte(status) }),
    // Snapshot and counter lists name codes without a status: that a record exists is history.
    state: status === null ? 'history' : stateOf(status),
    ...(details === undefined ? {} : { details }),
  };
}
