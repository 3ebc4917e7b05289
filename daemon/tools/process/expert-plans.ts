import { expertCalls, inquiries, toolNames } from '../../core/router/expert-calls.js';
import type { ToolName } from '../../core/tick.js';
import type { Config } from '../../runtime/config-schema.js';
import { packageFile, packageVersion } from '../../runtime/package-root.js';
import type { ExpertPlan } from './worker-messages.js';

/**
 * Which programs answer: the configured ones, else the servers that come with this program. A pin is bound to the whole
 * command and, for our own servers, to the version: an upgrade is no attack.
 */
export function expertPlans(config: Config, stateDir: string): ExpertPlan[] {
  return toolNames.map((tool) => {
    const [file, ...args] = config.mcp[`${tool}_command`];
    const own = ownServer(tool, stateDir);
    const command = file === undefined ? own : { file, args };
    const words = [command.file, ...command.args].join(' ');
    const pin = config.mcp[`${tool}_tools_sha256`];
    return {
      tool,
      command,
      isOwn: file === undefined,
      identity: file === undefined ? `drivemcp ${packageVersion} mcp ${tool}` : words,
      calls: inquiries
        .map((inquiry) => expertCalls[inquiry])
        .filter((one) => one.tool === tool)
        .map(({ call }) => call),
      toolsSha256: pin === '' ? null : pin,
    };
  });
}

function ownServer(tool: ToolName, stateDir: string) {
  const script = packageFile('dist', 'daemon', 'cli', 'drivemcp.js');
  // The young generation small and the code not optimised for speed: three processes, each answering a few times a second.
  return {
    file: process.execPath,
    args: ['--max-semi-space-size=1', script, 'mcp', tool, '--state', stateDir],
  };
}
