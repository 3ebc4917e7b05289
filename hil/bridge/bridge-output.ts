/** What leaves a bridge: CAN, a camera, … Each is an output of its own and gets every step of the world. */
import type { DriveMcpError } from '../../daemon/core/errors.js';
import type { EgoMotion } from '../carla/drive/ego-motion.js';
import type { CarlaSession } from '../carla/session/carla-session.js';
import type { Actor } from '../carla/wire/actor.js';
import type { VehicleCondition } from '../carla/wire/vehicle-condition.js';
import type { VehicleControl } from '../carla/wire/vehicle-control.js';
import type { WeatherParameters } from '../carla/wire/weather.js';
import type { WindscreenView } from '../sim/cabin/car-body.js';
import type { BodySignals } from '../sim/car-signals.js';

/** The session that a bridge has with its server at present, and the ego in it. */
export interface BridgeScene {
  readonly session: CarlaSession;
  readonly ego: Actor;
  /** the bridge spawned the ego and drives it; otherwise nothing is written to it */
  readonly isOurs: boolean;
}

export interface BridgeStep {
  /** number of the simulator's frame */
  readonly frame: number;
  /** the simulator's clock, s; begins anew with a new session */
  readonly timestampS: number;
  /** the bridge's clock, µs of the simulator's time since the first step; goes on over sessions, never back */
  readonly tUs: number;
  /** since the step before, s of the simulator's time */
  readonly dtS: number;
  readonly motion: EgoMotion;
  /** what the ego was driven with in this step */
  readonly control: VehicleControl;
  /** as the server said it within the last five seconds */
  readonly weather: WeatherParameters;
  /** of brakes, tyres and frames, as this project's simulator tells it; null where it is CARLA */
  readonly condition: VehicleCondition | null;
  /** wipers and lamps of a cockpit beside the session; null where there is none */
  readonly body: BodySignals | null;
  /** what a camera behind the windscreen has to look through and the server's pictures do not show; null: nothing */
  readonly windscreen: WindscreenView | null;
}

export type OutputCounters = Readonly<Record<string, number | string | boolean | null>>;

/** Calls come in the order open, begin, step …, (begin, step …), close; close also where an earlier one failed. */
export interface BridgeOutput {
  /** as status and `--json` show it */
  readonly name: string;
  /**
   * Opens what it writes to, before anything is asked of the server. `fail` ends the bridge, at any time from here on, with
   * that error; the output itself has stopped by then. Rejects where it cannot be opened, resolves early where the signal aborts.
   */
  open?(fail: (error: DriveMcpError) => void, signal: AbortSignal): Promise<void>;
  /** A session has begun, the first or one behind a lost connection. What is spawned through it goes with it. */
  begin?(scene: BridgeScene): Promise<void>;
  /** Takes one step. Returns at once: what has to wait is queued, bounded and counted. */
  step(step: BridgeStep): void;
  counters(): OutputCounters;
  close(): Promise<void>;
}
