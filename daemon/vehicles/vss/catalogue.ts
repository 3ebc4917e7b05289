/**
 * The paths of the COVESA Vehicle Signal Specification (release 6) that may cross into the core, with units,
 * plausible ranges and purpose. Paths, units and types are the specification's; the words are ours.
 */
import { assistance } from './assistance.js';
import { body } from './body.js';
import { chassis } from './chassis.js';
import { diagnostics } from './diagnostics.js';
import { powertrain } from './powertrain.js';
import { vehicleDynamics } from './vehicle-dynamics.js';
import type { VssSignal } from './vss-signal.js';

export const vssCatalogue: ReadonlyMap<string, VssSignal> = new Map(
  [...vehicleDynamics, ...powertrain, ...chassis, ...assistance, ...body, ...diagnostics].map((signal) => [
    signal.path,
    signal,
  ]),
);

/** The catalogue's path nearest to a mistyped one, for messages; undefined where nothing is near. */
export function nearestVssPath(path: string): string | undefined {
  const wanted = path.toLowerCase();
  const words = wanted.split('.');
  let best: string | undefined;
  let bestScore = 0;
  for (const candidate of vssCatalogue.keys()) {
    const lower = candidate.toLowerCase();
    if (lower === wanted) return candidate;
    const parts = lower.split('.');
    const shared = words.filter((word) => parts.includes(word)).length;
    const score = (2 * shared) / (words.length + parts.length);
    if (score > bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  // Half of the segments in common: below that a hint would mislead.
  return bestScore >= 0.5 ? best : undefined;
}
