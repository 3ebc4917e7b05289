import { DriveMcpError } from '../../daemon/core/errors.js';
import type { ToolClient } from '../../daemon/ports.js';
import { assessCanHealth } from './can-health.js';

/** The vehicle expert, in process. */
export function createCanExpert(): ToolClient {
  return {
    tool: 'can',
    async call(request, signal) {
      signal.throwIfAborted();
      if (request.call === 'can_health') return assessCanHealth(request.args);
      throw new DriveMcpError('TOOL_FAILED', `the CAN expert has no call '${request.call}'`, {
        hint: 'known: can_health',
      });
    },
  };
}
