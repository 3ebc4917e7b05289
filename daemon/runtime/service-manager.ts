/**
 * The daemon as a service: tells the service manager (sd_notify) that it is ready when the first tick has run, what mode
 * it is in, that it lives, and that it stops. Nothing is sent where no service manager asked for it.
 */
import { type LivenessEvidence, standingStill } from '../core/modes/liveness.js';

export interface ServiceManager {
  /** to be called every tick, with its number and mode */
  watch(tick: number, mode: string): void;
  stopping(reason: string): void;
}

export interface ServiceManagerParts {
  /** sends a state to the manager; 0 or errno */
  readonly notify: (state: string) => number;
  readonly monoUs: () => number;
  readonly receivers: () => readonly number[];
  readonly store: () => { readonly healthy: boolean; readonly lagUs: number };
  readonly notice: (text: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
}

/** Null where no service manager listens. */
export function serviceManager(parts: ServiceManagerParts): ServiceManager | null {
  if (!parts.environment['NOTIFY_SOCKET']) return null;
  return new NotifiedManager(parts, watchdogPeriodUs(parts.environment, parts.pid));
}

/** Half of WatchdogSec, as sd_watchdog_enabled(3) advises; null where no watchdog waits for this process. */
export function watchdogPeriodUs(
  environment: Readonly<Record<string, string | undefined>>,
  pid: number,
): number | null {
  const us = Number(environment['WATCHDOG_USEC']);
  const of = environment['WATCHDOG_PID'];
  if (!Number.isInteger(us) || us <= 0 || (of !== undefined && Number(of) !== pid)) return null;
  return us / 2;
}

class NotifiedManager implements ServiceManager {
  readonly #parts: ServiceManagerParts;
  readonly #periodUs: number | null;
  #before: LivenessEvidence | null = null;
  #lastUs = 0;
  #mode = '';
  #hasFailed = false;
  #withheld = '';

  constructor(parts: ServiceManagerParts, periodUs: number | null) {
    this.#parts = parts;
    this.#periodUs = periodUs;
  }

  watch(tick: number, mode: string): void {
    const nowUs = this.#parts.monoUs();
    if (this.#before === null) {
      this.#before = this.#evidence(tick);
      this.#lastUs = nowUs;
      this.#send(`READY=1\nSTATUS=${mode}`);
      this.#mode = mode;
      return;
    }
    if (mode !== this.#mode) {
      this.#mode = mode;
      this.#send(`STATUS=${mode}`);
    }
    if (this.#periodUs === null || nowUs - this.#lastUs < this.#periodUs) return;
    const now = this.#evidence(tick);
    const still = standingStill(this.#before, now).join(', ');
    this.#before = now;
    this.#lastUs = nowUs;
    if (still === '') this.#send('WATCHDOG=1');
    else if (still !== this.#withheld)
      this.#parts.notice(`the watchdog is not told that we live: ${still} stand still`);
    this.#withheld = still;
  }

  stopping(reason: string): void {
    this.#send(`STOPPING=1\nSTATUS=${reason}`);
  }

  #evidence(tick: number): LivenessEvidence {
    const { healthy, lagUs } = this.#parts.store();
    return { tick, receivers: this.#parts.receivers(), isStoreHealthy: healthy, storeLagUs: lagUs };
  }

  #send(state: string): void {
    const errno = this.#parts.notify(state);
    if (errno === 0 || this.#hasFailed) return;
    this.#hasFailed = true;
    this.#parts.notice(`the service manager cannot be told anything (errno ${errno})`);
  }
}
