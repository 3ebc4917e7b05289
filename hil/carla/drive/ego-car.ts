/**
 * The ego's controllers behind its CAN: speeds from the motion, pedals from the control, and what a simulator of this
 * project tells of the car's condition. What nobody tells (CARLA: ABS, tyres, temperatures) is that of a healthy car that
 * has been running for a while, apart from the faults that were put into its frames.
 */
import { applyFault } from '../../sim/apply-fault.js';
import type { BodySignals, CarState } from '../../sim/car-signals.js';
import {
  type Faults,
  type FrameFault,
  frameFaults,
  type PlantState,
  passengerCar,
  restingPlant,
  soundFaults,
  wheels,
} from '../../sim/plant.js';
import { type PowertrainState, stepPowertrain, warmPowertrain } from '../../sim/powertrain.js';
import type { FaultEvent } from '../../sim/scenario.js';
import { plantWeather } from '../../sim/world/world-weather.js';
import type { VehicleCondition } from '../wire/vehicle-condition.js';
import type { VehicleControl } from '../wire/vehicle-control.js';
import type { WeatherParameters } from '../wire/weather.js';
import type { EgoMotion } from './ego-motion.js';

/** CARLA does not say how warm it is. */
const mildC = 15;

export interface EgoMoment {
  /** end of the step, µs on the drive's clock, which never goes back */
  readonly tUs: number;
  readonly dtS: number;
  readonly motion: EgoMotion;
  readonly control: VehicleControl;
  readonly weather: WeatherParameters;
  /** null where the simulator tells none */
  readonly condition: VehicleCondition | null;
  /** of a cockpit beside the session; null where there is none */
  readonly body: BodySignals | null;
}

export class EgoCar {
  readonly #plant: PlantState = restingPlant(0, 0);
  /** put into the frames alone: the car drives as before */
  readonly #scripted: readonly FaultEvent[];
  readonly #faults: Faults = soundFaults(passengerCar);
  #powertrain: PowertrainState | null = null;

  constructor(scripted: readonly FaultEvent[]) {
    this.#scripted = scripted;
  }

  /** `sinceS` is what the times of scripted faults count from. */
  step({ dtS, motion, control, weather, condition, body }: EgoMoment, sinceS: number): CarState {
    for (const fault of this.#scripted) applyFault(this.#faults, fault, sinceS, dtS);
    const plant = this.#plant;
    // A speed sensor has no sign; reverse is told by the gear.
    const vMps = Math.abs(motion.vMps);
    plant.sM += vMps * dtS;
    plant.vMps = vMps;
    plant.axMps2 = motion.axMps2;
    plant.yawRateRadps = motion.yawRateRadps;
    plant.ayMps2 = motion.vMps * motion.yawRateRadps;
    plant.curvaturePerM = vMps > 1 ? motion.yawRateRadps / vMps : 0;
    plant.throttlePedal = control.throttle;
    plant.brakePedal = control.brake;
    if (condition?.isDriven === true) this.#takeOver(condition);
    else this.#guess(motion, control);
    this.#powertrain ??= warmPowertrain(vMps);
    stepPowertrain(this.#powertrain, plant, dtS);
    return {
      model: passengerCar,
      plant,
      powertrain: this.#powertrain,
      faults: condition === null ? this.#faults : withCondition(this.#faults, condition),
      weather: plantWeather(weather, condition?.ambientC ?? mildC),
      body: body ?? condition?.body[0],
      isReversing: control.reverse,
      odometerM: 18_204_000,
    };
  }

  #takeOver({ throttle, brake, wheelMps, absActive, escActive, tcsActive }: VehicleCondition): void {
    Object.assign(this.#plant, { throttle, brake, absActive, escActive, tcsActive });
    Object.assign(this.#plant.wheelMps, wheelMps);
  }

  #guess({ vMps, yawRateRadps }: EgoMotion, { throttle, brake }: VehicleControl): void {
    const sideMps = (yawRateRadps * passengerCar.trackM) / 2;
    const left = Math.max(0, Math.abs(vMps) - sideMps);
    const right = Math.max(0, Math.abs(vMps) + sideMps);
    const wheelMps = { FL: left, FR: right, RL: left, RR: right };
    Object.assign(this.#plant, {
      throttle,
      brake,
      absActive: false,
      escActive: false,
      tcsActive: false,
      wheelMps,
    });
  }
}

/** Both what the simulator has broken and what was put into the frames. */
function withCondition(scripted: Faults, condition: VehicleCondition): Faults {
  const { absFault, escFault, brakeFluidLow, tyreKpa } = scripted;
  const worst = Object.fromEntries(
    wheels.map((wheel) => [wheel, Math.min(tyreKpa[wheel], condition.tyreKpa[wheel])]),
  ) as Faults['tyreKpa'];
  const told = condition.frameFaults.flatMap(({ message, fault }): [string, FrameFault][] => {
    const kind = frameFaults[fault];
    return kind === undefined ? [] : [[message, kind]];
  });
  return {
    absFault: absFault || condition.absFault,
    escFault: escFault || condition.escFault,
    brakeFluidLow: brakeFluidLow || condition.brakeFluidLow,
    tyreKpa: worst,
    frames: new Map([...told, ...scripted.frames]),
  };
}
