import { DriveMcpError } from '../../daemon/core/errors.js';
import type { ToolClient } from '../../daemon/ports.js';
import { assessWeather } from './weather-assess.js';

/** The weather and grip expert, in process. */
export function createWeatherExpert(): ToolClient {
  return {
    tool: 'weather',
    async call(request, signal) {
      signal.throwIfAborted();
      if (request.call === 'weather_assess') return assessWeather(request.args);
      throw new DriveMcpError('TOOL_FAILED', `the weather expert has no call '${request.call}'`, {
        hint: 'known: weather_assess',
      });
    },
  };
}
