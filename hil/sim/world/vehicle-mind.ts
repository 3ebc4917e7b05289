/** What a vehicle of the world has beside its pose: who drives it and how, its mechanics, its way. */
import type { VehicleControl } from '../../carla/wire/vehicle-control.js';
import { gravityMps2, passengerCar } from '../plant.js';
import type { Prng } from '../prng.js';
import type { WeatherState } from '../weather.js';
import { type AckermannTarget, ackermannControl } from './ackermann.js';
import type { VehicleActor } from './actor.js';
import { type Bicycle, parkedBicycle, stepBicycle } from './bicycle.js';
import type { Blueprint } from './blueprint.js';
import type { HumanDriver } from './human-driver.js';
import { chooseBy } from './lane-track.js';
import { runScript, type ScriptRun } from './script.js';
import { stepTraffic, type TrafficState, type TrafficView, trafficMps2 } from './traffic.js';
import type { TriggerView } from './trigger.js';
import { follow } from './way-finder.js';

export interface VehicleMind {
  readonly bicycle: Bicycle;
  readonly traffic: TrafficState;
  readonly driver: HumanDriver | null;
  readonly script: ScriptRun | null;
  /** chooses at junctions */
  readonly route: Prng;
  /** grip of its tyres against ordinary ones; the road's friction is on top */
  frictionFactor: number;
  /** speed and steering angle a client asked for, until it gives pedals */
  ackermann: AckermannTarget | null;
}

/** Nobody's yet: it rolls at `vMps` until somebody drives it. */
export function idleMind({ model }: Blueprint, vMps: number, route: Prng): VehicleMind {
  return {
    bicycle: parkedBicycle(model ?? passengerCar, vMps),
    traffic: { speedFactor: 1, scripted: null, aside: null },
    driver: null,
    script: null,
    route,
    frictionFactor: 1,
    ackermann: null,
  };
}

/** Decides for one step, behind what everybody sees at its begin; the acceleration wanted by who drives on rails. */
export function think(
  actor: VehicleActor,
  mind: VehicleMind,
  view: TrafficView,
  triggers: TriggerView,
  weather: WeatherState,
  dtS: number,
): number {
  const { script, traffic, bicycle, driver, ackermann } = mind;
  if (script !== null) runScript(script, actor, traffic, triggers);
  if (actor.brain === 'traffic') return trafficMps2(actor, traffic, view);
  const control = controlOf();
  if (control !== null) actor.control = control;
  return 0;

  function controlOf(): VehicleControl | null {
    if (actor.brain === 'client') return ackermann === null ? null : ackermannControl(ackermann, bicycle);
    return driver === null ? null : driver.drive(actor, bicycle, view, weather, dtS);
  }
}

/** Moves one plant step on: on rails at `wantedMps2`, or by pedals and steering wheel. `mu` is the road's. */
export function move(
  actor: VehicleActor,
  { bicycle, traffic, route, frictionFactor }: VehicleMind,
  view: TrafficView,
  wantedMps2: number,
  mu: number,
  stepS: number,
): void {
  const grip = mu * frictionFactor;
  if (actor.brain === 'traffic') {
    stepTraffic(actor, traffic, wantedMps2, view, grip * gravityMps2, stepS, chooseBy(route));
    bicycle.plant.vMps = actor.vMps;
    return;
  }
  const before = bicycle.plant.sM;
  stepBicycle(bicycle, actor, actor.control, grip, stepS);
  const movedM = (bicycle.plant.sM - before) * bicycle.gear;
  if (actor.track !== null && !follow(view.map, view.index, actor, movedM, chooseBy(route)))
    actor.track = null;
}
