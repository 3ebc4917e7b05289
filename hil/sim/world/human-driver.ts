/**
 * The human at the ego's wheel: keeps to the lane, follows traffic and lights with a reaction time, and goes for the limit
 * it believes in, or for the speed it was advised and has taken up. An intervention, where there is one, comes on top of what it does.
 */
import type { VehicleControl } from '../../carla/wire/vehicle-control.js';
import { dragMps2, driveLimitMps2 } from '../plant.js';
import type { WeatherState } from '../weather.js';
import type { VehicleActor } from './actor.js';
import { bendSpeed } from './bend-speed.js';
import type { Bicycle } from './bicycle.js';
import { idmMps2, ordinaryDriver } from './idm.js';
import { stopLineM, type TrafficView, typeLimitMps } from './traffic.js';
import { pursue } from './way-finder.js';

const reactionS = 0.8;
const freeMps = 130 / 3.6;
const emergencyMps2 = 7;
const wetCaution = 0.15;
const bendMps2 = 2.5;
/** less of it on a wet road */
const wetBendCaution = 0.3;
const hardestForBendMps2 = 4;

export class HumanDriver {
  /** speed advised and accepted, m/s */
  adviceMps: number | null = null;
  /** limit it believes in from a sign; null: the road's own */
  signMps: number | null = null;
  /** what the car gets instead of the driver's own control (`Intervention.over`); null: the driver's own */
  over: ((control: VehicleControl, tUs: number, dtS: number) => VehicleControl) | null = null;
  readonly #seen: { readonly tS: number; readonly wantedMps2: number }[] = [];
  #acted = 0;

  /** Pedals and steering for what it saw one reaction time ago; steering is corrected at once, with the arms' own lag. */
  drive(
    actor: VehicleActor,
    { model, plant }: Bicycle,
    view: TrafficView,
    weather: WeatherState,
    dtS: number,
  ): VehicleControl {
    this.#seen.push({ tS: view.tS, wantedMps2: this.#want(actor, view, weather) });
    while (this.#seen[0] !== undefined && this.#seen[0].tS <= view.tS - reactionS + dtS / 2)
      this.#acted = this.#seen.shift()?.wantedMps2 ?? 0;
    const drag = dragMps2(model, plant.vMps);
    const wanted = this.#acted + drag;
    const brake = wanted < -0.1 ? Math.min(1, -wanted / model.peakBrakeMps2) : 0;
    const throttle = brake > 0 ? 0 : Math.min(1, Math.max(0, wanted) / driveLimitMps2(model, plant.vMps));
    const control = {
      throttle,
      brake,
      steer: pursue(actor, model.wheelbaseM),
      handBrake: false,
      reverse: false,
      manualGearShift: false,
      gear: 1,
    };
    return this.over === null ? control : this.over(control, view.tS * 1e6, dtS);
  }

  #want(actor: VehicleActor, view: TrafficView, weather: WeatherState): number {
    const { track } = actor;
    if (track === null) return -3;
    const limit = this.signMps ?? typeLimitMps(actor) ?? freeMps;
    const bend = bendSpeed(track, actor.vMps, {
      lateralMps2: bendMps2 * (1 - (wetBendCaution * weather.wetness) / 100),
      comfortBrakeMps2: ordinaryDriver.comfortBrakeMps2,
      hardestBrakeMps2: hardestForBendMps2,
    });
    const v0 = Math.min(
      limit,
      bend.limitMps,
      this.adviceMps ?? Infinity,
      freeMps * (1 - (wetCaution * weather.wetness) / 100),
    );
    let wanted = idmMps2(ordinaryDriver, actor.vMps, v0, Infinity, 0);
    if (bend.brakeMps2 > 0) wanted = Math.min(wanted, -bend.brakeMps2);
    const ahead = view.occupancy.ahead(track, actor, 150);
    const consider = (gapM: number, vMps: number): void => {
      wanted = Math.min(wanted, idmMps2(ordinaryDriver, actor.vMps, v0, gapM, actor.vMps - vMps));
    };
    if (ahead !== null) consider(ahead.gapM, ahead.vMps);
    const stopM = stopLineM(actor, view);
    if (stopM !== null) consider(stopM, 0);
    const walkerM = view.obstacleAheadM(actor);
    if (walkerM < Infinity) consider(walkerM, 0);
    return Math.max(-emergencyMps2, wanted);
  }
}
