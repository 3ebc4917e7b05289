/** Whether the daemon is alive in the sense of its service manager's watchdog: what must move does move. */

export interface LivenessEvidence {
  readonly tick: number;
  /** turns of the receive threads, one number an interface */
  readonly receivers: readonly number[];
  /** false: the store says itself that it cannot keep records (a full disk) */
  readonly isStoreHealthy: boolean;
  readonly storeLagUs: number;
}

/** A store that claims to be well and has acknowledged nothing for this long hangs. */
const storeLagBoundUs = 10_000_000;

/**
 * What stands still since the evidence before; empty = alive. A store that says what is wrong with it is not among
 * these: a restart does not empty a disk, and the modes already act on it.
 */
export function standingStill(before: LivenessEvidence, now: LivenessEvidence): string[] {
  const still: string[] = [];
  if (now.tick <= before.tick) still.push('ticks');
  for (const [i, turns] of now.receivers.entries()) {
    if (turns === before.receivers[i]) still.push(`receiver ${i}`);
  }
  if (now.isStoreHealthy && now.storeLagUs > storeLagBoundUs) still.push('store');
  return still;
}
