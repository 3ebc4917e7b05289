/**
 * Where a command writes. Results go to stdout, messages to stderr; colour and progress only where a person
 * looks (a terminal, no NO_COLOR), so that pipes and logs hold plain lines. Whatever lines hold, no control or
 * bidi character of theirs reaches a terminal.
 */
import { printableJson, printableLines } from '../runtime/printable.js';
import { writeAll } from '../runtime/write-all.js';
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
  readonly #isStdoutTerminal: boolean;
  readonly #onOutputLost: () => void;
  #pending = '';
  #isVerbatim = false;
  #lostOutput: NodeJS.ErrnoException | null = null;
  #progressShown = false;

  constructor(options: {
    json: boolean;
    stdout?: TerminalStream;
    stderr?: TerminalStream;
    env?: NodeJS.ProcessEnv;
    /** called once, when stdout cannot be written any more: what follows is dropped */
    onOutputLost?: () => void;
  }) {
    const stdout = options.stdout ?? process.stdout;
    const stderr = options.stderr ?? process.stderr;
    const env = options.env ?? process.env;
    this.json = options.json;
    this.#onOutputLost = options.onOutputLost ?? (() => {});
    this.isInteractive = stderr.isTTY === true && env['TERM'] !== 'dumb';
    this.hasColour =
      !this.json && stdout.isTTY === true && env['NO_COLOR'] === undefined && env['TERM'] !== 'dumb';
    this.columns = stdout.columns ?? 100;
    this.#isStdoutTerminal = stdout.isTTY === true;
    this.tableWidth = stdout.isTTY === true ? this.columns : Number.POSITIVE_INFINITY;
  }

  /** Why stdout could not be written (EPIPE: its reader has gone; ENOSPC …), or null. */
  get lostOutput(): NodeJS.ErrnoException | null {
    return this.#lostOutput;
  }

  /** A line of result text on stdout. */
  line(text = ''): void {
    this.clearProgress();
    this.#write(`${text}\n`, false);
  }

  /**
   * A line of JSON, byte by byte as it is, for programs that compute a hash over it. On a terminal, where
   * people look, it is escaped like any other.
   */
  verbatimLine(text: string): void {
    this.clearProgress();
    this.#write(`${text}\n`, true);
  }

  /** Draws the screen anew, in one write. */
  screen(lines: readonly string[]): void {
    this.flush();
    this.#send(`\u001b[H\u001b[J${this.#safe(`${lines.join('\n')}\n`)}`);
  }

  /** One JSON object as a line on stdout. */
  object(value: unknown): void {
    this.#write(`${JSON.stringify(value)}\n`, false);
  }

  /** A message for people, on stderr; commands in it are named as they are called here. */
  message(text: string): void {
    this.flush();
    this.clearProgress();
    // Where messages cannot be written there is no place left to say so.
    writeAll(2, this.#safe(`${asCallable(text)}\n`));
  }

  /** One JSON object as a line on stderr. */
  errorObject(value: unknown): void {
    this.flush();
    this.clearProgress();
    writeAll(2, printableJson(`${JSON.stringify(value)}\n`));
  }

  /** A line that replaces itself; nothing where nobody looks. */
  progress(text: string): void {
    if (!this.isInteractive) return;
    this.#progressShown = true;
    writeAll(2, `\r\u001b[K${this.#safe(text.slice(0, this.columns - 1))}`);
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
    if (!this.#isVerbatim) this.#send(this.#safe(text));
    else this.#send(this.#isStdoutTerminal ? printableJson(text) : text);
  }

  #safe(text: string): string {
    return this.json ? printableJson(text) : printableLines(text, this.hasColour);
  }

  #send(text: string): void {
    if (this.#lostOutput !== null) return;
    this.#lostOutput = writeAll(1, text);
    if (this.#lostOutput !== null) this.#onOutputLost();
  }

  #write(text: string, isVerbatim: boolean): void {
    if (isVerbatim !== this.#isVerbatim) this.flush();
    this.#isVerbatim = isVerbatim;
    this.#pending += text;
    if (this.#pending.length >= flushAtChars || (!this.json && this.isInteractive)) this.flush();
  }
}
