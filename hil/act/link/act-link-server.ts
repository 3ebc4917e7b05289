/**
 * The bridge's end of an ACT link: takes the intents of one daemon that has the key, and measures its clock. Whatever is
 * wrong with a line ends the link, and with it any intervention: silence, a seal that is not ours, a number out of turn.
 * There is no way from here to a vehicle: the bridge is a client of a simulator.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { causeText } from '../../../daemon/core/cause-text.js';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { type ClockEstimate, type ClockState, clockAt, hearExchange, noClock } from './clock-offset.js';
import {
  answerSchema,
  burstMax,
  type FromDaemon,
  fromDaemonSchema,
  linesPerS,
  linkVersion,
  pingPeriodMs,
  type Refusal,
  silenceMs,
} from './link-messages.js';
import { isSameDigest, newNonce, proofOf, sealingKey } from './link-secrets.js';
import { LineCutter, LinkError, Opener, Sealer } from './sealed-lines.js';

export interface LinkListener {
  intent(intent: Extract<FromDaemon, { type: 'intent' }>, receivedUs: number): void;
  /** the daemon has let go, or has gone */
  release(): void;
  notice(text: string): void;
}

export interface LinkServerOptions {
  readonly host: string;
  readonly port: number;
  readonly key: string;
  readonly monoUs: () => number;
  readonly listener: LinkListener;
}

/** Connections that have not yet shown that they have the key. One more pushes out the oldest, so that idle ones keep nobody out. */
const strangersMax = 64;
const handshakeMs = 2000;
/** How late silence may be noticed: half a step of the world. */
const watchPeriodMs = 25;
/** A daemon that leaves so much unread does not read. */
const maxWaitingBytes = 64 * 1024;
/** The same trouble with strangers is told again after so long; in between it is counted. */
const tellAgainUs = 10_000_000;

// A type, not an interface: it is printed as a JSON object.
export type LinkCounters = {
  port: number;
  connected: boolean;
  connections: number;
  refused: number;
  ended_by_error: number;
  ended_by_silence: number;
};

export class ActLinkServer {
  readonly #options: LinkServerOptions;
  readonly #server: Server;
  readonly #strangers = new Set<Socket>();
  #peer: { readonly socket: Socket; readonly sealer: Sealer } | null = null;
  #pinging: NodeJS.Timeout | undefined;
  #watching: NodeJS.Timeout | undefined;
  #heardUs = 0;
  #lines = { left: burstMax, atUs: 0 };
  readonly #toldUs = new Map<string, number>();
  #clock: ClockState = noClock;
  readonly #counters: LinkCounters = {
    port: 0,
    connected: false,
    connections: 0,
    refused: 0,
    ended_by_error: 0,
    ended_by_silence: 0,
  };
  isEgoOurs = false;

  constructor(options: LinkServerOptions) {
    this.#options = options;
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  }

  /** Resolves with the port. Rejects with PORT_TAKEN. */
  open(): Promise<number> {
    const { host, port } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once('error', (cause) =>
        reject(new DriveMcpError('PORT_TAKEN', `ACT link at ${host}:${port}: ${cause.message}`, { cause })),
      );
      this.#server.listen(port, host, () => {
        const address = this.#server.address();
        this.#counters.port = typeof address === 'object' && address !== null ? address.port : port;
        this.#pinging = setInterval(() => this.#ping(), pingPeriodMs);
        this.#watching = setInterval(() => this.#lookForSilence(), watchPeriodMs);
        resolve(this.#counters.port);
      });
    });
  }

  counters(): LinkCounters {
    return { ...this.#counters, connected: this.#peer !== null };
  }

  /** The daemon's clock against ours; null as long as nothing is known. */
  clock(): ClockEstimate | null {
    return clockAt(this.#clock, this.#options.monoUs());
  }

  async close(): Promise<void> {
    clearInterval(this.#pinging);
    clearInterval(this.#watching);
    for (const socket of this.#strangers) socket.destroy();
    this.#peer?.socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #accept(socket: Socket): void {
    socket.on('error', () => {});
    const [oldest] = this.#strangers;
    if (oldest !== undefined && this.#strangers.size >= strangersMax)
      this.#drop(oldest, 'too many at a time');
    this.#strangers.add(socket);
    const cutter = new LineCutter();
    const nonce = newNonce();
    let opener: Opener | null = null;
    const late = setTimeout(() => this.#drop(socket, 'it did not answer the challenge in time'), handshakeMs);
    socket.on('close', () => {
      clearTimeout(late);
      this.#strangers.delete(socket);
      if (this.#peer?.socket === socket) this.#lose();
    });
    socket.on('data', (chunk) => {
      try {
        for (const line of cutter.push(chunk)) {
          if (socket.destroyed) return;
          if (opener !== null) this.#take(opener.open(line));
          else opener = this.#meet(socket, nonce, line);
          if (opener !== null) clearTimeout(late);
        }
      } catch (error) {
        const isPeer = this.#peer?.socket === socket;
        if (isPeer) this.#counters.ended_by_error++;
        this.#drop(socket, error instanceof LinkError ? error.message : causeText(error));
      }
    });
    socket.write(`${JSON.stringify({ hil_act: linkVersion, nonce })}\n`);
  }

  #meet(socket: Socket, bridgeNonce: string, line: string): Opener {
    const { key, monoUs } = this.#options;
    const answer = answerSchema.safeParse(jsonOf(line));
    if (!answer.success) throw new LinkError('it does not speak this protocol');
    const { nonce, proof } = answer.data;
    if (!isSameDigest(proof, proofOf(key, 'daemon', bridgeNonce, nonce)))
      throw refusal(socket, 'another key');
    if (this.#peer !== null) throw refusal(socket, 'there is a daemon already');
    this.#strangers.delete(socket);
    socket.write(`${JSON.stringify({ proof: proofOf(key, 'bridge', bridgeNonce, nonce) })}\n`);
    this.#peer = { socket, sealer: new Sealer(sealingKey(key, 'bridge', bridgeNonce, nonce)) };
    this.#counters.connections++;
    this.#heardUs = monoUs();
    this.#lines = { left: burstMax, atUs: this.#heardUs };
    this.#clock = noClock;
    this.#options.listener.notice(`a daemon at ${socket.remoteAddress} may brake the simulated ego`);
    this.#ping();
    return new Opener(sealingKey(key, 'daemon', bridgeNonce, nonce));
  }

  #take(value: unknown): void {
    const message = fromDaemonSchema.safeParse(value);
    if (!message.success) throw new LinkError('a message that is none of the protocol');
    const nowUs = this.#options.monoUs();
    this.#mayHear(nowUs);
    this.#heardUs = nowUs;
    const { data } = message;
    if (data.type === 'intent') this.#options.listener.intent(data, nowUs);
    else if (data.type === 'release') this.#options.listener.release();
    else
      this.#clock = hearExchange(this.#clock, {
        t1: data.sent_us,
        t2: data.received_us,
        t3: data.answered_us,
        t4: nowUs,
      });
  }

  /** @throws LinkError where lines come faster than any daemon ticks */
  #mayHear(nowUs: number): void {
    const { left, atUs } = this.#lines;
    const now = Math.min(burstMax, left + ((nowUs - atUs) * linesPerS) / 1e6);
    if (now < 1) throw new LinkError(`more than ${linesPerS} lines a second`);
    this.#lines = { left: now - 1, atUs: nowUs };
  }

  #lookForSilence(): void {
    if (this.#peer === null || this.#options.monoUs() - this.#heardUs <= silenceMs * 1000) return;
    this.#counters.ended_by_silence++;
    this.#peer.socket.destroy();
    this.#lose();
  }

  #ping(): void {
    if (this.#peer === null) return;
    const nowUs = this.#options.monoUs();
    if (this.#peer.socket.writableLength > maxWaitingBytes) {
      this.#counters.ended_by_error++;
      this.#drop(this.#peer.socket, 'it does not read');
      return;
    }
    this.#peer.socket.write(
      this.#peer.sealer.seal({ type: 'ping', sent_us: nowUs, is_ours: this.isEgoOurs }),
    );
  }

  #drop(socket: Socket, why: string): void {
    this.#counters.refused++;
    const isPeer = this.#peer?.socket === socket;
    const { listener, monoUs } = this.#options;
    const nowUs = monoUs();
    if (isPeer || nowUs - (this.#toldUs.get(why) ?? -Infinity) >= tellAgainUs) {
      // Of strangers there may be thousands.
      if (!isPeer) this.#toldUs.set(why, nowUs);
      listener.notice(`ACT link with ${socket.remoteAddress ?? 'somebody'} ended: ${why}`);
    }
    this.#strangers.delete(socket);
    if (isPeer) socket.destroy();
    else socket.destroySoon();
    if (isPeer) this.#lose();
  }

  /** An intervention ends at once with the link it came over. */
  #lose(): void {
    this.#peer = null;
    this.#options.listener.release();
    this.#options.listener.notice('the daemon has gone: the ego is its driver’s alone');
  }
}

/** Says why, to whoever is to mend it. */
function refusal(socket: Socket, refused: Refusal): LinkError {
  socket.write(`${JSON.stringify({ refused })}\n`);
  return new LinkError(refused === 'another key' ? 'it has another key' : refused);
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
