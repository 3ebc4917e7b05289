import { spawn } from 'node:child_process';
import { drivemcpScript } from './paths.js';

export interface CommandResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout parsed line by line as JSON; throws where a line is not JSON */
  objects(): Record<string, unknown>[];
}

/** Runs the built `drivemcp` as a child process, as a user would. */
export function drivemcp(
  args: readonly string[],
  options: { stdin?: string | Uint8Array; env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [drivemcpScript, ...args], {
      env: { ...process.env, NO_COLOR: '1', ...options.env },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', reject);
    // The child may leave before it has read all of its input; that is its right.
    child.stdin.on('error', () => {});
    child.stdin.end(options.stdin ?? '');
    child.on('close', (code, signal) => {
      const text = Buffer.concat(stdout).toString('utf8');
      resolve({
        code,
        signal,
        stdout: text,
        stderr: Buffer.concat(stderr).toString('utf8'),
        objects: () =>
          text
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line) as Record<string, unknown>),
      });
    });
  });
}
