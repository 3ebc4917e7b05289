/**
 * ACT to the simulated ego of a bridge on another machine: the daemon's end of the link. It connects, and connects again
 * where the bridge goes; without a bridge that drives its ego there is no authority for an ACT.
 */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { Decision, JsonObject } from '../../../daemon/core/tick.js';
import type { Sink } from '../../../daemon/ports.js';
import { fromBridgeSchema, helloSchema, silenceMs, welcomeSchema } from './link-messages.js';
import { isSameDigest, newNonce, proofOf, sealingKey } from './link-secrets.js';
import { LineCutter, LinkError, Opener, Sealer } from './sealed-lines.js';

export interface LinkClientOptions {
  readonly host: string;
  readonly port: number;
  readonly key: string;
  /** stamps; not the clock of the ticks, which begins with the run */
  readonly monoUs: () => number;
  readonly notice: (text: string) => void;
  readonly retryMs?: number;
}

const defaultRetryMs = 1000;
/** a bridge that does not take intents is gone: more than this is never queued for it */
const maxWaitingBytes = 64 * 1024;

interface Linked {
  readonly sealer: Sealer;
  readonly opener: Opener;
}

export class ActLinkClient implements Sink {
  readonly name = 'hil';
  readonly #options: LinkClientOptions;
  readonly #run = randomBytes(12).toString('base64url');
  #socket: Socket | null = null;
  #linked: Linked | null = null;
  #isEgoOurs = false;
  #heardUs = 0;
  #timer: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;
  #isClosed = false;
  #said = '';
  readonly #counts = { sent: 0, unsent: 0, links: 0, failures: 0 };

  constructor(options: LinkClientOptions) {
    this.#options = options;
  }

  begin(): void {
    this.#connect();
    this.#watch = setInterval(() => this.#lookForSilence(), silenceMs / 3).unref();
  }

  /** A bridge is there, has the key, was heard of lately, and drives the ego itself. */
  get isReady(): boolean {
    const isHeard = this.#options.monoUs() - this.#heardUs <= silenceMs * 1000;
    return this.#linked !== null && this.#isEgoOurs && isHeard;
  }

  status(): JsonObject {
    const { host, port } = this.#options;
    return { peer: `${host}:${port}`, linked: this.#linked !== null, ready: this.isReady, ...this.#counts };
  }

  /** What is said is heard elsewhere. */
  speak(): void {}

  act(tick: number, { intent }: Decision, nowUs: number): void {
    if (intent === null) return;
    this.#send({
      type: 'intent',
      run: this.#run,
      tick,
      sent_us: this.#options.monoUs(),
      intervention: intent.expiresAtUs,
      decel_mps2: intent.decelMps2,
      max_ms: intent.maxMs,
      left_us: intent.expiresAtUs - nowUs,
    });
  }

  release(tick: number): void {
    this.#send({ type: 'release', tick });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
    this.#socket?.destroy();
  }

  #send(message: object): void {
    const socket = this.#socket;
    if (socket === null || this.#linked === null || socket.writableLength > maxWaitingBytes) {
      this.#counts.unsent++;
      return;
    }
    socket.write(this.#linked.sealer.seal(message));
    this.#counts.sent++;
  }

  #connect(): void {
    const { host, port, retryMs = defaultRetryMs } = this.#options;
    const socket = connect({ host, port, noDelay: true });
    this.#socket = socket;
    const cutter = new LineCutter();
    const meeting = new Meeting(this.#options.key);
    let problem = 'it closed the connection';
    socket.setTimeout(5 * silenceMs, () => {
      problem = 'it is silent';
      socket.destroy();
    });
    socket.on('error', (error) => {
      problem = error.message;
    });
    socket.on('data', (chunk) => {
      try {
        for (const line of cutter.push(chunk)) {
          if (this.#linked !== null) this.#take(this.#linked.opener.open(line));
          else this.#linked = this.#meet(socket, meeting, line);
        }
      } catch (error) {
        problem = error instanceof LinkError ? error.message : String(error);
        socket.destroy();
      }
    });
    socket.on('close', () => {
      this.#linked = null;
      this.#isEgoOurs = false;
      if (this.#isClosed) return;
      this.#counts.failures++;
      this.#tell(`no ACT link to ${host}:${port}: ${problem}; it is tried again`);
      this.#timer = setTimeout(() => this.#connect(), retryMs);
      this.#timer.unref();
    });
  }

  #meet(socket: Socket, meeting: Meeting, line: string): Linked | null {
    const { answer, linked } = meeting.hear(line);
    if (answer !== null) socket.write(`${JSON.stringify(answer)}\n`);
    if (linked === null) return null;
    this.#counts.links++;
    this.#heardUs = this.#options.monoUs();
    this.#tell(`ACT link to ${this.#options.host}:${this.#options.port}: a bridge with our key`);
    return linked;
  }

  #take(value: unknown): void {
    const receivedUs = this.#options.monoUs();
    const message = fromBridgeSchema.safeParse(value);
    if (!message.success) throw new LinkError('a message that is none of the protocol');
    this.#heardUs = receivedUs;
    this.#isEgoOurs = message.data.is_ours;
    const { sent_us } = message.data;
    this.#send({ type: 'pong', sent_us, received_us: receivedUs, answered_us: this.#options.monoUs() });
  }

  #lookForSilence(): void {
    if (this.#linked === null || this.#options.monoUs() - this.#heardUs <= 3 * silenceMs * 1000) return;
    this.#socket?.destroy();
  }

  /** The same words once, however often it is tried. */
  #tell(text: string): void {
    if (text === this.#said) return;
    this.#said = text;
    this.#options.notice(text);
  }
}

/** The daemon's part of the challenges: answers the bridge's, and believes it once it has answered ours. */
class Meeting {
  readonly #key: string;
  readonly #nonce = newNonce();
  #bridgeNonce: string | null = null;

  constructor(key: string) {
    this.#key = key;
  }

  /** @throws LinkError */
  hear(line: string): { readonly answer: object | null; readonly linked: Linked | null } {
    const value = jsonOf(line);
    if (this.#bridgeNonce === null) {
      const hello = helloSchema.safeParse(value);
      if (!hello.success) throw new LinkError('it is no bridge that takes an ACT');
      this.#bridgeNonce = hello.data.nonce;
      const proof = proofOf(this.#key, 'daemon', this.#bridgeNonce, this.#nonce);
      return { answer: { nonce: this.#nonce, proof }, linked: null };
    }
    const welcome = welcomeSchema.safeParse(value);
    const [bridgeNonce, nonce] = [this.#bridgeNonce, this.#nonce];
    if (!welcome.success) throw new LinkError('it is no bridge that takes an ACT');
    if ('refused' in welcome.data) throw new LinkError(`the bridge says: ${welcome.data.refused}`);
    if (!isSameDigest(welcome.data.proof, proofOf(this.#key, 'bridge', bridgeNonce, nonce)))
      throw new LinkError('it has another key');
    return {
      answer: null,
      linked: {
        sealer: new Sealer(sealingKey(this.#key, 'daemon', bridgeNonce, nonce)),
        opener: new Opener(sealingKey(this.#key, 'bridge', bridgeNonce, nonce)),
      },
    };
  }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new LinkError('it does not speak this protocol');
  }
}
