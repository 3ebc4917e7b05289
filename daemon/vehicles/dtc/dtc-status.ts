/** The status byte of a code read by UDS service 19 (ISO 14229-1, annex D.2), and the lamps of J1939 DM1. */
import type { DtcStatus } from '../../core/safety/health/trouble-codes.js';

/** Names of the bits, from bit 0. */
export const statusBits = [
  'failing_now',
  'failed_this_cycle',
  'pending',
  'confirmed',
  'not_completed_since_clear',
  'failed_since_clear',
  'not_completed_this_cycle',
  'warning_lamp',
] as const;
export type StatusBit = (typeof statusBits)[number];

/** The bits that are set and that the unit supports: others say nothing, whatever they show. */
export function statusBitsOf(status: number, availabilityMask = 0xff): StatusBit[] {
  const valid = status & availabilityMask;
  return statusBits.filter((_, bit) => (valid & (1 << bit)) !== 0);
}

/**
 * What the bits mean for health. 0x50 (neither test completed) is a code that was never tested, not a fault.
 * "Failed since clear" alone is a fault that has gone: history.
 */
export function dtcStatusOf(status: number, availabilityMask = 0xff): DtcStatus {
  const valid = status & availabilityMask;
  if ((valid & 0x01) !== 0) return 'failing';
  if ((valid & 0x08) !== 0) return 'confirmed';
  if ((valid & 0x04) !== 0) return 'pending';
  return (valid & 0x22) !== 0 ? 'history' : 'never_tested';
}

export type LampState = 'off' | 'on' | 'flashing' | 'unknown';

export interface J1939Lamps {
  readonly malfunction: LampState;
  readonly redStop: LampState;
  readonly amberWarning: LampState;
  readonly protect: LampState;
}

/**
 * @param status first byte of DM1: two bits a lamp, 00 off, 01 on, the rest not available
 * @param flash second byte: 00 slow flash, 01 fast flash, 11 does not flash or not told
 */
export function lampsOf(status: number, flash: number): J1939Lamps {
  const lamp = (shift: number): LampState => {
    const state = (status >> shift) & 3;
    if (state === 0) return 'off';
    if (state !== 1) return 'unknown';
    return ((flash >> shift) & 3) <= 1 ? 'flashing' : 'on';
  };
  return { malfunction: lamp(6), redStop: lamp(4), amberWarning: lamp(2), protect: lamp(0) };
}
