/** A sensor's attribute within what can be simulated; what is no number becomes the least. */
export function bounded(value: number, low: number, high: number): number {
  return Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : low;
}
