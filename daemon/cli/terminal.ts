/**
 * Where a command writes. Results go to stdout, messages to stderr; colour and progress only where a person
 * looks (a terminal, no NO_COLOR), so that pipes and logs hold plain lines.
 */
import { writeSync } from 'node:fs';
import { asCallable } from './command-name.js';

export interface TerminalStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const flushAtChars = 32_768;

export class Terminal {
  readonly json: boolean;
  readonly isInteractive: boolean;
  readonly hasColour: boolean;
  readonly columns: number;
  /** width that tables keep to; infinite in a pipe, where lines stay whole */
  readonly tableWidth: number;
  #pending = '';
  #progressShown = false;

  constructor(options: {
    json: boolean;
    stdout?: TerminalStream;
    stderr?: TerminalStream;
    env?: NodeJS.ProcessEnv;
  }) {
    const stdout = options.stdout ?? process.stdout;
    const stderr = options.stderr ?? process.stderr;
    const env = options.env ?? process.env;
    this.json = options.json;
    this.isInteractive = stderr.isTTY === true && env['TERM'] !== 'dumb';
    this.hasColour =
      !this.json && stdout.isTTY === true && env['NO_COLOR'] === undefined && env['TERM'] !== 'dumb';
    this.columns = stdout.columns ?? 100;
    this.tableWidth = stdout.isTTY === true ? this.columns : Number.POSITIVE_INFINITY;
  }

  /** A line of result text on stdout. */
  line(text = ''): void {
    this.clearProgress();
    this.#write(`${text}\n`);
  }

  /** One JSON object as a line on stdout. */
  object(value: unknown): void {
    this.#write(`${JSON.stringify(value)}\n`);
  }

  /** A message for people, on stderr; commands in it are named as they are called here. */
  message(text: string): void {
    this.flush();
    this.clearProgress();
    writeAll(2, `${asCallable(text)}\n`);
  }

  /** One JSON object as a line on stderr. */
  errorObject(value: unknown): void {
    this.flush();
    this.clearProgress();
    writeAll(2, `${JSON.stringify(value)}\n`);
  }

  /** A line that replaces itself; nothing where nobody looks. */
  progress(text: string): void {
    if (!this.isInteractive) return;
    this.#progressShown = true;
    writeAll(2, `\r\u001b[K${text.slice(0, this.columns - 1)}`);
  }

  clearProgress(): void {
    if (!this.#progressShown) return;
    this.#progressShown = false;
    writeAll(2, '\r\u001b[K');
  }

  style(text: string, style: 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'): string {
    if (!this.hasColour) return text;
    const code = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33', cyan: '36' }[style];
    return `\u001b[${code}m${text}\u001b[0m`;
  }

  flush(): void {
    if (this.#pending === '') return;
    const text = this.#pending;
    this.#pending = '';
    writeAll(1, text);
  }

  #write(text: string): void {
    this.#pending += text;
    if (this.#pending.length >= flushAtChars || (!this.json && this.isInteractive)) this.flush();
  }
}

/**
 * Synchronous on purpose: the order of lines and what was said before an exit are certain. A pipe that is
 * full answers EAGAIN (non-blocking stdio); a reader that has gone answers EPIPE, which ends the command
 * quietly as it does for any filter in a pipeline.
 */
function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let offset = 0; offset < bytes.length; ) {
    try {
      offset += writeSync(fd, bytes, offset);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EAGAIN') {
        Atomics.wait(idle, 0, 0, 2);
        continue;
      }
      if (code === 'EPIPE') process.exit(0);
      throw error;
    }
  }
}

const idle = new Int32Array(new SharedArrayBuffer(4));
