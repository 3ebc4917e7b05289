/** One sensor's stream: keeps the newest message; what was not taken before the next came is counted. */
import type { DriveMcpError } from '../../../daemon/core/errors.js';
import type { StreamMessage } from '../stream/stream-client.js';
import { Subscription, type SubscriptionOptions } from '../stream/subscription.js';

/** Half a microsecond: simulated time is a sum of steps. */
const timeSlackS = 5e-7;
/** A sensor that does not keep its period this often in a row is not waited for any more. */
const patience = 3;

export interface SensorIdentity {
  readonly id: number;
  readonly typeId: string;
  /** `sensor_tick`; 0 = every frame, null = only when something happens (a collision) */
  readonly periodS: number | null;
}

export class SensorFeed {
  readonly id: number;
  readonly typeId: string;
  readonly #periodS: number | null;
  readonly #subscription: Subscription;
  readonly #notice: (text: string) => void;
  #latest: StreamMessage | null = null;
  #newest: { readonly frame: number; readonly timestampS: number } | null = null;
  #waiter: { readonly frame: number; done(): void } | null = null;
  readonly #begun: Promise<void>;
  #isSubscribed = false;
  #lateInARow = 0;
  /** messages replaced before anybody looked: queue of one, newest wins */
  missed = 0;
  received = 0;
  /** frames that a step waited for in vain */
  late = 0;
  end: DriveMcpError | null = null;
  /** called when a message has come; it may be taken at once */
  arrived: () => void = () => {};

  constructor(
    { id, typeId, periodS }: SensorIdentity,
    wish: Pick<SubscriptionOptions, 'host' | 'token' | 'connectTimeoutMs' | 'retryMs' | 'renew'>,
    notice: (text: string) => void,
  ) {
    this.id = id;
    this.typeId = typeId;
    this.#periodS = periodS;
    this.#notice = notice;
    let begin = (): void => {};
    this.#begun = new Promise((resolve) => {
      begin = resolve;
    });
    this.#subscription = new Subscription({
      ...wish,
      message: (message) => this.#take(message),
      interrupted: (error) => {
        this.#isSubscribed = false;
        begin();
        this.#waiter?.done();
        notice(`${typeId} ${id}: ${error.message}; it is subscribed to again`);
      },
      subscribed: () => {
        this.#isSubscribed = true;
        begin();
      },
      ended: (error) => {
        this.end = error;
        this.#isSubscribed = false;
        begin();
        this.#waiter?.done();
        notice(`${typeId} ${id} gives nothing any more: ${error.message}`);
      },
    });
  }

  get interruptions(): number {
    return this.#subscription.interruptions;
  }

  /** The newest message since the last call, or null. */
  take(): StreamMessage | null {
    const latest = this.#latest;
    this.#latest = null;
    return latest;
  }

  /** Resolves when the first connection is made or has failed. */
  get begun(): Promise<void> {
    return this.#begun;
  }

  /**
   * Resolves when the message of `frame` is there, at once where none is due, and after `waitMs` where it does not come:
   * that is told and counted.
   */
  async reach(frame: number, timestampS: number, waitMs: number): Promise<void> {
    if (!this.#isDue(frame, timestampS)) return;
    const isFirst = this.#newest === null;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiter = null;
        resolve();
      };
      // Nothing promises that a sensor which was just made has something to say at once.
      const timer = setTimeout(done, isFirst ? waitMs / 10 : waitMs);
      this.#waiter = { frame, done };
    });
    if (isFirst || !this.#isSubscribed) return;
    if ((this.#newest?.frame ?? -1) >= frame) {
      this.#lateInARow = 0;
      return;
    }
    this.late++;
    this.#lateInARow++;
    if (this.#lateInARow === 1)
      this.#notice(`${this.typeId} ${this.id}: nothing of frame ${frame} within ${waitMs} ms`);
    if (this.#lateInARow === patience)
      this.#notice(`${this.typeId} ${this.id} does not keep its period: it is not waited for any more`);
  }

  close(): void {
    this.#subscription.close();
    this.#isSubscribed = false;
    this.#waiter?.done();
  }

  #isDue(frame: number, timestampS: number): boolean {
    if (this.#periodS === null || !this.#isSubscribed || this.#lateInARow >= patience) return false;
    if (this.#newest === null) return true;
    return this.#newest.frame < frame && timestampS - this.#newest.timestampS >= this.#periodS - timeSlackS;
  }

  #take(message: StreamMessage): void {
    if (this.#latest !== null) this.missed++;
    this.received++;
    this.#latest = message;
    const { frame, timestampS } = message.header;
    this.#newest = { frame, timestampS };
    if (this.#waiter !== null && frame >= this.#waiter.frame) this.#waiter.done();
    this.arrived();
  }
}
