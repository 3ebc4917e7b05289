import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { openLog } from '../../daemon/sources/logs/open-log.js';
import { corpusFile } from '../helpers/paths.js';
import { blfFile, canMessageBody } from '../sources/blf-writer.js';
import { mdf4File } from '../sources/mdf4-writer.js';
import type { BenchRow } from './bench-row.js';

const rounds = 7;
const chunkBytes = 65_536;
const generatedFrames = 40_000;

/**
 * Frames read a second, from content held in memory through the same door that a pipe uses. Seconds are
 * processor seconds of the whole process, the best of a few rounds: wall time on a shared machine says little.
 * A real recording is used where the corpus is there, else one of the same shape is made; the name says which.
 */
export async function benchLogParsing(): Promise<BenchRow[]> {
  const recording = corpusFile('can', 'logs', 'ford_gt350_modes_engine_on.log');
  const candump = recording === null ? generatedCandump() : readFileSync(recording);
  const origin = recording === null ? 'generated' : 'recorded';
  const trace = corpusFile('can', 'logs', 'hyundai_kona_turnon_v11.trc');
  const rows: BenchRow[] = [
    await measure(`candump, ${origin}`, 'lines/s', candump, 500_000),
    await measure(`candump in gzip, ${origin}`, 'lines/s', gzipSync(candump)),
  ];
  if (trace !== null) rows.push(await measure('PCAN trace, recorded', 'lines/s', readFileSync(trace)));
  rows.push(await measure('Vector ASC, generated', 'lines/s', generatedAsc()));
  rows.push(await measure('Vector BLF, generated', 'frames/s', generatedBlf()));
  rows.push(await measure('ASAM MDF4, generated', 'frames/s', generatedMdf4()));
  return rows;
}

async function measure(name: string, unit: string, content: Buffer, target?: number): Promise<BenchRow> {
  let best = 0;
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    const frames = await readAll(content);
    const used = process.cpuUsage(before);
    best = Math.max(best, frames / ((used.user + used.system) / 1e6));
  }
  const row = { name: `log parsing: ${name}`, unit, value: Math.round(best) };
  return target === undefined ? row : { ...row, target };
}

async function readAll(content: Buffer): Promise<number> {
  const chunks: Buffer[] = [];
  for (let at = 0; at < content.length; at += chunkBytes) chunks.push(content.subarray(at, at + chunkBytes));
  const source = await openLog('-', { stdin: Readable.from(chunks) });
  let frames = 0;
  for (let batch = await source.next(); batch !== null; batch = await source.next()) frames += batch.count;
  await source.close();
  return frames;
}

const frameData = (i: number) => Array.from({ length: 8 }, (_, k) => (i * 31 + k * 17) & 255);

function generatedCandump(): Buffer {
  const lines: string[] = [];
  for (let i = 0; i < generatedFrames; i++) {
    const id = (0x100 + (i % 70) * 7).toString(16).toUpperCase();
    lines.push(
      `(${(1.7e9 + i * 0.00065).toFixed(6)}) can0 ${id}#${Buffer.from(frameData(i)).toString('hex').toUpperCase()}\n`,
    );
  }
  return Buffer.from(lines.join(''));
}

function generatedAsc(): Buffer {
  const lines = ['date Mon Nov 30 22:00:00 2026\nbase hex  timestamps absolute\n'];
  for (let i = 0; i < generatedFrames; i++) {
    const data = frameData(i).map((byte) => byte.toString(16).toUpperCase().padStart(2, '0'));
    lines.push(
      `  ${(i * 0.00065).toFixed(6)} 1  ${(0x100 + (i % 70)).toString(16)}             Rx   d 8 ${data.join(' ')}  Length = 240015 BitCount = 124 ID = 1785\n`,
    );
  }
  return Buffer.from(lines.join(''));
}

function generatedBlf(): Buffer {
  const records = Array.from({ length: generatedFrames }, (_, i) => ({
    type: 1,
    tNs: i * 650_000,
    body: canMessageBody(1, 0x100 + (i % 70), frameData(i)),
  }));
  return blfFile(records, 131_072);
}

function generatedMdf4(): Buffer {
  const frames = Array.from({ length: generatedFrames }, (_, i) => ({
    tNs: i * 650_000,
    bus: 1,
    id: 0x100 + (i % 70),
    data: frameData(i),
  }));
  return mdf4File(frames, { isSorted: false, payload: 'group', storage: 'DT', isUnfinished: true });
}
