/**
 * The ego's lamps at a CARLA server: what the cockpit lights is set there, and what others set there is found by asking now and
 * then. One call at a time, so that an answer is never older than what was set before it; never waited for.
 */
import { causeText } from '../../daemon/core/cause-text.js';
import type { CarlaSession } from '../carla/session/carla-session.js';

const askPeriodS = 0.5;

export class CarlaLamps {
  /** calls that failed; the last reason is told once */
  errors = 0;
  readonly #session: CarlaSession;
  readonly #egoId: number;
  readonly #notice: (text: string) => void;
  #wanted: number | null = null;
  #set: number | null = null;
  #found: number | null = null;
  #isBusy = false;
  #askedAtS = Number.NEGATIVE_INFINITY;

  constructor(session: CarlaSession, egoId: number, notice: (text: string) => void) {
    this.#session = session;
    this.#egoId = egoId;
    this.#notice = notice;
    if (!session.probe.profile.hasLightStates)
      notice(`CARLA ${session.probe.base} does not tell lamps: the cockpit's are not in its world`);
  }

  /** Flags as they are at the server, once for each time they were asked for; null: nothing new, or not known. */
  take(): number | null {
    const found = this.#found;
    this.#found = null;
    return found;
  }

  /** What the lamps are to be from here on. */
  show(flags: number, tS: number): void {
    this.#wanted = flags;
    if (this.#isBusy || !this.#session.probe.profile.hasLightStates) return;
    if (flags !== this.#set) void this.#call(() => this.#send(flags));
    else if (Math.abs(tS - this.#askedAtS) >= askPeriodS) {
      this.#askedAtS = tS;
      void this.#call(() => this.#ask());
    }
  }

  async #send(flags: number): Promise<void> {
    const { rpc, methods } = this.#session;
    await rpc.call(methods.setVehicleLightState, this.#egoId, flags);
    this.#set = flags;
  }

  async #ask(): Promise<void> {
    const { rpc, methods } = this.#session;
    const all = await rpc.call(methods.getVehicleLightStates);
    const lights = all.find(({ id }) => id === this.#egoId)?.lights;
    // A wish that has not been sent yet is no hand of somebody else.
    if (lights === undefined || this.#wanted !== this.#set) return;
    this.#found = lights;
    this.#set = lights;
  }

  async #call(run: () => Promise<void>): Promise<void> {
    this.#isBusy = true;
    try {
      await run();
    } catch (error) {
      if (this.errors++ === 0) this.#notice(`lamps of the ego: ${causeText(error)}`);
    } finally {
      this.#isBusy = false;
    }
  }
}
