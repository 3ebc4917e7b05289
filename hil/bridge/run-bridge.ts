/**
 * The bridge: a CARLA client that gives what the ego's devices would say to outputs, step by step, until it is told to end.
 * Whatever ends it, the server is left as it was: what was spawned is destroyed, the settings are put back.
 */
import type { DriveMcpError } from '../../daemon/core/errors.js';
import type { EgoCompanion } from '../carla/drive/ego-companion.js';
import type { Intervention } from '../carla/drive/ego-control.js';
import type { SessionOptions } from '../carla/session/carla-session.js';
import { isWorthAgain, openPatiently } from '../carla/session/open-patiently.js';
import type { BridgeOutput, OutputCounters } from './bridge-output.js';
import { BridgedEgo, type EgoState } from './bridged-ego.js';
import { StepPace } from './step-pace.js';

export interface BridgeOptions {
  readonly session: SessionOptions;
  readonly seed: string;
  /** as owner: one step a period of the clock; false: as fast as the server and the outputs go */
  readonly isRealTime: boolean;
  /** of the simulator's time; infinite: until the signal aborts */
  readonly endsAfterS: number;
  readonly outputs: readonly BridgeOutput[];
  /** what may act on the ego; asked once a step where the ego is ours */
  readonly intervene: Intervention | null;
  /** parts of the ego beside the server, asked before the outputs */
  readonly companion?: EgoCompanion | undefined;
  /** how long a server is waited for that is not there, or has gone */
  readonly patienceMs: number;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
  readonly notice: (text: string) => void;
  /** after every step */
  readonly stepped?: (report: BridgeReport) => void;
}

export interface BridgeReport {
  readonly server: string;
  readonly egoId: number;
  readonly isOurs: boolean;
  readonly steps: number;
  /** the simulator's time since the first step */
  readonly tS: number;
  readonly speedMps: number;
  readonly lateSteps: number;
  readonly reconnects: number;
  readonly outputs: readonly { readonly name: string; readonly counters: OutputCounters }[];
}

export class Bridge {
  readonly #options: BridgeOptions;
  readonly #pace: StepPace;
  /** aborts with the user's signal and with the first failure of an output */
  readonly #ended = new AbortController();
  #failure: DriveMcpError | null = null;
  #ego: BridgedEgo | null = null;
  #last: EgoState | null = null;
  #tUs = 0;
  #steps = 0;
  #reconnects = 0;

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#pace = new StepPace(options.session.fixedDeltaS * 1000, options.nowMs);
  }

  /** Runs to the end; throws what ended it where that was a failure, with everything put back all the same. */
  async run(): Promise<BridgeReport> {
    const { outputs, signal } = this.#options;
    const stop = (): void => this.#ended.abort();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      for (const output of outputs) await output.open?.((error) => this.#fail(error), this.#ended.signal);
      if (!this.#ended.signal.aborted) await this.#connect(null);
      while (!this.#isOver()) await this.#stepOrConnect();
    } catch (error) {
      // What an output has failed with ends the waits for the server too; theirs is not the reason.
      if (this.#failure === null && !signal.aborted) throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      for (const output of outputs) await output.close();
      await this.#leave();
    }
    if (this.#failure !== null) throw this.#failure;
    return this.report();
  }

  report(): BridgeReport {
    const { session } = this.#options;
    const scene = this.#ego?.scene;
    return {
      server: `${scene === undefined ? '' : `${scene.session.probe.versionText} at `}${session.host}:${session.port}`,
      egoId: scene?.ego.id ?? 0,
      isOurs: scene?.isOurs ?? false,
      steps: this.#steps,
      tS: this.#tUs / 1e6,
      speedMps: this.#last?.motion.vMps ?? 0,
      lateSteps: this.#pace.late,
      reconnects: this.#reconnects,
      outputs: this.#options.outputs.map((output) => ({ name: output.name, counters: output.counters() })),
    };
  }

  #isOver(): boolean {
    return this.#ended.signal.aborted || this.#tUs >= this.#options.endsAfterS * 1e6;
  }

  async #stepOrConnect(): Promise<void> {
    try {
      await this.#step();
    } catch (error) {
      if (!isWorthAgain(error) || this.#ended.signal.aborted) throw error;
      this.#options.notice(`${error.message}; connecting again`);
      await this.#leave();
      await this.#connect(error);
      this.#reconnects++;
      this.#options.notice(`connected again (${this.#reconnects}): ${this.report().server}`);
    }
  }

  async #connect(reason: DriveMcpError | null): Promise<void> {
    const { session, seed, notice, nowMs, patienceMs, outputs, companion } = this.#options;
    const ego = await openPatiently(
      () => BridgedEgo.open(session, seed, notice),
      { patienceMs, nowMs, notice, signal: this.#ended.signal },
      reason,
    );
    this.#ego = ego;
    this.#last = null;
    companion?.begin(ego.scene.session, ego.scene.ego);
    for (const output of outputs) await output.begin?.(ego.scene);
  }

  async #step(): Promise<void> {
    const { session, isRealTime, outputs, intervene, companion, stepped } = this.#options;
    const ego = this.#ego as BridgedEgo;
    if (session.sync === 'owner' && isRealTime) await this.#pace.next(this.#ended.signal);
    const state = await this.#unlessEnded(ego.step());
    if (state === null) return;
    const sinceS = this.#last === null ? 0 : state.timestampS - this.#last.timestampS;
    // The first step of a session has no step before it; a clock that stands or goes back is none.
    const dtS = sinceS > 0 ? sinceS : session.fixedDeltaS;
    this.#last = state;
    this.#tUs += Math.round(dtS * 1e6);
    this.#steps++;
    const moment = { ...state, tUs: this.#tUs, dtS };
    const { body, windscreen } = companion?.step(moment) ?? { body: null, windscreen: null };
    for (const output of outputs) output.step({ ...moment, body, windscreen });
    await ego.drive(state, this.#tUs, dtS, intervene);
    stepped?.(this.report());
  }

  /** Null where the bridge ends first: a world that stands still must not hold up a Ctrl-C. */
  #unlessEnded<T>(work: Promise<T>): Promise<T | null> {
    const { signal } = this.#ended;
    return new Promise((resolve, reject) => {
      const stop = (): void => resolve(null);
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });
  }

  #fail(error: DriveMcpError): void {
    this.#failure ??= error;
    this.#ended.abort();
  }

  async #leave(): Promise<void> {
    const ego = this.#ego;
    if (ego === null) return;
    for (const left of await ego.close()) this.#options.notice(`not put back: ${left}`);
  }
}
