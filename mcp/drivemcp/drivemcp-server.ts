import { join } from 'node:path';
import { signalSocketName } from '../../daemon/rpc/client/socket-name.js';
import type { ExpertServer } from '../shared/expert-server.js';
import type { AskExpert, DaemonView } from './daemon-view.js';
import { driverPrompt } from './driver-prompt.js';
import type { Rephraser } from './rephrase/open-rephraser.js';
import { runPrompts } from './run-prompts.js';
import { runResources, worldUri } from './run-resources.js';
import { adviseTool } from './tools/advise.js';
import { askTool } from './tools/ask.js';
import { auditQueryTool } from './tools/audit-query.js';
import { explainTool } from './tools/explain.js';
import { statusTool } from './tools/status.js';

/** The orchestrator as others may see it: what it does, what it did, why, and what it would say. */
export function drivemcpServer(
  view: DaemonView,
  ask: AskExpert,
  version: string,
  rephraser: Rephraser | null = null,
): ExpertServer {
  const explain = explainTool(view);
  const auditQuery = auditQueryTool(view.stateDir);
  const question = askTool({
    stateDir: view.stateDir,
    ask,
    socketPath: join(view.stateDir, signalSocketName),
    rephraser,
  });
  return {
    name: 'drivemcp',
    title: 'DriveMCP orchestrator',
    version,
    instructions:
      'What a DriveMCP daemon does and did: status, audit records, reasons of a decision, and one tick of its decision core on a supplied world. Read-only; nothing can be actuated. Research software, not a safety mechanism.',
    tools: [statusTool(view), explain, auditQuery, adviseTool(ask), question],
    resources: runResources(view.stateDir),
    prompts: [...runPrompts(view, { explain, auditQuery }), driverPrompt(question)],
    watch: (changed) => view.watch(() => changed(worldUri)),
  };
}
