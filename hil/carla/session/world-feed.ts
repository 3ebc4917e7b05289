/** The world observer's stream of one session: the latest state, and waiting for one. */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { type EpisodeLayout, type EpisodeLayoutName, episodeLayouts } from '../stream/episode-layout.js';
import { type EpisodeState, readEpisodeState } from '../stream/episode-state.js';
import type { StreamMessage } from '../stream/stream-client.js';
import { Subscription, type SubscriptionOptions } from '../stream/subscription.js';

export interface WorldState extends EpisodeState {
  readonly frame: number;
  readonly timestampS: number;
}

interface Waiter {
  readonly fromFrame: number;
  resolve(state: WorldState | null): void;
  reject(error: Error): void;
}

export class WorldFeed {
  readonly #subscription: Subscription;
  readonly #waiters = new Set<Waiter>();
  #layout: EpisodeLayout;
  #isSure = false;
  #latest: WorldState | null = null;
  #end: DriveMcpError | null = null;
  messages = 0;
  /** frames between two that came: lost with a connection, or dropped by the server for a slow reader */
  missedFrames = 0;

  /** `layout` is the first guess; the first message decides among all that fit its length. */
  constructor(
    layout: EpisodeLayout,
    wish: Pick<SubscriptionOptions, 'host' | 'token' | 'connectTimeoutMs' | 'retryMs' | 'renew'>,
    notice: (text: string) => void,
  ) {
    this.#layout = layout;
    this.#subscription = new Subscription({
      ...wish,
      message: (message) => this.#take(message),
      interrupted: (error) => notice(`${error.message}; the world is subscribed to again`),
      // A frame that was published in between never comes: who waits for it has to ask for another.
      subscribed: (isAgain) => isAgain && this.#release(null),
      ended: (error) => this.#stop(error),
    });
  }

  get interruptions(): number {
    return this.#subscription.interruptions;
  }

  get latest(): WorldState | null {
    return this.#latest;
  }

  get layout(): EpisodeLayout {
    return this.#layout;
  }

  /**
   * The first state of `fromFrame` or later; null where the stream was subscribed to again meanwhile, so that the frame
   * may have been missed. Rejects with CARLA_TIMEOUT or CARLA_GONE.
   */
  async reach(fromFrame: number, timeoutMs: number): Promise<WorldState | null> {
    if (this.#end !== null) throw this.#end;
    if (this.#latest !== null && this.#latest.frame >= fromFrame) return this.#latest;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<WorldState | null>((resolve, reject) => {
        const waiter: Waiter = { fromFrame, resolve, reject };
        this.#waiters.add(waiter);
        timer = setTimeout(() => {
          this.#waiters.delete(waiter);
          reject(
            new DriveMcpError('CARLA_TIMEOUT', `frame ${fromFrame} did not come within ${timeoutMs} ms`, {
              context: { last_frame: this.#latest?.frame ?? null },
            }),
          );
        }, timeoutMs);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the stream; who waits for a state is rejected. */
  close(): void {
    this.#subscription.close();
    this.#stop(new DriveMcpError('CARLA_GONE', 'the session was closed'));
  }

  #take({ header, payload }: StreamMessage): void {
    this.messages++;
    if (!this.#isSure) this.#layout = this.#choose(payload);
    const state = {
      ...readEpisodeState(payload, this.#layout),
      frame: header.frame,
      timestampS: header.timestampS,
    };
    const gap = this.#latest === null ? 0 : state.frame - this.#latest.frame - 1;
    if (gap > 0 && state.episodeId === this.#latest?.episodeId) this.missedFrames += gap;
    this.#latest = state;
    for (const waiter of this.#waiters) {
      if (state.frame < waiter.fromFrame) continue;
      this.#waiters.delete(waiter);
      waiter.resolve(state);
    }
  }

  /** Lengths alone may fit two layouts, so positions have to be finite and states small as well. */
  #choose(payload: Buffer): EpisodeLayout {
    const candidates = [
      this.#layout,
      ...(Object.keys(episodeLayouts) as EpisodeLayoutName[]).map((name) => episodeLayouts[name]),
    ];
    for (const layout of candidates) {
      if (
        payload.length < layout.headerBytes ||
        (payload.length - layout.headerBytes) % layout.strideBytes !== 0
      )
        continue;
      const { actors } = readEpisodeState(payload, layout);
      const isSane = actors.every(
        ({ actorState, transform: { location, rotation }, velocityMps }) =>
          actorState <= 3 &&
          [location.x, location.y, location.z, rotation.yawDeg, velocityMps.x, velocityMps.y].every(
            (number) => Number.isFinite(number) && Math.abs(number) < 1e7,
          ),
      );
      if (!isSane) continue;
      // An empty world fits several; the guess stays until there is an actor to tell by.
      this.#isSure = actors.length > 0;
      return layout;
    }
    throw new DriveMcpError(
      'CARLA_WIRE',
      `a world state of ${payload.length} bytes fits no version that is known`,
    );
  }

  #release(state: WorldState | null): void {
    for (const waiter of this.#waiters) waiter.resolve(state);
    this.#waiters.clear();
  }

  #stop(error: DriveMcpError): void {
    this.#end ??= error;
    for (const waiter of this.#waiters) waiter.reject(error);
    this.#waiters.clear();
  }
}
