/** What the drive of the ego tells the cockpit in one step, and what the cockpit does to the world in return. */
import type { VehicleControl } from '../../carla/wire/vehicle-control.js';
import type { WeatherParameters } from '../../carla/wire/weather.js';
import type { WindscreenView } from '../../sim/cabin/car-body.js';
import type { BodySignals, CarState } from '../../sim/car-signals.js';
import type { Indicator } from '../../sim/world/indicator.js';

export interface EgoMoment {
  /** the simulator's clock */
  readonly tS: number;
  readonly dtS: number;
  /** along the heading; negative in reverse */
  readonly vMps: number;
  readonly car: Omit<CarState, 'weather' | 'body' | 'isReversing'>;
  readonly control: VehicleControl;
  readonly weather: WeatherParameters;
  readonly ambientC: number;
  /** CARLA's flags of the ego's lamps as the world has them; null where nobody can say */
  readonly lightFlags: number | null;
  /** where the driver's stalk is; null where no driver is known to have one */
  readonly indicator: Indicator | null;
  /** vehicles ahead that high beam would dazzle; null where nothing looks for them */
  readonly hasOthersAhead: boolean | null;
}

export interface CockpitEffects {
  /** CARLA's VehicleLightState of the ego */
  readonly lightFlags: number;
  readonly windscreen: WindscreenView;
  /** for the car's bus */
  readonly signals: BodySignals;
}
