/** Traffic lights of a junction: two groups of arms, by direction, in turn; all red between them. */
import type { OpenDriveMap } from '../../opendrive/map.js';
import { referencePose } from '../../opendrive/road-line.js';
import type { LightActor } from './actor.js';

export const lightType = '1000001';
export const redState = 0;
export const yellowState = 1;
export const greenState = 2;

export const lightTimes = { greenS: 12, yellowS: 3, allRedS: 2 } as const;
const halfCycleS = lightTimes.greenS + lightTimes.yellowS + lightTimes.allRedS;

export interface LightGroup {
  readonly junction: string;
  /** 0 or 1: which half of the cycle is its own */
  readonly half: 0 | 1;
}

/** Group of every light signal of the map, by signal id: arms that point along one line share a half. */
export function groupLights(map: OpenDriveMap): ReadonlyMap<string, LightGroup> {
  const groups = new Map<string, LightGroup>();
  for (const road of map.roads.values()) {
    for (const { id, type, orientation } of road.signals) {
      if (type !== lightType) continue;
      const link = orientation === '-' ? road.predecessor : road.successor;
      if (link?.kind !== 'junction') continue;
      const { headingRad } = referencePose(road, orientation === '-' ? 0 : road.lengthM);
      // |cos| > |sin|: the arm runs more along x than along y.
      const half = Math.abs(Math.cos(headingRad)) > Math.abs(Math.sin(headingRad)) ? 0 : 1;
      groups.set(id, { junction: link.id, half });
    }
  }
  return groups;
}

/** State of a group at a time; junctions are offset against each other so that a town does not stop as one. */
export function lightState({ junction, half }: LightGroup, tS: number): number {
  let offset = 0;
  for (const character of junction) offset = (offset * 31 + character.charCodeAt(0)) % 34;
  const inCycleS = (tS + offset + half * halfCycleS) % (2 * halfCycleS);
  if (inCycleS < lightTimes.greenS) return greenState;
  return inCycleS < lightTimes.greenS + lightTimes.yellowS ? yellowState : redState;
}

/** Steps the lights that are not frozen; `elapsedS` counts since the last change. */
export function stepLights(
  lights: readonly LightActor[],
  groups: ReadonlyMap<string, LightGroup>,
  tS: number,
  dtS: number,
): void {
  for (const light of lights) {
    const group = groups.get(light.signalId);
    if (light.isFrozen || group === undefined) {
      light.elapsedS += dtS;
      continue;
    }
    const state = lightState(group, tS);
    light.elapsedS = state === light.state ? light.elapsedS + dtS : 0;
    light.state = state;
  }
}
