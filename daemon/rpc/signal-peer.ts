/** One client of the signal service: what it may read, what it subscribed to. */
import type { Socket } from 'node:net';
import type { JsonObject } from '../core/tick.js';
import { type LineCounters, type LineLimits, LinePeer } from './lines/line-peer.js';
import {
  type Refusal,
  requestMaxBytes,
  type SignalRequest,
  type Subject,
  signalRequest,
} from './protocol.js';
import { Scopes } from './scopes.js';

const limits: LineLimits = {
  lineMaxBytes: requestMaxBytes,
  burstMaxCount: 20,
  requestsPerS: 20,
  slowMaxMs: 5000,
  idleMaxMs: 60_000,
  malformedMaxCount: 20,
};
export const subscriptionsMaxCount = 4;

export interface PeerCounters extends LineCounters {
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
  readonly #line: LinePeer<SignalRequest>;
  readonly #parts: PeerParts;
  #scopes: Scopes | null = null;
  readonly #subscriptions: Subscription[] = [];

  constructor(socket: Socket, parts: PeerParts) {
    this.#parts = parts;
    this.#line = new LinePeer(socket, {
      schema: signalRequest,
      limits,
      counters: parts.counters,
      monoMs: parts.monoMs,
      onRequest: (request) => this.#request(request),
      onClose: () => parts.onClose(this),
    });
  }

  /** Looks after time: pushes what is due, drops whoever does not read or does not speak. */
  attend(nowMs: number): void {
    if (!this.#line.attend(nowMs, this.#subscriptions.length > 0)) return;
    for (const subscription of this.#subscriptions) {
      if (nowMs < subscription.dueMs) continue;
      subscription.dueMs = nowMs + subscription.periodMs;
      // Only the latest value is worth sending: what a slow reader missed is not kept for it.
      if (this.#line.isStuck) this.#parts.counters.pushes_skipped++;
      else this.#push(subscription);
    }
  }

  close(): void {
    this.#line.close();
  }

  /** Says why, and no more. */
  turnAway(refusal: Refusal, message: string): void {
    this.#line.turnAway(refusal, message);
  }

  #refuse(refusal: Refusal, message: string, id: number | string): void {
    this.#line.refuse(refusal, message, id);
  }

  #request(request: SignalRequest): void {
    const { id } = request;
    if (request.method === 'hello') {
      this.#hello(request);
      return;
    }
    const scopes = this.#scopes;
    if (scopes === null) {
      this.#refuse('hello_first', 'say hello with version and scopes first', id);
      return;
    }
    const { subject, paths } = request;
    const lacking = lackingScope(scopes, subject, paths);
    if (lacking !== null) {
      this.#refuse('scope', `this needs the scope read:${lacking}`, id);
      return;
    }
    if (request.method === 'get') {
      this.#line.send({ id, ok: true, result: this.#parts.show(subject, scopes, paths) });
      return;
    }
    if (this.#subscriptions.length >= subscriptionsMaxCount) {
      this.#refuse('too_many_subscriptions', `at most ${subscriptionsMaxCount} a connection`, id);
      return;
    }
    this.#subscriptions.push({ id, subject, paths, periodMs: request.period_ms, dueMs: 0 });
    this.#line.send({ id, ok: true, result: { period_ms: request.period_ms } });
  }

  #hello(request: SignalRequest & { method: 'hello' }): void {
    const { id, version, scopes: texts } = request;
    const scopes = Scopes.parse(texts);
    if (version !== this.#parts.version) {
      this.#refuse('version', `this service speaks version ${this.#parts.version}`, id);
    } else if (scopes === null) {
      this.#refuse(
        'scope',
        'a scope is read:Vehicle…, read:status, read:health, read:dtcs or read:world',
        id,
      );
    } else {
      this.#scopes = scopes;
      this.#line.send({ id, ok: true, result: { ...this.#parts.greeting(), scopes: texts } });
    }
  }

  #push({ id, subject, paths }: Subscription): void {
    const scopes = this.#scopes;
    if (scopes !== null)
      this.#line.send({ id, event: subject, result: this.#parts.show(subject, scopes, paths) });
  }
}

/** The scope that a request lacks, or null. */
function lackingScope(scopes: Scopes, subject: Subject, paths: readonly string[] | undefined): string | null {
  if (subject !== 'signals') return scopes.grants(subject) ? null : subject;
  if (paths === undefined) return scopes.hasSignals ? null : 'Vehicle';
  return paths.find((path) => !scopes.grants(path)) ?? null;
}
