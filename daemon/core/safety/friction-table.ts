import type { RoadSurface } from '../world/facts.js';

export interface FrictionRange {
  /** typical value on that surface */
  readonly typical: number;
  /** value that is hardly ever undercut; what braking distances use unless the road is dry */
  readonly lowerBound: number;
}

/**
 * Grip by road state (ratio of braking force to weight). Ranges after the friction table of the Bosch
 * Automotive Handbook (new and worn tyres) and published asphalt, snow and ice measurements.
 */
export const frictionTable: Readonly<Record<RoadSurface, FrictionRange>> = {
  dry: { typical: 0.8, lowerBound: 0.7 },
  damp: { typical: 0.65, lowerBound: 0.55 },
  wet: { typical: 0.55, lowerBound: 0.4 },
  heavy_rain: { typical: 0.45, lowerBound: 0.3 },
  standing_water: { typical: 0.3, lowerBound: 0.15 },
  snow: { typical: 0.25, lowerBound: 0.15 },
  ice: { typical: 0.1, lowerBound: 0.05 },
  unknown: { typical: 0.55, lowerBound: 0.4 },
};

export function isRoadSurface(word: string): word is RoadSurface {
  return Object.hasOwn(frictionTable, word);
}
