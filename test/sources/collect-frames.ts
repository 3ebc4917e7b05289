import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  FRAME_BRS,
  FRAME_ERROR,
  FRAME_ESI,
  FRAME_EXT,
  FRAME_FD,
  FRAME_REMOTE,
  FRAME_TX,
} from '../../daemon/core/can/frame-batch.js';
import type { FrameLog } from '../../daemon/ports.js';
import { type OpenLogOptions, openLog } from '../../daemon/sources/logs/open-log.js';

/** A frame as a test likes to see it. */
export interface Frame {
  readonly t: number;
  readonly bus: string;
  /** hex, 3 or 8 digits */
  readonly id: string;
  /** lower-case hex */
  readonly data: string;
  readonly dlc: number;
  /** words of: ext fd brs esi remote error tx */
  readonly flags: string;
  readonly line: number;
}

export interface Reading {
  readonly source: FrameLog;
  readonly frames: readonly Frame[];
  /** all findings by code */
  readonly codes: Readonly<Record<string, number>>;
}

const flagNames: readonly (readonly [number, string])[] = [
  [FRAME_EXT, 'ext'],
  [FRAME_FD, 'fd'],
  [FRAME_BRS, 'brs'],
  [FRAME_ESI, 'esi'],
  [FRAME_REMOTE, 'remote'],
  [FRAME_ERROR, 'error'],
  [FRAME_TX, 'tx'],
];

/** Reads a whole log through the port. */
export async function collectFrames(path: string, options: OpenLogOptions = {}): Promise<Reading> {
  const source = await openLog(path, options);
  const frames: Frame[] = [];
  try {
    for (let batch = await source.next(); batch !== null; batch = await source.next()) {
      for (let i = 0; i < batch.count; i++) {
        const flags = batch.flags[i]!;
        frames.push({
          t: batch.tS[i]!,
          bus: batch.busNames[batch.bus[i]!]!,
          id: batch.id[i]!.toString(16)
            .toUpperCase()
            .padStart(flags & FRAME_EXT ? 8 : 3, '0'),
          data: Buffer.from(batch.payload(i)).toString('hex'),
          dlc: batch.dlc[i]!,
          flags: flagNames.flatMap(([bit, name]) => (flags & bit ? [name] : [])).join(' '),
          line: batch.line[i]!,
        });
      }
    }
  } finally {
    await source.close();
  }
  return { source, frames, codes: Object.fromEntries(source.diagnosticsByCode) };
}

/** Reads content given in memory, as from a pipe. */
export function collectPiped(content: string | Uint8Array, chunkBytes = 65_536): Promise<Reading> {
  const bytes = Buffer.from(content);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) chunks.push(bytes.subarray(at, at + chunkBytes));
  return collectFrames('-', { stdin: Readable.from(chunks) });
}

/** Writes content into a file of the test's own folder. */
export function contentFile(folder: string, name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
