/**
 * The text that an ELM327 or a clone of it prints between a command and its prompt. With or without headers, blanks, echo
 * and line numbers; several ECUs; long answers by ISO 15765-2. Whatever does not add up is left out and told, never filled up.
 */
import { requestIdOf } from '../obd-poll/obd-address.js';
import { type ElmFailure, failureIn } from './elm-failures.js';

export interface ElmAnswer {
  /** null where headers are off: some ECU */
  readonly answerId: number | null;
  readonly payload: Uint8Array;
}

export interface ElmReply {
  readonly answers: readonly ElmAnswer[];
  readonly failures: readonly ElmFailure[];
  /** answers that were cut short, lost a line, or came mixed up */
  readonly brokenAnswers: number;
}

interface LongAnswer {
  readonly announced: number;
  readonly bytes: number[];
  next: number;
}

/** @param command what the adapter was given: its echo is no answer */
export function parseElmReply(text: string, command: string): ElmReply {
  const reader = new ReplyReader(command.toUpperCase().split(' ').join(''));
  for (const line of text.split(/[\r\n>]+/)) reader.line(line);
  return reader.end();
}

class ReplyReader {
  readonly #command: string;
  readonly #answers: ElmAnswer[] = [];
  readonly #failures: ElmFailure[] = [];
  /** long answers under way, by identifier; null = headers are off */
  readonly #long = new Map<number | null, LongAnswer>();
  #broken = 0;
  #wasEchoed = false;

  constructor(command: string) {
    this.#command = command;
  }

  line(raw: string): void {
    // NULs come from adapters that were just powered; SEARCHING... stands before the first answer, also on its line.
    const plain = raw.split('\u0000').join('').toUpperCase();
    const words = plain.replace(/SEARCHING\.*/g, '').trim();
    const compact = words.split(/[ \t]+/).join('');
    if (compact === '' || compact === 'OK' || /^BUSINIT:?\.*(OK)?$/.test(compact)) return;
    if (!this.#wasEchoed && compact === this.#command) {
      this.#wasEchoed = true;
      return;
    }
    const failure = failureIn(compact);
    if (failure !== null) {
      this.#failures.push(failure);
      return; // bytes before <RX ERROR are not to be trusted
    }
    if (!this.#bytes(compact)) this.#failures.push('garbage');
  }

  end(): ElmReply {
    return {
      answers: this.#answers,
      failures: this.#failures,
      brokenAnswers: this.#broken + this.#long.size,
    };
  }

  /** False where the line holds no bytes of an answer. */
  #bytes(compact: string): boolean {
    const numbered = /^([0-9A-F]):((?:[0-9A-F]{2})*)$/.exec(compact);
    if (numbered) {
      this.#part(null, Number.parseInt(numbered[1]!, 16), hexBytes(numbered[2]!));
      return true;
    }
    if (!/^[0-9A-F]+$/.test(compact)) return false;
    if (compact.length === 3) {
      this.#begin(null, Number.parseInt(compact, 16), []);
      return true;
    }
    const digits =
      compact.length % 2 === 1 ? 3 : compact.startsWith('18DAF1') && compact.length >= 10 ? 8 : 0;
    if (digits === 0) {
      this.#headerless(hexBytes(compact));
      return true;
    }
    const answerId = Number.parseInt(compact.slice(0, digits), 16);
    const frame = hexBytes(compact.slice(digits));
    if (requestIdOf(answerId) === null || frame.length > 8) return false;
    this.#frame(answerId, frame);
    return true;
  }

  /** A line of an adapter that prints no headers: a whole answer, or the next part of one whose length it has told. */
  #headerless(bytes: number[]): void {
    const long = this.#long.get(null);
    if (long === undefined) this.#answers.push({ answerId: null, payload: Uint8Array.from(bytes) });
    else this.#part(null, long.next, bytes);
  }

  #frame(answerId: number, frame: readonly number[]): void {
    const first = frame[0] ?? 0;
    const kind = Math.floor(first / 16);
    const low = first % 16;
    if (kind === 0) {
      if (low === 0 || frame.length < 1 + low) this.#broken++;
      else this.#answers.push({ answerId, payload: Uint8Array.from(frame.slice(1, 1 + low)) });
    } else if (kind === 1) {
      if (frame.length < 8) this.#broken++;
      else this.#begin(answerId, low * 256 + frame[1]!, frame.slice(2), 1);
    } else if (kind === 2) this.#part(answerId, low, frame.slice(1));
  }

  #begin(answerId: number | null, announced: number, bytes: number[], next = 0): void {
    if (this.#long.delete(answerId)) this.#broken++;
    if (announced < 8) this.#broken++;
    else this.#long.set(answerId, { announced, bytes, next });
  }

  #part(answerId: number | null, sequence: number, bytes: readonly number[]): void {
    const long = this.#long.get(answerId);
    if (long === undefined || sequence !== long.next) {
      this.#broken++;
      this.#long.delete(answerId);
      return;
    }
    long.bytes.push(...bytes);
    long.next = (long.next + 1) % 16;
    if (long.bytes.length < long.announced) return;
    this.#long.delete(answerId);
    this.#answers.push({ answerId, payload: Uint8Array.from(long.bytes.slice(0, long.announced)) });
  }
}

/** Pairs of hexadecimal digits; a digit left over is not a byte. */
function hexBytes(digits: string): number[] {
  const bytes: number[] = [];
  for (let i = 0; i + 1 < digits.length; i += 2) bytes.push(Number.parseInt(digits.slice(i, i + 2), 16));
  return bytes;
}
