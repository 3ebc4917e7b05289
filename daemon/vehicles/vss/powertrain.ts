import { type VssSignal, vssFlag, vssSignal } from './vss-signal.js';

const engine = 'Vehicle.Powertrain.CombustionEngine';

/** Engine, transmission, fuel, traction and low-voltage battery. */
export const powertrain: readonly VssSignal[] = [
  vssSignal(`${engine}.Speed`, {
    datatype: 'float',
    vssUnit: 'rpm',
    dimension: 'rotation',
    range: [0, 12_000],
    use: 'engine running; context of voltage and temperatures',
  }),
  vssFlag(`${engine}.IsRunning`, 'engine running'),
  vssSignal(`${engine}.TPS`, {
    datatype: 'uint8',
    vssUnit: 'percent',
    dimension: 'percentage',
    // Raw throttle angles reach a little past both stops.
    range: [-20, 110],
    use: 'throttle position',
  }),
  vssSignal(`${engine}.Torque`, {
    datatype: 'int16',
    vssUnit: 'Nm',
    dimension: 'torque',
    range: [-1500, 4000],
    use: 'context',
  }),
  vssSignal(`${engine}.EngineCoolant.Temperature`, {
    datatype: 'float',
    vssUnit: 'Celsius',
    dimension: 'temperature',
    // A pulled sensor reads the ends of its scale: −40 °C and 215 °C in real logs.
    range: [-39.5, 180],
    use: 'health indicator coolant',
  }),
  vssSignal(`${engine}.EngineCoolant.Level`, {
    datatype: 'string',
    range: [-2, 2],
    codes: { CRITICALLY_LOW: -2, LOW: -1, NORMAL: 0, HIGH: 1, CRITICALLY_HIGH: 2 },
    use: 'health indicator coolant_level',
  }),
  vssSignal(`${engine}.EngineOil.Temperature`, {
    datatype: 'float',
    vssUnit: 'Celsius',
    dimension: 'temperature',
    range: [-39.5, 180],
    use: 'health indicator oil_temperature',
  }),
  vssSignal(`${engine}.EngineOil.PressureStatus`, {
    datatype: 'string',
    range: [0, 2],
    codes: { NORMAL: 0, WARNING: 1, ALERT: 2 },
    use: 'health indicator oil_pressure: 0 normal, 1 warning, 2 alert',
  }),
  vssSignal(`${engine}.EngineOil.Level`, {
    datatype: 'string',
    range: [-2, 2],
    codes: { CRITICALLY_LOW: -2, LOW: -1, NORMAL: 0, HIGH: 1, CRITICALLY_HIGH: 2 },
    use: 'context of oil pressure',
  }),
  vssSignal(`${engine}.EOP`, {
    datatype: 'uint16',
    vssUnit: 'kPa',
    dimension: 'pressure',
    range: [0, 1500],
    use: 'oil pressure, context',
  }),
  vssSignal(`${engine}.DieselExhaustFluid.Level`, {
    datatype: 'uint8',
    vssUnit: 'percent',
    dimension: 'percentage',
    range: [0, 100],
    use: 'context of def',
  }),
  vssFlag(`${engine}.DieselExhaustFluid.IsLevelLow`, 'health indicator def'),
  vssSignal('Vehicle.Powertrain.Transmission.CurrentGear', {
    datatype: 'int8',
    range: [-9, 20],
    use: 'gear engaged: 0 neutral, positive forward, negative reverse',
  }),
  vssSignal('Vehicle.Powertrain.Transmission.SelectedGear', {
    datatype: 'int8',
    range: [-9, 127],
    use: 'gear selected: 126 park, 127 drive, 0 neutral, negative reverse',
  }),
  vssSignal('Vehicle.Powertrain.Transmission.Temperature', {
    datatype: 'float',
    vssUnit: 'Celsius',
    dimension: 'temperature',
    range: [-39.5, 180],
    use: 'health indicator transmission',
  }),
  vssSignal('Vehicle.Powertrain.Transmission.ClutchEngagement', {
    datatype: 'float',
    vssUnit: 'percent',
    dimension: 'percentage',
    range: [0, 100],
    use: 'context',
  }),
  vssSignal('Vehicle.Powertrain.FuelSystem.RelativeLevel', {
    datatype: 'uint8',
    vssUnit: 'percent',
    dimension: 'percentage',
    range: [0, 100],
    use: 'fuel level, context',
  }),
  vssSignal('Vehicle.Powertrain.TractionBattery.StateOfCharge.Displayed', {
    datatype: 'float',
    vssUnit: 'percent',
    dimension: 'percentage',
    range: [0, 100],
    use: 'context',
  }),
  vssSignal('Vehicle.Powertrain.TractionBattery.StateOfHealth', {
    datatype: 'float',
    vssUnit: 'percent',
    dimension: 'percentage',
    range: [0, 110],
    use: 'health indicator traction_battery',
  }),
  vssSignal('Vehicle.Powertrain.TractionBattery.Temperature.Max', {
    datatype: 'float',
    vssUnit: 'Celsius',
    dimension: 'temperature',
    range: [-39.5, 120],
    use: 'health indicator traction_battery',
  }),
  vssSignal('Vehicle.LowVoltageBattery.CurrentVoltage', {
    datatype: 'float',
    vssUnit: 'V',
    dimension: 'voltage',
    // 12 V and 24 V networks.
    range: [3, 36],
    use: 'health indicator low_voltage',
  }),
  vssSignal('Vehicle.LowVoltageBattery.CurrentCurrent', {
    datatype: 'float',
    vssUnit: 'A',
    dimension: 'current',
    range: [-1000, 1000],
    use: 'context of low_voltage',
  }),
  vssSignal('Vehicle.LowVoltageSystemState', {
    datatype: 'string',
    range: [0, 5],
    codes: { UNDEFINED: 0, LOCK: 1, OFF: 2, ACC: 3, ON: 4, START: 5 },
    use: 'ignition state',
  }),
];
