import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { SpawnPlace } from './world-scenario.js';

/** What the world cannot do for whoever asks; CARLA's own words where it has some. */
export function refused(text: string): DriveMcpError {
  return new DriveMcpError('SIM_REFUSED', text);
}

export function noPlace({ road, lane, sM }: SpawnPlace): DriveMcpError {
  return new DriveMcpError('SCENARIO_INVALID', `the map has no lane ${lane} on road ${road} at ${sM} m`);
}
