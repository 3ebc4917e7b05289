/** The world observer's stream of one session: the latest state, and waiting for one. */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { type EpisodeLayout, type EpisodeLayoutName, episodeLayouts } from '../stream/episode-layout.js';
import { type EpisodeState, readEpisodeState } from '../stream/episode-state.js';
import { StreamClient, type StreamMessage } from '../stream/stream-client.js';
import type { StreamToken } from '../stream/token.js';

export interface WorldState extends EpisodeState {
  readonly frame: number;
  readonly timestampS: number;
}

interface Waiter {
  readonly fromFrame: number;
  resolve(state: WorldState): void;
  reject(error: Error): void;
}

export class WorldFeed {
  readonly #stream: StreamClient;
  readonly #waiters = new Set<Waiter>();
  #layout: EpisodeLayout;
  #isSure = false;
  #latest: WorldState | null = null;
  #end: DriveMcpError | null = null;
  messages = 0;

  /** `layout` is the first guess; the first message decides among all that fit its length. */
  constructor(host: string, token: StreamToken, layout: EpisodeLayout, connectTimeoutMs: number) {
    this.#layout = layout;
    this.#stream = new StreamClient({
      host,
      token,
      connectTimeoutMs,
      message: (message) => this.#take(message),
      ended: (error) => this.#stop(error),
    });
  }

  get latest(): WorldState | null {
    return this.#latest;
  }

  get layout(): EpisodeLayout {
    return this.#layout;
  }

  /** The first state of `fromFrame` or later; rejects with CARLA_TIMEOUT or CARLA_GONE. */
  async reach(fromFrame: number, timeoutMs: number): Promise<WorldState> {
    if (this.#end !== null) throw this.#end;
    if (this.#latest !== null && this.#latest.frame >= fromFrame) return this.#latest;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<WorldState>((resolve, reject) => {
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

  close(): void {
    this.#stream.close();
  }

  #take({ header, payload }: StreamMessage): void {
    this.messages++;
    if (!this.#isSure) this.#layout = this.#choose(payload);
    const state = {
      ...readEpisodeState(payload, this.#layout),
      frame: header.frame,
      timestampS: header.timestampS,
    };
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

  #stop(error: DriveMcpError): void {
    this.#end = error;
    for (const waiter of this.#waiters) waiter.reject(error);
    this.#waiters.clear();
  }
}
