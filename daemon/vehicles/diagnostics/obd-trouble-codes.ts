/** Lists of trouble codes of OBD services 03 (confirmed), 07 (pending) and 0A (permanent). */
import type { DiagnosticContent } from './diagnostic-content.js';
import { codeOf, type DtcState, type TroubleCode } from './trouble-code.js';

const states: Readonly<Record<number, DtcState>> = { 3: 'confirmed', 7: 'pending', 10: 'permanent' };

/**
 * On CAN a count precedes the codes, on older lines it does not; codes have two bytes, so an odd number of bytes
 * after the service byte means that the count is there. 0000 is padding.
 */
export function storedCodes(service: 0x03 | 0x07 | 0x0a, response: Uint8Array): DiagnosticContent {
  const state = states[service]!;
  const bytes = response.length - 1;
  if (bytes === 0) return { service, error: 'short' };
  const hasCount = bytes % 2 === 1;
  const dtcs: TroubleCode[] = [];
  for (let at = hasCount ? 2 : 1; at + 1 < response.length; at += 2) {
    const value = (response[at]! << 8) | response[at + 1]!;
    if (value !== 0) dtcs.push({ code: codeOf(value), state });
  }
  const isCut = hasCount && response[1]! * 2 > bytes - 1;
  return { service, dtcs, ...(isCut ? { error: 'short' as const } : {}) };
}
