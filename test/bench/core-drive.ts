/** The inputs that the core is measured on: 42 signals a tick, a camera at 10 Hz, borders, gantries, faults. */
import { healthSignals } from '../../daemon/core/safety/health/health-signals.js';
import type { TickInputs } from '../../daemon/core/tick.js';
import { drive, fact, fairStart, lead, signal, speedSignal } from '../core/step-drive.js';

const healthPaths = [...healthSignals.keys()].filter(
  (path) => path.endsWith('IsError') || path.includes('Tire'),
);

/** Recorded inputs of a drive with something going on in every second, experts answering a tick later. */
export function busyInputs(ticks: number): readonly TickInputs[] {
  return drive({
    ticks,
    plan: (tick, tUs) => {
      const phase = tick % 1200;
      return {
        signals: [
          speedSignal(20 + 5 * Math.min(1, phase / 600), tUs),
          signal('Vehicle.Acceleration.Longitudinal', 0.1 * (phase % 7), tUs),
          signal('Vehicle.AngularVelocity.Yaw', 0.01 * (phase % 5), tUs),
          signal('Vehicle.Exterior.AirTemperature', 8, tUs),
          signal('Vehicle.Body.Windshield.Front.Wiping.Mode', phase > 300 ? 2 : 0, tUs),
          signal('Vehicle.Powertrain.CombustionEngine.Speed', 1800 + phase, tUs),
          ...healthPaths.map((path) => signal(path, path.endsWith('Pressure') ? 230 + (phase % 3) : 0, tUs)),
        ],
        facts: [
          ...(tick === 0 ? fairStart(tUs) : []),
          ...(tick % 2 === 0
            ? [lead({ egoMps: 25, closingMps: 6, startGapM: 90, startTick: tick - phase + 700 }, tick, tUs)]
            : []),
          ...(tick % 20 === 0
            ? [
                fact('weather', { wetness: phase > 300 ? 60 : 0, precipitation: phase > 300 ? 40 : 0 }, tUs),
                fact('road', { roadClass: 'rural', segment: `s${Math.floor(tick / 400)}` }, tUs),
                fact('jurisdiction', Math.floor(tick / 1200) % 2 === 0 ? 'DEU' : 'GBR', tUs),
              ]
            : []),
          ...(tick % 90 === 0
            ? [fact('gantry', { id: `g${tick}`, value: 60 + (tick % 4) * 20, unit: 'km/h' }, tUs)]
            : []),
        ],
      };
    },
  }).inputs;
}
