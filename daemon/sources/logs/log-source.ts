import type { FrameBatch, LogDiagnostic } from '../../core/can/frame-batch.js';
import { DriveMcpError } from '../../core/errors.js';
import type { FrameLog } from '../../ports.js';
import { damageTexts } from './damage-codes.js';
import { FrameWriter } from './frame-writer.js';

/** What a format does: it turns the input into frames, a batch at a time. */
export interface FrameReader {
  /** true: `t` is Unix time; false: offset from the start */
  readonly hasAbsoluteTime: boolean;
  /** Adds frames until the batch is full or nothing more is there at once; false at the end of the input. */
  fill(writer: FrameWriter): Promise<boolean>;
  close(): Promise<void>;
}

export interface LogSourceOptions {
  /** file name for messages */
  readonly name: string;
  /** what programs call the format, and what people call it */
  readonly format: string;
  readonly title: string;
  readonly isCompressed: boolean;
  readonly batchFrames: number;
}

/** Wraps a reader: owns the batch, ends with `LOG_NO_FRAMES` where the whole input held none. */
export class ReaderLogSource implements FrameLog {
  readonly description: string;
  readonly format: string;
  readonly hasAbsoluteTime: boolean;
  readonly #name: string;
  readonly #title: string;
  readonly #reader: FrameReader;
  readonly #writer: FrameWriter;
  #ended = false;
  #closed = false;

  constructor(reader: FrameReader, options: LogSourceOptions) {
    this.description = `${options.name} (${options.title}${options.isCompressed ? ', gzip' : ''})`;
    this.format = options.format;
    this.hasAbsoluteTime = reader.hasAbsoluteTime;
    this.#name = options.name;
    this.#title = options.title;
    this.#reader = reader;
    this.#writer = new FrameWriter(options.batchFrames);
  }

  get frames(): number {
    return this.#writer.frames;
  }

  get damaged(): number {
    return this.#writer.damaged;
  }

  get ignored(): number {
    return this.#writer.ignored;
  }

  get diagnosticsByCode(): ReadonlyMap<string, number> {
    return this.#writer.diagnosticsByCode;
  }

  get firstDiagnostics(): readonly LogDiagnostic[] {
    return this.#writer.firstDiagnostics;
  }

  async next(): Promise<FrameBatch | null> {
    const { batch } = this.#writer;
    batch.clear();
    if (this.#closed) return null;
    while (!this.#ended) {
      if (!(await this.#reader.fill(this.#writer))) this.#ended = true;
      if (batch.count > 0) return batch;
    }
    if (this.#closed) return null;
    if (this.frames === 0) throw this.#noFrames();
    // Findings behind the last frame still belong to somebody: an empty batch carries them.
    return batch.findings > 0 ? batch : null;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#ended = true;
    await this.#reader.close();
  }

  #noFrames(): DriveMcpError {
    const first = this.firstDiagnostics.find((diagnostic) => diagnostic.code in damageTexts);
    const damage = first === undefined ? '' : `; ${this.damaged} damaged places, the first: ${first.message}`;
    return new DriveMcpError('LOG_NO_FRAMES', `${this.#title} without a frame${damage}`, {
      location: first === undefined ? { file: this.#name } : { file: this.#name, line: first.line },
      context: { format: this.format, damaged: this.damaged },
    });
  }
}
