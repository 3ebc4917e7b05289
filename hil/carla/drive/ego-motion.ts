/** The ego's motion as its own controllers would measure it, from the state a simulator streams. */

import type { CarState } from '../../sim/car-signals.js';
import { type Faults, type PlantState, passengerCar, restingPlant, wheels } from '../../sim/plant.js';
import { type PowertrainState, stepPowertrain, warmPowertrain } from '../../sim/powertrain.js';
import type { WeatherState } from '../../sim/weather.js';
import type { ActorDynamicState } from '../stream/episode-state.js';
import type { VehicleControl } from '../wire/vehicle-control.js';

const radians = Math.PI / 180;

/** In map axes (OpenDRIVE): y and headings have the other sign in CARLA. */
export interface EgoMotion {
  readonly x: number;
  readonly y: number;
  readonly headingRad: number;
  readonly vMps: number;
  readonly axMps2: number;
  readonly yawRateRadps: number;
}

export function motionOf({
  transform,
  velocityMps,
  accelerationMps2,
  angularVelocityDegps,
}: ActorDynamicState): EgoMotion {
  const yaw = transform.rotation.yawDeg * radians;
  const cos = Math.cos(yaw);
  const sin = Math.sin(yaw);
  return {
    x: transform.location.x,
    y: -transform.location.y,
    headingRad: -yaw,
    vMps: velocityMps.x * cos + velocityMps.y * sin,
    axMps2: accelerationMps2.x * cos + accelerationMps2.y * sin,
    yawRateRadps: -angularVelocityDegps.z * radians,
  };
}

/**
 * The car's controllers behind its CAN: pedals from the control, speeds from the motion. What CARLA does not tell (ABS,
 * tyre pressures, temperatures) is that of a healthy car that has been running for a while.
 */
export class EgoCar {
  readonly #plant: PlantState = restingPlant(0, 0);
  readonly #faults: Faults;
  #powertrain: PowertrainState | null = null;

  constructor() {
    const tyreKpa = Object.fromEntries(
      wheels.map((wheel) => [wheel, passengerCar.placardKpa]),
    ) as Faults['tyreKpa'];
    this.#faults = { absFault: false, brakeFluidLow: false, tyreKpa };
  }

  step(motion: EgoMotion, control: VehicleControl, weather: WeatherState, dtS: number): CarState {
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
    plant.throttle = control.throttle;
    plant.brakePedal = control.brake;
    plant.brake = control.brake;
    const sideMps = (motion.yawRateRadps * passengerCar.trackM) / 2;
    plant.wheelMps.FL = plant.wheelMps.RL = Math.max(0, vMps - sideMps);
    plant.wheelMps.FR = plant.wheelMps.RR = Math.max(0, vMps + sideMps);
    this.#powertrain ??= warmPowertrain(vMps);
    stepPowertrain(this.#powertrain, plant, dtS);
    return {
      model: passengerCar,
      plant,
      powertrain: this.#powertrain,
      faults: this.#faults,
      weather,
      odometerM: 18_204_000,
    };
  }
}
