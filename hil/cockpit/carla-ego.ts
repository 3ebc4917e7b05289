/**
 * The cockpit beside the ego of a CARLA server. CARLA has lamps and weather; cabin, glass, wipers and sensors of the car are
 * simulated here, from its motion and weather, and are in nobody else's world.
 */
import { EgoCar, type EgoMoment } from '../carla/drive/ego-car.js';
import type { CompanionStep, EgoCompanion } from '../carla/drive/ego-companion.js';
import type { CarlaSession } from '../carla/session/carla-session.js';
import type { Actor } from '../carla/wire/actor.js';
import type { FaultEvent } from '../sim/scenario.js';
import { CarlaLamps } from './carla-lamps.js';
import type { EgoCockpit } from './port/ego-cockpit.js';

export class CarlaEgoCockpit implements EgoCompanion {
  readonly #cockpit: EgoCockpit;
  readonly #notice: (text: string) => void;
  readonly #car: EgoCar;
  #lamps: CarlaLamps | null = null;
  #hasOwn = false;

  /** `scripted` faults are those that are put into the ego's frames. */
  constructor(cockpit: EgoCockpit, scripted: readonly FaultEvent[], notice: (text: string) => void) {
    this.#cockpit = cockpit;
    this.#notice = notice;
    this.#car = new EgoCar(scripted);
  }

  begin(session: CarlaSession, ego: Actor): void {
    this.#lamps = new CarlaLamps(session, ego.id, this.#notice);
    if (!session.isOurSimulator)
      this.#notice(
        "the cockpit is simulated beside CARLA: its world has the lamps alone, fog and drops are laid over the bridge's pictures",
      );
  }

  step(moment: Omit<EgoMoment, 'body'>): CompanionStep {
    const { tUs, dtS, motion, control, weather, condition } = moment;
    const tS = tUs / 1e6;
    if (condition !== null && condition.body.length > 0 && !this.#hasOwn) {
      this.#hasOwn = true;
      this.#notice('the simulator has a cockpit of its own: two of them have hands on the same lamps');
    }
    const car = this.#car.step({ ...moment, body: null }, tS);
    const { lightFlags, signals, windscreen } = this.#cockpit.step({
      tS,
      dtS,
      vMps: motion.vMps,
      car,
      control,
      weather,
      ambientC: car.weather.ambientC,
      lightFlags: this.#lamps?.take() ?? null,
      indicator: null,
      hasOthersAhead: null,
    });
    this.#lamps?.show(lightFlags, tS);
    return { body: signals, windscreen: this.#hasOwn ? null : windscreen };
  }
}
