/** The world as it is at a tick: fresh values only, extrapolated where that is allowed. */

import type { WheelReading } from '../safety/wheel-slip.js';
import type { RunSettings } from '../settings.js';
import { flag, type TickNotes } from '../tick-notes.js';
import { type PredictedActor, predictInPath } from './actor-tracks.js';
import type { RoadFact, RoadSurface, SpeedUnit, WeatherFact } from './facts.js';
import { displayUnitOf } from './jurisdiction-profiles.js';
import {
  absEngagedPath,
  acceleratorPath,
  airTemperaturePath,
  brakePedalPath,
  brakePedalPressedPath,
  escEngagedPath,
  gearPath,
  isWipingPath,
  longitudinalAccelerationPath,
  speedPath,
  steeringAnglePath,
  tcsEngagedPath,
  wheelBranches,
  wiperPath,
} from './signal-paths.js';
import { freshSignal } from './signals.js';
import type { WorldState } from './world-state.js';

export interface WorldView {
  /** negative while reversing; null = absent */
  readonly speedMps: number | null;
  /** the last one, however old, with its age: the safety evaluation judges it itself */
  readonly heldSpeedMps: number | null;
  readonly speedAgeUs: number;
  readonly accelerationMps2: number | null;
  readonly leads: readonly PredictedActor[];
  readonly weather: WeatherFact | null;
  readonly road: RoadFact | null;
  /** as observed; what the weather implies is not in it */
  readonly surface: RoadSurface;
  readonly wiper: number | null;
  readonly airTemperatureC: number | null;
  readonly isAbsActive: boolean;
  readonly isStabilityActive: boolean;
  /** fresh wheel speeds */
  readonly wheels: readonly WheelReading[];
  /** lowest of the fresh tyre pressures */
  readonly tyreKpa: number | null;
  /** the driver brakes, steers or accelerates so much that the car is his */
  readonly hasDriverOverride: boolean;
  readonly jurisdiction: string | null;
  /** unit to speak in */
  readonly displayUnit: SpeedUnit;
}

/** Pedal and wheel positions that only a driver who acts on purpose reaches. */
const brakeOverridePercent = 10;
const acceleratorOverridePercent = 80;
const steeringOverrideRad = 1.5;

export function viewWorld(
  world: WorldState,
  tUs: number,
  settings: RunSettings,
  notes: TickNotes,
): WorldView {
  const read = (path: string): number | null => freshSignal(world.signals, path, tUs, notes) ?? null;
  const speed = read(speedPath);
  const gear = read(gearPath);
  const isFresh = world.weather !== null && tUs - world.weather.observedAtUs <= world.weather.ttlUs;
  if (world.weather !== null && !isFresh) flag(notes, 'stale:weather');
  const weather = isFresh ? (world.weather?.value ?? null) : null;
  const road = world.road?.value ?? null;
  const hasFreshSurface = world.road !== null && tUs - world.road.observedAtUs <= world.road.ttlUs;
  const wiper = read(wiperPath);
  const isWiping = read(isWipingPath);
  const jurisdiction = world.jurisdiction.committed;
  const held = world.signals[speedPath];
  // Speed signals are unsigned in many cars; the gear says which way it goes.
  const sign = gear !== null && gear < 0 ? -1 : 1;
  const signed = (value: number): number => (value > 0 ? sign * value : value);
  return {
    speedMps: speed === null ? null : signed(speed),
    heldSpeedMps: held === undefined ? null : signed(held.value),
    speedAgeUs: held === undefined ? 0 : tUs - held.observedAtUs,
    accelerationMps2: read(longitudinalAccelerationPath),
    leads: predictInPath(world.actors, tUs),
    weather,
    road,
    surface: (hasFreshSurface ? road?.surface : undefined) ?? 'unknown',
    // A blade that moves without a known step is at least intermittent.
    wiper: wiper ?? (isWiping === null ? null : isWiping >= 0.5 ? 1 : 0),
    airTemperatureC: read(airTemperaturePath),
    isAbsActive: isSet(read(absEngagedPath)),
    isStabilityActive: isSet(read(escEngagedPath)) || isSet(read(tcsEngagedPath)),
    wheels: wheelReadings(world, tUs),
    tyreKpa: lowestTyre(world, tUs),
    hasDriverOverride:
      isSet(read(brakePedalPressedPath)) ||
      (read(brakePedalPath) ?? 0) >= brakeOverridePercent ||
      (read(acceleratorPath) ?? 0) >= acceleratorOverridePercent ||
      Math.abs(read(steeringAnglePath) ?? 0) >= steeringOverrideRad,
    jurisdiction,
    displayUnit: displayUnitOf(settings.displayUnit, jurisdiction),
  };
}

function isSet(value: number | null): boolean {
  return value !== null && value >= 0.5;
}

function wheelReadings(world: WorldState, tUs: number): WheelReading[] {
  const readings: WheelReading[] = [];
  for (const path of wheelSpeedPaths) {
    const held = world.signals[path];
    if (held === undefined || freshSignal(world.signals, path, tUs, null) === undefined) continue;
    readings.push({ speedMps: Math.abs(held.value), observedAtUs: held.observedAtUs });
  }
  return readings;
}

const wheelSpeedPaths = wheelBranches.map((wheel) => `${wheel}.Speed`);

function lowestTyre(world: WorldState, tUs: number): number | null {
  let lowest: number | null = null;
  for (const wheel of wheelBranches) {
    const kpa = freshSignal(world.signals, `${wheel}.Tire.Pressure`, tUs, null);
    if (kpa !== undefined && (lowest === null || kpa < lowest)) lowest = kpa;
  }
  return lowest;
}
