import { type VssSignal, vssFlag, vssSignal } from './vss-signal.js';

/** Brake and stability functions: whether they regulate now and whether they are defective. */
export const assistance: readonly VssSignal[] = [
  ...(['ABS', 'ESC', 'TCS', 'EBD', 'EBA'] as const).flatMap((system) => [
    vssFlag(`Vehicle.ADAS.${system}.IsEnabled`, `${system} switched on`),
    vssFlag(`Vehicle.ADAS.${system}.IsError`, `health indicator ${system.toLowerCase()}`),
    vssFlag(`Vehicle.ADAS.${system}.IsEngaged`, `${system} regulates now: low grip`),
  ]),
  vssFlag('Vehicle.ADAS.CruiseControl.IsActive', 'context'),
  vssSignal('Vehicle.ADAS.CruiseControl.SpeedSet', {
    datatype: 'float',
    vssUnit: 'km/h',
    dimension: 'speed',
    range: [0, 120],
    use: 'context',
  }),
];
