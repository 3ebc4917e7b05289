import { DriveMcpError } from '../../daemon/core/errors.js';
import type { JsonObject } from '../../daemon/core/tick.js';
import type { ToolClient } from '../../daemon/ports.js';
import { parseToolArgs } from '../shared/tool-args.js';
import { assessCanHealth } from './can-health.js';
import { canHealthArgs } from './health-schema.js';

/** The vehicle expert, in process. */
export function createCanExpert(): ToolClient {
  return {
    tool: 'can',
    async call(request, signal): Promise<JsonObject> {
      signal.throwIfAborted();
      if (request.call === 'can_health') {
        return assessCanHealth(parseToolArgs(canHealthArgs, request.args, 'can_health'));
      }
      throw new DriveMcpError('TOOL_FAILED', `the CAN expert has no call '${request.call}'`, {
        hint: 'known: can_health',
      });
    },
  };
}
