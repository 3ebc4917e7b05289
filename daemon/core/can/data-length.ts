/** Data length codes of ISO 11898-1: 0–8 mean themselves, 9–15 mean 12 … 64 bytes in CAN FD. */

const fdLengths = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64] as const;

/** Payload bytes that a data length code stands for; codes 9–15 of a classic frame mean 8. */
export function lengthOfDlc(dlc: number, isFd: boolean): number {
  if (dlc <= 8) return dlc;
  return isFd ? (fdLengths[dlc] ?? 64) : 8;
}

/** The smallest data length code that holds `length` bytes (0–64). */
export function dlcOfLength(length: number): number {
  if (length <= 8) return length;
  let dlc = 9;
  while (dlc < 15 && (fdLengths[dlc] ?? 64) < length) dlc++;
  return dlc;
}
