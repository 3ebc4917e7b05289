/** One client of the signal service: lines in, answers out, everything bounded. */
import type { Socket } from 'node:net';
import type { JsonObject } from '../core/tick.js';
import {
  type Refusal,
  requestMaxBytes,
  type SignalRequest,
  type Subject,
  signalRequest,
} from './protocol.js';
import { Scopes } from './scopes.js';

/** Requests at once, and on average a second; beyond, a client is read more slowly. */
const burstMaxCount = 20;
const requestsPerS = 20;
/** A client that takes nothing for so long is dropped. */
const slowMaxMs = 5000;
/** A client that says nothing for so long, and waits for nothing, is dropped. */
const idleMaxMs = 60_000;
const malformedMaxCount = 20;
const farewellMs = 1000;
export const subscriptionsMaxCount = 4;

export interface PeerCounters {
  requests: number;
  malformed: number;
  refused: number;
  throttled: number;
  dropped_slow: number;
  dropped_idle: number;
  pushes_skipped: number;
}

export interface PeerParts {
  /** what a subject shows now */
  readonly show: (subject: Subject, scopes: Scopes, paths: readonly string[] | undefined) => JsonObject;
  /** answer to hello */
  readonly greeting: () => JsonObject;
  readonly version: number;
  readonly counters: PeerCounters;
  readonly monoMs: () => number;
  readonly onClose: (peer: SignalPeer) => void;
}

interface Subscription {
  readonly id: number | string;
  readonly subject: Subject;
  readonly paths: readonly string[] | undefined;
  readonly periodMs: number;
  dueMs: number;
}

export class SignalPeer {
  readonly #socket: Socket;
  readonly #parts: PeerParts;
  #input: Buffer = Buffer.alloc(0);
  #scopes: Scopes | null = null;
  #tokens = burstMaxCount;
  #filledMs: number;
  #malformed = 0;
  #heardMs: number;
  /** since when output waits; null = it does not */
  #stuckMs: number | null = null;
  #later: NodeJS.Timeout | null = null;
  #isEnding = false;
  readonly #subscriptions: Subscription[] = [];

  constructor(socket: Socket, parts: PeerParts) {
    this.#socket = socket;
    this.#parts = parts;
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
      parts.onClose(this);
    });
  }

  get hasSubscriptions(): boolean {
    return this.#subscriptions.length > 0;
  }

  /** Looks after time: pushes what is due, drops whoever does not read or does not speak. */
  attend(nowMs: number): void {
    if (this.#stuckMs !== null && nowMs - this.#stuckMs > slowMaxMs) {
      this.#parts.counters.dropped_slow++;
      this.#socket.destroy();
      return;
    }
    if (!this.hasSubscriptions && this.#stuckMs === null && nowMs - this.#heardMs > idleMaxMs) {
      this.#parts.counters.dropped_idle++;
      this.#socket.destroy();
      return;
    }
    for (const subscription of this.#subscriptions) {
      if (nowMs < subscription.dueMs) continue;
      subscription.dueMs = nowMs + subscription.periodMs;
      // Only the latest value is worth sending: what a slow reader missed is not kept for it.
      if (this.#stuckMs !== null) this.#parts.counters.pushes_skipped++;
      else this.#push(subscription);
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  refuse(refusal: Refusal, message: string, id: number | string | null = null): void {
    this.#parts.counters.refused++;
    this.#send({ id, ok: false, error: { code: refusal, message } });
  }

  /** Says why, and no more. */
  turnAway(refusal: Refusal, message: string): void {
    this.refuse(refusal, message);
    this.#isEnding = true;
    this.#input = Buffer.alloc(0);
    this.#socket.destroySoon();
    // Whoever does not take the reason either.
    setTimeout(() => this.#socket.destroy(), farewellMs).unref();
  }

  /** Handles the lines that are there, one after another, as far as the client may and as it takes the answers. */
  #read(): void {
    while (this.#later === null && this.#stuckMs === null && !this.#isEnding) {
      const end = this.#input.indexOf(0x0a);
      if (end < 0) break;
      const line = this.#input.subarray(0, end);
      if (line.length > requestMaxBytes) break;
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
    if ((end < 0 ? this.#input.length : end) > requestMaxBytes) {
      this.turnAway('too_long', `a line has at most ${requestMaxBytes} bytes`);
      return;
    }
    // What is not handled is not read: it waits in the client's own buffer.
    if (this.#later !== null || this.#stuckMs !== null) this.#socket.pause();
    else this.#socket.resume();
  }

  #hasToken(): boolean {
    const nowMs = this.#parts.monoMs();
    this.#tokens = Math.min(burstMaxCount, this.#tokens + ((nowMs - this.#filledMs) * requestsPerS) / 1000);
    this.#filledMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  #line(line: Buffer): void {
    const { counters } = this.#parts;
    this.#heardMs = this.#parts.monoMs();
    counters.requests++;
    const parsed = signalRequest.safeParse(jsonOf(line));
    if (parsed.success) {
      this.#request(parsed.data);
      return;
    }
    counters.malformed++;
    const issue = parsed.error.issues[0];
    const message = `${issue?.path.join('.') || 'the line'}: ${issue?.message ?? 'is no request'}`;
    if (++this.#malformed >= malformedMaxCount) this.turnAway('malformed', message);
    else this.refuse('malformed', message);
  }

  #request(request: SignalRequest): void {
    const { id } = request;
    if (request.method === 'hello') {
      this.#hello(request);
      return;
    }
    const scopes = this.#scopes;
    if (scopes === null) {
      this.refuse('hello_first', 'say hello with version and scopes first', id);
      return;
    }
    const { subject, paths } = request;
    const lacking = lackingScope(scopes, subject, paths);
    if (lacking !== null) {
      this.refuse('scope', `this needs the scope read:${lacking}`, id);
      return;
    }
    if (request.method === 'get') {
      this.#send({ id, ok: true, result: this.#parts.show(subject, scopes, paths) });
      return;
    }
    if (this.#subscriptions.length >= subscriptionsMaxCount) {
      this.refuse('too_many_subscriptions', `at most ${subscriptionsMaxCount} a connection`, id);
      return;
    }
    this.#subscriptions.push({ id, subject, paths, periodMs: request.period_ms, dueMs: 0 });
    this.#send({ id, ok: true, result: { period_ms: request.period_ms } });
  }

  #hello(request: SignalRequest & { method: 'hello' }): void {
    const { id, version, scopes: texts } = request;
    const scopes = Scopes.parse(texts);
    if (version !== this.#parts.version) {
      this.refuse('version', `this service speaks version ${this.#parts.version}`, id);
    } else if (scopes === null) {
      this.refuse('scope', 'a scope is read:Vehicle…, read:status, read:health, read:dtcs or read:world', id);
    } else {
      this.#scopes = scopes;
      this.#send({ id, ok: true, result: { ...this.#parts.greeting(), scopes: texts } });
    }
  }

  #push({ id, subject, paths }: Subscription): void {
    const scopes = this.#scopes;
    if (scopes !== null) this.#send({ id, event: subject, result: this.#parts.show(subject, scopes, paths) });
  }

  #send(object: JsonObject): void {
    if (this.#socket.destroyed || this.#socket.writableEnded) return;
    if (!this.#socket.write(`${JSON.stringify(object)}\n`)) this.#stuckMs ??= this.#parts.monoMs();
  }
}

/** The scope that a request lacks, or null. */
function lackingScope(scopes: Scopes, subject: Subject, paths: readonly string[] | undefined): string | null {
  if (subject !== 'signals') return scopes.grants(subject) ? null : subject;
  if (paths === undefined) return scopes.hasSignals ? null : 'Vehicle';
  return paths.find((path) => !scopes.grants(path)) ?? null;
}

function jsonOf(line: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line));
  } catch {
    return undefined;
  }
}
