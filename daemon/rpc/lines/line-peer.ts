/**
 * One client of a local service: a request is a line of JSON, so is an answer, and everything is bounded. Requests are handled
 * one after another, as fast as the client may ask and as it takes the answers; what is not handled is not read and waits in
 * the client's own buffer.
 */
import type { Socket } from 'node:net';
import type { z } from 'zod';
import type { JsonObject } from '../../core/tick.js';

export interface LineLimits {
  /** longer lines are no requests */
  readonly lineMaxBytes: number;
  /** requests at once, and on average a second; beyond, a client is read more slowly */
  readonly burstMaxCount: number;
  readonly requestsPerS: number;
  /** a client that takes nothing for so long is dropped */
  readonly slowMaxMs: number;
  /** a client that says nothing for so long, and waits for nothing, is dropped */
  readonly idleMaxMs: number;
  readonly malformedMaxCount: number;
}

export interface LineCounters {
  requests: number;
  malformed: number;
  refused: number;
  throttled: number;
  dropped_slow: number;
  dropped_idle: number;
}

export interface LinePeerParts<Request> {
  readonly schema: z.ZodType<Request>;
  readonly limits: LineLimits;
  readonly counters: LineCounters;
  readonly monoMs: () => number;
  /** handles one request: answers with `send` or `refuse` before it returns */
  readonly onRequest: (request: Request) => void;
  readonly onClose: () => void;
}

const farewellMs = 1000;

export class LinePeer<Request> {
  readonly #socket: Socket;
  readonly #parts: LinePeerParts<Request>;
  #input: Buffer = Buffer.alloc(0);
  #tokens: number;
  #filledMs: number;
  #malformed = 0;
  #heardMs: number;
  /** since when output waits; null = it does not */
  #stuckMs: number | null = null;
  #later: NodeJS.Timeout | null = null;
  #isEnding = false;

  constructor(socket: Socket, parts: LinePeerParts<Request>) {
    this.#socket = socket;
    this.#parts = parts;
    this.#tokens = parts.limits.burstMaxCount;
    this.#filledMs = parts.monoMs();
    this.#heardMs = this.#filledMs;
    socket.on('data', (chunk: Buffer) => {
      if (this.#isEnding) return;
      this.#input = this.#input.length === 0 ? chunk : Buffer.concat([this.#input, chunk]);
      this.#read();
    });
    socket.on('drain', () => {
      this.#stuckMs = null;
      this.#read();
    });
    // A peer that is gone is no error of ours.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      if (this.#later !== null) clearTimeout(this.#later);
      parts.onClose();
    });
  }

  /** The client does not take what it was sent: whatever is pushed now would pile up. */
  get isStuck(): boolean {
    return this.#stuckMs !== null;
  }

  /** Drops whoever does not read or, with nothing to wait for (`isWaiting` false), does not speak; whether it stays. */
  attend(nowMs: number, isWaiting: boolean): boolean {
    const { limits, counters } = this.#parts;
    const isSlow = this.#stuckMs !== null && nowMs - this.#stuckMs > limits.slowMaxMs;
    const isIdle = !isWaiting && this.#stuckMs === null && nowMs - this.#heardMs > limits.idleMaxMs;
    if (isSlow) counters.dropped_slow++;
    else if (isIdle) counters.dropped_idle++;
    else return true;
    this.#socket.destroy();
    return false;
  }

  close(): void {
    this.#socket.destroy();
  }

  send(object: JsonObject): void {
    if (this.#socket.destroyed || this.#socket.writableEnded) return;
    if (!this.#socket.write(`${JSON.stringify(object)}\n`)) this.#stuckMs ??= this.#parts.monoMs();
  }

  refuse(code: string, message: string, id: number | string | null = null): void {
    this.#parts.counters.refused++;
    this.send({ id, ok: false, error: { code, message } });
  }

  /** Says why, and no more. */
  turnAway(code: string, message: string): void {
    this.refuse(code, message);
    this.#isEnding = true;
    this.#input = Buffer.alloc(0);
    this.#socket.destroySoon();
    // Whoever does not take the reason either.
    setTimeout(() => this.#socket.destroy(), farewellMs).unref();
  }

  /** Handles the lines that are there, one after another, as far as the client may and as it takes the answers. */
  #read(): void {
    const { lineMaxBytes, requestsPerS } = this.#parts.limits;
    while (this.#later === null && this.#stuckMs === null && !this.#isEnding) {
      const end = this.#input.indexOf(0x0a);
      if (end < 0) break;
      const line = this.#input.subarray(0, end);
      if (line.length > lineMaxBytes) break;
      if (!this.#hasToken()) {
        this.#parts.counters.throttled++;
        this.#later = setTimeout(() => {
          this.#later = null;
          this.#read();
        }, 1000 / requestsPerS);
        break;
      }
      this.#input = this.#input.subarray(end + 1);
      this.#line(line);
    }
    if (this.#isEnding) return;
    const end = this.#input.indexOf(0x0a);
    if ((end < 0 ? this.#input.length : end) > lineMaxBytes) {
      this.turnAway('too_long', `a line has at most ${lineMaxBytes} bytes`);
      return;
    }
    // What is not handled is not read: it waits in the client's own buffer.
    if (this.#later !== null || this.#stuckMs !== null) this.#socket.pause();
    else this.#socket.resume();
  }

  #hasToken(): boolean {
    const { burstMaxCount, requestsPerS } = this.#parts.limits;
    const nowMs = this.#parts.monoMs();
    this.#tokens = Math.min(burstMaxCount, this.#tokens + ((nowMs - this.#filledMs) * requestsPerS) / 1000);
    this.#filledMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  #line(line: Buffer): void {
    const { counters, schema, limits, onRequest } = this.#parts;
    this.#heardMs = this.#parts.monoMs();
    counters.requests++;
    const parsed = schema.safeParse(jsonOf(line));
    if (parsed.success) {
      onRequest(parsed.data);
      return;
    }
    counters.malformed++;
    const issue = parsed.error.issues[0];
    const message = `${issue?.path.join('.') || 'the line'}: ${issue?.message ?? 'is no request'}`;
    if (++this.#malformed >= limits.malformedMaxCount) this.turnAway('malformed', message);
    else this.refuse('malformed', message);
  }
}

function jsonOf(line: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line));
  } catch {
    return undefined;
  }
}
