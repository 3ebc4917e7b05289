import { constants as fileConstants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { constants, inflateRawSync } from 'node:zlib';
import { causeText } from '../core/cause-text.js';
import { DriveMcpError } from '../core/errors.js';
import type { ChunkEntry, Damage } from './chunk-index.js';
import { locateChunks } from './chunk-locator.js';
import { blockHeadBytes, blockTypes, decodeBlockHead, maxRawBytes, signature } from './container-layout.js';
import { crc32c } from './crc32c.js';
import { type Recorded, type RecordType, scanRecord } from './recorded.js';
import { parseHeader, type RecordingHeader } from './recording-header.js';

export interface Recording {
  readonly path: string;
  readonly header: RecordingHeader;
  /** the recording was not closed (power cut, kill, copy cut short): its index was rebuilt, its end may be missing */
  readonly isTruncated: boolean;
  readonly chunks: readonly ChunkEntry[];
  /** ticks of the intact part, null where it holds none */
  readonly ticks: { readonly first: number; readonly last: number } | null;
  /** All records in order; with `fromTick` from the chunk on that holds that tick. */
  records(options?: { fromTick?: number; types?: readonly RecordType[] }): AsyncGenerator<Recorded | Damage>;
  close(): Promise<void>;
}

/** Opens a recording. Throws FILE_MISSING, FILE_UNREADABLE, RECORDING_INVALID, RECORDING_VERSION. */
export async function readRecording(path: string): Promise<Recording> {
  const handle = await openFile(path);
  try {
    const { size, isFile } = await fileState(handle);
    if (!isFile) {
      throw new DriveMcpError('FILE_UNREADABLE', 'a recording is a file', { location: { file: path } });
    }
    const { header, end } = await readHeader(handle, path);
    const { chunks, isClosed, damage } = await locateChunks(handle, end, size);
    const withTicks = chunks.filter((chunk) => chunk.firstTick >= 0);
    return {
      path,
      header,
      isTruncated: !isClosed,
      chunks,
      ticks:
        withTicks.length === 0
          ? null
          : { first: withTicks[0]!.firstTick, last: withTicks[withTicks.length - 1]!.lastTick },
      records: (options = {}) => iterate(handle, chunks, damage, options),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function* iterate(
  handle: FileHandle,
  chunks: readonly ChunkEntry[],
  damage: readonly Damage[],
  options: { fromTick?: number; types?: readonly RecordType[] },
): AsyncGenerator<Recorded | Damage> {
  const wanted = options.types === undefined ? null : new Set(options.types);
  const start = options.fromTick === undefined ? 0 : chunkOf(chunks, options.fromTick);
  const from = start === 0 ? 0 : (chunks[start]?.offset ?? 0);
  const pending = damage.filter((part) => part.offset >= from);
  for (let n = start; n < chunks.length; n++) {
    const chunk = chunks[n]!;
    while (pending[0] !== undefined && pending[0].offset < chunk.offset) yield pending.shift()!;
    const stored = Buffer.alloc(chunk.storedBytes);
    const { bytesRead } = await handle.read(stored, 0, stored.length, chunk.offset + blockHeadBytes);
    const { raw, reason } = inflate(chunk, stored.subarray(0, bytesRead));
    let why = reason;
    for (let offset = 0; offset < raw.length; ) {
      const scan = scanRecord(raw, offset);
      if (scan.kind === 'damaged') {
        why ??= scan.reason;
        break;
      }
      offset = scan.next;
      if (scan.kind === 'record' && (wanted === null || wanted.has(scan.record.type))) yield scan.record;
    }
    if (why !== null) yield { ...chunk, type: 'damaged', reason: why };
  }
  yield* pending;
}

/** First chunk that may hold `tick` (the last one where all end before it). */
function chunkOf(chunks: readonly ChunkEntry[], tick: number): number {
  const found = chunks.findIndex((chunk) => chunk.lastTick >= tick);
  return found < 0 ? Math.max(0, chunks.length - 1) : found;
}

/** What of a chunk can be inflated: all of it, or the beginning of a cut one. */
function inflate(chunk: ChunkEntry, stored: Buffer): { raw: Buffer; reason: string | null } {
  const isWhole = stored.length === chunk.storedBytes;
  const reason = !isWhole ? 'chunk cut' : crc32c(stored) !== chunk.crc ? 'chunk checksum differs' : null;
  if (!chunk.isDeflated) return { raw: stored, reason };
  try {
    const options =
      reason === null
        ? { maxOutputLength: Math.max(1, chunk.rawBytes) }
        : { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxRawBytes };
    return { raw: inflateRawSync(stored, options), reason };
  } catch (error) {
    return { raw: Buffer.alloc(0), reason: reason ?? (error as Error).message };
  }
}

async function readHeader(
  handle: FileHandle,
  path: string,
): Promise<{ header: RecordingHeader; end: number }> {
  const lead = Buffer.alloc(signature.length + blockHeadBytes);
  const { bytesRead } = await handle.read(lead, 0, lead.length, 0);
  const file = { location: { file: path } };
  if (bytesRead === 0) throw new DriveMcpError('RECORDING_INVALID', 'the file is empty', file);
  if (!lead.subarray(0, Math.min(bytesRead, signature.length)).equals(signature.subarray(0, bytesRead))) {
    throw new DriveMcpError('RECORDING_INVALID', 'the file does not begin like a recording', file);
  }
  const head = decodeBlockHead(lead.subarray(signature.length, bytesRead));
  if (head === null || head.type !== blockTypes.header || head.isDeflated) {
    throw new DriveMcpError('RECORDING_INVALID', 'the head of the recording is cut or damaged', file);
  }
  const text = Buffer.alloc(head.storedBytes > maxRawBytes ? 0 : head.storedBytes);
  const body = await handle.read(text, 0, text.length, lead.length);
  if (body.bytesRead !== head.storedBytes || crc32c(text) !== head.crc) {
    throw new DriveMcpError('RECORDING_INVALID', 'the head of the recording is cut or damaged', file);
  }
  return { header: parseHeader(text.toString('utf8'), path), end: lead.length + text.length };
}

async function fileState(handle: FileHandle): Promise<{ size: number; isFile: boolean }> {
  const state = await handle.stat();
  return { size: state.size, isFile: state.isFile() };
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    // A FIFO is not waited for; it is refused like everything that is no file.
    return await open(path, fileConstants.O_RDONLY | fileConstants.O_NONBLOCK);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new DriveMcpError(
      isMissing ? 'FILE_MISSING' : 'FILE_UNREADABLE',
      isMissing ? 'there is no such recording' : `cannot open the recording: ${causeText(error)}`,
      { location: { file: path }, cause: error },
    );
  }
}
