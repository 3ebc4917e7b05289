import type { RoadSurface } from './facts.js';

/** From the most to the least grip; `unknown` says nothing and loses against everything. */
const rank: Readonly<Record<RoadSurface, number>> = {
  unknown: 0,
  dry: 1,
  damp: 2,
  wet: 3,
  heavy_rain: 4,
  standing_water: 5,
  snow: 6,
  ice: 7,
};

/** Of two observations of the road the one with less grip. */
export function worseSurface(a: RoadSurface, b: RoadSurface): RoadSurface {
  return rank[a] >= rank[b] ? a : b;
}
