/**
 * A button of an input device: `/dev/input/eventN`, or a named pipe that carries the same records. Opened without
 * waiting, read once a tick, opened again when it was unplugged. What a press means is decided in the core.
 */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { OperatorCommand } from '../../core/tick.js';
import { evdevRecordBytes, keysLost, readKeyEvents } from './evdev-event.js';

const reopenMs = 1000;
/** A tick takes no more than this; the kernel keeps the rest, and says what it had to drop. */
const readMaxBytes = 64 * evdevRecordBytes;
/** An edge that seems older than this has a time of another clock. */
const oldestUs = 1_000_000;

export interface EvdevButtonOptions {
  readonly path: string;
  /** code of the key (linux/input-event-codes.h); null = any */
  readonly key: number | null;
  readonly wallMs: () => number;
  readonly notice: (text: string) => void;
}

export class EvdevButton {
  readonly #options: EvdevButtonOptions;
  readonly #buffer = Buffer.alloc(readMaxBytes);
  readonly #reopening: NodeJS.Timeout;
  #fd: number | null = null;
  #rest = Buffer.alloc(0);
  #hasTold = false;

  constructor(options: EvdevButtonOptions) {
    this.#options = options;
    this.#open();
    this.#reopening = setInterval(() => this.#open(), reopenMs);
    this.#reopening.unref();
  }

  get isOpen(): boolean {
    return this.#fd !== null;
  }

  /** Edges since the last call, with monotonic times of this run. */
  take(tUs: number): OperatorCommand[] {
    const bytes = this.#read();
    if (bytes === null) return [];
    const whole = bytes.length - (bytes.length % evdevRecordBytes);
    this.#rest = Buffer.from(bytes.subarray(whole));
    const { key, wallMs } = this.#options;
    const nowUs = wallMs() * 1000;
    const commands: OperatorCommand[] = [];
    for (const event of readKeyEvents(bytes.subarray(0, whole))) {
      // What is not known to be down is up: the next press counts.
      if (event === keysLost) commands.push({ kind: 'button', isPressed: false, atUs: tUs });
      else if (key === null || event.key === key) {
        const ageUs = nowUs - event.timeUs;
        const atUs = ageUs >= 0 && ageUs <= oldestUs ? Math.max(0, Math.round(tUs - ageUs)) : tUs;
        commands.push({ kind: 'button', isPressed: event.isPressed, atUs });
      }
    }
    return commands;
  }

  close(): void {
    clearInterval(this.#reopening);
    this.#shut();
  }

  /** null = nothing new, or no device */
  #read(): Buffer | null {
    if (this.#fd === null) return null;
    try {
      const count = readSync(this.#fd, this.#buffer, 0, readMaxBytes, null);
      // The end of a pipe without a writer: one may come.
      return count === 0 ? null : Buffer.concat([this.#rest, this.#buffer.subarray(0, count)]);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null;
      this.#tell(`the input device ${this.#options.path} is gone: ${(error as Error).message}`);
      this.#shut();
      return null;
    }
  }

  #open(): void {
    if (this.#fd !== null) return;
    try {
      this.#fd = openSync(this.#options.path, constants.O_RDONLY | constants.O_NONBLOCK);
      this.#rest = Buffer.alloc(0);
      if (this.#hasTold) this.#options.notice(`the input device ${this.#options.path} is back`);
      this.#hasTold = false;
    } catch (error) {
      this.#tell(`the input device ${this.#options.path} cannot be opened: ${(error as Error).message}`);
    }
  }

  #shut(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  #tell(text: string): void {
    if (!this.#hasTold) this.#options.notice(text);
    this.#hasTold = true;
  }
}
