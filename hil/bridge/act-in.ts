/**
 * ACT into the bridge: what a daemon on another machine asks over the link is laid over the control of the ego's driver, by
 * the same bounded merge as everywhere. Only an ego that the bridge drives itself, and only a simulated one.
 */
import type { BrakeCurve } from '../../daemon/core/act/brake-curve.js';
import { type BrakeTable, matchBrakeTable } from '../act/brake-table.js';
import { Intervention } from '../act/intervention.js';
import { ActLinkServer } from '../act/link/act-link-server.js';
import type { FromDaemon } from '../act/link/link-messages.js';
import type { Intervention as Intervene } from '../carla/drive/ego-control.js';
import type { BridgeOutput, BridgeScene, BridgeStep, OutputCounters } from './bridge-output.js';
import type { CameraFrames } from './camera/camera-frame.js';

export interface ActInOptions {
  readonly host: string;
  readonly port: number;
  readonly key: string;
  readonly brakes: BrakeCurve;
  /** measured brakes, held to the ego's blueprint; null: nominal ones */
  readonly table: BrakeTable | null;
  readonly monoUs: () => number;
  readonly notice: (text: string) => void;
}

/** An intent that was so long on its way is about a world that has gone on. */
const staleUs = 200_000;
const stepsKept = 64;
const latenciesKept = 4096;

interface Latency {
  /** from the daemon's sending to our receiving, by its clock as it was measured */
  readonly wayUs: number;
  /** from the newest step that was on the wire before the daemon spoke, to our receiving: wire, tick and way back */
  readonly stepUs: number | null;
  /** the same from the newest picture that could be fetched before the daemon spoke */
  readonly pictureUs: number | null;
}

export class ActIn implements BridgeOutput {
  readonly name = 'act';
  readonly #options: ActInOptions;
  readonly #server: ActLinkServer;
  readonly #intervention: Intervention;
  /** when steps left, on our clock, oldest first */
  readonly #stepUs: number[] = [];
  /** when pictures could be fetched, likewise */
  readonly #pictureUs: number[] = [];
  readonly #latencies: Latency[] = [];
  #worldUs = 0;
  #dtS = 0.05;
  /** the intervention in force by its name at the daemon, and when it ends in the world's time */
  #current: { readonly name: string; readonly expiresAtUs: number } | null = null;
  #intents = 0;
  #stale = 0;

  constructor(options: ActInOptions) {
    this.#options = options;
    this.#intervention = new Intervention(options.brakes);
    this.#server = new ActLinkServer({
      host: options.host,
      port: options.port,
      key: options.key,
      monoUs: options.monoUs,
      listener: {
        intent: (intent, receivedUs) => this.#take(intent, receivedUs),
        release: () => this.#release(),
        notice: options.notice,
      },
    });
  }

  readonly intervene: Intervene = (driver, _motion, tUs) => this.#intervention.over(driver, tUs, this.#dtS);

  async open(): Promise<void> {
    const port = await this.#server.open();
    this.#options.notice(
      `ACT link: run --act hil --act-peer HOST:${port} brakes the simulated ego, once root has authorised it`,
    );
  }

  async begin({ session, ego, isOurs }: BridgeScene): Promise<void> {
    this.#release();
    const { table } = this.#options;
    const { versionText } = session.probe;
    const doubt = table === null ? null : matchBrakeTable(table, ego.description.id, versionText);
    if (doubt !== null) this.#options.notice(doubt);
    this.#server.isEgoOurs = isOurs;
    if (!isOurs) this.#options.notice('the ego is driven by others: an ACT is not carried out on it');
  }

  step({ tUs, dtS }: BridgeStep): void {
    this.#worldUs = tUs;
    this.#dtS = dtS;
    keep(this.#stepUs, this.#options.monoUs());
  }

  /** Intents are timed from these pictures too. They need not rest on one: a daemon may have no camera. */
  watchPictures(frames: CameraFrames): void {
    frames.subscribe({ offer: () => keep(this.#pictureUs, this.#options.monoUs()) });
  }

  counters(): OutputCounters {
    const clock = this.#server.clock();
    const ways = this.#latencies.map(({ wayUs }) => wayUs);
    const steps = this.#latencies.flatMap(({ stepUs }) => stepUs ?? []);
    const pictures = this.#latencies.flatMap(({ pictureUs }) => pictureUs ?? []);
    return {
      ...this.#server.counters(),
      intents: this.#intents,
      stale: this.#stale,
      ...this.#intervention.counters(),
      clock_offset_us: rounded(clock?.offsetUs),
      clock_uncertainty_us: rounded(clock?.uncertaintyUs),
      clock_round_trip_us: rounded(clock?.roundTripUs),
      clock_drift_ppm: tenths(clock?.drift?.ppm),
      clock_drift_uncertainty_ppm: tenths(clock?.drift?.uncertaintyPpm),
      way_p50_us: rounded(quantile(ways, 0.5)),
      way_p99_us: rounded(quantile(ways, 0.99)),
      step_to_intent_p50_us: rounded(quantile(steps, 0.5)),
      step_to_intent_p99_us: rounded(quantile(steps, 0.99)),
      picture_to_intent_p50_us: rounded(quantile(pictures, 0.5)),
      picture_to_intent_p99_us: rounded(quantile(pictures, 0.99)),
    };
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #take(message: Extract<FromDaemon, { type: 'intent' }>, receivedUs: number): void {
    this.#intents++;
    const clock = this.#server.clock();
    const sentUs = clock === null ? receivedUs : message.sent_us - clock.offsetUs;
    const wayUs = Math.max(0, receivedUs - sentUs);
    if (clock !== null) this.#note(sentUs, wayUs, receivedUs);
    const leftUs = message.left_us - wayUs;
    if (wayUs > staleUs || !(leftUs > 0)) {
      this.#stale++;
      return;
    }
    // One that was interrupted with its link, or by the driver, does not come back as another.
    const name = `${message.run} ${message.intervention}`;
    if (this.#current?.name !== name)
      this.#current = { name, expiresAtUs: this.#worldUs + Math.round(leftUs) };
    this.#intervention.held.hold(
      {
        kind: 'brake_assist',
        decelMps2: message.decel_mps2,
        maxMs: message.max_ms,
        expiresAtUs: this.#current.expiresAtUs,
      },
      this.#worldUs,
    );
  }

  #note(sentUs: number, wayUs: number, receivedUs: number): void {
    const since = (times: readonly number[]): number | null => {
      const before = times.findLast((us) => us <= sentUs);
      return before === undefined ? null : receivedUs - before;
    };
    this.#latencies.push({ wayUs, stepUs: since(this.#stepUs), pictureUs: since(this.#pictureUs) });
    if (this.#latencies.length > latenciesKept) this.#latencies.shift();
  }

  #release(): void {
    this.#intervention.held.release();
  }
}

function keep(times: number[], us: number): void {
  times.push(us);
  if (times.length > stepsKept) times.shift();
}

const rounded = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : Math.round(value);
const tenths = (value: number | undefined): number | null =>
  value === undefined ? null : Math.round(value * 10) / 10;

function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
}
