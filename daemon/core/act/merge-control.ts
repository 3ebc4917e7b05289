/**
 * The driver's control with a bounded brake intervention on top: only more brake and less throttle, never steering.
 *
 * The intervention rises and falls by at most `slewMps3` and is back at the driver's own control by its end, which is at
 * most a second after its beginning: towards the end its bound is slew · time left (an end that is brought forward is kept,
 * however fast). The driver who brakes harder, steers or accelerates on purpose has the car at once, and that intervention
 * does not come back.
 */
import type { ActIntent } from '../tick.js';
import type { BrakeCurve } from './brake-curve.js';

/** Pedals 0…1, steering −1…1. */
export interface DriverControl {
  readonly throttle: number;
  readonly brake: number;
  readonly steer: number;
}

export interface MergeBounds {
  readonly decelMaxMps2: number;
  readonly slewMps3: number;
  readonly durationMaxUs: number;
  /** pedals and steering at which the driver takes over, as shares of their travel */
  readonly brakeTakesOver: number;
  readonly throttleTakesOver: number;
  readonly steerTakesOver: number;
}

/**
 * 3.5 m/s²: class limit of ISO 15622, as in the core. The pedals are those of the core's driver override; 1.5 rad at the
 * wheel with a ratio of 15 are 0.08 of CARLA's full 70° at the road wheels. The slew is ours.
 */
export const mergeBounds: MergeBounds = {
  decelMaxMps2: 3.5,
  slewMps3: 8,
  durationMaxUs: 1_000_000,
  brakeTakesOver: 0.1,
  throttleTakesOver: 0.8,
  steerTakesOver: 0.08,
};

export interface MergeState {
  /** deceleration that the intervention asks now; 0 = none */
  readonly commandMps2: number;
  /** which intervention it is: interventions differ in when they expire; null = there was none */
  readonly expiresAtUs: number | null;
  readonly startUs: number;
  readonly endUs: number;
  /** the driver took it over, or its time is up: it does not come back */
  readonly isOver: boolean;
}

export const noIntervention: MergeState = {
  commandMps2: 0,
  expiresAtUs: null,
  startUs: 0,
  endUs: 0,
  isOver: true,
};

export type MergeStatus = 'none' | 'braking' | 'releasing' | 'driver' | 'expired';

export interface MergeMoment {
  readonly tUs: number;
  /** how long the control will hold, s */
  readonly dtS: number;
  readonly brakes: BrakeCurve;
}

/** @param intent null = nothing is asked (any more); one with numbers out of range counts as null */
export function mergeControl<C extends DriverControl>(
  driver: C,
  intent: ActIntent | null,
  state: MergeState,
  moment: MergeMoment,
  bounds: MergeBounds = mergeBounds,
): { readonly control: C; readonly state: MergeState; readonly status: MergeStatus } {
  const asked = intent !== null && isSound(intent) ? intent : null;
  const now = begun(state, asked, moment.tUs, bounds);
  if (now.isOver) return { control: driver, state: { ...now, commandMps2: 0 }, status: 'none' };
  const driverMps2 = moment.brakes.toDecelMps2(driver.brake);
  const over = (status: MergeStatus) => ({
    control: driver,
    state: { ...now, commandMps2: 0, isOver: true },
    status,
  });
  const leftS = (now.endUs - moment.tUs) / 1e6 - moment.dtS;
  if (!(leftS > 0)) return over('expired');
  const isTakenOver =
    driver.brake >= bounds.brakeTakesOver ||
    driver.throttle >= bounds.throttleTakesOver ||
    Math.abs(driver.steer) >= bounds.steerTakesOver ||
    (now.commandMps2 > 0 && driverMps2 > now.commandMps2);
  if (isTakenOver) return over('driver');
  // A withdrawn intervention ramps down; another one that is asked meanwhile begins from where it is.
  const isAsked = asked !== null && asked.expiresAtUs === now.expiresAtUs;
  const wantedMps2 = isAsked ? Math.min(asked.decelMps2, bounds.decelMaxMps2) : 0;
  const stepMps2 = bounds.slewMps3 * moment.dtS;
  // Begins at what the driver brakes already, so that a light foot is helped.
  const fromMps2 = Math.max(now.commandMps2, driverMps2);
  const slewedMps2 = Math.min(Math.max(wantedMps2, fromMps2 - stepMps2), fromMps2 + stepMps2);
  const commandMps2 = Math.max(0, Math.min(slewedMps2, bounds.slewMps3 * leftS));
  if (commandMps2 <= driverMps2) {
    return isAsked ? { control: driver, state: { ...now, commandMps2: 0 }, status: 'none' } : over('none');
  }
  return {
    control: {
      ...driver,
      throttle: Math.min(driver.throttle, 0),
      brake: Math.max(driver.brake, moment.brakes.toShare(commandMps2)),
    },
    state: { ...now, commandMps2 },
    status: isAsked ? 'braking' : 'releasing',
  };
}

function isSound({ kind, decelMps2, maxMs, expiresAtUs }: ActIntent): boolean {
  return kind === 'brake_assist' && decelMps2 > 0 && maxMs > 0 && Number.isFinite(expiresAtUs);
}

/** An intent that is not the one in force begins an intervention; the one in force may be made shorter. */
function begun(state: MergeState, asked: ActIntent | null, tUs: number, bounds: MergeBounds): MergeState {
  if (asked === null) return state;
  const { expiresAtUs } = asked;
  const longestUs = Math.min(asked.maxMs * 1000, bounds.durationMaxUs);
  if (expiresAtUs === state.expiresAtUs)
    return { ...state, endUs: Math.min(state.endUs, state.startUs + longestUs) };
  const commandMps2 = state.isOver ? 0 : state.commandMps2;
  return {
    commandMps2,
    expiresAtUs,
    startUs: tUs,
    endUs: Math.min(expiresAtUs, tUs + longestUs),
    isOver: false,
  };
}
