import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { packageFile } from '../../daemon/runtime/package-root.js';

export interface CoreGarbage {
  readonly bytesPerTick: number;
  /** what is still there after a collection: growth of the state */
  readonly keptBytesPerTick: number;
  readonly audited: number;
  readonly stateBytes: number;
}

/** Measures in a child process, so that nothing else allocates beside the core. */
export async function measureCoreGarbage(): Promise<CoreGarbage> {
  const flags = ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256'];
  const script = packageFile('dist', 'test', 'bench', 'core-garbage.js');
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script]);
  return JSON.parse(stdout) as CoreGarbage;
}
