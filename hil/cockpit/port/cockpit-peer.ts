/** One client of the cockpit port. */
import type { Socket } from 'node:net';
import type { JsonObject } from '../../../daemon/core/tick.js';
import { type LineCounters, type LineLimits, LinePeer } from '../../../daemon/rpc/lines/line-peer.js';
import { configObject } from '../vhal/property-config.js';
import type { Refusal } from '../vhal/status-code.js';
import type { CockpitPort } from './cockpit-port.js';
import { type CockpitRequest, cockpitProtocolVersion, cockpitRequest, requestMaxBytes } from './protocol.js';
import { readingObject, Subscriptions } from './subscriptions.js';

const limits: LineLimits = {
  lineMaxBytes: requestMaxBytes,
  burstMaxCount: 100,
  requestsPerS: 200,
  slowMaxMs: 5000,
  idleMaxMs: 600_000,
  malformedMaxCount: 20,
};

export interface CockpitCounters extends LineCounters {
  sets: number;
  refused_sets: number;
  values_coalesced: number;
}

export interface CockpitPeerParts {
  readonly port: CockpitPort;
  /** what hello is answered with, beside the version */
  readonly greeting: JsonObject;
  readonly counters: CockpitCounters;
  readonly monoMs: () => number;
  readonly onClose: (peer: CockpitPeer) => void;
}

export class CockpitPeer {
  readonly #line: LinePeer<CockpitRequest>;
  readonly #parts: CockpitPeerParts;
  readonly #subscriptions: Subscriptions;
  readonly #stopListening: () => void;
  #isGreeted = false;

  constructor(socket: Socket, parts: CockpitPeerParts) {
    this.#parts = parts;
    this.#subscriptions = new Subscriptions(parts.port);
    this.#stopListening = parts.port.onChange((changed) => {
      this.#subscriptions.changed(changed);
      this.push();
    });
    this.#line = new LinePeer(socket, {
      schema: cockpitRequest,
      limits,
      counters: parts.counters,
      monoMs: parts.monoMs,
      onRequest: (request) => this.#request(request),
      onClose: () => {
        this.#stopListening();
        parts.onClose(this);
      },
    });
  }

  /** Tells what is due; nothing while the client does not read. */
  push(): void {
    if (this.#line.isStuck) return;
    for (const event of this.#subscriptions.due(this.#parts.port.tS)) this.#line.send(event);
    this.#parts.counters.values_coalesced += this.#subscriptions.coalesced;
    this.#subscriptions.coalesced = 0;
  }

  attend(nowMs: number): void {
    if (this.#line.attend(nowMs, !this.#subscriptions.isEmpty)) this.push();
  }

  close(): void {
    this.#line.close();
  }

  turnAway(code: string, message: string): void {
    this.#line.turnAway(code, message);
  }

  #request(request: CockpitRequest): void {
    const { id } = request;
    if (request.method === 'hello') {
      if (request.version !== cockpitProtocolVersion) {
        this.#line.refuse('version', `this port speaks version ${cockpitProtocolVersion}`, id);
        return;
      }
      this.#isGreeted = true;
      this.#answer(id, {
        version: cockpitProtocolVersion,
        ...this.#parts.greeting,
        t_s: this.#parts.port.tS,
      });
      return;
    }
    if (!this.#isGreeted) {
      this.#line.refuse('hello_first', 'say hello with the version first', id);
      return;
    }
    const { port } = this.#parts;
    switch (request.method) {
      case 'list':
        this.#answer(id, { configs: port.configs().map(configObject) });
        return;
      case 'get':
        this.#answer(id, { results: request.values.map(({ prop, area }) => this.#get(prop, area)) });
        return;
      case 'set':
        this.#answer(id, {
          results: request.values.map(({ prop, area, value }) => this.#set(prop, area, value)),
        });
        return;
      case 'subscribe':
        this.#answer(id, {
          results: request.props.map((wish) => resultOf(wish.prop, this.#subscriptions.add(id, wish))),
        });
        this.push();
        return;
      case 'unsubscribe':
        this.#answer(id, {
          results: request.props.map((prop) => resultOf(prop, this.#subscriptions.remove(prop))),
        });
    }
  }

  #get(prop: string | number, area: number | undefined): JsonObject {
    const found = this.#parts.port.get(prop, area);
    return 'status' in found ? resultOf(prop, found) : { status: 'OK', ...readingObject(found) };
  }

  #set(prop: string | number, area: number | undefined, value: unknown): JsonObject {
    const refused = this.#parts.port.set(prop, area, value);
    if (refused === null) this.#parts.counters.sets++;
    else this.#parts.counters.refused_sets++;
    return { ...resultOf(prop, refused), ...(area === undefined ? {} : { area }) };
  }

  #answer(id: number | string, result: JsonObject): void {
    this.#line.send({ id, ok: true, result });
  }
}

function resultOf(prop: string | number, refused: Refusal | null): JsonObject {
  return refused === null
    ? { status: 'OK', prop }
    : { status: refused.status, prop, message: refused.message };
}
