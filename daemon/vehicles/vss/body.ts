import { type VssSignal, vssFlag, vssSignal } from './vss-signal.js';

const wiping = 'Vehicle.Body.Windshield.Front.Wiping';

/** Wipers, rain sensor, lights, doors, outside air. */
export const body: readonly VssSignal[] = [
  vssSignal(`${wiping}.Mode`, {
    datatype: 'string',
    range: [0, 3],
    // The grip model knows four steps: off, intermittent, slow, fast.
    codes: { OFF: 0, INTERVAL: 1, RAIN_SENSOR: 1, SLOW: 2, MEDIUM: 2, FAST: 3 },
    use: 'wetness of the road: 0 off, 1 intermittent, 2 slow, 3 fast',
  }),
  vssFlag(`${wiping}.System.IsWiping`, 'wetness of the road: blades move'),
  vssSignal('Vehicle.Body.Raindetection.Intensity', {
    datatype: 'uint8',
    vssUnit: 'percent',
    dimension: 'percentage',
    range: [0, 100],
    use: 'wetness of the road',
  }),
  vssSignal('Vehicle.Exterior.AirTemperature', {
    datatype: 'float',
    vssUnit: 'Celsius',
    dimension: 'temperature',
    range: [-39.5, 60],
    use: 'ice risk at 3 °C and below',
  }),
  vssFlag('Vehicle.Body.Lights.Beam.Low.IsOn', 'context of lighting rules'),
  vssFlag('Vehicle.Body.Lights.Beam.High.IsOn', 'context of lighting rules'),
  vssFlag('Vehicle.Body.Lights.Fog.Front.IsOn', 'context of visibility'),
  vssFlag('Vehicle.Body.Lights.Fog.Rear.IsOn', 'context of visibility'),
  vssFlag('Vehicle.Body.Lights.Parking.IsOn', 'context'),
  vssFlag('Vehicle.Body.Lights.Hazard.IsSignaling', 'context of hazard'),
  vssFlag('Vehicle.Body.Lights.DirectionIndicator.Left.IsSignaling', 'intent of the driver'),
  vssFlag('Vehicle.Body.Lights.DirectionIndicator.Right.IsSignaling', 'intent of the driver'),
  vssFlag('Vehicle.Body.Hood.IsOpen', 'context of health'),
  vssFlag('Vehicle.Body.Trunk.Rear.IsOpen', 'context of health'),
  vssFlag('Vehicle.Driver.IsFeedbackButtonPressed', 'feedback: once late, twice needless', 'drivemcp'),
  ...(['Row1.DriverSide', 'Row1.PassengerSide', 'Row2.DriverSide', 'Row2.PassengerSide'] as const).map(
    (door) => vssFlag(`Vehicle.Cabin.Door.${door}.IsOpen`, 'standstill, context'),
  ),
];
