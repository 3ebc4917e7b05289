import { open as openCallback, openSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { DriveMcpError } from '../../core/errors.js';
import type { DamageCode } from './damage-codes.js';

/** Bytes from somewhere, pulled: nothing is read before it is asked for. */
export interface ByteInput {
  /** true where somebody is still writing: what is there must not wait for more */
  readonly isLive: boolean;
  /** after the end: why the input ended before it was complete */
  readonly damage: DamageCode | null;
  /** Reads into `target` from `offset` on; 0 only at the end. */
  read(target: Uint8Array, offset: number): Promise<number>;
  close(): Promise<void>;
}

/** A regular file or a device, read from its beginning to its end. */
export class FileInput implements ByteInput {
  readonly isLive: boolean;
  readonly damage = null;
  /** true for a regular file: any place of it can be read at any time */
  readonly isSeekable: boolean;
  readonly #handle: FileHandle;
  readonly #path: string;
  #isOpen = true;

  constructor(handle: FileHandle, path: string, isSeekable: boolean) {
    this.#handle = handle;
    this.#path = path;
    this.isSeekable = isSeekable;
    this.isLive = !isSeekable;
  }

  /** A descriptor of its own for random access; whoever asks closes it. */
  duplicate(): number {
    try {
      return openSync(`/proc/self/fd/${this.#handle.fd}`, 'r');
    } catch (error) {
      throw asFileError(error, this.#path);
    }
  }

  async read(target: Uint8Array, offset: number): Promise<number> {
    try {
      const { bytesRead } = await this.#handle.read(target, offset, target.length - offset, null);
      return bytesRead;
    } catch (error) {
      throw asFileError(error, this.#path);
    }
  }

  async close(): Promise<void> {
    if (this.#isOpen) await this.#handle.close();
    this.#isOpen = false;
  }
}

/** A stream, as standard input is. Holds at most one chunk of it. */
export class StreamInput implements ByteInput {
  readonly isLive = true;
  readonly damage = null;
  readonly #stream: Readable;
  #chunk: Uint8Array = new Uint8Array(0);
  #used = 0;
  #isOver = false;
  #error: Error | null = null;
  #wake: () => void = () => {};

  /** Listens from the beginning: a pipe may end long before somebody reads on, and its last event would be missed. */
  constructor(stream: Readable) {
    this.#stream = stream;
    const over = (): void => {
      this.#isOver = true;
      this.#wake();
    };
    stream.on('readable', () => this.#wake());
    stream.once('end', over);
    stream.once('close', over);
    stream.once('error', (error: Error) => {
      this.#error = error;
      this.#wake();
    });
  }

  async read(target: Uint8Array, offset: number): Promise<number> {
    while (this.#used === this.#chunk.length) {
      const chunk = this.#stream.read() as Buffer | string | null;
      if (chunk !== null) {
        this.#chunk = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        this.#used = 0;
      } else if (this.#error !== null) throw asFileError(this.#error, '-');
      else if (this.#isOver) return 0;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
    const count = Math.min(this.#chunk.length - this.#used, target.length - offset);
    target.set(this.#chunk.subarray(this.#used, this.#used + count), offset);
    this.#used += count;
    return count;
  }

  async close(): Promise<void> {
    this.#stream.destroy();
  }
}

const openDescriptor = promisify(openCallback);

async function isFifo(path: string): Promise<boolean> {
  return (await stat(path)).isFIFO();
}

/**
 * Opens a path: a file, a device, or a named pipe. A pipe is read through the event loop, because a read that
 * waits in a thread could neither be given up nor let the process end. Errors: `FILE_MISSING`, `FILE_UNREADABLE`.
 */
export async function openPath(path: string): Promise<ByteInput> {
  let handle: FileHandle | null = null;
  try {
    // An end of a pipe that is opened after its writer has gone is never told so (Linux, fifo_open): one open it is.
    if (await isFifo(path)) {
      const fd = await openDescriptor(path, 'r');
      return new StreamInput(new Socket({ fd, readable: true, writable: false }));
    }
    handle = await open(path, 'r');
    const status = await handle.stat();
    if (status.isDirectory()) {
      throw new DriveMcpError('FILE_UNREADABLE', 'this is a folder, not a log', { location: { file: path } });
    }
    return new FileInput(handle, path, status.isFile());
  } catch (error) {
    await handle?.close().catch(() => {});
    throw asFileError(error, path);
  }
}

/** Gives bytes that were read ahead back, then goes on with the rest. */
export class ReplayedInput implements ByteInput {
  readonly #rest: ByteInput;
  #ahead: Uint8Array;

  constructor(ahead: Uint8Array, rest: ByteInput) {
    this.#ahead = ahead;
    this.#rest = rest;
  }

  get isLive(): boolean {
    return this.#rest.isLive;
  }

  get damage(): DamageCode | null {
    return this.#rest.damage;
  }

  async read(target: Uint8Array, offset: number): Promise<number> {
    if (this.#ahead.length === 0) return this.#rest.read(target, offset);
    const count = Math.min(this.#ahead.length, target.length - offset);
    target.set(this.#ahead.subarray(0, count), offset);
    this.#ahead = this.#ahead.subarray(count);
    return count;
  }

  close(): Promise<void> {
    return this.#rest.close();
  }
}

/** The operating system's refusal as an error with a place and a code. */
export function asFileError(error: unknown, path: string): DriveMcpError {
  if (error instanceof DriveMcpError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
  return new DriveMcpError(
    isMissing ? 'FILE_MISSING' : 'FILE_UNREADABLE',
    isMissing ? 'there is no such file' : `the input cannot be read (${code ?? message})`,
    { location: { file: path }, cause: error },
  );
}
