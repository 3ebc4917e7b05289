import type { DisplaySchedule } from './world-scenario.js';

/** What a dynamic sign shows; value null: dark. */
export interface SignDisplay {
  readonly value: number | null;
  readonly plate: 'wet' | null;
}

export function displaysAt(
  schedules: readonly DisplaySchedule[],
  tS: number,
): ReadonlyMap<string, SignDisplay> {
  const shown = new Map<string, SignDisplay>();
  for (const { signalId, shows } of schedules) {
    const now = shows.findLast(({ fromS }) => fromS <= tS);
    shown.set(
      signalId,
      now === undefined ? { value: null, plate: null } : { value: now.value, plate: now.plate },
    );
  }
  return shown;
}
