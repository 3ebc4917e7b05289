import { runsWithS } from '../opendrive/road-line.js';
import type { SimWorld } from '../sim/world/sim-world.js';

/** The first of these that happens ends a scenario. */
export interface StopRule {
  readonly atS: number;
  /** of the ego with anybody */
  readonly onCollision: boolean;
  /** the ego is on this road, at this place or behind it in the direction of its lane */
  readonly egoAt: { readonly road: string; readonly sM: number } | null;
  /** left out: however far it goes */
  readonly egoTravelledM?: number | undefined;
}

export type StopReason = 'time' | 'collision' | 'place' | 'distance';

/** Why the scenario has ended, asked behind every step; null: it has not. */
export function stopReason(
  world: SimWorld,
  { atS, onCollision, egoAt, egoTravelledM }: StopRule,
): StopReason | null {
  const { ego } = world;
  if (ego !== null && onCollision && world.collisions.some(({ one, other }) => one === ego || other === ego))
    return 'collision';
  if (ego !== null && egoAt !== null) {
    const at = world.index.locate(ego.pose.x, ego.pose.y);
    const isBehind = (sM: number): boolean =>
      at !== null && (runsWithS(at.road, at.laneId) ? at.sM >= sM : at.sM <= sM);
    if (at?.road.id === egoAt.road && isBehind(egoAt.sM)) return 'place';
  }
  if (ego !== null && egoTravelledM !== undefined && world.motion.travelledM(ego.id) >= egoTravelledM)
    return 'distance';
  return world.tS >= atS - 1e-9 ? 'time' : null;
}
