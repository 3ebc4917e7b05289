/** Headless Chromium over its debugging pipe (file descriptors 3 and 4): no port, no package. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** Why there is no browser to test with; null where there is one. */
export function browserMissing(): string | null {
  const found = spawnSync('chromium', ['--version'], { encoding: 'utf8' });
  return found.status === 0 ? null : 'no chromium in PATH (Debian package chromium)';
}

export interface Browser {
  /** sends a command to the page and resolves with its result */
  send(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** value of an expression in the page */
  evaluate(expression: string): Promise<unknown>;
  /** resolves when the expression is true in the page; rejects where the page complains */
  until(expression: string): Promise<void>;
  /** what the page logged as an error or warning, and what its policy refused */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

export async function openBrowser(url: string): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), 'browser-'));
  const child = spawn(
    'chromium',
    [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      ...['--disable-dev-shm-usage', '--remote-debugging-pipe', `--user-data-dir=${folder}`, 'about:blank'],
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const [toBrowser, fromBrowser] = [child.stdio[3] as Writable, child.stdio[4] as Readable];
  const waiting = new Map<number, (answer: Record<string, unknown>) => void>();
  const complaints: string[] = [];
  let rest = '';
  fromBrowser.setEncoding('utf8');
  fromBrowser.on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\0');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const message = JSON.parse(part) as Record<string, unknown>;
      if (typeof message['id'] === 'number') waiting.get(message['id'])?.(message);
      if (message['method'] === 'Log.entryAdded' || message['method'] === 'Runtime.exceptionThrown')
        complaints.push(JSON.stringify(message['params']));
    }
  });
  let nextId = 1;
  let sessionId: string | undefined;
  const send: Browser['send'] = (method, params = {}) => {
    const id = nextId++;
    return new Promise((resolve, reject) => {
      waiting.set(id, (answer) => {
        waiting.delete(id);
        if (answer['error'] === undefined) resolve(answer['result'] as Record<string, unknown>);
        else reject(new Error(`${method}: ${JSON.stringify(answer['error'])}`));
      });
      toBrowser.write(`${JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) })}\0`);
    });
  };
  const { targetInfos } = await send('Target.getTargets');
  const [page] = (targetInfos as { type: string; targetId: string }[]).filter(({ type }) => type === 'page');
  const attached = await send('Target.attachToTarget', { targetId: page?.targetId, flatten: true });
  sessionId = attached['sessionId'] as string;
  for (const domain of ['Page', 'Runtime', 'Log']) await send(`${domain}.enable`);
  await send('Page.navigate', { url });
  const evaluate: Browser['evaluate'] = async (expression) => {
    const { result } = await send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    return (result as { value?: unknown }).value;
  };
  return {
    send,
    evaluate,
    complaints,
    async until(expression) {
      while ((await evaluate(`Boolean(${expression})`)) !== true) {
        if (complaints[0] !== undefined) throw new Error(`the page complains: ${complaints[0]}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async close() {
      const ended = new Promise((resolve) => child.once('close', resolve));
      sessionId = undefined;
      void send('Browser.close').catch(() => {});
      await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
