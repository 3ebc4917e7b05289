/** Traffic that keeps to its lanes: car following, limits, bends, lights, one at a time through an unlit crossing. */
import type { RoadIndex } from '../../opendrive/locate.js';
import type { OpenDriveMap } from '../../opendrive/map.js';
import { recordAt, runsWithS } from '../../opendrive/road-line.js';
import type { LightActor, VehicleActor } from './actor.js';
import { bendSpeed } from './bend-speed.js';
import { idmMps2, ordinaryDriver } from './idm.js';
import type { JunctionClaims } from './junction-claims.js';
import { laneBeside, takeLaneBeside } from './lane-change.js';
import type { LaneOccupancy } from './lane-occupancy.js';
import { advance, type ChooseExit, leftOnRoadM, trackPose } from './lane-track.js';
import { greenState, redState } from './traffic-lights.js';

const sightM = 120;
/** how ordinary drivers take a bend */
const ordinaryBends = {
  lateralMps2: 2.2,
  comfortBrakeMps2: ordinaryDriver.comfortBrakeMps2,
  hardestBrakeMps2: 4,
};
const hardestBrakeMps2 = 8;
const speedWithoutLimitMps = 130 / 3.6;

/** What a script asks of a vehicle from a moment on. */
export type ScriptStep =
  | { readonly kind: 'speed'; readonly toMps: number; readonly rateMps2: number }
  /** moves sideways by `byM` (left positive) within `durationS`, along a quintic */
  | { readonly kind: 'aside'; readonly byM: number; readonly durationS: number }
  /** back to the ordinary rules */
  | { readonly kind: 'follow' };

export interface TrafficState {
  /** own share of the limit: some are slow, some are not */
  readonly speedFactor: number;
  /** from a script: goes for this speed at this rate and looks at nothing else */
  scripted: { readonly toMps: number; readonly rateMps2: number } | null;
  aside: {
    readonly fromM: number;
    readonly byM: number;
    readonly startS: number;
    readonly durationS: number;
  } | null;
}

export interface TrafficView {
  readonly map: OpenDriveMap;
  readonly index: RoadIndex;
  readonly occupancy: LaneOccupancy;
  /** by signal id */
  readonly lights: ReadonlyMap<string, LightActor>;
  readonly claims: JunctionClaims;
  /** walkers on or about to enter a lane, seen as obstacles ahead */
  obstacleAheadM(actor: VehicleActor): number;
  readonly tS: number;
}

/** Limit of the road type in force, m/s; null: none. */
export function typeLimitMps(actor: { readonly track: VehicleActor['track'] }): number | null {
  const { track } = actor;
  if (track === null) return null;
  const type = recordAt(track.road.types, track.sM);
  return type?.maxMps ?? null;
}

/** Acceleration that ordinary traffic wants now. */
export function trafficMps2(actor: VehicleActor, state: TrafficState, view: TrafficView): number {
  const { track } = actor;
  if (track === null) return -hardestBrakeMps2;
  if (state.scripted !== null) {
    const { toMps, rateMps2 } = state.scripted;
    return Math.max(-rateMps2, Math.min(rateMps2, (toMps - actor.vMps) / 0.05));
  }
  const bend = bendSpeed(track, actor.vMps, ordinaryBends);
  const v0Mps = Math.min((typeLimitMps(actor) ?? speedWithoutLimitMps) * state.speedFactor, bend.limitMps);
  let wanted = idmMps2(ordinaryDriver, actor.vMps, v0Mps, Infinity, 0);
  if (bend.brakeMps2 > 0) wanted = Math.min(wanted, -bend.brakeMps2);
  const consider = (gapM: number, vAheadMps: number): void => {
    wanted = Math.min(wanted, idmMps2(ordinaryDriver, actor.vMps, v0Mps, gapM, actor.vMps - vAheadMps));
  };
  const ahead = view.occupancy.ahead(track, actor, sightM);
  if (ahead !== null) consider(ahead.gapM, ahead.vMps);
  // Half way over, the lane that is left and the lane that is taken both count.
  const beside = laneBeside(track);
  const aheadBeside =
    beside === null ? null : view.occupancy.ahead({ ...track, laneId: beside, next: null }, actor, sightM);
  if (aheadBeside !== null) consider(aheadBeside.gapM, aheadBeside.vMps);
  const stopM = stopLineM(actor, view);
  if (stopM !== null) consider(stopM, 0);
  const obstacleM = view.obstacleAheadM(actor);
  if (obstacleM < sightM) consider(obstacleM, 0);
  // A lane that ends is a wall.
  if (track.next === null) consider(leftOnRoadM(track) - actor.size.lengthM / 2, 0);
  return Math.max(-hardestBrakeMps2, wanted);
}

/** Metres to a line where it has to stop: red light, yellow that can be obeyed, a crossing that is taken. */
export function stopLineM(actor: VehicleActor, view: TrafficView): number | null {
  const { track } = actor;
  if (track === null || track.road.junction !== null || track.next === null) return null;
  const toEndM = leftOnRoadM(track) - actor.size.lengthM / 2 - 1;
  if (toEndM > sightM || track.next.road.junction === null) return null;
  const signal = lightAhead(actor);
  const light = signal === null ? undefined : view.lights.get(signal);
  if (light !== undefined) {
    if (light.state === greenState) return waitM(actor, view, toEndM);
    // Who could stop at yellow only with more than 3 m/s² drives on.
    const couldStop = actor.vMps * actor.vMps < 2 * 3 * Math.max(0.1, toEndM);
    if (light.state === redState) return toEndM > -1 ? toEndM : null;
    return couldStop ? toEndM : waitM(actor, view, toEndM);
  }
  return waitM(actor, view, toEndM);
}

function waitM(actor: VehicleActor, view: TrafficView, toEndM: number): number | null {
  return toEndM < claimAheadM(actor) && !mayEnter(actor, view) ? Math.max(0.1, toEndM) : null;
}

/** Where one asks for the way: far enough to stop comfortably if it is not given. */
function claimAheadM({ vMps }: VehicleActor): number {
  return (vMps * vMps) / (2 * ordinaryDriver.comfortBrakeMps2) + 8;
}

/** Vehicles without a claim (a client's) count where they are. */
function mayEnter(actor: VehicleActor, view: TrafficView): boolean {
  return view.claims.mayEnter(actor, (way) => {
    const road = view.map.roads.get(way);
    return (
      road !== undefined &&
      view.occupancy.on(road).some((other) => other !== actor && !view.claims.holds(other))
    );
  });
}

function lightAhead({ track }: VehicleActor): string | null {
  if (track === null) return null;
  const wanted = runsWithS(track.road, track.laneId) ? '+' : '-';
  return (
    track.road.signals.find(({ type, orientation }) => type === '1000001' && orientation === wanted)?.id ??
    null
  );
}

/** Moves a vehicle on rails: speed by what it wants, place along its lane, sideways by its script. */
export function stepTraffic(
  actor: VehicleActor,
  state: TrafficState,
  wantedMps2: number,
  view: TrafficView,
  gripMps2: number,
  dtS: number,
  choose: ChooseExit,
): void {
  const { track } = actor;
  if (track === null) return;
  actor.axMps2 = Math.max(-gripMps2, Math.min(gripMps2, wantedMps2));
  const vNext = Math.max(0, actor.vMps + actor.axMps2 * dtS);
  const movedM = ((actor.vMps + vNext) / 2) * dtS;
  actor.vMps = vNext;
  if (state.aside !== null) {
    const { fromM, byM, startS, durationS } = state.aside;
    const p = Math.min(1, Math.max(0, (view.tS - startS) / durationS));
    track.asideM = fromM + byM * p * p * p * (10 + p * (6 * p - 15));
    if (p === 1) {
      state.aside = null;
      takeLaneBeside(view.map, track, choose);
    }
  }
  if (!advance(view.map, track, movedM, choose)) actor.vMps = 0;
  place(actor, dtS);
}

/** Puts the actor where its track is; the yaw rate is what the heading turned by. */
export function place(actor: VehicleActor, dtS: number): void {
  if (actor.track === null) return;
  const { x, y, z, headingRad } = trackPose(actor.track);
  const turn = headingRad - actor.pose.headingRad;
  actor.yawRateRadps = dtS > 0 ? Math.atan2(Math.sin(turn), Math.cos(turn)) / dtS : 0;
  Object.assign(actor.pose, { x, y, z, headingRad });
}
