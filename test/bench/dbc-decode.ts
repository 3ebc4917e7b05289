/**
 * Decoding of a real log and compiling of a large DBC, beside the npm reader candied: both behind one
 * interface, the same frames in memory, the same objects out (signal name to physical value). Seconds of
 * decoding are processor seconds, the best of a few rounds: wall time on a shared machine says little.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import type * as candiedTypes from 'candied';
import { FRAME_EXT, FRAME_STRIDE, FrameBatch } from '../../daemon/core/can/frame-batch.js';
import { openLog } from '../../daemon/sources/logs/open-log.js';
import { compilePlan } from '../../daemon/vehicles/dbc/compile-plan.js';
import { FrameDecoder } from '../../daemon/vehicles/dbc/frame-decoder.js';
import { parseDbc } from '../../daemon/vehicles/dbc/parse-dbc.js';
import { corpusFile } from '../helpers/paths.js';
import type { BenchRow } from './bench-row.js';

type Decoded = Record<string, number>;

/** What is compared: frame `i` of the log in, an object out; undefined where the identifier is unknown. */
interface Decoder {
  decode(i: number): Decoded | undefined;
}

/** cantools with labels, on another machine with two shared cores: named, not run. */
const cantoolsRecordedFramesPerS = 107_000;

export async function benchDbcDecode(): Promise<BenchRow[]> {
  const { dbc, frames, origin } = await material();
  const compile = compileTimes(dbc);
  const plan = compilePlan([parseDbc(dbc).database]);
  const ours = measure(objectDecoder(dbc, frames), frames.count, 7);
  const peer = measure(candiedDecoder(dbc, frames), frames.count, 2);
  const flat = measureFlat(dbc, frames);
  return [
    { name: `dbc compile, ${plan.signalCount} signals, first`, unit: 'ms', value: compile.firstMs },
    {
      name: `dbc compile, ${plan.signalCount} signals, best of 10`,
      unit: 'ms',
      value: compile.bestMs,
      target: 100,
    },
    { name: `decode, ${origin} log, values in place`, unit: 'frames/s', value: flat, target: 2_500_000 },
    { name: `decode, ${origin} log, objects`, unit: 'frames/s', value: ours.framesPerS },
    { name: `decode, ${origin} log, objects, candied`, unit: 'frames/s', value: peer.framesPerS },
    { name: 'decode, times candied', unit: '×', value: ours.framesPerS / peer.framesPerS, target: 20 },
    { name: 'decode, frames decoded', unit: 'frames', value: ours.decoded },
    { name: 'decode, frames decoded by candied', unit: 'frames', value: peer.decoded },
    { name: 'decode, frames on which candied throws', unit: 'frames', value: peer.thrown },
    { name: 'decode, values in which candied differs', unit: '%', value: differingShare(dbc, frames) },
    {
      name: 'decode, cantools, recorded on another machine',
      unit: 'frames/s',
      value: cantoolsRecordedFramesPerS,
    },
  ];
}

interface Material {
  readonly dbc: Uint8Array;
  readonly frames: FrameBatch;
  readonly origin: 'recorded' | 'generated';
}

async function material(): Promise<Material> {
  const log = corpusFile('can', 'logs', 'ford_gt350_modes_engine_on.log');
  const dbc = corpusFile('can', 'dbc', 'ford_lincoln_base_pt.dbc');
  if (log === null || dbc === null) return generated();
  const source = await openLog(log, { batchFrames: 65_536 });
  const frames = await source.next();
  // The batch belongs to the source, which is asked for nothing more.
  await source.close();
  return frames === null ? generated() : { dbc: readFileSync(dbc), frames, origin: 'recorded' };
}

/** 331 messages and 2,150 signals of both byte orders, and 40,000 frames of them, as the recorded pair has. */
function generated(): Material {
  const lines: string[] = [];
  for (let m = 0, made = 0; m < 331; m++) {
    lines.push(`BO_ ${m + 64} MESSAGE_${m}: 8 ECU`);
    for (let k = 0; k < 8 && made < 2150; k++, made++) {
      const place = k % 2 === 0 ? `${k * 8}|7@1+` : `${k * 8 + 6}|7@0-`;
      lines.push(` SG_ SIGNAL_${m}_${k} : ${place} (0.25,-10) [-50|50] "unit" ECU`);
    }
  }
  const frames = new FrameBatch(40_000, ['can0']);
  for (let i = 0; i < frames.capacity; i++) {
    frames.id[i] = 64 + ((i * 7919) % 340);
    frames.length[i] = 8;
    for (let b = 0; b < 8; b++) frames.data[i * FRAME_STRIDE + b] = (i * 31 + b * 97) & 0xff;
  }
  frames.count = frames.capacity;
  return { dbc: Buffer.from(`${lines.join('\n')}\n`), frames, origin: 'generated' };
}

/** Wall time: in processor seconds the just-in-time compiler's own threads would count too. */
function compileTimes(dbc: Uint8Array): { firstMs: number; bestMs: number } {
  const times = Array.from({ length: 10 }, () => {
    const startedMs = performance.now();
    compilePlan([parseDbc(dbc).database]);
    return performance.now() - startedMs;
  });
  return { firstMs: times[0] ?? 0, bestMs: Math.min(...times) };
}

function objectDecoder(dbc: Uint8Array, frames: FrameBatch): Decoder {
  const plan = compilePlan([parseDbc(dbc).database]);
  const decoder = new FrameDecoder(plan);
  const { values, present } = decoder;
  return {
    decode(i) {
      if (!decoder.decode(frames, i)) return undefined;
      const first = plan.messageFirstSignal[decoder.message]!;
      const end = plan.messageFirstSignal[decoder.message + 1]!;
      const decoded: Decoded = {};
      for (let s = first; s < end; s++) {
        if (present[s - first] === 1) decoded[plan.signalName[s]!] = values[s - first]!;
      }
      return decoded;
    },
  };
}

function candiedDecoder(dbc: Uint8Array, batch: FrameBatch): Decoder {
  const { Can, Dbc } = createRequire(import.meta.url)('candied') as typeof candiedTypes;
  const can = new Can();
  can.database = new Dbc().load(Buffer.from(dbc).toString('latin1'));
  // Its own form of a frame, made before the clock runs.
  const frames = Array.from({ length: batch.count }, (_, i) => ({
    id: batch.id[i]!,
    dlc: batch.length[i]!,
    isExtended: (batch.flags[i]! & FRAME_EXT) !== 0,
    payload: Array.from(batch.payload(i)),
  }));
  return {
    decode(i) {
      const message = can.decode(frames[i]!);
      if (message === undefined) return undefined;
      const decoded: Decoded = {};
      for (const [name, signal] of message.boundSignals) decoded[name] = signal.value;
      return decoded;
    },
  };
}

interface Measured {
  readonly framesPerS: number;
  /** frames for which an object came out */
  readonly decoded: number;
  readonly thrown: number;
}

function measure(decoder: Decoder, count: number, rounds: number): Measured {
  let best = 0;
  let thrown = 0;
  let decoded = 0;
  for (let round = 0; round < rounds; round++) {
    thrown = 0;
    decoded = 0;
    const used = processorSeconds(() => {
      for (let i = 0; i < count; i++) {
        try {
          if (decoder.decode(i) !== undefined) decoded++;
        } catch {
          thrown++;
        }
      }
    });
    best = Math.max(best, count / used);
  }
  return { framesPerS: Math.round(best), decoded, thrown };
}

/** Share of the values out of both that differ; ours are checked against other vectors bit by bit. */
function differingShare(dbc: Uint8Array, frames: FrameBatch): number {
  const ours = objectDecoder(dbc, frames);
  const peer = candiedDecoder(dbc, frames);
  let values = 0;
  let differing = 0;
  for (let i = 0; i < frames.count; i++) {
    const right = ours.decode(i);
    let other: Decoded | undefined;
    try {
      other = peer.decode(i);
    } catch {
      continue;
    }
    if (right === undefined || other === undefined) continue;
    for (const [name, value] of Object.entries(right)) {
      if (!(name in other)) continue;
      values++;
      if (other[name] !== value) differing++;
    }
  }
  return values === 0 ? 0 : (100 * differing) / values;
}

/** As the daemon does it: values and presence in arrays that are used again. */
function measureFlat(dbc: Uint8Array, frames: FrameBatch): number {
  const decoder = new FrameDecoder(compilePlan([parseDbc(dbc).database]));
  const rounds = 10;
  let best = 0;
  for (let repeat = 0; repeat < 7; repeat++) {
    const used = processorSeconds(() => {
      for (let round = 0; round < rounds; round++) {
        for (let i = 0; i < frames.count; i++) decoder.decode(frames, i);
      }
    });
    best = Math.max(best, (frames.count * rounds) / used);
  }
  return Math.round(best);
}

function processorSeconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const used = process.cpuUsage(before);
  return (used.user + used.system) / 1e6;
}
