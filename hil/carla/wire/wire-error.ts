import { DriveMcpError } from '../../../daemon/core/errors.js';

/** What a peer sent does not fit the protocol; `path` names the type and field. */
export function wireError(path: string, problem: string): DriveMcpError {
  return new DriveMcpError('CARLA_WIRE', `${path}: ${problem}`);
}
