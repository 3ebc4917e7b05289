/** The one writer of our ego's control, which notices when it is not the only one. */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { CarlaSession } from '../session/carla-session.js';
import type { ActorDynamicState } from '../stream/episode-state.js';
import { readTypeState } from '../stream/type-state.js';
import type { Actor } from '../wire/actor.js';
import type { VehicleCondition } from '../wire/vehicle-condition.js';
import { noControl, type VehicleControl } from '../wire/vehicle-control.js';
import { ControlWatch } from './control-watch.js';
import type { EgoMotion } from './ego-motion.js';

/** May replace the control that the driver gives; the one place where something acts on the ego. */
export type Intervention = (driver: VehicleControl, motion: EgoMotion, tUs: number) => VehicleControl;

export class EgoControl {
  readonly #session: CarlaSession;
  readonly #ego: Actor;
  readonly #notice: (text: string) => void;
  readonly #watch = new ControlWatch();
  #wasRefused = false;

  constructor(session: CarlaSession, ego: Actor, notice: (text: string) => void) {
    this.#session = session;
    this.#ego = ego;
    this.#notice = notice;
  }

  /** frames made with a control that somebody else gave */
  get foreignFrames(): number {
    return this.#watch.foreignFrames;
  }

  /** The control that a frame was made with, by the ego's own state in it. */
  observe({ typeBytes }: ActorDynamicState): VehicleControl {
    const { hasSignId } = this.#session.world.layout;
    const state = readTypeState(typeBytes, this.#ego.description.id, hasSignId);
    const reported = state.kind === 'vehicle' ? state.control : noControl;
    if (this.#watch.observe(reported)) this.#tell();
    return reported;
  }

  /** Gives the driver's control, changed by `intervene` where nobody else gives one too. */
  async write(
    driven: VehicleControl,
    motion: EgoMotion,
    tUs: number,
    intervene: Intervention | null,
  ): Promise<void> {
    // What two writers make of a bounded intervention is not bounded.
    const control = intervene === null || this.#watch.isContested ? driven : intervene(driven, motion, tUs);
    this.#watch.applied(control);
    try {
      await this.#session.control(this.#ego.id, control);
      this.#wasRefused = false;
    } catch (error) {
      // Destroyed since the state that this answers: the next state tells. Twice in a row is another matter.
      if (this.#wasRefused || !isRefusal(error)) throw error;
      this.#wasRefused = true;
    }
  }

  /** Of brakes, tyres and frames, where our simulator tells it; null where it does not, and of an ego that has just gone. */
  async condition(): Promise<VehicleCondition | null> {
    try {
      return await this.#session.condition(this.#ego.id);
    } catch (error) {
      if (isRefusal(error)) return null;
      throw error;
    }
  }

  #tell(): void {
    this.#notice(
      this.#watch.isContested
        ? `somebody else writes the control of vehicle ${this.#ego.id}, our ego: no ACT is carried out until that ends`
        : `vehicle ${this.#ego.id}, our ego, is controlled by us alone again`,
    );
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof DriveMcpError && error.code === 'CARLA_REFUSED';
}
