import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { drivemcp } from '../helpers/command.js';
import { drivemcpScript } from '../helpers/paths.js';
import { summaryOf, tiny, tinyFrame } from './tiny-drive.js';

t.test('a second daemon on a state directory, and one that cannot be written', async (t) => {
  const { state, drive, at } = tiny(t);
  const first = live(['run', '--source', '-', '--profile', at(), ...state, '--json']);
  first.feed();
  await first.started(at('state'));
  const second = await drivemcp(['run', ...drive, ...state]);
  t.equal(second.code, 69, second.stderr);
  t.match(second.stderr, 'STATE_LOCKED');
  t.equal((await first.stop('SIGTERM')).code, 0);
  t.equal((await drivemcp(['run', ...drive, ...state])).code, 0, 'free again');
  const file = at('a-file');
  writeFileSync(file, '');
  const unwritable = await drivemcp(['run', ...drive, '--state', join(file, 'state')]);
  t.equal(unwritable.code, 69, unwritable.stderr);
  t.match(unwritable.stderr, 'STATE_UNWRITABLE');
});

t.test('a pipe that is being filled runs live and ends with a summary on a signal', async (t) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const { state, at } = tiny(t);
    const daemon = live(['run', '--source', '-', '--profile', at(), ...state, '--json']);
    daemon.feed();
    await daemon.started(at('state'));
    const result = await daemon.stop(signal);
    t.equal(result.code, 0, result.stderr);
    const summary = summaryOf(result);
    t.match(summary, { ended_by: 'signal' });
    t.ok((summary.input['frames'] ?? 0) > 0);
    t.equal((await drivemcp(['replay', ...state, '--json'])).code, 0, 'what was live is replayed alike');
  }
});

t.test('a silent pipe: a signal ends the wait', async (t) => {
  const { state, at } = tiny(t);
  const daemon = live(['run', '--source', '-', '--profile', at(), ...state]);
  await daemon.waiting();
  const result = await daemon.stop('SIGTERM');
  t.equal(result.code, 0, result.stderr);
});

t.test('a recorded log through a pipe is played on its own time', async (t) => {
  const { state, drive, at } = tiny(t);
  const piped = await drivemcp(
    ['run', '--source', '-', '--profile', at(), '--jurisdiction', 'DEU', ...state, '--json'],
    {
      stdin: readFileSync(at('drive.log')),
    },
  );
  const file = await drivemcp(['run', ...drive, ...state, '--json']);
  t.equal(summaryOf(piped).decision_hash, summaryOf(file).decision_hash);
});

/** A daemon on a pipe that a test fills and stops. */
function live(args: readonly string[]) {
  const child = spawn(process.execPath, [drivemcpScript, ...args], {
    env: { ...process.env, NO_COLOR: '1' },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.on('error', () => {});
  let feeding: NodeJS.Timeout | undefined;
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
  const until = async (isTrue: () => boolean) => {
    while (!isTrue() && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  return {
    feed: () => {
      feeding = setInterval(() => child.stdin.write(tinyFrame(Date.now() / 1000, 50)), 20);
    },
    /** its recording exists: the run has begun, records and lock are held */
    started: (stateDir: string) =>
      until(
        () =>
          existsSync(join(stateDir, 'recordings')) && readdirSync(join(stateDir, 'recordings')).length > 0,
      ),
    /** it has said that it waits */
    waiting: () => until(() => stderr.includes('waiting')),
    stop: async (signal: NodeJS.Signals) => {
      child.kill(signal);
      const code = await ended;
      clearInterval(feeding);
      const objects = () =>
        stdout
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Record<string, unknown>);
      return { code, stdout, stderr, objects };
    },
  };
}
