import type { Readable } from 'node:stream';
import { DriveMcpError } from '../../core/errors.js';
import type { FrameLog } from '../../ports.js';
import { BlfReader } from './blf-reader.js';
import { Busmaster } from './busmaster.js';
import { type ByteInput, FileInput, openPath, ReplayedInput, StreamInput } from './byte-input.js';
import { Candump } from './candump.js';
import { damageTexts } from './damage-codes.js';
import { GvretCsv } from './gvret-csv.js';
import { GzipInput } from './gzip-input.js';
import { type LineParser, LineReader } from './line-reader.js';
import { type FrameReader, ReaderLogSource } from './log-source.js';
import { BlockFile } from './mdf4/block-file.js';
import { Mdf4Reader } from './mdf4/mdf4-reader.js';
import { PcanTrc } from './pcan-trc.js';
import { type BinaryFormatId, type Recognition, recognise, type TextFormatId } from './recognise.js';
import { spool } from './spool-file.js';
import { VectorAsc } from './vector-asc.js';

export interface OpenLogOptions {
  /** what `-` stands for; the process's standard input where it is not given */
  readonly stdin?: Readable;
  /** frames a batch, 4,096 where it is not given */
  readonly batchFrames?: number;
  /** what messages call it, where that is not its path */
  readonly name?: string;
}

const batchFramesDefault = 4096;
/** Enough to recognise a log behind a megabyte of garbage, and a bound on what is read before that. */
const headBytesMax = 1_048_576;
/** Up to here a pipe is looked at whenever something arrives. */
const liveLookBytes = 2048;
const gzipMagic = [0x1f, 0x8b] as const;
const byteOrderMark = [0xef, 0xbb, 0xbf] as const;

/**
 * Opens a log of any known format, plain or gzip; `-` is standard input. The format is recognised from the
 * content. Memory is bounded whatever the size of the input.
 *
 * Errors: `FILE_MISSING`, `FILE_UNREADABLE`, `LOG_NO_FRAMES` (empty), `LOG_FORMAT_UNKNOWN` (says what it looks
 * like). Later `next()` may throw `FILE_UNREADABLE`, and `LOG_NO_FRAMES` where the end comes before a frame.
 */
export async function openLog(path: string, options: OpenLogOptions = {}): Promise<FrameLog> {
  const input = path === '-' ? new StreamInput(options.stdin ?? process.stdin) : await openPath(path);
  try {
    const name = options.name ?? (path === '-' ? 'standard input' : path);
    return await openInput(input, name, options);
  } catch (error) {
    await input.close();
    throw error;
  }
}

async function openInput(packed: ByteInput, name: string, options: OpenLogOptions): Promise<FrameLog> {
  const magic = new Uint8Array(2);
  let magicBytes = 0;
  while (magicBytes < 2) {
    const count = await packed.read(magic, magicBytes);
    if (count === 0) break;
    magicBytes += count;
  }
  const whole = new ReplayedInput(magic.subarray(0, magicBytes), packed);
  const isCompressed = magicBytes === 2 && magic[0] === gzipMagic[0] && magic[1] === gzipMagic[1];
  const input = isCompressed ? new GzipInput(whole) : whole;
  const { head, recognition } = await readHead(input);
  if (head.length === 0) {
    const message = input.damage === null ? 'the input is empty' : damageTexts[input.damage];
    throw new DriveMcpError('LOG_NO_FRAMES', message, { location: { file: name } });
  }
  if (recognition.kind === 'foreign' || recognition.kind === 'undecided') {
    const looksLike = recognition.kind === 'foreign' ? recognition.looksLike : 'something else';
    throw new DriveMcpError(
      'LOG_FORMAT_UNKNOWN',
      `this is no CAN log that is known here; it looks like ${looksLike}`,
      {
        location: { file: name },
        context: { looksLike },
      },
    );
  }
  const hasMark = byteOrderMark.every((byte, i) => head[i] === byte);
  const content = new ReplayedInput(hasMark ? head.subarray(byteOrderMark.length) : head, input);
  const reader = await openReader(recognition, content, packed, isCompressed, name);
  return new ReaderLogSource(reader, {
    name,
    format: recognition.id,
    title: titles[recognition.id],
    isCompressed,
    batchFrames: options.batchFrames ?? batchFramesDefault,
  });
}

async function openReader(
  recognition: Recognition & { kind: 'text' | 'binary' },
  input: ByteInput,
  packed: ByteInput,
  isCompressed: boolean,
  name: string,
): Promise<FrameReader> {
  if (recognition.kind === 'text')
    return new LineReader(input, textParsers[recognition.id](recognition.lines));
  if (recognition.id === 'vector-blf') return new BlfReader(input);
  const isSeekable = !isCompressed && packed instanceof FileInput && packed.isSeekable;
  const fd = isSeekable ? packed.duplicate() : await spool(input, name);
  const file = new BlockFile(fd, name);
  await input.close();
  try {
    return new Mdf4Reader(file, name, input.damage);
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Names of the formats for people. */
const titles: Record<TextFormatId | BinaryFormatId, string> = {
  candump: 'candump',
  'pcan-trc': 'PCAN trace',
  'vector-asc': 'Vector ASC',
  'vector-blf': 'Vector BLF',
  'gvret-csv': 'GVRET CSV',
  busmaster: 'BUSMASTER',
  'asam-mdf4': 'ASAM MDF4',
};

const textParsers: Record<TextFormatId, (head: readonly string[]) => LineParser> = {
  candump: (head) => new Candump(head),
  'pcan-trc': (head) => new PcanTrc(head),
  'vector-asc': (head) => new VectorAsc(head),
  'gvret-csv': (head) => new GvretCsv(head),
  busmaster: (head) => new Busmaster(head),
};

/** Reads until the format is certain, the input ends or the bound is reached. */
async function readHead(input: ByteInput): Promise<{ head: Uint8Array; recognition: Recognition }> {
  let buffer = new Uint8Array(65_536);
  let length = 0;
  let lookedAt = 0;
  for (;;) {
    const count = await input.read(buffer, length);
    length += count;
    const isWhole = count === 0 || length === headBytesMax;
    const head = buffer.subarray(0, length);
    // A pipe must not wait for more than it needs; each look costs time that grows with the head.
    const isDue = input.isLive && (length < liveLookBytes || length >= lookedAt * 1.5);
    if (isWhole || isDue || length === buffer.length) {
      lookedAt = length;
      const recognition = recognise(head, isWhole);
      if (recognition.kind !== 'undecided') return { head, recognition };
    }
    if (length === buffer.length) {
      const larger = new Uint8Array(Math.min(headBytesMax, buffer.length * 4));
      larger.set(buffer);
      buffer = larger;
    }
  }
}
