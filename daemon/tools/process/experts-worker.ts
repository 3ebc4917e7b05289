/**
 * Thread that owns the experts' processes and speaks MCP with them. What they send is read, parsed and checked here,
 * so that none of it takes time from the thread that decides.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { DriveMcpError } from '../../core/errors.js';
import { packageVersion } from '../../runtime/package-root.js';
import { ExpertProcess } from './expert-process.js';
import { PinFile } from './pin-file.js';
import type { ExpertsPlan, FromWorker, ToWorker } from './worker-messages.js';

const port = parentPort;
if (port === null) throw new DriveMcpError('INVARIANT', 'the experts run in a thread of their own');
const { stateDir, answerMaxBytes, experts } = workerData as ExpertsPlan;
const post = (message: FromWorker): void => port.postMessage(message);
const pins = new PinFile(stateDir);
const processes = new Map(
  experts.map((plan) => [
    plan.tool,
    new ExpertProcess({
      plan,
      version: packageVersion,
      answerMaxBytes,
      pins,
      post,
      nowMs: () => performance.now(),
    }),
  ]),
);
const [first] = experts;
if (pins.problem !== null && first !== undefined) {
  const detail = { file: pins.path, problem: pins.problem };
  post({ kind: 'event', tool: first.tool, event: 'expert_pins_unusable', detail });
}

port.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'call':
      void processes.get(message.tool)?.call(message);
      break;
    case 'cancel':
      for (const process of processes.values()) process.cancel(message.id);
      break;
    case 'wake':
      for (const process of processes.values()) process.wake();
      break;
    case 'replace':
      processes.get(message.tool)?.replace();
      break;
    case 'close':
      void Promise.all([...processes.values()].map((process) => process.close())).then(() => port.close());
      break;
  }
});
