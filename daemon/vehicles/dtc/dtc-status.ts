/** The status byte of a code read by UDS service 19 (ISO 14229-1, annex D.2), in words. */

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
