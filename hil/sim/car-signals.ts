/**
 * What the simulated car's controllers measure and report, by message and signal of its DBC, in the DBC's
 * units. The inertial sensors have noise; speeds, pedals and flags are exact, their error is the
 * quantisation of the DBC. Nothing here knows the friction of the road.
 */
import type { Faults, PlantState, VehicleModel } from './plant.js';
import type { PowertrainState } from './powertrain.js';
import type { Prng } from './prng.js';
import type { WeatherState } from './weather.js';

export interface CarState {
  readonly model: VehicleModel;
  readonly plant: PlantState;
  readonly powertrain: PowertrainState;
  readonly faults: Faults;
  readonly weather: WeatherState;
  readonly isReversing: boolean;
  /** wipers and lamps by their switches; without: by the rain alone */
  readonly body?: BodySignals | undefined;
  /** metres on the clock at the start of the route */
  readonly odometerM: number;
}

/** What the body controller reports. */
export interface BodySignals {
  /** as `wiperMode` */
  readonly wiperMode: number;
  readonly lowBeam: boolean;
  readonly highBeam: boolean;
  readonly rearFog: boolean;
  readonly turnLeft: boolean;
  readonly turnRight: boolean;
  readonly hazard: boolean;
}

export type SignalValues = Readonly<Record<string, number>>;

const degreesPerRadian = 180 / Math.PI;
const inertialNoise = { accelMps2: 0.03, yawDegps: 0.08 };
/** master cylinder pressure at full pedal */
const fullBrakeBar = 120;
/** A tyre below this share of its placard pressure lights the lamp (UN R141: 20 % below). */
export const tyreWarningShare = 0.8;
/** GEAR_SELECTED of the DBC: P, R, N, D */
const [gearR, gearD] = [1, 3];

const kmh = (mps: number): number => mps * 3.6;

/** Wiper by rain sensor: off, intermittent, slow, fast. */
export function wiperMode(precipitation: number): number {
  if (precipitation >= 80) return 3;
  if (precipitation >= 50) return 2;
  return precipitation >= 25 ? 1 : 0;
}

/** A rain sensor for wipers and low beam, and nobody at the switches. */
function bodyByRain(precipitation: number): BodySignals {
  const mode = wiperMode(precipitation);
  return {
    wiperMode: mode,
    lowBeam: mode > 0,
    highBeam: false,
    rearFog: false,
    turnLeft: false,
    turnRight: false,
    hazard: false,
  };
}

type Report = (car: CarState, noise: Prng) => SignalValues;

/** By message, in the DBC's units. */
const reports = {
  WHEEL_SPEEDS: ({ plant }) => ({
    WHL_SPD_FL: kmh(plant.wheelMps.FL),
    WHL_SPD_FR: kmh(plant.wheelMps.FR),
    WHL_SPD_RL: kmh(plant.wheelMps.RL),
    WHL_SPD_RR: kmh(plant.wheelMps.RR),
  }),
  VEHICLE_DYNAMICS: ({ plant }, noise) => ({
    VEH_SPD: kmh(plant.vMps),
    LONG_ACCEL: plant.axMps2 + noise.normal() * inertialNoise.accelMps2,
    LAT_ACCEL: plant.ayMps2 + noise.normal() * inertialNoise.accelMps2,
    YAW_RATE: plant.yawRateRadps * degreesPerRadian + noise.normal() * inertialNoise.yawDegps,
  }),
  BRAKE_STATUS: ({ plant }) => ({
    BRK_PEDAL_POS: plant.brakePedal * 100,
    BRK_PEDAL_PRESSED: plant.brakePedal > 0 ? 1 : 0,
    ABS_ACTIVE: plant.absActive ? 1 : 0,
    ESC_ACTIVE: plant.escActive ? 1 : 0,
    TCS_ACTIVE: plant.tcsActive ? 1 : 0,
    BRK_PRESSURE: plant.brake * fullBrakeBar,
  }),
  STEERING: ({ model, plant }) => ({
    STR_WHL_ANGLE: plant.curvaturePerM * model.wheelbaseM * model.steeringRatio * degreesPerRadian,
  }),
  POWERTRAIN: ({ isReversing, plant, powertrain }) => ({
    ENG_SPD: powertrain.engineRpm,
    ACC_PEDAL_POS: plant.throttlePedal * 100,
    THROTTLE_POS: plant.throttle * 100,
    GEAR_SELECTED: isReversing ? gearR : gearD,
    GEAR_CURRENT: isReversing ? -1 : powertrain.gear,
  }),
  CHASSIS_WARNINGS: ({ faults }) => ({
    ABS_FAULT: faults.absFault ? 1 : 0,
    ESC_FAULT: faults.escFault ? 1 : 0,
    TCS_FAULT: 0,
    EBD_FAULT: 0,
    BRK_FLUID_LOW: faults.brakeFluidLow ? 1 : 0,
    BRK_LAMP_RED: faults.brakeFluidLow ? 1 : 0,
    ABS_LAMP: faults.absFault ? 1 : 0,
  }),
  BODY_STATE: ({ plant, weather, body = bodyByRain(weather.precipitation) }) => ({
    WIPER_MODE: body.wiperMode,
    LOW_BEAM_ON: body.lowBeam ? 1 : 0,
    HIGH_BEAM_ON: body.highBeam ? 1 : 0,
    REAR_FOG_ON: body.rearFog ? 1 : 0,
    TURN_LEFT_ON: body.turnLeft ? 1 : 0,
    TURN_RIGHT_ON: body.turnRight ? 1 : 0,
    HAZARD_ON: body.hazard ? 1 : 0,
    STOP_LAMP_ON: plant.brakePedal > 0 ? 1 : 0,
  }),
  ENGINE_STATE: ({ powertrain }) => ({
    COOLANT_TEMP: powertrain.coolantC,
    OIL_TEMP: powertrain.oilC,
    OIL_PRESSURE: powertrain.oilKpa,
    ENG_RUNNING: 1,
    OIL_PRESSURE_LOW: 0,
    MIL_ON: 0,
  }),
  TYRE_STATE: ({ faults, model }) => {
    const { FL, FR, RL, RR } = faults.tyreKpa;
    const isLow = Math.min(FL, FR, RL, RR) < tyreWarningShare * model.placardKpa;
    return { TYRE_P_FL: FL, TYRE_P_FR: FR, TYRE_P_RL: RL, TYRE_P_RR: RR, TYRE_LOW_LAMP: isLow ? 1 : 0 };
  },
  CABIN_STATE: ({ powertrain, weather }) => ({
    AMBIENT_TEMP: weather.ambientC,
    BATT_VOLTAGE: powertrain.batteryV,
    FUEL_LEVEL: powertrain.fuelPercent,
  }),
  ODOMETER: ({ odometerM, plant }) => ({ ODO: (odometerM + plant.sM) / 1000 }),
} satisfies Record<string, Report>;

/** The messages that this car sends, by name. */
export const carMessages = Object.keys(reports) as readonly (keyof typeof reports)[];

/** The signals of one message now; undefined for a message that this car does not send. */
export function signalsOf(message: string, car: CarState, noise: Prng): SignalValues | undefined {
  return Object.hasOwn(reports, message) ? reports[message as keyof typeof reports](car, noise) : undefined;
}
