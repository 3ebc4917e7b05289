/**
 * How fast a recorded run is decided again, how soon a run decides for the first time, how much memory it
 * takes: the built command, as a user starts it, on the bundled drive.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drivemcp } from '../helpers/command.js';
import type { BenchRow } from './bench-row.js';

interface Measured {
  readonly drive_s: number;
  readonly wall_s: number;
  readonly first_tick_ms: number;
  readonly max_rss_mb: number;
}

const rounds = 5;

/** Median of several rounds each; wall times say as much about the load of the machine as about the program. */
export async function replaySpeed(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'drivemcp-bench-'));
  const state = ['--state', folder];
  try {
    const runs: Measured[] = [];
    const replays: Measured[] = [];
    for (let i = 0; i < rounds; i++) {
      runs.push(await measured(['run', ...state, '--json']));
      replays.push(await measured(['replay', ...state, '--json']));
    }
    const paced = await measured(['run', ...state, '--speed', '20', '--json']);
    const speed = (all: readonly Measured[]) => median(all.map((one) => one.drive_s / one.wall_s));
    return [
      { name: 'replay of recorded inputs', unit: '× real time', value: speed(replays), target: 100 },
      { name: 'run of a recorded drive, audited and recorded', unit: '× real time', value: speed(runs) },
      {
        name: 'process start to first tick',
        unit: 'ms',
        value: median(runs.map((one) => one.first_tick_ms)),
        target: 1000,
      },
      { name: 'peak resident memory, 20 × real time', unit: 'MB', value: paced.max_rss_mb, target: 120 },
      {
        name: 'peak resident memory, full speed',
        unit: 'MB',
        value: median(runs.map((one) => one.max_rss_mb)),
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measured(args: readonly string[]): Promise<Measured> {
  const result = await drivemcp(args);
  const last = result.objects().at(-1)?.['summary'];
  if (last === undefined) throw new Error(`${args.join(' ')}: ${result.stderr}`);
  return last as Measured;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
