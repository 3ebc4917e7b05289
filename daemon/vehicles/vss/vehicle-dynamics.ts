import { type VssSignal, vssFlag, vssSignal } from './vss-signal.js';

/**
 * A road car under full braking stays below 1.5 g; a crash is faster, but a speed that changes faster than
 * this from one frame to the next is a fault of the sensor or the bus.
 */
const maxSpeedRateMps2 = 15;

/** Motion of the vehicle as a whole; axes by ISO 8855. */
export const vehicleDynamics: readonly VssSignal[] = [
  vssSignal('Vehicle.Speed', {
    datatype: 'float',
    vssUnit: 'km/h',
    dimension: 'speed',
    // Slightly negative values are reversing; no road car reaches 120 m/s (432 km/h).
    range: [-20, 120],
    maxRatePerS: maxSpeedRateMps2,
    use: 'ego speed: braking distance, time to collision, overspeed',
  }),
  vssFlag('Vehicle.IsMoving', 'standstill'),
  vssSignal('Vehicle.TraveledDistance', {
    datatype: 'uint32',
    vssUnit: 'm',
    dimension: 'distance',
    range: [0, 4_294_967_295],
    use: 'odometer, context of health findings',
  }),
  vssSignal('Vehicle.Acceleration.Longitudinal', {
    datatype: 'float',
    vssUnit: 'm/s^2',
    dimension: 'acceleration',
    range: [-20, 20],
    use: 'grip while ABS regulates, hard braking of the ego',
  }),
  vssSignal('Vehicle.Acceleration.Lateral', {
    datatype: 'float',
    vssUnit: 'm/s^2',
    dimension: 'acceleration',
    range: [-20, 20],
    use: 'context of grip',
  }),
  vssSignal('Vehicle.Acceleration.Vertical', {
    datatype: 'float',
    vssUnit: 'm/s^2',
    dimension: 'acceleration',
    range: [-40, 40],
    use: 'context of grip',
  }),
  vssSignal('Vehicle.AngularVelocity.Yaw', {
    datatype: 'float',
    vssUnit: 'degrees/s',
    dimension: 'angular_rate',
    range: [-3.5, 3.5],
    use: 'yaw rate of the ego',
  }),
  vssSignal('Vehicle.AngularVelocity.Roll', {
    datatype: 'float',
    vssUnit: 'degrees/s',
    dimension: 'angular_rate',
    range: [-3.5, 3.5],
    use: 'context',
  }),
];
