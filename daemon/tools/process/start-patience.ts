/** From the start of a process to its list of tools, the first time: from a slow card, on a busy machine. */
export const startMaxMs = 15_000;
/** A start that is no slower than this is never cut short. */
const startMinMs = 3000;
/** Later starts find files and code in memory; so much slower than the last good one is a hang. */
const slowerRatio = 5;

/** How long a start may take before the process counts as hung. @param lastGoodMs null = it has never started well */
export function startPatienceMs(lastGoodMs: number | null): number {
  if (lastGoodMs === null) return startMaxMs;
  return Math.min(startMaxMs, Math.max(startMinMs, Math.ceil(slowerRatio * lastGoodMs)));
}
