import type { ExpertServer } from '../shared/expert-server.js';
import { type CanToolsOptions, canTools } from './can-tools.js';
import { dtcResource } from './dtc-resource.js';

/** The vehicle expert as an MCP server. It reads; there is nothing in it that could send. */
export function canServer(options: CanToolsOptions, version: string): ExpertServer {
  return {
    name: 'can',
    title: 'DriveMCP vehicle',
    version,
    instructions:
      'Vehicle health, signals and trouble codes; DBC files and CAN logs of configured folders, decoded and summarised. Read-only: nothing is sent to a bus. Research software, not a safety mechanism.',
    tools: canTools(options),
    resources: [dtcResource],
    prompts: [],
  };
}
