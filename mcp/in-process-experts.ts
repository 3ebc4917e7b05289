import { DriveMcpError } from '../daemon/core/errors.js';
import type { AskExpert } from './drivemcp/daemon-view.js';
import type { ExpertServer } from './shared/expert-server.js';

/** Answers the decision core's questions by the tools of the other servers, in this process. */
export function inProcessExperts(
  open: (name: 'rules' | 'weather' | 'can') => Promise<ExpertServer>,
  wallMs: () => number,
): AskExpert {
  const opened = new Map<string, Promise<ExpertServer>>();
  return async ({ tool: name, call, args }, signal) => {
    let server = opened.get(name);
    if (server === undefined) {
      server = open(name);
      opened.set(name, server);
    }
    const tool = (await server).tools.find((one) => one.name === call);
    if (tool === undefined)
      throw new DriveMcpError('TOOL_FAILED', `the ${name} server has no tool '${call}'`);
    return tool.call(args, { signal, nowWallMs: wallMs() });
  };
}
