/**
 * The cockpit of the ego, stepped beside the simulator that drives it: what the drive does to cabin, glass and sensors, and
 * what the switches do to lamps and wipers. Simulated also where the world is real CARLA's: of all that CARLA itself knows
 * lamps alone.
 */
import { drivenBody, stepBody, windscreenView } from '../../sim/cabin/car-body.js';
import { isDark, lightFlags, operateSwitches } from '../../sim/cabin/lights.js';
import { outsideOf } from '../../sim/cabin/outside.js';
import { CockpitPort } from './cockpit-port.js';
import { type CockpitState, initialState } from './cockpit-state.js';
import type { CockpitEffects, EgoMoment } from './ego-moment.js';

export interface EgoCockpitOptions {
  /** 1 to 5 */
  readonly people: number;
  /** relative, %; null: as it usually is in such weather */
  readonly humidityPercent: number | null;
}

export class EgoCockpit {
  readonly port: CockpitPort;
  readonly #options: EgoCockpitOptions;
  readonly #state: CockpitState;
  /** flags of the lamps as this cockpit left them */
  #flags = 0;
  #stalk: EgoMoment['indicator'] = 'none';

  constructor(options: EgoCockpitOptions) {
    this.#options = options;
    this.#state = initialState(options.people);
    this.port = new CockpitPort(this.#state);
  }

  /** One step of the drive, and what follows from it. */
  step(moment: EgoMoment): CockpitEffects {
    const state = this.#state;
    const { settings, driven } = state;
    // Lamps that are not as they were left were set by somebody else: a CARLA client.
    if (moment.lightFlags !== null) operateSwitches(settings.lights, this.#flags, moment.lightFlags);
    // The stalk moves when the driver moves it: what a client set meanwhile stays until then.
    if (moment.indicator !== null && moment.indicator !== this.#stalk) {
      settings.lights.indicator = moment.indicator;
      this.#stalk = moment.indicator;
    }
    const outside = outsideOf(moment.weather, moment.ambientC, this.#options.humidityPercent);
    const around = {
      outside,
      vMps: moment.vMps,
      brakePedal: moment.control.brake,
      isReversing: moment.control.reverse,
      hasOthersAhead: moment.hasOthersAhead,
      people: state.occupied.size,
    };
    const body = driven?.body ?? drivenBody(settings, around);
    stepBody(body, settings, around, moment.dtS);
    state.driven = {
      moment,
      outside,
      body,
      isNight: isDark(outside.sunAltitudeDeg, driven?.isNight ?? false),
      odometerM: (driven?.odometerM ?? moment.car.odometerM) + Math.abs(moment.vMps) * moment.dtS,
    };
    this.#flags = lightFlags(body.lamps);
    this.port.refresh(moment.tS);
    const { lamps, wipers } = body;
    return {
      lightFlags: this.#flags,
      windscreen: windscreenView(body),
      signals: {
        wiperMode: wipers.front.mode,
        lowBeam: lamps.low,
        highBeam: lamps.high,
        rearFog: lamps.rearFog,
        turnLeft: lamps.left,
        turnRight: lamps.right,
        hazard: lamps.hazard,
      },
    };
  }

  /** There is no ego any more: what the drive tells has no value until there is one again. */
  leave(tS: number): void {
    this.#state.driven = null;
    this.#flags = 0;
    this.port.refresh(tS);
  }
}
