import { DriveMcpError } from '../../daemon/core/errors.js';
import type { JsonObject } from '../../daemon/core/tick.js';
import type { ToolClient } from '../../daemon/ports.js';
import { parseToolArgs } from '../shared/tool-args.js';
import { assessWeather } from './weather-assess.js';
import { weatherAssessArgs } from './weather-schema.js';

/** The weather and grip expert, in process. */
export function createWeatherExpert(): ToolClient {
  return {
    tool: 'weather',
    async call(request, signal): Promise<JsonObject> {
      signal.throwIfAborted();
      if (request.call === 'weather_assess') {
        return assessWeather(parseToolArgs(weatherAssessArgs, request.args, 'weather_assess'));
      }
      throw new DriveMcpError('TOOL_FAILED', `the weather expert has no call '${request.call}'`, {
        hint: 'known: weather_assess',
      });
    },
  };
}
