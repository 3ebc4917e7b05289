/** Flow control as a sender reads it (ISO 15765-2, clause 9.6.5). */

/**
 * Least pause between consecutive frames, s, from the STmin byte: 00–7F are milliseconds, F1–F9 hundreds of
 * microseconds; reserved values mean the longest pause, 127 ms.
 */
export function separationTimeS(stMin: number): number {
  if (stMin <= 0x7f) return stMin / 1000;
  if (stMin >= 0xf1 && stMin <= 0xf9) return (stMin - 0xf0) / 10_000;
  return 0.127;
}
