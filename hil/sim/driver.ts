/**
 * The driver: follows what it sees and believes, late, and sometimes looks away.
 *
 * Car following is the Intelligent Driver Model (Treiber, Hennecke, Helbing 2000) on observations that are
 * one reaction time old. The speed it aims at is the limit it believes in, which lags the limit in force by
 * the time it takes to notice a sign and ignores the signs that the scenario lets it miss.
 */
import type { Controls, VehicleModel } from './plant.js';
import { dragMps2, driveLimitMps2 } from './plant.js';
import type { LimitInForce, SpeedLimit } from './road.js';
import { metresPerSecond } from './road.js';
import type { WeatherState } from './weather.js';

export interface DriverModel {
  readonly reactionS: number;
  /** from passing a sign to aiming at its limit */
  readonly noticeS: number;
  /** desired time gap to the vehicle ahead */
  readonly timeGapS: number;
  readonly standstillGapM: number;
  readonly accelMps2: number;
  readonly comfortBrakeMps2: number;
  /** hardest braking it asks for */
  readonly emergencyBrakeMps2: number;
  /** speed where no limit holds */
  readonly freeSpeedMps: number;
  /** share of its free speed that it gives up on a fully wet road */
  readonly wetCaution: number;
  /** source ids of limits that it does not see until the given time */
  readonly overlooks: readonly { readonly sourceId: string; readonly untilS: number }[];
  /** spans in which it looks away: the feet stay where they are */
  readonly looksAway: readonly { readonly fromS: number; readonly untilS: number }[];
}

/** What the driver could see at one moment; null = nobody ahead. */
export interface Observation {
  readonly lead: { readonly gapM: number; readonly closingMps: number } | null;
  readonly limit: LimitInForce;
  readonly weather: WeatherState;
  readonly curvaturePerM: number;
}

export interface DriverState {
  /** observations on their way to the feet, oldest first */
  readonly pipeline: { readonly tS: number; readonly seen: Observation }[];
  acted: Observation;
  believed: LimitInForce;
  /** a limit that was passed but not taken in yet */
  pending: { readonly limit: LimitInForce; readonly sinceS: number } | null;
  throttle: number;
  brake: number;
  curvaturePerM: number;
}

export function alertDriver(first: Observation): DriverState {
  return {
    pipeline: [],
    acted: first,
    believed: first.limit,
    pending: null,
    throttle: 0,
    brake: 0,
    curvaturePerM: first.curvaturePerM,
  };
}

export function stepDriver(
  state: DriverState,
  driver: DriverModel,
  car: VehicleModel,
  seen: Observation,
  vMps: number,
  tS: number,
  dtS: number,
): Controls {
  const isAway = driver.looksAway.some((span) => tS >= span.fromS && tS < span.untilS);
  if (!isAway) {
    state.pipeline.push({ tS, seen });
    while (state.pipeline[0] !== undefined && state.pipeline[0].tS <= tS - driver.reactionS) {
      state.acted = state.pipeline.shift()?.seen ?? state.acted;
    }
    takeInLimit(state, driver, tS);
    // Steering follows the road through the driver's arms, about 0.4 s.
    state.curvaturePerM += (seen.curvaturePerM - state.curvaturePerM) * Math.min(1, dtS / 0.4);
    press(state, car, wantedMps2(driver, state, vMps), vMps);
  }
  return { throttle: state.throttle, brake: state.brake, curvaturePerM: state.curvaturePerM };
}

function takeInLimit(state: DriverState, driver: DriverModel, tS: number): void {
  const { limit } = state.acted;
  if (limit.sourceId === state.believed.sourceId && sameLimit(limit.limit, state.believed.limit)) {
    state.pending = null;
    return;
  }
  const isOverlooked = driver.overlooks.some(
    (entry) => entry.sourceId === limit.sourceId && tS < entry.untilS,
  );
  if (isOverlooked) return;
  if (state.pending === null || state.pending.limit.sourceId !== limit.sourceId) {
    state.pending = { limit, sinceS: tS };
  }
  if (tS - state.pending.sinceS >= driver.noticeS) {
    state.believed = state.pending.limit;
    state.pending = null;
  }
}

function sameLimit(a: SpeedLimit | null, b: SpeedLimit | null): boolean {
  return a === b || (a !== null && b !== null && a.value === b.value && a.unit === b.unit);
}

/** The speed aimed at: the believed limit, or the speed that feels right in this weather where that is lower. */
function desiredMps(driver: DriverModel, state: DriverState): number {
  const wet = Math.min(1, Math.max(0, state.acted.weather.wetness) / 100);
  const freeMps = driver.freeSpeedMps * (1 - driver.wetCaution * wet);
  return state.believed.limit === null ? freeMps : Math.min(freeMps, metresPerSecond(state.believed.limit));
}

function wantedMps2(driver: DriverModel, state: DriverState, vMps: number): number {
  const v0 = desiredMps(driver, state);
  const ratio = vMps / v0;
  let wanted =
    ratio <= 1
      ? driver.accelMps2 * (1 - ratio * ratio * ratio * ratio)
      : -Math.min(driver.comfortBrakeMps2, 0.35 * (vMps - v0));
  const { lead } = state.acted;
  if (lead !== null) {
    const rootAb = Math.sqrt(driver.accelMps2 * driver.comfortBrakeMps2);
    const gapWanted =
      driver.standstillGapM + Math.max(0, vMps * driver.timeGapS + (vMps * lead.closingMps) / (2 * rootAb));
    const q = gapWanted / Math.max(0.5, lead.gapM);
    wanted = Math.min(wanted, driver.accelMps2 * (1 - q * q));
  }
  return Math.max(-driver.emergencyBrakeMps2, Math.min(driver.accelMps2, wanted));
}

/** Pedals for a wanted acceleration; the foot changes to the brake only for more than the engine drag gives. */
function press(state: DriverState, car: VehicleModel, wanted: number, vMps: number): void {
  const drag = dragMps2(car, vMps);
  const brakesFrom = state.brake > 0 ? 0.1 : 0.4;
  if (wanted + drag < -brakesFrom) {
    state.throttle = 0;
    state.brake = Math.min(1, -(wanted + drag) / car.peakBrakeMps2);
    return;
  }
  state.brake = 0;
  state.throttle = Math.min(1, Math.max(0, wanted + drag) / driveLimitMps2(car, vMps));
}
