/** The experts: how soon words come, what isolation costs, and that a tick does not feel what goes wrong in them. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolNames } from '../../daemon/core/router/expert-calls.js';
import type { ToolClient } from '../../daemon/ports.js';
import { loadHost } from '../../native/index.js';
import { drivemcpScript, fixtureScript } from '../helpers/paths.js';
import type { BenchRow } from './bench-row.js';
import { eventToSpeechMs, inlineClients } from './event-to-speech.js';
import { callOf, clientsOf, percentile, poolOf, processExperts, questions } from './expert-rig.js';

const speechSamples = 60;
const callSamples = 400;

export async function benchExperts(): Promise<BenchRow[]> {
  return [
    ...(await callRows()),
    ...(await ablationRows()),
    ...(await speechRows()),
    ...(await latenessRows()),
    ...(await memoryRows()),
  ];
}

/** One call at a time of the weather expert; and what handing it over costs the deciding thread. */
async function callRows(): Promise<BenchRow[]> {
  const experts = processExperts();
  await experts.ready(30_000);
  const client = experts.client('weather');
  const [calls, handings]: [number[], number[]] = [[], []];
  for (let i = 0; i < callSamples; i++) {
    const begun = performance.now();
    const answer = client.call(
      {
        id: `0-${i}`,
        tool: 'weather',
        call: callOf('weather'),
        key: '',
        args: questions.weather,
        deadlineUs: 1e6,
        reason: [],
      },
      new AbortController().signal,
    );
    handings.push((performance.now() - begun) * 1000);
    await answer;
    calls.push(performance.now() - begun);
  }
  await experts.close();
  return [
    { name: 'stdio call of an expert in its process, median', unit: 'ms', value: percentile(calls, 0.5) },
    { name: `… p99 of ${callSamples}`, unit: 'ms', value: percentile(calls, 0.99), target: 100 },
    {
      name: '… of which the deciding thread hands it over, p99',
      unit: 'µs',
      value: percentile(handings, 0.99),
    },
  ];
}

/** Three experts that take 120 ms each: the wait is the longest, and without parallel calls the sum. */
async function ablationRows(): Promise<BenchRow[]> {
  const slow = toolNames.map(
    (tool): ToolClient => ({
      tool,
      call: () => new Promise((resolve) => setTimeout(() => resolve({}), 120)),
    }),
  );
  const wait = async (concurrency: number): Promise<number> => {
    const pool = poolOf(slow, concurrency);
    const begun = performance.now();
    for (const tool of toolNames) {
      pool.submit({ id: `0-${tool}`, tool, call: '', key: tool, args: {}, deadlineUs: 2e6, reason: [] }, 0);
    }
    await pool.settled();
    return performance.now() - begun;
  };
  return [
    {
      name: 'three experts of 120 ms each (fake latency), in parallel',
      unit: 'ms',
      value: await wait(4),
      target: 150,
    },
    { name: '… ablation: one call at a time', unit: 'ms', value: await wait(1) },
  ];
}

/** On a machine whose cores are all taken by somebody else's work. */
async function speechRows(): Promise<BenchRow[]> {
  const busy = [1, 2].map(() => spawn(process.execPath, ['-e', 'for(;;);'], { stdio: 'ignore' }));
  try {
    const inline = await eventToSpeechMs(inlineClients(), speechSamples);
    const experts = processExperts();
    await experts.ready(30_000);
    const isolated = await eventToSpeechMs(clientsOf(experts), speechSamples);
    await experts.close();
    return [...speech('inline', inline, 300), ...speech('three processes', isolated, 600)];
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
}

function speech(how: string, ms: readonly number[], target: number): BenchRow[] {
  const heard = ms.filter((value) => !Number.isNaN(value));
  return [
    { name: `event to spoken text, ${how}, busy machine, median`, unit: 'ms', value: percentile(heard, 0.5) },
    { name: `… p99 of ${heard.length}`, unit: 'ms', value: percentile(heard, 0.99), target },
    { name: '… never spoken', unit: 'events', value: ms.length - heard.length, target: 0 },
  ];
}

interface Ticked {
  readonly ticks: number;
  readonly missed: number;
  readonly lateUs: readonly number[];
}

async function latenessRows(): Promise<BenchRow[]> {
  if (loadHost().module === null) return [];
  const rows: BenchRow[] = [];
  for (const [manner, how] of [
    ['calm', 'all experts calm'],
    ['trouble', 'one hangs, one sends 10 MB, one crashes again and again'],
  ] as const) {
    const { ticks, missed, lateUs } = await ticked(manner);
    const ms = lateUs.map((us) => us / 1000);
    rows.push(
      { name: `tick lateness, ${how}, median`, unit: 'ms', value: percentile(ms, 0.5) },
      { name: `… p99 of ${ticks} ticks`, unit: 'ms', value: percentile(ms, 0.99) },
      { name: '… worst', unit: 'ms', value: Math.max(...ms) },
      { name: '… ticks missed', unit: 'ticks', value: missed },
    );
  }
  return rows;
}

async function ticked(manner: string): Promise<Ticked> {
  const script = fixtureScript('bench', 'expert-ticks.js');
  const child = spawn(process.execPath, [script, manner], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout) text += String(chunk);
  return JSON.parse(text) as Ticked;
}

/** The daemon with its three experts on the bundled drive; memory that several share is counted once a sharer. */
async function memoryRows(): Promise<BenchRow[]> {
  const stateDir = mkdtempSync(join(tmpdir(), 'drivemcp-bench-'));
  const daemon = spawn(
    process.execPath,
    [drivemcpScript, 'run', '--isolation', 'process', '--speed', '4', '--state', stateDir],
    { stdio: 'ignore' },
  );
  try {
    const children = await pidsWhenAnswered(join(stateDir, 'status.json'));
    const pids = [daemon.pid ?? 0, ...children];
    return [
      {
        name: `resident memory of the daemon and ${children.length} experts`,
        unit: 'MB',
        value: sum(pids.map((pid) => kilobytes(pid, 'status', 'VmRSS'))) / 1024,
        target: 450,
      },
      {
        name: '… shared pages counted once',
        unit: 'MB',
        value: sum(pids.map((pid) => kilobytes(pid, 'smaps_rollup', 'Pss'))) / 1024,
      },
    ];
  } finally {
    const ended = new Promise((resolve) => daemon.once('close', resolve));
    daemon.kill('SIGTERM');
    await ended;
    rmSync(stateDir, { recursive: true, force: true });
  }
}

interface ExpertRow {
  readonly pid: number | null;
  readonly ok: number;
}

async function pidsWhenAnswered(statusFile: string): Promise<number[]> {
  const untilMs = performance.now() + 30_000;
  let pids: number[] = [];
  while (performance.now() < untilMs) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    try {
      const { experts } = JSON.parse(readFileSync(statusFile, 'utf8')) as { experts: ExpertRow[] };
      pids = experts.flatMap(({ pid }) => (pid === null ? [] : [pid]));
      if (experts.every(({ ok }) => ok > 0)) break;
    } catch {
      // Not written yet.
    }
  }
  return pids;
}

function kilobytes(pid: number, file: string, field: string): number {
  const text = readFileSync(`/proc/${pid}/${file}`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
