import { type VssSignal, vssFlag, vssSignal } from './vss-signal.js';

export const wheelPositions = [
  'Row1.Wheel.Left',
  'Row1.Wheel.Right',
  'Row2.Wheel.Left',
  'Row2.Wheel.Right',
] as const;

/** Brakes, tyres, steering, pedals. */
export const chassis: readonly VssSignal[] = [
  vssFlag('Vehicle.Chassis.Brake.IsBrakePedalPressed', 'driver brakes: cancels an intervention'),
  vssSignal('Vehicle.Chassis.Brake.PedalPosition', {
    datatype: 'uint8',
    vssUnit: 'percent',
    dimension: 'percentage',
    range: [0, 110],
    use: 'driver brakes: cancels an intervention',
  }),
  vssFlag('Vehicle.Chassis.Brake.IsDriverEmergencyBrakingDetected', 'context of hard braking'),
  vssSignal('Vehicle.Chassis.Accelerator.PedalPosition', {
    datatype: 'uint8',
    vssUnit: 'percent',
    dimension: 'percentage',
    range: [0, 110],
    use: 'driver accelerates: cancels an intervention',
  }),
  vssFlag('Vehicle.Chassis.ParkingBrake.IsEngaged', 'standstill'),
  vssSignal('Vehicle.Chassis.SteeringWheel.Angle', {
    datatype: 'int16',
    vssUnit: 'degrees',
    dimension: 'angle',
    range: [-20, 20],
    use: 'driver steers: cancels an intervention; positive = left',
  }),
  ...wheelPositions.flatMap(wheelSignals),
];

function wheelSignals(position: string): VssSignal[] {
  const wheel = `Vehicle.Chassis.Axle.${position}`;
  return [
    vssSignal(`${wheel}.Speed`, {
      datatype: 'float',
      vssUnit: 'km/h',
      dimension: 'speed',
      range: [-20, 140],
      use: 'wheel speed, context of slip',
    }),
    vssSignal(`${wheel}.AngularSpeed`, {
      datatype: 'float',
      vssUnit: 'degrees/s',
      dimension: 'angular_rate',
      range: [-100, 500],
      use: 'wheel speed where the bus gives an angular one',
    }),
    vssSignal(`${wheel}.Tire.Pressure`, {
      datatype: 'uint16',
      vssUnit: 'kPa',
      dimension: 'pressure',
      // 0 = sensor silent in most systems; trucks run up to 10 bar.
      range: [20, 1200],
      use: 'health indicator tyre_pressure; hydroplaning speed',
    }),
    vssFlag(`${wheel}.Tire.IsPressureLow`, 'health indicator tyre_pressure'),
    vssSignal(`${wheel}.Tire.AirTemperature`, {
      datatype: 'float',
      vssUnit: 'Celsius',
      dimension: 'temperature',
      range: [-39.5, 150],
      use: 'context of tyre pressure',
    }),
    vssSignal(`${wheel}.Brake.FluidLevel`, {
      datatype: 'uint8',
      vssUnit: 'percent',
      dimension: 'percentage',
      range: [0, 100],
      use: 'health indicator brake_fluid: 0 = empty',
    }),
    vssFlag(`${wheel}.Brake.IsFluidLevelLow`, 'health indicator brake_fluid, brake effectiveness'),
    vssSignal(`${wheel}.Brake.PadWear`, {
      datatype: 'uint8',
      vssUnit: 'percent',
      dimension: 'percentage',
      range: [0, 100],
      use: 'health indicator pad_wear: 100 = worn',
    }),
    vssFlag(`${wheel}.Brake.IsBrakesWorn`, 'health indicator pad_wear'),
  ];
}
