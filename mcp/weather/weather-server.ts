import type { ExpertServer } from '../shared/expert-server.js';
import { type WeatherToolsOptions, weatherTools } from './weather-tools.js';

/** The weather and grip expert as an MCP server. */
export function weatherServer(options: WeatherToolsOptions, version: string): ExpertServer {
  return {
    name: 'weather',
    title: 'DriveMCP weather and grip',
    version,
    instructions:
      'Estimates of road grip from weather and vehicle observations, with a lower bound and reasons. Read-only. Research software, not a safety mechanism.',
    tools: weatherTools(options),
    resources: [],
    prompts: [],
  };
}
