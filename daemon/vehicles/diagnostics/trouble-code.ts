/** Diagnostic trouble codes: SAE J2012 numbering, ISO 14229-1 status bits. */

/** How a code stands. `passed`: listed, but nothing of it failed; `permanent`: OBD service 0A. */
export const dtcStates = [
  'failing',
  'confirmed',
  'pending',
  'history',
  'never_tested',
  'permanent',
  'passed',
] as const;
export type DtcState = (typeof dtcStates)[number];

export interface TroubleCode {
  /** e.g. `P0A80`; J1939: `SPN100-FMI1` */
  readonly code: string;
  /** failure type byte of three-byte codes, two upper-case hex digits */
  readonly ftb?: string;
  /** status byte within the availability mask, two hex digits */
  readonly status?: string;
  readonly state: DtcState;
  /** further facts by their JSON name: severity, fault counter, record, spn, fmi … */
  readonly details?: Readonly<Record<string, number | string | boolean | null>>;
}

/** Two bytes: bits 15–14 letter, 13–12 digit 0–3, then three hexadecimal digits in upper case. */
export function codeOf(value: number): string {
  return 'PCBU'[(value >> 14) & 3]! + (value & 0x3fff).toString(16).toUpperCase().padStart(4, '0');
}

/** `P0A80` to its two bytes; null for anything else. */
export function codeValue(code: string): number | null {
  const found = /^([PCBU])([0-3][0-9A-F]{3})$/i.exec(code);
  if (found === null) return null;
  return ('PCBU'.indexOf(found[1]!.toUpperCase()) << 14) | Number.parseInt(found[2]!, 16);
}

export const statusBit = {
  testFailed: 0x01,
  failedThisCycle: 0x02,
  pending: 0x04,
  confirmed: 0x08,
  notCompletedSinceClear: 0x10,
  failedSinceClear: 0x20,
  notCompletedThisCycle: 0x40,
  warningIndicator: 0x80,
} as const;

/** The strongest statement of a status byte; bits outside the availability mask say nothing (mask them before). */
export function stateOf(status: number): DtcState {
  if ((status & statusBit.testFailed) !== 0) return 'failing';
  if ((status & statusBit.confirmed) !== 0) return 'confirmed';
  if ((status & statusBit.pending) !== 0) return 'pending';
  if ((status & (statusBit.failedSinceClear | statusBit.failedThisCycle)) !== 0) return 'history';
  if ((status & statusBit.notCompletedSinceClear) !== 0) return 'never_tested';
  return 'passed';
}

const hexBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, '0'));

/** Upper-case hexadecimal with at least two digits. */
export function hexByte(value: number): string {
  return hexBytes[value] ?? value.toString(16).toUpperCase();
}
