import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { ToolName } from '../../daemon/core/tick.js';
import { drivemcp } from '../helpers/command.js';
import { drivemcpScript, fixtureScript } from '../helpers/paths.js';
import { summaryOf, tiny, tinyFrame } from './tiny-drive.js';

const script = fixtureScript('daemon', 'fake-expert.js');

/** A configuration with the experts as processes: our own servers, or ones that behave in the manner named. */
function experts(folder: string, manners: Partial<Record<ToolName, string>> = {}): string {
  const lines = Object.entries(manners).map(
    ([tool, manner]) => `${tool}_command = ${JSON.stringify([process.execPath, script, tool, manner])}\n`,
  );
  const path = join(folder, 'experts.toml');
  writeFileSync(path, `[mcp]\nisolation = "process"\n${lines.join('')}`);
  return path;
}

interface ToolSummary {
  readonly requests: number;
  readonly ok: number;
  readonly timeouts: number;
  readonly errors: number;
  readonly discarded: number;
  readonly last_discard: string | null;
}

t.test('the bundled drive decides with processes as it does inline', async (t) => {
  const folder = t.testdir();
  const config = experts(folder);
  const state = join(folder, 'state');
  const result = await drivemcp(['run', '--config', config, '--state', state, '--json']);
  const summary = summaryOf(result);
  const tools = (summary as unknown as { tools: Record<ToolName, ToolSummary> }).tools;
  for (const tool of ['rules', 'weather', 'can'] as const) t.ok(tools[tool].ok > 0, `${tool} answered`);
  const slow = Object.values(tools).some(({ timeouts }) => timeouts > 0);
  // Only a machine that truly missed a deadline may decide otherwise, and then it says so.
  t.equal(summary.pinned, slow ? 'not compared' : 'equal', result.stderr);
  const pinned = await drivemcp([
    'audit',
    'show',
    '--run',
    'latest',
    '--kind',
    'expert',
    '--state',
    state,
    '--json',
  ]);
  t.equal(
    pinned.objects().filter(({ body }) => (body as { event?: string }).event === 'expert_pinned').length,
    3,
  );
  t.equal((await drivemcp(['audit', 'verify', '--state', state])).code, 0);
});

t.test('a limit whose citation is not true is not believed', async (t) => {
  const folder = t.testdir();
  const state = join(folder, 'state');
  const config = experts(folder, { rules: 'false-citation' });
  const result = await drivemcp(['run', '--config', config, '--state', state, '--json']);
  const { tools } = summaryOf(result) as unknown as { tools: Record<ToolName, ToolSummary> };
  t.equal(tools.rules.ok, 0);
  t.ok(tools.rules.discarded > 0);
  t.match(tools.rules.last_discard, 'a citation does not stand where it says');
});

t.test('kill -9 of each expert in turn: ticks go on, each comes back', async (t) => {
  const { folder, at, state } = tiny(t);
  const config = experts(folder);
  const daemon = spawn(
    process.execPath,
    [
      drivemcpScript,
      'run',
      '--source',
      '-',
      '--live',
      '--profile',
      folder,
      '--config',
      config,
      ...state,
      '--json',
    ],
    { env: { ...process.env, NO_COLOR: '1' } },
  );
  let stdout = '';
  let stderr = '';
  daemon.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  daemon.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  daemon.stdin.on('error', () => {});
  const ended = new Promise((resolve) => daemon.once('close', resolve));
  const feeding = setInterval(() => daemon.stdin.write(tinyFrame(Date.now() / 1000, 50)), 20);
  t.teardown(() => clearInterval(feeding));

  interface Seen {
    readonly tick: number;
    readonly missed_ticks: number;
    readonly experts: { expert: string; state: string; pid: number | null; restarts: number }[];
  }
  const seen = (): Seen | null => {
    try {
      return JSON.parse(readFileSync(join(at('state'), 'status.json'), 'utf8')) as Seen;
    } catch {
      return null;
    }
  };
  const until = async (isTrue: (status: Seen) => boolean): Promise<Seen> => {
    for (;;) {
      const status = seen();
      if (status !== null && isTrue(status)) return status;
      if (daemon.exitCode !== null) throw new Error(`the daemon ended: ${stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const allReady = ({ experts: all }: Seen) => all.length === 3 && all.every(({ state: s }) => s === 'ready');
  let status = await until(allReady);
  for (const { expert, pid } of status.experts) {
    process.kill(pid ?? 0, 'SIGKILL');
    status = await until(
      (now) => allReady(now) && now.experts.some((one) => one.expert === expert && one.restarts === 1),
    );
  }
  const before = status;
  await until(({ tick }) => tick > before.tick);
  const shown = await drivemcp(['status', ...state]);
  t.match(shown.stdout, /rules +ready, process \d+ +closed/);
  daemon.kill('SIGTERM');
  await ended;
  t.equal(daemon.exitCode, 0, stderr);
  const last = stdout.trim().split('\n').at(-1) ?? '{}';
  const { summary } = JSON.parse(last) as {
    summary: { ticks: number; missed_ticks: number; drive_s: number };
  };
  t.equal(
    summary.ticks + summary.missed_ticks,
    Math.round(summary.drive_s * 20) + 1,
    'no tick unaccounted for',
  );
  for (const { pid } of status.experts) t.throws(() => process.kill(pid ?? 0, 0), { code: 'ESRCH' });
  const record = await drivemcp(['audit', 'show', '--run', 'latest', '--kind', 'expert', ...state, '--json']);
  const deaths = record.objects().filter(({ body }) => (body as { event?: string }).event === 'expert_ended');
  t.equal(deaths.length, 3, 'each death is on record');
  t.equal((await drivemcp(['replay', ...state])).code, 0, 'and the run replays alike');
});
