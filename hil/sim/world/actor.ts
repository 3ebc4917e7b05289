/**
 * What is in the simulated world. Axes are OpenDRIVE's (x, y, metres, headings counter-clockwise in radians); the server
 * mirrors them into CARLA's. An actor's place is the middle of its box on the ground.
 */
import type { VehicleControl } from '../../carla/wire/vehicle-control.js';
import type { WindscreenView } from '../cabin/car-body.js';
import type { BodySignals } from '../car-signals.js';
import type { LaneTrack } from './lane-track.js';

export interface WorldPose {
  x: number;
  y: number;
  z: number;
  headingRad: number;
}

export interface BoxSize {
  readonly lengthM: number;
  readonly widthM: number;
  readonly heightM: number;
}

interface ActorBase {
  readonly id: number;
  /** CARLA's type id: `vehicle.drivemcp.hatchback` */
  readonly typeId: string;
  readonly roleName: string;
  readonly size: BoxSize;
  readonly pose: WorldPose;
  /** along the heading, m/s; negative in reverse */
  vMps: number;
  axMps2: number;
  yawRateRadps: number;
}

/** Who moves a vehicle: a client's controls, the traffic's own rules, the model of a human driver. */
export type Brain = 'client' | 'traffic' | 'driver';

export interface VehicleActor extends ActorBase {
  readonly kind: 'vehicle';
  brain: Brain;
  /** the last control it was given, or that its own brain stands for */
  control: VehicleControl;
  /** CARLA's VehicleLightState */
  lightFlags: number;
  /** what a camera behind its windscreen looks through; without: clear glass */
  windscreen?: WindscreenView;
  /** wipers and lamps of a vehicle with a cockpit, as its body controller reports them */
  body?: BodySignals;
  /** where it drives, for brains that keep to lanes */
  track: LaneTrack | null;
}

export interface WalkerActor extends ActorBase {
  readonly kind: 'walker';
  direction: { x: number; y: number };
}

export interface LightActor extends ActorBase {
  readonly kind: 'traffic-light';
  readonly signalId: string;
  /** 0 red, 1 yellow, 2 green, 3 off */
  state: number;
  elapsedS: number;
  isFrozen: boolean;
}

/** A sign on the map; gantries are signs whose `shown` changes. */
export interface SignActor extends ActorBase {
  readonly kind: 'traffic-sign';
  readonly signalId: string;
}

export type WorldActor = VehicleActor | WalkerActor | LightActor | SignActor;

/** Where the corners of an actor's box are, counter-clockwise from the front left. */
export function corners({
  pose,
  size,
}: Pick<ActorBase, 'pose' | 'size'>): readonly (readonly [number, number])[] {
  const cos = Math.cos(pose.headingRad);
  const sin = Math.sin(pose.headingRad);
  const along = size.lengthM / 2;
  const aside = size.widthM / 2;
  return [
    [along, aside],
    [-along, aside],
    [-along, -aside],
    [along, -aside],
  ].map(([u, v]) => [
    pose.x + (u as number) * cos - (v as number) * sin,
    pose.y + (u as number) * sin + (v as number) * cos,
  ]);
}

/** Whether two boxes overlap, seen from above (separating axes). */
export function overlaps(
  one: Pick<ActorBase, 'pose' | 'size'>,
  other: Pick<ActorBase, 'pose' | 'size'>,
): boolean {
  const reachM =
    Math.hypot(one.size.lengthM, one.size.widthM) / 2 + Math.hypot(other.size.lengthM, other.size.widthM) / 2;
  if ((one.pose.x - other.pose.x) ** 2 + (one.pose.y - other.pose.y) ** 2 > reachM * reachM) return false;
  const boxes = [corners(one), corners(other)] as const;
  for (const { pose } of [one, other]) {
    for (const turn of [0, Math.PI / 2]) {
      const ax = Math.cos(pose.headingRad + turn);
      const ay = Math.sin(pose.headingRad + turn);
      const [a, b] = boxes.map((box) => box.map(([x, y]) => x * ax + y * ay));
      if (a === undefined || b === undefined) continue;
      if (Math.max(...a) < Math.min(...b) || Math.max(...b) < Math.min(...a)) return false;
    }
  }
  return true;
}
