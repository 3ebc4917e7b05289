/**
 * A drive over a server that may die, hang or change its map: the session is opened again, for a while, and the drive goes
 * on in the world that is there then. Logic time stands still meanwhile; what was seen before goes stale by its own rules.
 */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { SignalSample } from '../../../daemon/core/tick.js';
import type { FactInput } from '../../../daemon/core/world/facts.js';
import type { DriveSource } from '../../../daemon/ports.js';

const again: readonly string[] = ['CARLA_GONE', 'CARLA_EPISODE', 'CARLA_TIMEOUT', 'CARLA_UNREACHABLE'];
const firstPauseMs = 500;
const longestPauseMs = 5000;

export interface ReconnectOptions {
  open(): Promise<DriveSource>;
  /** how long it is tried; 0: never */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
  readonly notice: (text: string) => void;
}

export class ReconnectingDrive implements DriveSource {
  readonly #options: ReconnectOptions;
  #drive: DriveSource;
  reconnects = 0;

  private constructor(drive: DriveSource, options: ReconnectOptions) {
    this.#drive = drive;
    this.#options = options;
  }

  /** Waits for the server too: a CARLA that loads its map takes a minute to answer. */
  static async open(options: ReconnectOptions): Promise<ReconnectingDrive> {
    return new ReconnectingDrive(await opened(options, null), options);
  }

  get description(): string {
    return this.#drive.description;
  }

  get digest(): string {
    return this.#drive.digest;
  }

  get isSimulated(): boolean {
    return this.#drive.isSimulated;
  }

  get startWallMs(): number | null {
    return this.#drive.startWallMs;
  }

  /** A world that was interrupted is no longer one drive: every reconnection counts as damage. */
  get diagnosticCount(): number {
    return this.reconnects;
  }

  async advance(tUs: number): Promise<boolean> {
    for (;;) {
      try {
        return await this.#drive.advance(tUs);
      } catch (error) {
        if (!isWorthAgain(error) || this.#options.signal.aborted) throw error;
        this.#options.notice(`${error.message}; connecting again`);
        await this.#drive.close();
        this.#drive = await opened(this.#options, error);
        this.reconnects++;
        this.#options.notice(`connected again (${this.reconnects}): ${this.#drive.description}`);
      }
    }
  }

  drainFacts(): FactInput[] {
    return this.#drive.drainFacts();
  }

  drainSignals(): SignalSample[] {
    return this.#drive.drainSignals();
  }

  close(): Promise<void> {
    return this.#drive.close();
  }
}

/** Rejects with the first reason where patience ends. */
async function opened(options: ReconnectOptions, reason: DriveMcpError | null): Promise<DriveSource> {
  const untilMs = options.nowMs() + options.patienceMs;
  let first = reason;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      return await options.open();
    } catch (error) {
      if (!isWorthAgain(error)) throw error;
      if (first === null)
        options.notice(`${error.message}; trying for ${Math.round(options.patienceMs / 1000)} s`);
      first ??= error;
      if (options.nowMs() + pauseMs > untilMs || options.signal.aborted) throw first;
      await pause(pauseMs, options.signal);
    }
  }
}

function isWorthAgain(error: unknown): error is DriveMcpError {
  return error instanceof DriveMcpError && again.includes(error.code);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
