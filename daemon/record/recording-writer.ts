import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import type { FrameBatch } from '../core/can/frame-batch.js';
import { causeText } from '../core/cause-text.js';
import { DriveMcpError } from '../core/errors.js';
import type { JsonObject, TickInputs } from '../core/tick.js';
import type { FactInput } from '../core/world/facts.js';
import { ChunkBuilder, type SealedChunk } from './chunk-builder.js';
import { type ChunkEntry, indexJson } from './chunk-index.js';
import {
  type BlockType,
  blockHeadBytes,
  blockTypes,
  encodeBlockHead,
  encodeTrailer,
  maxRawBytes,
  signature,
} from './container-layout.js';
import { crc32c } from './crc32c.js';
import { framesThatFit, packFrames } from './packed-frames.js';
import { encodeDecision, encodeJsonRecord, encodeRecord } from './recorded.js';
import { headerJson, type RecordingHeader } from './recording-header.js';

const deflate = promisify(deflateRaw);

export interface RecordingWriterOptions {
  /** replace a file that is there; default: refuse */
  readonly overwrite?: boolean;
  /** raw bytes from which a chunk is compressed and written */
  readonly chunkBytes?: number;
  /** a chunk is written at the latest this long after its first record; 0 = only when it is full */
  readonly flushMs?: number;
  /** `chunk`: each chunk is on disk before the next is written; `end`: one fsync when the recording closes */
  readonly sync?: 'chunk' | 'end';
  /** records waiting in memory, at most; further ones are dropped, counted and marked by a gap record */
  readonly maxBufferedBytes?: number;
  /** size of the file from which nothing more is recorded, as if the disk were full */
  readonly maxFileBytes?: number;
}

export interface RecordingState {
  readonly path: string;
  readonly bytesWritten: number;
  readonly bufferedBytes: number;
  readonly droppedRecords: number;
  /** why nothing is written at the moment (disk full, size limit), else null */
  readonly trouble: string | null;
}

const defaults = {
  overwrite: false,
  chunkBytes: 256 * 1024,
  flushMs: 1000,
  sync: 'chunk' as const,
  maxBufferedBytes: 16 * 1024 * 1024,
  maxFileBytes: 8 * 1024 * 1024 * 1024,
};
const retryMs = [100, 250, 500, 1000, 2000] as const;

/**
 * Writes a recording without ever making its caller wait: records go to a bounded buffer, chunks are
 * compressed and written beside. A write that fails is tried again at the same place until it succeeds.
 */
export class RecordingWriter {
  readonly #handle: FileHandle;
  readonly #options: Required<RecordingWriterOptions>;
  readonly #chunks: ChunkEntry[] = [];
  readonly #waiting: SealedChunk[] = [];
  readonly #builder = new ChunkBuilder();
  #position = 0;
  #bufferedBytes = 0;
  #dropped = 0;
  #gap: { dropped: number; firstTick: number; lastTick: number } | null = null;
  #trouble: string | null = null;
  #pump: Promise<void> | null = null;
  #flushTimer: NodeJS.Timeout | null = null;
  #isEnding = false;
  #wake: (() => void) | null = null;
  #settled: (() => void)[] = [];

  private constructor(
    readonly path: string,
    handle: FileHandle,
    options: RecordingWriterOptions,
  ) {
    this.#handle = handle;
    this.#options = { ...defaults, ...options };
  }

  /** Creates the file with its header, durable. Throws RECORDING_FAILED. */
  static async open(
    path: string,
    header: RecordingHeader,
    options: RecordingWriterOptions = {},
  ): Promise<RecordingWriter> {
    const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_TRUNC, O_EXCL } = constants;
    // No link is followed and no FIFO waited for.
    const flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | (options.overwrite ? O_TRUNC : O_EXCL);
    let handle: FileHandle | null = null;
    try {
      handle = await open(path, flags, 0o640);
      if (!(await handle.stat()).isFile()) throw new Error('what stands there is no regular file');
      const writer = new RecordingWriter(path, handle, options);
      await writer.#writeAt(signature);
      await writer.#writeBlock(blockTypes.header, Buffer.from(headerJson(header), 'utf8'), false);
      await handle.sync();
      await syncFolder(dirname(path));
      return writer;
    } catch (error) {
      await handle?.close().catch(() => undefined);
      throw failed(path, error);
    }
  }

  get state(): RecordingState {
    return {
      path: this.path,
      bytesWritten: this.#position,
      bufferedBytes: this.#bufferedBytes,
      droppedRecords: this.#dropped,
      trouble: this.#trouble,
    };
  }

  inputs(inputs: TickInputs): void {
    this.#add(encodeJsonRecord('inputs', inputs), inputs.tick);
  }

  /** `hash`: 32 bytes from DecisionHasher.add. */
  decision(tick: number, hash: Uint8Array): void {
    this.#add(encodeDecision(tick, hash), tick);
  }

  /** Frames `from` … `to` − 1 of a batch; `tUs[i]` is the drive time of frame i in µs. */
  frames(batch: FrameBatch, tUs: Float64Array, from = 0, to = batch.count): void {
    for (let start = from; start < to; ) {
      const end = start + framesThatFit(tUs, start, to);
      this.#add(encodeRecord('frames', packFrames(batch, tUs, start, end)), -1);
      start = end;
    }
  }

  /** Frames never got here, and those that follow are not all there were: a gap stands before them. */
  framesLost(): void {
    this.#drop(-1);
  }

  facts(tUs: number, facts: readonly FactInput[]): void {
    this.#add(encodeJsonRecord('facts', { tUs, facts }), -1);
  }

  note(note: JsonObject): void {
    this.#add(encodeJsonRecord('note', note), -1);
  }

  /** Resolves when at most half of the buffer is in use: whoever records faster than real time waits here. */
  async drain(): Promise<void> {
    if (this.#bufferedBytes > this.#options.maxBufferedBytes / 2) await this.flush();
  }

  /**
   * True when everything recorded so far is in the file (with `sync: 'chunk'`: on disk), false as soon as
   * writing fails.
   */
  async flush(): Promise<boolean> {
    this.#seal();
    if (this.#waiting.length > 0 && this.#trouble === null) {
      await new Promise<void>((resolve) => this.#settled.push(resolve));
    }
    return this.#waiting.length === 0;
  }

  /** Writes the summary, index and trailer, makes all durable, closes. Throws RECORDING_FAILED. */
  async end(summary: JsonObject): Promise<void> {
    this.#gapMarker();
    this.#push(encodeJsonRecord('end', summary), -1);
    this.#isEnding = true;
    this.#wake?.();
    this.#seal();
    try {
      await this.#pump;
      if (this.#waiting.length > 0) throw new Error(this.#trouble ?? 'records could not be written');
      const indexAt = this.#position;
      await this.#writeBlock(blockTypes.index, Buffer.from(indexJson(this.#chunks), 'utf8'), true);
      await this.#writeAt(encodeTrailer(indexAt));
      await this.#handle.truncate(this.#position);
      await this.#handle.sync();
      await this.#requireLinked();
    } catch (error) {
      throw failed(this.path, error);
    } finally {
      if (this.#flushTimer !== null) clearTimeout(this.#flushTimer);
      await this.#handle.close().catch(() => undefined);
    }
  }

  #add(record: Buffer, tick: number): void {
    const isFull =
      this.#isEnding ||
      this.#bufferedBytes + record.length > this.#options.maxBufferedBytes ||
      record.length > maxRawBytes / 2 ||
      this.#position + this.#bufferedBytes > this.#options.maxFileBytes;
    if (isFull) {
      this.#drop(tick);
    } else {
      this.#gapMarker();
      this.#push(record, tick);
    }
  }

  #drop(tick: number): void {
    this.#dropped++;
    if (this.#position + this.#bufferedBytes > this.#options.maxFileBytes) {
      this.#trouble = `the recording has reached its limit of ${this.#options.maxFileBytes} bytes`;
    }
    this.#gap ??= { dropped: 0, firstTick: tick, lastTick: tick };
    this.#gap.dropped++;
    if (tick >= 0) this.#gap.lastTick = tick;
    if (this.#gap.firstTick < 0) this.#gap.firstTick = tick;
  }

  #gapMarker(): void {
    if (this.#gap === null) return;
    this.#push(encodeJsonRecord('gap', this.#gap), -1);
    this.#gap = null;
  }

  #push(record: Buffer, tick: number): void {
    this.#builder.add(record, tick);
    this.#bufferedBytes += record.length;
    if (this.#builder.bytes >= this.#options.chunkBytes) this.#seal();
    else if (this.#flushTimer === null && this.#options.flushMs > 0) {
      this.#flushTimer = setTimeout(() => {
        this.#flushTimer = null;
        this.#seal();
      }, this.#options.flushMs);
    }
  }

  #seal(): void {
    const chunk = this.#builder.seal();
    if (chunk !== null) this.#waiting.push(chunk);
    if (this.#waiting.length > 0) this.#pump ??= this.#writeWaiting();
  }

  async #writeWaiting(): Promise<void> {
    for (let failures = 0; ; ) {
      const chunk = this.#waiting[0];
      if (chunk === undefined) {
        this.#settle(true);
        return;
      }
      const start = this.#position;
      try {
        await this.#writeChunk(chunk);
        this.#waiting.shift();
        this.#bufferedBytes -= chunk.raw.length;
        this.#trouble = null;
        failures = 0;
      } catch (error) {
        this.#position = start;
        this.#trouble = causeText(error);
        const givesUp = this.#isEnding && failures > 0;
        this.#settle(givesUp);
        if (givesUp) return;
        await this.#pause(retryMs[Math.min(failures, retryMs.length - 1)]!);
        failures++;
      }
    }
  }

  /** Before anybody who waited goes on, so that a chunk they seal begins a new round of writing. */
  #settle(isDone: boolean): void {
    if (isDone) this.#pump = null;
    for (const resolve of this.#settled.splice(0)) resolve();
  }

  async #writeChunk(chunk: SealedChunk): Promise<void> {
    const entry = await this.#writeBlock(blockTypes.chunk, chunk.raw, true, chunk.firstTick, chunk.lastTick);
    if (this.#options.sync === 'chunk') await this.#handle.datasync();
    await this.#requireLinked();
    this.#chunks.push(entry);
  }

  /** Bytes in a file without a name are gone when it is closed. */
  async #requireLinked(): Promise<void> {
    if ((await this.#handle.stat()).nlink === 0) throw new Error('the file was removed while it was written');
  }

  async #writeBlock(
    type: BlockType,
    raw: Buffer,
    isDeflated: boolean,
    firstTick = -1,
    lastTick = -1,
  ): Promise<ChunkEntry> {
    const stored = isDeflated ? await deflate(raw) : raw;
    const crc = crc32c(stored);
    const head = {
      type,
      isDeflated,
      storedBytes: stored.length,
      rawBytes: raw.length,
      firstTick,
      lastTick,
      crc,
    };
    const offset = this.#position;
    await this.#writeAt(Buffer.concat([encodeBlockHead(head), stored], blockHeadBytes + stored.length));
    return { offset, ...head };
  }

  async #writeAt(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, done, bytes.length - done, this.#position);
      done += bytesWritten;
      this.#position += bytesWritten;
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#isEnding ? Math.min(ms, 100) : ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** A new file is only durable when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function failed(path: string, error: unknown): DriveMcpError {
  return new DriveMcpError('RECORDING_FAILED', `cannot write the recording: ${(error as Error).message}`, {
    location: { file: path },
    cause: error,
  });
}
