import {
  lateralDistanceM,
  oppositeDirectionDistanceM,
  type RssDynamics,
  sameDirectionDistanceM,
  stopDistanceM,
} from '../../core/safety/rss-formulas.js';
import type { VectorFields } from './vector-fields.js';

export const rssKinds = ['lon_same', 'lon_same_asym', 'lon_opposite', 'lat', 'stop'] as const;
export type RssKind = (typeof rssKinds)[number];

/** The RSS distance of a vector; a missing or odd number makes the input invalid and the distance null. */
export function evalRss(id: string, kind: RssKind, vector: VectorFields): Record<string, unknown> {
  const speed = (name: string): number => vector.numberOr(name, Number.NaN);
  if (kind === 'lon_same_asym') {
    const [rear, front] = [dynamics(vector.fields('params_rear')), dynamics(vector.fields('params_front'))];
    return { id, safe_distance: sameDirectionDistanceM(speed('v_rear'), speed('v_front'), rear, front) };
  }
  const both = dynamics(vector.fields('params'));
  switch (kind) {
    case 'lon_same':
      return { id, safe_distance: sameDirectionDistanceM(speed('v_rear'), speed('v_front'), both, both) };
    case 'lon_opposite':
      return {
        id,
        safe_distance: oppositeDirectionDistanceM(speed('v_correct'), speed('v_opposite'), both, both),
      };
    case 'lat':
      return { id, safe_distance: lateralDistanceM(speed('v_lat_left'), speed('v_lat_right'), both, both) };
    case 'stop': {
      const distance = stopDistanceM(speed('v'), both);
      const safe = distance === null ? null : speed('distance_to_enter') > distance;
      return { id, safe_distance: distance, safe };
    }
  }
}

function dynamics(params: VectorFields): RssDynamics {
  const value = (name: string): number => params.numberOr(name, Number.NaN);
  return {
    accelMaxMps2: value('accel_max'),
    brakeMaxMps2: value('brake_max'),
    brakeMinMps2: value('brake_min'),
    brakeMinCorrectMps2: value('brake_min_correct'),
    lateralAccelMaxMps2: value('lat_accel_max'),
    lateralBrakeMinMps2: value('lat_brake_min'),
    responseTimeS: value('response_time'),
    lateralFluctuationM: value('lateral_fluctuation_margin'),
    accelSpeedMaxMps: value('max_speed_on_acceleration'),
    minDistanceM: value('min_longitudinal_safety_distance'),
  };
}
