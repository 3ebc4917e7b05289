import type { Concept, Qualifier } from './vocabulary.js';

/** What a signal must be called to be proposed for a VSS path. `{wheel}` stands for a wheel position. */
export interface DraftTarget {
  readonly path: string;
  /** each group: one of these concepts must be named */
  readonly needs: readonly (readonly Concept[])[];
  /** the signal's own name must say it; its message's is not enough */
  readonly isNamed?: boolean;
  /** concepts that make it likelier */
  readonly likes?: readonly Concept[];
  /** concepts that rule it out */
  readonly never?: readonly Concept[];
  /** pairs: the first concept rules it out unless the second is named too */
  readonly neverAlone?: readonly (readonly [Concept, Concept])[];
  /** qualifiers that belong to it and do not count against it */
  readonly allows?: readonly Qualifier[];
  /** number of bits such a signal has */
  readonly bits: readonly [min: number, max: number];
  /** a value the signal must be able to show, in the core's unit: its full scale */
  readonly reaches?: number;
}

const flag = [1, 4] as const;
const narrow = [6, 32] as const;
const wide = [8, 32] as const;

export const draftTargets: readonly DraftTarget[] = [
  {
    path: 'Vehicle.Speed',
    needs: [['speed']],
    // The brake control unit measures it; others pass it on.
    likes: ['vehicle', 'brake'],
    never: [
      'rotation',
      'steering',
      'angle',
      'wiper',
      'yaw',
      'longitudinal',
      'lateral',
      'acceleration',
      'throttle',
    ],
    // WheelBasedVehicleSpeed and a vehicle speed by the engine are vehicle speeds; the speed of either is not.
    neverAlone: [
      ['engine', 'vehicle'],
      ['wheel', 'vehicle'],
    ],
    bits: [8, 32],
    reaches: 40,
  },
  {
    path: 'Vehicle.Chassis.Axle.{wheel}.Speed',
    needs: [['wheel'], ['speed']],
    likes: ['speed', 'wheel'],
    never: ['tyre', 'pressure', 'brake', 'steering', 'acceleration', 'angle'],
    bits: wide,
    reaches: 40,
  },
  {
    path: 'Vehicle.Chassis.Axle.{wheel}.AngularSpeed',
    needs: [['wheel'], ['rotation', 'speed', 'rate']],
    likes: ['speed', 'wheel'],
    never: ['tyre', 'pressure', 'brake', 'steering'],
    bits: wide,
    reaches: 100,
  },
  {
    path: 'Vehicle.Chassis.Axle.{wheel}.Tire.Pressure',
    needs: [['pressure', 'tyre']],
    likes: ['tyre', 'pressure'],
    never: ['brake', 'oil', 'speed', 'temperature', 'low'],
    bits: [6, 16],
    reaches: 200,
  },
  {
    path: 'Vehicle.Chassis.Axle.{wheel}.Tire.IsPressureLow',
    needs: [['tyre'], ['low', 'pressure']],
    likes: ['low'],
    never: ['temperature', 'brake'],
    allows: ['presentation'],
    bits: [1, 2],
  },
  {
    path: 'Vehicle.Powertrain.CombustionEngine.Speed',
    needs: [
      ['rotation', 'speed'],
      ['engine', 'rotation'],
    ],
    likes: ['engine', 'rotation'],
    never: ['wheel', 'vehicle', 'gearbox', 'temperature', 'oil', 'gear', 'steering', 'yaw'],
    bits: wide,
    reaches: 5000,
  },
  {
    path: 'Vehicle.Powertrain.CombustionEngine.TPS',
    needs: [['throttle']],
    likes: ['position'],
    never: ['speed', 'accelerator', 'temperature'],
    bits: narrow,
    reaches: 80,
  },
  {
    path: 'Vehicle.Chassis.Accelerator.PedalPosition',
    needs: [['accelerator']],
    likes: ['pedal', 'position'],
    never: ['longitudinal', 'lateral', 'yaw', 'rate', 'acceleration', 'brake', 'throttle'],
    bits: narrow,
    reaches: 80,
  },
  {
    path: 'Vehicle.Chassis.Brake.IsBrakePedalPressed',
    needs: [['brake'], ['pressed', 'pedal', 'driver']],
    likes: ['pedal', 'pressed', 'driver'],
    never: [
      'parking',
      'pressure',
      'fluid',
      'abs',
      'esc',
      'tcs',
      'fault',
      'temperature',
      'rate',
      'wiper',
      'door',
      'gear',
      'engine',
    ],
    bits: flag,
  },
  {
    path: 'Vehicle.Chassis.Brake.PedalPosition',
    needs: [['brake'], ['pedal', 'position']],
    likes: ['position'],
    never: ['parking', 'pressure', 'fluid', 'abs', 'esc', 'tcs', 'accelerator'],
    bits: narrow,
    reaches: 80,
  },
  {
    path: 'Vehicle.Chassis.ParkingBrake.IsEngaged',
    needs: [['parking'], ['brake', 'parking']],
    likes: ['brake', 'engaged', 'pressed'],
    never: ['fault', 'left', 'right', 'gear', 'steering', 'front', 'headlight', 'beam', 'wiper'],
    bits: flag,
  },
  {
    path: 'Vehicle.Chassis.SteeringWheel.Angle',
    needs: [['steering'], ['angle']],
    likes: ['wheel'],
    never: ['rate', 'yaw', 'rotation', 'temperature', 'fault'],
    bits: [10, 32],
    reaches: 6,
  },
  {
    path: 'Vehicle.AngularVelocity.Yaw',
    needs: [['yaw']],
    likes: ['rate', 'vehicle'],
    never: ['acceleration', 'fault', 'esc'],
    bits: wide,
    reaches: 0.5,
  },
  {
    path: 'Vehicle.Acceleration.Longitudinal',
    needs: [['longitudinal'], ['acceleration', 'longitudinal']],
    likes: ['acceleration', 'vehicle'],
    never: ['fault', 'accelerator', 'speed', 'yaw', 'pedal'],
    bits: wide,
    reaches: 4,
  },
  {
    path: 'Vehicle.Acceleration.Lateral',
    needs: [['lateral'], ['acceleration', 'lateral']],
    likes: ['acceleration', 'vehicle'],
    never: ['fault', 'accelerator', 'speed', 'yaw', 'pedal'],
    bits: wide,
    reaches: 4,
  },
  ...(['abs', 'esc', 'tcs', 'ebd'] as const).flatMap((system): DraftTarget[] => [
    {
      path: `Vehicle.ADAS.${system.toUpperCase()}.IsError`,
      needs: [[system], ['fault']],
      isNamed: true,
      never: others(system),
      allows: ['other'],
      bits: [1, 2],
    },
    {
      path: `Vehicle.ADAS.${system.toUpperCase()}.IsEngaged`,
      needs: [[system], ['engaged']],
      isNamed: true,
      never: ['fault', 'pressure', 'yaw', ...others(system)],
      bits: [1, 2],
    },
  ]),
  {
    path: 'Vehicle.Chassis.Axle.Row1.Wheel.Left.Brake.IsFluidLevelLow',
    needs: [['brake'], ['fluid']],
    likes: ['level', 'low'],
    allows: ['quality', 'presentation'],
    bits: flag,
  },
  {
    path: 'Vehicle.Powertrain.CombustionEngine.EngineCoolant.Temperature',
    needs: [['temperature'], ['coolant', 'engine']],
    likes: ['coolant', 'engine'],
    never: ['oil', 'ambient', 'gearbox', 'air', 'tyre', 'brake', 'battery', 'fuel'],
    bits: [7, 16],
    reaches: 110,
  },
  {
    path: 'Vehicle.Powertrain.CombustionEngine.EngineOil.Temperature',
    needs: [['temperature'], ['oil']],
    likes: ['engine'],
    never: ['gearbox', 'coolant', 'ambient'],
    bits: [7, 16],
    reaches: 130,
  },
  {
    path: 'Vehicle.Powertrain.CombustionEngine.EngineOil.PressureStatus',
    needs: [['oil'], ['pressure']],
    likes: ['low', 'engine'],
    never: ['temperature', 'brake', 'gearbox'],
    bits: [1, 2],
  },
  {
    path: 'Vehicle.Powertrain.Transmission.Temperature',
    needs: [['temperature'], ['gearbox']],
    likes: ['oil'],
    never: ['coolant', 'ambient', 'engine'],
    bits: [7, 16],
    reaches: 120,
  },
  {
    path: 'Vehicle.Exterior.AirTemperature',
    needs: [['temperature'], ['ambient']],
    likes: ['air'],
    never: ['coolant', 'oil', 'engine', 'gearbox', 'battery', 'tyre'],
    bits: [7, 16],
    reaches: 45,
  },
  {
    path: 'Vehicle.LowVoltageBattery.CurrentVoltage',
    needs: [['battery'], ['voltage', 'battery']],
    likes: ['voltage'],
    never: ['temperature'],
    bits: [6, 16],
    reaches: 14,
  },
  {
    path: 'Vehicle.Powertrain.FuelSystem.RelativeLevel',
    needs: [['fuel'], ['level']],
    likes: ['level'],
    never: ['temperature', 'pressure', 'low'],
    allows: ['presentation'],
    bits: [5, 16],
    reaches: 90,
  },
  {
    path: 'Vehicle.TraveledDistance',
    needs: [['odometer']],
    likes: ['vehicle'],
    never: ['speed', 'gear'],
    bits: [16, 32],
    reaches: 300_000,
  },
  {
    path: 'Vehicle.Body.Windshield.Front.Wiping.System.IsWiping',
    needs: [['wiper']],
    likes: ['low', 'front', 'pressed', 'engaged'],
    never: ['high', 'position', 'reverse'],
    bits: [1, 2],
  },
  {
    path: 'Vehicle.Body.Lights.Beam.Low.IsOn',
    needs: [['headlight'], ['low']],
    likes: ['beam'],
    never: ['high', 'fault', 'left', 'right', 'door'],
    allows: ['presentation', 'quality'],
    bits: [1, 2],
  },
  {
    path: 'Vehicle.Body.Lights.DirectionIndicator.Left.IsSignaling',
    needs: [['turn'], ['left']],
    never: ['right', 'fault', 'gear'],
    allows: ['presentation'],
    bits: [1, 2],
  },
  {
    path: 'Vehicle.Body.Lights.DirectionIndicator.Right.IsSignaling',
    needs: [['turn'], ['right']],
    never: ['left', 'fault', 'gear'],
    allows: ['presentation'],
    bits: [1, 2],
  },
  {
    path: 'Vehicle.Cabin.Door.Row1.DriverSide.IsOpen',
    needs: [['door'], ['driver']],
    never: ['right', 'fault', 'turn', 'gear', 'brake'],
    bits: [1, 2],
  },
  {
    path: 'Vehicle.OBD.Status.IsMILOn',
    needs: [['mil']],
    allows: ['presentation', 'quality'],
    bits: [1, 2],
  },
];

function others(system: 'abs' | 'esc' | 'tcs' | 'ebd'): Concept[] {
  return (['abs', 'esc', 'tcs', 'ebd'] as const).filter((other) => other !== system);
}
