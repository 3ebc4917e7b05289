/**
 * The vehicle signals the core reads, under their COVESA VSS paths, with the unit the core wants them in, the
 * range outside which a value is a fault and the age from which it is stale. The inputs of vehicle health have their
 * own list (`safety/health/health-signals.ts`); a signal that is in neither is counted and left alone.
 *
 * Units differ from VSS where VSS is not SI: speeds in m/s (VSS km/h), angles in rad (VSS degrees).
 * Flags are 0 or 1.
 */
export interface SignalSpec {
  readonly path: string;
  readonly unit: 'm/s' | 'm/s²' | 'rad' | '%' | '°C' | 'kPa' | 'flag' | 'level' | 'gear';
  readonly min: number;
  readonly max: number;
  /** older than this: absent, flag `stale:<path>` */
  readonly ttlUs: number;
  /** fastest credible change in units per second; a faster one is refused until it persists */
  readonly maxRatePerS?: number;
}

const motionTtlUs = 500_000;
const healthTtlUs = 10_000_000;
const weatherTtlUs = 60_000_000;

export const speedPath = 'Vehicle.Speed';
export const longitudinalAccelerationPath = 'Vehicle.Acceleration.Longitudinal';
export const brakePedalPath = 'Vehicle.Chassis.Brake.PedalPosition';
export const brakePedalPressedPath = 'Vehicle.Chassis.Brake.IsBrakePedalPressed';
export const acceleratorPath = 'Vehicle.Chassis.Accelerator.PedalPosition';
export const steeringAnglePath = 'Vehicle.Chassis.SteeringWheel.Angle';
export const gearPath = 'Vehicle.Powertrain.Transmission.CurrentGear';
/** 0 off, 1 intermittent, 2 slow, 3 fast; VSS has the same steps as words */
export const wiperPath = 'Vehicle.Body.Windshield.Front.Wiping.Mode';
export const isWipingPath = 'Vehicle.Body.Windshield.Front.Wiping.System.IsWiping';
export const airTemperaturePath = 'Vehicle.Exterior.AirTemperature';
export const absEngagedPath = 'Vehicle.ADAS.ABS.IsEngaged';
export const escEngagedPath = 'Vehicle.ADAS.ESC.IsEngaged';
/** An overlay: the specification has no such button. */
export const feedbackButtonPath = 'Vehicle.Driver.IsFeedbackButtonPressed';
export const tcsEngagedPath = 'Vehicle.ADAS.TCS.IsEngaged';

/** `Vehicle.Chassis.Axle.Row1.Wheel.Left` and so on, in the order front left, front right, rear left, rear right. */
export const wheelBranches = [
  'Vehicle.Chassis.Axle.Row1.Wheel.Left',
  'Vehicle.Chassis.Axle.Row1.Wheel.Right',
  'Vehicle.Chassis.Axle.Row2.Wheel.Left',
  'Vehicle.Chassis.Axle.Row2.Wheel.Right',
] as const;

const motionSpecs: readonly SignalSpec[] = [
  // 20 m/s² is twice what a road tyre can transmit; a faster change of speed is a fault, not a manoeuvre.
  { path: speedPath, unit: 'm/s', min: -30, max: 120, ttlUs: motionTtlUs, maxRatePerS: 20 },
  { path: longitudinalAccelerationPath, unit: 'm/s²', min: -25, max: 25, ttlUs: motionTtlUs },
  { path: brakePedalPath, unit: '%', min: 0, max: 110, ttlUs: motionTtlUs },
  { path: brakePedalPressedPath, unit: 'flag', min: 0, max: 1, ttlUs: motionTtlUs },
  { path: acceleratorPath, unit: '%', min: 0, max: 110, ttlUs: motionTtlUs },
  { path: steeringAnglePath, unit: 'rad', min: -20, max: 20, ttlUs: motionTtlUs },
  { path: gearPath, unit: 'gear', min: -9, max: 20, ttlUs: 2_000_000 },
  { path: absEngagedPath, unit: 'flag', min: 0, max: 1, ttlUs: 1_000_000 },
  { path: escEngagedPath, unit: 'flag', min: 0, max: 1, ttlUs: 1_000_000 },
  { path: tcsEngagedPath, unit: 'flag', min: 0, max: 1, ttlUs: 1_000_000 },
  { path: wiperPath, unit: 'level', min: 0, max: 3, ttlUs: weatherTtlUs },
  { path: isWipingPath, unit: 'flag', min: 0, max: 1, ttlUs: weatherTtlUs },
  { path: feedbackButtonPath, unit: 'flag', min: 0, max: 1, ttlUs: motionTtlUs },
  { path: airTemperaturePath, unit: '°C', min: -60, max: 70, ttlUs: weatherTtlUs },
];

const tyreSpecs: readonly SignalSpec[] = wheelBranches.map((wheel) => ({
  path: `${wheel}.Tire.Pressure`,
  unit: 'kPa',
  min: 0,
  max: 1200,
  ttlUs: healthTtlUs,
}));

const wheelSpeedSpecs: readonly SignalSpec[] = wheelBranches.map((wheel) => ({
  path: `${wheel}.Speed`,
  unit: 'm/s',
  min: -30,
  max: 150,
  ttlUs: motionTtlUs,
}));

export const signalSpecs: readonly SignalSpec[] = [...motionSpecs, ...tyreSpecs, ...wheelSpeedSpecs];

export const signalSpecByPath: ReadonlyMap<string, SignalSpec> = new Map(
  signalSpecs.map((spec) => [spec.path, spec]),
);
