/** Commands to an adapter, one at a time, each with its reply up to the prompt; text that piles up is bounded. */
import { isAllowedAtCommand } from '../../core/elm327/at-commands.js';
import { DriveMcpError } from '../../core/errors.js';
import type { AdapterLine } from './adapter-line.js';

/** A reply is a few hundred characters; an adapter that floods is cut off. */
const replyMaxChars = 65_536;

export interface ElmCommand {
  readonly text: string;
  readonly timeoutUs: number;
}

export type ElmOutcome =
  | { readonly kind: 'reply'; readonly command: ElmCommand; readonly text: string }
  /** no prompt in time: whatever still comes belongs to nothing */
  | { readonly kind: 'timeout'; readonly command: ElmCommand };

export class ElmSession {
  line: AdapterLine | null = null;
  gone: string | null = null;
  /** characters that were thrown away: between commands, or too many */
  strayChars = 0;
  #text = '';
  #running: { readonly command: ElmCommand; readonly untilUs: number } | null = null;

  readonly listener = {
    onText: (text: string): void => this.#take(text),
    onGone: (why: string): void => {
      this.gone ??= why;
    },
  };

  get isBusy(): boolean {
    return this.#running !== null;
  }

  /** An AT command from the list of those that store and send nothing. */
  at(nowUs: number, text: string, timeoutUs: number): void {
    if (!isAllowedAtCommand(text))
      throw new DriveMcpError('INVARIANT', `${text} is not on the list of AT commands`);
    this.#start(nowUs, { text, timeoutUs });
  }

  /** A request that the guard has let through. */
  request(nowUs: number, bytes: Uint8Array, timeoutUs: number): void {
    this.#start(nowUs, { text: Buffer.from(bytes).toString('hex').toUpperCase(), timeoutUs });
  }

  /** The outcome of the running command, once it is there. */
  outcome(nowUs: number): ElmOutcome | null {
    const running = this.#running;
    if (running === null) return null;
    const end = this.#text.indexOf('>');
    if (end >= 0) {
      const text = this.#text.slice(0, end);
      this.#text = '';
      this.#running = null;
      return { kind: 'reply', command: running.command, text };
    }
    if (nowUs < running.untilUs) return null;
    // Any character makes an adapter stop what it does and print its prompt.
    this.line?.write('\r');
    this.#text = '';
    this.#running = null;
    return { kind: 'timeout', command: running.command };
  }

  close(): void {
    this.line?.close();
  }

  #start(nowUs: number, command: ElmCommand): void {
    if (this.#running !== null) throw new DriveMcpError('INVARIANT', 'two commands to an adapter at a time');
    this.strayChars += this.#text.length;
    this.#text = '';
    this.#running = { command, untilUs: nowUs + command.timeoutUs };
    this.line?.write(`${command.text}\r`);
  }

  #take(text: string): void {
    if (this.#running === null || this.#text.length + text.length > replyMaxChars)
      this.strayChars += text.length;
    else this.#text += text;
  }
}
