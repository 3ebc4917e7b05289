/** Signs and lights as actors: where the map has them, facing the traffic they are for. */
import type { OpenDriveMap } from '../../opendrive/map.js';
import { poseAside, runsWithS } from '../../opendrive/road-line.js';
import type { LightActor, SignActor } from './actor.js';
import { greenState, lightType } from './traffic-lights.js';

/** Actors without their number, in the order of the map. */
export function placeSignals(map: OpenDriveMap): readonly (Omit<LightActor, 'id'> | Omit<SignActor, 'id'>)[] {
  const placed: (Omit<LightActor, 'id'> | Omit<SignActor, 'id'>)[] = [];
  for (const road of map.roads.values()) {
    for (const signal of road.signals) {
      const { x, y, z, headingRad } = poseAside(road, signal.sM, signal.tM);
      const isAgainst = signal.orientation === '-' || (signal.orientation === 'none' && !runsWithS(road, -1));
      const base = {
        roleName: '',
        size: { lengthM: 0.1, widthM: signal.widthM, heightM: signal.heightM },
        pose: { x, y, z: z + signal.zOffsetM, headingRad: headingRad + (isAgainst ? 0 : Math.PI) },
        vMps: 0,
        axMps2: 0,
        yawRateRadps: 0,
        signalId: signal.id,
      };
      if (signal.type === lightType) {
        const typeId = 'traffic.traffic_light';
        placed.push({
          kind: 'traffic-light',
          ...base,
          typeId,
          state: greenState,
          elapsedS: 0,
          isFrozen: false,
        });
      } else {
        const isLimit = signal.value !== null && !signal.isDynamic;
        const typeId = isLimit ? `traffic.speed_limit.${signal.value}` : 'traffic.unknown';
        placed.push({ kind: 'traffic-sign', ...base, typeId });
      }
    }
  }
  return placed;
}
