/**
 * The world: fixed steps, no clock, actors in the order of their ids. The same scenario, seed and calls give the same
 * states, bit for bit on one engine.
 */
import { noControl, type VehicleControl } from '../../carla/wire/vehicle-control.js';
import type { WeatherParameters } from '../../carla/wire/weather.js';
import { indexRoads, type RoadIndex } from '../../opendrive/locate.js';
import type { OpenDriveMap } from '../../opendrive/map.js';
import { applyFault } from '../apply-fault.js';
import { createPrng, type Prng } from '../prng.js';
import { plantMu } from '../weather.js';
import type { AckermannTarget } from './ackermann.js';
import type { LightActor, VehicleActor, WalkerActor, WorldActor, WorldPose } from './actor.js';
import type { Bicycle } from './bicycle.js';
import { type Blueprint, blueprintOf } from './blueprint.js';
import { type Collision, CollisionWatch, speedAfterMps } from './collisions.js';
import { fillOccupancy } from './fill-occupancy.js';
import { HumanDriver } from './human-driver.js';
import { JunctionClaims } from './junction-claims.js';
import { LaneOccupancy } from './lane-occupancy.js';
import { chooseBy, leftOnRoadM, trackOn } from './lane-track.js';
import { MotionLog } from './motion-log.js';
import { placeSignals } from './place-signals.js';
import { refused } from './refused.js';
import { scriptRun } from './script.js';
import { displaysAt, type SignDisplay } from './sign-displays.js';
import { roadOf } from './spawn-place.js';
import { place, type TrafficView } from './traffic.js';
import { groupLights, stepLights } from './traffic-lights.js';
import type { TriggerView } from './trigger.js';
import { idleMind, move, think, type VehicleMind } from './vehicle-mind.js';
import { stepWalker, type WalkerState, walkerAheadM } from './walkers.js';
import type { VehicleSpawn, WorldScenario } from './world-scenario.js';
import { WorldWeather } from './world-weather.js';

const plantStepS = 0.01;
/** vehicles and walkers in all; one more is refused */
export const maxActors = 500;
/** signs and lights: each is in every frame */
const maxSignals = 5000;

/** What a run has come to; every value is the truth and goes to metrics and sensors only. */
export class SimWorld {
  readonly scenario: WorldScenario;
  readonly map: OpenDriveMap;
  readonly index: RoadIndex;
  readonly actors = new Map<number, WorldActor>();
  readonly weather: WorldWeather;
  readonly occupancy = new LaneOccupancy();
  /** actors that touch, new in the last step */
  collisions: readonly Collision[] = [];
  tS = 0;
  egoId: number | null = null;
  readonly #minds = new Map<number, VehicleMind>();
  readonly #walkers = new Map<number, WalkerState>();
  readonly #lights = new Map<string, LightActor>();
  readonly #groups: ReturnType<typeof groupLights>;
  readonly #claims: JunctionClaims;
  readonly #watch = new CollisionWatch();
  /** how far actors have come */
  readonly motion = new MotionLog();
  readonly #factors: Prng;
  readonly #held = new Set<number>();
  #nextId = 1;

  constructor(scenario: WorldScenario, map: OpenDriveMap) {
    this.scenario = scenario;
    this.map = map;
    this.index = indexRoads(map);
    this.weather = new WorldWeather(scenario.weather);
    this.#groups = groupLights(map);
    this.#claims = new JunctionClaims(map);
    this.#factors = createPrng(`${scenario.id}/${scenario.seed}`, 'speed factors');
    const signals = placeSignals(map);
    if (signals.length > maxSignals)
      throw refused(`${signals.length} signals; at most ${maxSignals} are placed`);
    for (const signal of signals) {
      const actor = { ...signal, id: this.#nextId++ };
      this.actors.set(actor.id, actor);
      if (actor.kind === 'traffic-light') this.#lights.set(actor.signalId, actor);
    }
    if (scenario.ego !== null) this.egoId = this.#spawnOnLane(scenario.ego, scenario.ego.brain).id;
    for (const spawn of scenario.vehicles) this.#spawnOnLane(spawn, 'traffic');
    for (const script of scenario.walkers) {
      const walker = this.spawnWalker(
        'walker.pedestrian.0001',
        { ...script.from, z: 0, headingRad: 0 },
        script.roleName ?? 'pedestrian',
      );
      this.#walkers.set(walker.id, { script, isWalking: false, ordered: null });
    }
  }

  get ego(): VehicleActor | null {
    const actor = this.egoId === null ? undefined : this.actors.get(this.egoId);
    return actor?.kind === 'vehicle' ? actor : null;
  }

  /** Friction between tyre and road under a vehicle at this speed: the plant's truth. */
  mu(vMps: number): number {
    return plantMu(this.weather.plantAt(this.tS), Math.abs(vMps));
  }

  /** What every dynamic sign shows now, by signal id. */
  displays(): ReadonlyMap<string, SignDisplay> {
    return displaysAt(this.scenario.displays, this.tS);
  }

  /** Advances by `dtS` (a multiple of 10 ms is split into such steps; less is one step). */
  step(dtS: number): void {
    const steps = Math.max(1, Math.round(dtS / plantStepS));
    const stepS = dtS / steps;
    fillOccupancy(this.occupancy, this.#vehicles(), this.index);
    this.#claims.release((actor) => this.actors.has(actor.id));
    const view = this.#view();
    const wanted = new Map<number, number>();
    const weather = this.weather.plantAt(this.tS);
    for (const actor of this.#vehicles())
      wanted.set(actor.id, think(actor, this.#mind(actor.id), view, this.#triggers(), weather, dtS));
    for (let i = 0; i < steps; i++) {
      this.tS += stepS;
      for (const actor of this.#vehicles())
        if (!this.#held.has(actor.id))
          move(actor, this.#mind(actor.id), view, wanted.get(actor.id) ?? 0, this.mu(actor.vMps), stepS);
      for (const fault of this.scenario.faults ?? [])
        if (this.egoId !== null) applyFault(this.bicycle(this.egoId).faults, fault, this.tS, stepS);
      for (const [id, state] of this.#walkers)
        stepWalker(this.actors.get(id) as WalkerActor, state, this.ego, this.#triggers(), stepS);
    }
    this.motion.look(this.actors.values(), dtS);
    stepLights([...this.#lights.values()], this.#groups, this.tS, dtS);
    this.collisions = this.#watch.look([...this.actors.values()]);
    for (const { one, other } of this.collisions) {
      const vMps = speedAfterMps(one, other);
      for (const actor of [one, other]) this.#setSpeed(actor, vMps);
    }
  }

  /** A vehicle of a client; throws SIM_REFUSED where the type is none or something stands there. */
  spawnVehicle(typeId: string, pose: WorldPose, roleName: string): VehicleActor {
    const actor = this.#vehicle(this.#blueprint(typeId, 'vehicle.'), pose, roleName, 'client', 0);
    for (const other of this.actors.values())
      if (other.kind === 'vehicle' && other !== actor && this.#watch.touch(actor, other)) {
        this.destroy(actor.id);
        throw refused('Spawn failed because of collision at spawn position');
      }
    return actor;
  }

  spawnWalker(typeId: string, pose: WorldPose, roleName: string): WalkerActor {
    const { size } = this.#blueprint(typeId, 'walker.');
    const actor: WalkerActor = {
      kind: 'walker',
      ...this.#base(typeId, roleName, size, pose),
      direction: { x: 0, y: 0 },
    };
    this.actors.set(actor.id, actor);
    this.#walkers.set(actor.id, { script: null, isWalking: false, ordered: null });
    return actor;
  }

  destroy(id: number): boolean {
    const actor = this.actors.get(id);
    if (actor === undefined || (actor.kind !== 'vehicle' && actor.kind !== 'walker')) return false;
    this.#minds.delete(id);
    this.#walkers.delete(id);
    this.#held.delete(id);
    this.motion.forget(id);
    if (this.egoId === id) this.egoId = null;
    return this.actors.delete(id);
  }

  /** A client's control takes the vehicle over from whoever drove it. */
  control(id: number, control: VehicleControl): void {
    const actor = this.#vehicleById(id);
    actor.control = control;
    actor.brain = 'client';
    this.#mind(id).ackermann = null;
  }

  /** Speed and steering angle, until a control by pedals comes. */
  steerFor(id: number, target: AckermannTarget): void {
    this.#vehicleById(id).brain = 'client';
    this.#mind(id).ackermann = target;
  }

  /** Traffic's own rules drive it from here on, or nobody; throws SIM_REFUSED off the roads. */
  autopilot(id: number, isOn: boolean): void {
    const actor = this.#vehicleById(id);
    if (!isOn) {
      actor.brain = 'client';
      return;
    }
    this.#putOnLane(actor);
    actor.brain = 'traffic';
  }

  orderWalker(id: number, x: number, y: number, speedMps: number): void {
    const state = this.#walkers.get(id);
    if (state === undefined) throw refused(`walker ${id} not found`);
    const length = Math.hypot(x, y);
    state.ordered = length === 0 ? { x: 0, y: 0, speedMps: 0 } : { x: x / length, y: y / length, speedMps };
  }

  /** Puts an actor somewhere; its speed stays. */
  teleport(id: number, pose: WorldPose): void {
    const actor = this.actors.get(id);
    if (actor === undefined) throw refused(`actor ${id} not found`);
    Object.assign(actor.pose, pose);
    if (actor.kind === 'vehicle' && actor.track !== null) this.#putOnLane(actor);
  }

  /** World velocity of a vehicle: what of it goes along its heading. */
  setVelocity(id: number, xMps: number, yMps: number): void {
    const actor = this.#vehicleById(id);
    const { headingRad } = actor.pose;
    this.#setSpeed(actor, xMps * Math.cos(headingRad) + yMps * Math.sin(headingRad));
  }

  /** A held actor stays where it is put. */
  hold(id: number, isHeld: boolean): void {
    if (!this.actors.has(id)) throw refused(`actor ${id} not found`);
    if (isHeld) this.#held.add(id);
    else this.#held.delete(id);
  }

  /** Grip of a vehicle's tyres against ordinary ones; the road's friction is on top. */
  frictionFactor(id: number): number {
    return this.#mind(id).frictionFactor;
  }

  setFrictionFactor(id: number, factor: number): void {
    this.#mind(id).frictionFactor = Math.min(3, Math.max(0.01, factor));
  }

  setLight(id: number, state: number | null, isFrozen: boolean | null): void {
    const actor = this.actors.get(id);
    if (actor?.kind !== 'traffic-light') throw refused(`traffic light ${id} not found`);
    if (state !== null) actor.state = state;
    if (isFrozen !== null) actor.isFrozen = isFrozen;
  }

  setWeather(weather: WeatherParameters): void {
    this.weather.set(weather);
  }

  bicycle(id: number): Bicycle {
    return this.#mind(id).bicycle;
  }

  driver(id: number): HumanDriver | null {
    return this.#minds.get(id)?.driver ?? null;
  }

  #triggers(): TriggerView {
    return this.motion.view(this.actors, this.egoId, this.tS);
  }

  #setSpeed(actor: WorldActor, vMps: number): void {
    actor.vMps = vMps;
    const mind = this.#minds.get(actor.id);
    if (mind !== undefined) mind.bicycle.plant.vMps = Math.abs(vMps);
  }

  #view(): TrafficView {
    const walkers = [...this.actors.values()].filter((actor) => actor.kind === 'walker');
    return {
      map: this.map,
      index: this.index,
      occupancy: this.occupancy,
      lights: this.#lights,
      claims: this.#claims,
      obstacleAheadM: (actor) => walkerAheadM(actor, walkers),
      tS: this.tS,
    };
  }

  *#vehicles(): Iterable<VehicleActor> {
    for (const actor of this.actors.values()) if (actor.kind === 'vehicle') yield actor;
  }

  #spawnOnLane(spawn: VehicleSpawn, brain: VehicleActor['brain']): VehicleActor {
    const road = roadOf(this.map, spawn.place);
    const blueprint = this.#blueprint(spawn.typeId, 'vehicle.');
    const actor = this.#vehicle(
      blueprint,
      { x: 0, y: 0, z: 0, headingRad: 0 },
      spawn.roleName,
      brain,
      spawn.vMps,
    );
    const mind = this.#mind(actor.id);
    actor.track = trackOn(this.map, road, spawn.place.lane, spawn.place.sM, chooseBy(mind.route));
    place(actor, 0);
    const factor = spawn.speedFactor * (1 + 0.04 * this.#factors.normal());
    this.#minds.set(actor.id, {
      ...mind,
      traffic: { speedFactor: Math.max(0.5, factor), scripted: null, aside: null },
      driver: brain === 'driver' ? new HumanDriver() : null,
      script: scriptRun(spawn),
    });
    return actor;
  }

  #vehicle(
    blueprint: Blueprint,
    pose: WorldPose,
    roleName: string,
    brain: VehicleActor['brain'],
    vMps: number,
  ): VehicleActor {
    const actor: VehicleActor = {
      kind: 'vehicle',
      ...this.#base(blueprint.id, roleName, blueprint.size, pose),
      vMps,
      brain,
      control: noControl,
      lightFlags: 0,
      track: null,
    };
    this.actors.set(actor.id, actor);
    const route = createPrng(`${this.scenario.id}/${this.scenario.seed}`, `route ${actor.id}`);
    this.#minds.set(actor.id, idleMind(blueprint, vMps, route));
    return actor;
  }

  #base(typeId: string, roleName: string, size: WorldActor['size'], pose: WorldPose) {
    if (this.#minds.size + this.#walkers.size >= maxActors)
      throw refused(`${maxActors} vehicles and walkers are there already`);
    return {
      id: this.#nextId++,
      typeId,
      roleName,
      size,
      pose: { ...pose },
      vMps: 0,
      axMps2: 0,
      yawRateRadps: 0,
    };
  }

  #blueprint(typeId: string, prefix: string): Blueprint {
    const blueprint = typeId.startsWith(prefix) ? blueprintOf(typeId) : undefined;
    if (blueprint === undefined) throw refused('Spawn failed because of invalid actor description');
    return blueprint;
  }

  #mind(id: number): VehicleMind {
    const mind = this.#minds.get(id);
    if (mind === undefined) throw refused(`vehicle ${id} not found`);
    return mind;
  }

  #vehicleById(id: number): VehicleActor {
    const actor = this.actors.get(id);
    if (actor?.kind !== 'vehicle') throw refused(`vehicle ${id} not found`);
    return actor;
  }

  #putOnLane(actor: VehicleActor): void {
    const found = this.index.locate(actor.pose.x, actor.pose.y);
    if (found === null) throw refused(`vehicle ${actor.id} stands on no lane`);
    const { route } = this.#mind(actor.id);
    actor.track = trackOn(this.map, found.road, found.laneId, found.sM, chooseBy(route));
    if (leftOnRoadM(actor.track) < 0) actor.track = null;
  }
}
