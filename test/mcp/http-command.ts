import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';
import { drivemcpScript } from '../helpers/paths.js';

export interface HttpCommand {
  readonly url: string;
  readonly token: string;
  /** ends it as an operator would; resolves with its summary */
  stop(): Promise<Record<string, unknown>>;
}

/** The built command serving HTTP at a free port; ends with the test. */
export async function httpServer(
  t: Pick<Test, 'teardown'>,
  args: readonly string[],
  rate = '0',
): Promise<HttpCommand> {
  const child = spawn(process.execPath, [drivemcpScript, ...args, '--http', '0', '--rate', rate, '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  t.teardown(() => child.kill('SIGKILL'));
  const lines: Record<string, unknown>[] = [];
  const head = await new Promise<Record<string, unknown>>((resolve, reject) => {
    child.once('close', () => reject(new Error('the server ended')));
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(JSON.parse(line) as Record<string, unknown>);
      resolve(lines[0] ?? {});
    });
  });
  return {
    url: String(head['url']),
    token: readFileSync(String(head['token_file']), 'utf8').trim(),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      return (lines.at(-1)?.['summary'] ?? {}) as Record<string, unknown>;
    },
  };
}
