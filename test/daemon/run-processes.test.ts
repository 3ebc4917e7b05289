import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { ToolName } from '../../daemon/core/tick.js';
import { drivemcp } from '../helpers/command.js';
import { drivemcpScript, fixtureScript } from '../helpers/paths.js';
import { summaryOf, tiny, tinyFrame } from './tiny-drive.js';

const script = fixtureScript('daemon', 'fake-expert.js');

/** A configuration with the experts as processes: our own servers, or ones that behave in the manner named. */
function experts(folder: string, manners: Partial<Record<ToolName, string>> = {}): string {
  const lines = Object.entries(manners).map(
    ([tool, manner]) =>
      `${tool}_command = ${JSON.stringify([process.execPath, script, tool, ...manner.split(' ')])}\n`,
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

interface Seen {
  readonly tick: number;
  readonly missed_ticks: number;
  readonly experts: { expert: string; state: string; pid: number | null; restarts: number }[];
}

/** A live run that reads a pipe, with what it says of itself. */
function liveRun(t: Test, config: string, { folder, at, state }: ReturnType<typeof tiny>) {
  const daemon = spawn(
    process.execPath,
    [
      ...[drivemcpScript, 'run', '--source', '-', '--live', '--profile', folder],
      ...['--jurisdiction', 'DEU', '--config', config, ...state, '--json'],
    ],
    { env: { ...process.env, NO_COLOR: '1' } },
  );
  const heard = { stdout: '', stderr: '' };
  daemon.stdout.on('data', (chunk: Buffer) => (heard.stdout += chunk.toString()));
  daemon.stderr.on('data', (chunk: Buffer) => (heard.stderr += chunk.toString()));
  daemon.stdin.on('error', () => {});
  const ended = new Promise((resolve) => daemon.once('close', resolve));
  const feeding = setInterval(() => daemon.stdin.write(tinyFrame(Date.now() / 1000, 50)), 20);
  t.teardown(() => {
    clearInterval(feeding);
    daemon.kill('SIGKILL');
  });
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
      if (daemon.exitCode !== null) throw new Error(`the daemon ended: ${heard.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  return { daemon, heard, ended, until };
}

const allReady = ({ experts: all }: Seen) => all.length === 3 && all.every(({ state: s }) => s === 'ready');

t.test('kill -9 of each expert in turn: ticks go on, each comes back', async (t) => {
  const rig = tiny(t);
  const { state } = rig;
  const { daemon, heard, ended, until } = liveRun(t, experts(rig.folder), rig);
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
  t.equal(daemon.exitCode, 0, heard.stderr);
  const last = heard.stdout.trim().split('\n').at(-1) ?? '{}';
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

/** A process that has ended and that nobody has asked about yet has ended. */
function isAlive(pid: number): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !text.slice(text.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return false;
  }
}

t.test('kill -9 of the daemon: an expert in an endless loop ends with it', async (t) => {
  const rig = tiny(t);
  const said = rig.at('busy.pid');
  const { daemon, ended } = liveRun(t, experts(rig.folder, { weather: `busy ${said}` }), rig);
  // It is asked about the grip at once, and tells before it goes into its loop.
  while (!existsSync(said) || readFileSync(said, 'utf8') === '') {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const pid = Number(readFileSync(said, 'utf8').split('\n')[0]);
  t.ok(isAlive(pid));
  daemon.kill('SIGKILL');
  await ended;
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
  t.pass('it has ended');
});
