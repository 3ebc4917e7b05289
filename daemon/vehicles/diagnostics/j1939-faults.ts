/** Fault messages of SAE J1939-73: DM1 (active), DM2 (previously active) and those of the same layout. */
import type { DtcState, TroubleCode } from './trouble-code.js';

export interface FaultMessage {
  readonly name: string;
  readonly state: DtcState;
}

export const faultMessages: ReadonlyMap<number, FaultMessage> = new Map([
  [0xfeca, { name: 'DM1', state: 'failing' }],
  [0xfecb, { name: 'DM2', state: 'history' }],
  [0xfecf, { name: 'DM6', state: 'pending' }],
  [0xfed4, { name: 'DM12', state: 'confirmed' }],
  [0xfdb5, { name: 'DM23', state: 'history' }],
  [0xfd80, { name: 'DM28', state: 'permanent' }],
]);

export type LampState = 'off' | 'on' | 'slow_flash' | 'fast_flash';

/** null: not available */
export interface Lamps {
  readonly malfunction: LampState | null;
  readonly red_stop: LampState | null;
  readonly amber_warning: LampState | null;
  readonly protect: LampState | null;
}

export interface FaultList {
  readonly lamps: Lamps;
  /** null: the unit says that it does not know */
  readonly dtcs: readonly TroubleCode[] | null;
  readonly error?: 'short';
}

/**
 * Two bytes of lamps, then four bytes a fault: SPN 19 bits, FMI 5, conversion method 1, occurrences 7. A single
 * frame holds one fault at most, its last two bytes are filler. All 00: none; all FF: not available.
 */
export function faultList(bytes: Uint8Array, state: DtcState, isSingleFrame: boolean): FaultList {
  const lamps = lampStates(bytes[0] ?? 0xff, bytes[1] ?? 0xff);
  const end = isSingleFrame ? Math.min(bytes.length, 6) : bytes.length;
  if (end < 6) return { lamps, dtcs: null, error: 'short' };
  const dtcs: TroubleCode[] = [];
  let isUnknown = false;
  let at = 2;
  for (; at + 4 <= end; at += 4) {
    const [low, middle, high, count] = bytes.subarray(at, at + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    const every = low | middle | high | count;
    if (every === 0) continue;
    if ((low & middle & high & count) === 0xff) {
      isUnknown = true;
      continue;
    }
    dtcs.push(fault(low, middle, high, count, state));
  }
  const rest = bytes.subarray(at, end);
  // A list is 2 + 4n bytes long; filler up to whole packets is 00 or FF.
  const isCut = rest.some((byte) => byte !== 0 && byte !== 0xff);
  return {
    lamps,
    dtcs: dtcs.length === 0 && isUnknown ? null : dtcs,
    ...(isCut ? { error: 'short' as const } : {}),
  };
}

/**
 * With conversion method 0 the SPN's low byte comes first and its three highest bits stand above the FMI. With
 * method 1 three orders were in use; the number is then given as in the newest and marked as uncertain.
 */
function fault(low: number, middle: number, high: number, count: number, state: DtcState): TroubleCode {
  const spn = low | (middle << 8) | ((high >> 5) << 16);
  const fmi = high & 31;
  const occurrences = count & 127;
  return {
    code: `SPN ${spn} FMI ${fmi}`,
    state,
    details: {
      spn,
      fmi,
      occurrences: occurrences === 127 ? null : occurrences,
      ...(count >> 7 === 1 ? { spn_certain: false } : {}),
    },
  };
}

function lampStates(status: number, flash: number): Lamps {
  const lamp = (shift: number): LampState | null => {
    const isOn = (status >> shift) & 3;
    if (isOn === 0) return 'off';
    if (isOn !== 1) return null;
    const how = (flash >> shift) & 3;
    return how === 0 ? 'slow_flash' : how === 1 ? 'fast_flash' : 'on';
  };
  return { malfunction: lamp(6), red_stop: lamp(4), amber_warning: lamp(2), protect: lamp(0) };
}

/** Vehicle identification (PGN FEEC): text that ends with an asterisk. */
export const pgnVehicleIdentification = 0xfeec;
