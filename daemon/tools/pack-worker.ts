/** Thread that reads and checks the rulepacks, so that no tick waits for it; posts what it found and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { readPackSet } from '../../mcp/rules/install/installed-packs.js';

const { builtInFolder, stateDir } = workerData as { builtInFolder: string; stateDir: string };
const { packs, refused } = readPackSet(builtInFolder, stateDir);
parentPort?.postMessage({
  packs: new Map([...packs].map(([id, { pack }]) => [id, pack])),
  refused: refused.map(({ id, error }) => `rulepack ${id} is not used: ${error.message}`),
});
