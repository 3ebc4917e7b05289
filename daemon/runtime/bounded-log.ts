/**
 * A memory that only grows at its end and still has a bound: lines of JSON, one file and the one before it. What was
 * appended is on disk when `close` has resolved.
 */
import { readFileSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import type { JsonObject } from '../core/tick.js';

export class BoundedLog {
  #file: FileHandle | null = null;
  #size = 0;
  #writing: Promise<void> = Promise.resolve();
  #waiting = 0;
  #hasFailed = false;

  /**
   * @param maxBytes of one file; when it is full it replaces the one before (`PATH.1`)
   * @param queueMaxCount lines that wait for the disk; beyond: left out and told once
   */
  constructor(
    readonly path: string,
    readonly notice: (text: string) => void,
    readonly maxBytes = 1_048_576,
    readonly queueMaxCount = 256,
  ) {}

  append(line: JsonObject): void {
    if (this.#waiting >= this.queueMaxCount) {
      this.#tell('lines came faster than the disk takes them; some are left out');
      return;
    }
    this.#waiting++;
    const text = `${JSON.stringify(line)}\n`;
    this.#writing = this.#writing.then(() => this.#write(text)).finally(() => this.#waiting--);
  }

  async close(): Promise<void> {
    await this.#writing;
    try {
      await this.#file?.sync();
      await this.#file?.close();
    } catch (error) {
      this.#tell((error as Error).message);
    }
    this.#file = null;
  }

  async #write(text: string): Promise<void> {
    try {
      if (this.#file !== null && this.#size + text.length > this.maxBytes) {
        await this.#file.sync();
        await this.#file.close();
        this.#file = null;
        await rename(this.path, `${this.path}.1`);
      }
      if (this.#file === null) {
        this.#file = await open(this.path, 'a', 0o640);
        this.#size = (await this.#file.stat()).size;
      }
      // A line that a crash has cut is ended, so that it spoils no other.
      await this.#file.appendFile(this.#size > 0 && !this.#isWhole() ? `\n${text}` : text);
      this.#size += Buffer.byteLength(text);
    } catch (error) {
      this.#tell((error as Error).message);
    }
  }

  #hasLooked = false;
  #isWhole(): boolean {
    if (this.#hasLooked) return true;
    this.#hasLooked = true;
    return readFileSync(this.path).at(-1) === 0x0a;
  }

  #tell(reason: string): void {
    if (!this.#hasFailed) this.notice(`${this.path} is not kept in full: ${reason}`);
    this.#hasFailed = true;
  }
}

export interface LogLines {
  /** oldest first */
  readonly lines: readonly JsonObject[];
  /** lines that are no JSON objects: cut by a crash, or changed */
  readonly damaged: number;
}

/** The lines of a bounded log, those of the file before it first. What cannot be read is not there. */
export function readBoundedLog(path: string): LogLines {
  const lines: JsonObject[] = [];
  let damaged = 0;
  for (const file of [`${path}.1`, path]) {
    for (const text of readText(file).split('\n')) {
      if (text === '') continue;
      const line = parseObject(text);
      if (line === null) damaged++;
      else lines.push(line);
    }
  }
  return { lines, damaged };
}

/** Twice the bound: a file of somebody else is not read to its end. */
const readMaxChars = 2_097_152;

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').slice(0, readMaxChars);
  } catch {
    return '';
  }
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
}
