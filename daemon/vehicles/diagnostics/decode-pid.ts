/** Values of one OBD parameter. */
import { isOneBitCode, pidLabel } from './pid-labels.js';
import { type BitSignal, type LinearSignal, type PidEntry, pidTable } from './pid-table.js';
import { codeOf } from './trouble-code.js';

export interface DiagnosticValue {
  /** null: not available */
  readonly value: number | string | boolean | readonly string[] | null;
  /** '' where it has none */
  readonly unit: string;
  readonly label?: string;
}

export type DiagnosticValues = Record<string, DiagnosticValue>;

/**
 * Largest values that a control unit has announced with PIDs 4F and 50; 0 means the standard's own. They stretch
 * the scales of 24–2B, 34–3B, 0B and 10, so they belong to one unit's answers.
 */
export interface ScaleLimits {
  lambda: number;
  oxygenVoltageV: number;
  oxygenCurrentMa: number;
  manifoldKpa: number;
  airFlowGps: number;
}

export const standardScales: Readonly<ScaleLimits> = {
  lambda: 0,
  oxygenVoltageV: 0,
  oxygenCurrentMa: 0,
  manifoldKpa: 0,
  airFlowGps: 0,
};

export type DecodedPid =
  | { readonly kind: 'values'; readonly values: DiagnosticValues; readonly bytes: number }
  /** which of the next 32 PIDs the unit answers */
  | { readonly kind: 'supported'; readonly pids: readonly number[]; readonly bytes: number }
  /** the code that froze the frame, null for none */
  | { readonly kind: 'dtc'; readonly code: string | null; readonly bytes: number }
  /** known length, no agreed content */
  | { readonly kind: 'raw'; readonly bytes: number }
  | { readonly kind: 'unknown' }
  /** fewer bytes than the parameter has: nothing is filled up */
  | { readonly kind: 'short' };

/** The parameter `pid` from `length` bytes of `data` at `at`; `limits` are those of the unit that answers. */
export function decodePid(
  pid: number,
  data: Uint8Array,
  at: number,
  length: number,
  limits: Readonly<ScaleLimits> = standardScales,
): DecodedPid {
  const entry = pidTable.get(pid);
  if (entry === undefined) return { kind: 'unknown' };
  if (length < entry.fewestBytes) return { kind: 'short' };
  const bytes = Math.min(length, entry.mostBytes);
  switch (entry.kind) {
    case 'linear':
      return linearValues(entry, data, at, bytes, limits);
    case 'bits':
      return { kind: 'values', values: bitValues(entry, data, at), bytes };
    case 'enum':
      return { kind: 'values', values: codedValues(entry.signals, data, at), bytes };
    case 'bitmask':
      return { kind: 'supported', pids: supportedPids(pid, data, at), bytes };
    case 'dtc': {
      const value = (data[at]! << 8) | data[at + 1]!;
      return { kind: 'dtc', code: value === 0 ? null : codeOf(value), bytes };
    }
    case 'raw':
      return { kind: 'raw', bytes };
  }
}

function linearValues(
  entry: Extract<PidEntry, { kind: 'linear' }>,
  data: Uint8Array,
  at: number,
  bytes: number,
  limits: Readonly<ScaleLimits>,
): DecodedPid {
  const values: DiagnosticValues = {};
  for (const signal of entry.signals) {
    const isSupported = signal.supportBit < 0 || ((data[at]! >> signal.supportBit) & 1) === 1;
    const isThere = signal.byte + signal.bytes <= bytes;
    if (!isThere) {
      // Optional second bank: left out. A value that the first byte announces must be there.
      if (signal.supportBit < 0) continue;
      if (isSupported) return { kind: 'short' };
    }
    const value = isSupported && isThere ? linearValue(entry.pid, signal, data, at, limits) : null;
    values[signal.name] = { value, unit: signal.unit };
  }
  return { kind: 'values', values, bytes };
}

function linearValue(
  pid: number,
  signal: LinearSignal,
  data: Uint8Array,
  at: number,
  limits: Readonly<ScaleLimits>,
): number | null {
  let raw = 0;
  for (let i = 0; i < signal.bytes; i++) raw = raw * 256 + data[at + signal.byte + i]!;
  if (raw === signal.unavailableRaw) return null;
  if (signal.isSigned && raw >= 2 ** (8 * signal.bytes - 1)) raw -= 2 ** (8 * signal.bytes);
  return rescaled(pid, signal.name, raw, limits) ?? (raw * signal.mul) / signal.div + signal.add;
}

/** With a limit from 4F or 50 the largest raw value means that limit; null where the scale is the standard's. */
function rescaled(pid: number, name: string, raw: number, limits: Readonly<ScaleLimits>): number | null {
  if (pid === 0x0b) return limits.manifoldKpa > 0 ? (raw * limits.manifoldKpa) / 255 : null;
  if (pid === 0x10) return limits.airFlowGps > 0 ? (raw * limits.airFlowGps) / 65_535 : null;
  const isWideBand = (pid >= 0x24 && pid <= 0x2b) || (pid >= 0x34 && pid <= 0x3b);
  if (!isWideBand) return null;
  if (name === 'LAMBDA' && limits.lambda > 0) return (raw * limits.lambda) / 65_536;
  if (name === 'O2S_V' && limits.oxygenVoltageV > 0) return (raw * limits.oxygenVoltageV) / 65_536;
  if (name === 'O2S_MA' && limits.oxygenCurrentMa > 0) {
    return (raw * limits.oxygenCurrentMa) / 32_768 - limits.oxygenCurrentMa;
  }
  return null;
}

/** Takes over what PIDs 4F and 50 announce. */
export function noteScaleLimits(limits: ScaleLimits, pid: number, data: Uint8Array, at: number): void {
  if (pid === 0x4f) {
    limits.lambda = data[at]!;
    limits.oxygenVoltageV = data[at + 1]!;
    limits.oxygenCurrentMa = data[at + 2]!;
    limits.manifoldKpa = data[at + 3]! * 10;
  } else if (pid === 0x50) limits.airFlowGps = data[at]! * 10;
}

/** Monitors of PIDs 01 and 41: byte C says which there are, byte D which are not complete; null: reserved bit. */
const sparkMonitors = ['CAT', 'HCAT', 'EVAP', 'AIR', 'GPF', 'O2S', 'HTR', 'EGR'];
const compressionMonitors = ['HCCAT', 'NCAT', null, 'BP', null, 'EGS', 'PM', 'EGR'];

function bitValues(entry: PidEntry & { signals: readonly BitSignal[] }, data: Uint8Array, at: number) {
  const values: DiagnosticValues = {};
  for (const { name, byte, bit, width } of entry.signals) {
    values[name] = { value: (data[at + byte]! >> bit) & ((1 << width) - 1), unit: '' };
  }
  if (entry.pid !== 0x01 && entry.pid !== 0x41) return values;
  const monitors = (data[at + 1]! & 8) !== 0 ? compressionMonitors : sparkMonitors;
  const there = entry.pid === 0x01 ? 'SUP' : 'ENA';
  for (const [bit, name] of monitors.entries()) {
    if (name === null) continue;
    values[`${name}_${there}`] = { value: (data[at + 2]! >> bit) & 1, unit: '' };
    values[`${name}_INCOMPLETE`] = { value: (data[at + 3]! >> bit) & 1, unit: '' };
  }
  return values;
}

function codedValues(
  signals: readonly { readonly name: string; readonly byte: number }[],
  data: Uint8Array,
  at: number,
): DiagnosticValues {
  const values: DiagnosticValues = {};
  for (const { name, byte } of signals) {
    const code = data[at + byte]!;
    const isInvalid = isOneBitCode(name) && (code & (code - 1)) !== 0;
    const label = pidLabel(name, code);
    values[name] = {
      value: isInvalid ? null : code,
      unit: '',
      ...(label === undefined || isInvalid ? {} : { label }),
    };
  }
  return values;
}

/** PIDs that the answer to 00, 20, 40 … lists: bit A7 is the next one. */
export function supportedPids(pid: number, data: Uint8Array, at: number): number[] {
  const pids: number[] = [];
  for (let bit = 0; bit < 32; bit++) {
    if (((data[at + (bit >> 3)]! >> (7 - (bit & 7))) & 1) === 1) pids.push(pid + 1 + bit);
  }
  return pids;
}
