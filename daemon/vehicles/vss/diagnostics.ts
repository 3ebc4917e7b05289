import { type VssSignal, vssFlag, vssSignal } from './vss-signal.js';

/** Trouble codes, service, and the OBD values that have no place in the core specification. */
export const diagnostics: readonly VssSignal[] = [
  vssSignal('Vehicle.Diagnostics.DTCCount', {
    datatype: 'uint8',
    range: [0, 255],
    use: 'number of trouble codes; the codes themselves come from diagnostics, not from signals',
  }),
  vssFlag('Vehicle.Service.IsServiceDue', 'health indicator service'),
  vssFlag('Vehicle.OBD.Status.IsMILOn', 'health indicator mil', 'OBD'),
  vssSignal('Vehicle.OBD.CoolantTemperature', {
    datatype: 'float',
    vssUnit: 'Celsius',
    dimension: 'temperature',
    range: [-39.5, 180],
    overlay: 'OBD',
    use: 'PID 05, beside the bus signal',
  }),
  vssSignal('Vehicle.OBD.Speed', {
    datatype: 'float',
    vssUnit: 'km/h',
    dimension: 'speed',
    range: [0, 71],
    overlay: 'OBD',
    use: 'PID 0D, beside the bus signal',
  }),
  vssSignal('Vehicle.OBD.EngineSpeed', {
    datatype: 'float',
    vssUnit: 'rpm',
    dimension: 'rotation',
    range: [0, 16_384],
    overlay: 'OBD',
    use: 'PID 0C, beside the bus signal',
  }),
  vssSignal('Vehicle.OBD.ControlModuleVoltage', {
    datatype: 'float',
    vssUnit: 'V',
    dimension: 'voltage',
    range: [3, 36],
    overlay: 'OBD',
    use: 'PID 42, beside the bus signal',
  }),
  vssSignal('Vehicle.OBD.AmbientAirTemperature', {
    datatype: 'float',
    vssUnit: 'Celsius',
    dimension: 'temperature',
    range: [-39.5, 60],
    overlay: 'OBD',
    use: 'PID 46, beside the bus signal',
  }),
];
