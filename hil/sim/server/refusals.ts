import { DriveMcpError } from '../../../daemon/core/errors.js';
import { RefusedCall } from '../../carla/rpc/rpc-server.js';

/** What the world refuses becomes the error of the RPC's response; anything else is a bug and goes on. */
export function answering<A extends readonly unknown[], R>(run: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    try {
      return run(...args);
    } catch (error) {
      if (error instanceof DriveMcpError && error.code !== 'INVARIANT') throw new RefusedCall(error.message);
      throw error;
    }
  };
}
