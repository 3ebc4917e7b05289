/**
 * Drives an ego that nobody else drives: keeps to the lane by pure pursuit on the map, follows what the LiDAR sees, goes
 * for the road's limit. A plain driver for bench runs, not a model of a person.
 */
import type { Actor } from '../../../daemon/core/world/facts.js';
import type { RoadIndex } from '../../opendrive/locate.js';
import type { OpenDriveMap } from '../../opendrive/map.js';
import { driveLimitMps2, passengerCar } from '../../sim/plant.js';
import { createPrng } from '../../sim/prng.js';
import type { VehicleActor } from '../../sim/world/actor.js';
import { bendSpeed } from '../../sim/world/bend-speed.js';
import { idmMps2, ordinaryDriver } from '../../sim/world/idm.js';
import { chooseBy, trackOn } from '../../sim/world/lane-track.js';
import { typeLimitMps } from '../../sim/world/traffic.js';
import { follow, pursue } from '../../sim/world/way-finder.js';
import { noControl, type VehicleControl } from '../wire/vehicle-control.js';
import type { EgoMotion } from './ego-motion.js';

const withoutLimitMps = 50 / 3.6;
const bends = { lateralMps2: 2, comfortBrakeMps2: ordinaryDriver.comfortBrakeMps2, hardestBrakeMps2: 4 };

export class LaneDriver {
  readonly #map: OpenDriveMap;
  readonly #index: RoadIndex;
  readonly #choose: (count: number) => number;
  readonly #car: VehicleActor;

  constructor(map: OpenDriveMap, index: RoadIndex, seed: string) {
    this.#map = map;
    this.#index = index;
    this.#choose = chooseBy(createPrng(seed, 'lane driver'));
    this.#car = {
      kind: 'vehicle',
      id: 0,
      typeId: '',
      roleName: 'hero',
      size: { lengthM: 4.7, widthM: 1.85, heightM: 1.5 },
      pose: { x: 0, y: 0, z: 0, headingRad: 0 },
      vMps: 0,
      axMps2: 0,
      yawRateRadps: 0,
      brain: 'client',
      control: noControl,
      lightFlags: 0,
      track: null,
    };
  }

  /** Control for this moment; off the roads it brakes. */
  drive(motion: EgoMotion, lead: Actor | null, dtS: number): VehicleControl {
    const car = this.#car;
    const { x, y, headingRad, vMps } = motion;
    Object.assign(car.pose, { x, y, headingRad });
    car.vMps = vMps;
    const found = car.track === null ? this.#index.locate(x, y) : null;
    if (found !== null) car.track = trackOn(this.#map, found.road, found.laneId, found.sM, this.#choose);
    else if (car.track !== null && !follow(this.#map, this.#index, car, vMps * dtS, this.#choose))
      car.track = null;
    if (car.track === null) return { ...noControl, brake: 0.5 };
    const bend = bendSpeed(car.track, vMps, bends);
    const v0Mps = Math.min(typeLimitMps(car) ?? withoutLimitMps, bend.limitMps);
    const gapM = lead === null || lead.inPath < 0.5 ? Infinity : lead.gapM;
    const following = idmMps2(ordinaryDriver, vMps, v0Mps, gapM, lead?.closingMps ?? 0);
    const wanted = bend.brakeMps2 > 0 ? Math.min(following, -bend.brakeMps2) : following;
    return {
      ...noControl,
      throttle: Math.max(0, Math.min(1, (wanted + 0.3) / driveLimitMps2(passengerCar, Math.max(0, vMps)))),
      brake: wanted < -0.3 ? Math.min(1, -wanted / passengerCar.peakBrakeMps2) : 0,
      steer: pursue(car, passengerCar.wheelbaseM),
    };
  }
}
