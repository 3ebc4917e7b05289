/**
 * Health of a car over a log: frames in, a report whenever something changed. The log's own time decides, in
 * steps of 100 ms; what time alone brings about (silence, a held value given up) is seen in pauses too.
 */

import { DriveTime } from '../../core/can/drive-time.js';
import { readErrorFrame } from '../../core/can/error-frame.js';
import {
  FRAME_ERROR,
  FRAME_EXT,
  FRAME_REMOTE,
  FRAME_STRIDE,
  type FrameBatch,
} from '../../core/can/frame-batch.js';
import { MessageWatch, messageKey } from '../../core/can/message-watch.js';
import type { Params } from '../../core/params.js';
import {
  advanceHealth,
  type HealthState,
  initialHealthState,
} from '../../core/safety/health/health-monitor.js';
import {
  type BusCondition,
  type HealthReport,
  isNews,
  type ReportFinding,
  reportHealth,
} from '../../core/safety/health/health-report.js';
import type { SignalSample } from '../../core/tick.js';
import { idText } from '../diagnostics/diagnostic-id.js';
import type { ProfileDecoder } from '../profile/profile-decoder.js';
import { type DiagnosticReader, isDiagnosticId } from './diagnostic-reader.js';

const stepUs = 100_000;
/** After this long without a frame nothing more can change: the longest of hold, clear and stale times, doubled. */
const settleUs = 30_000_000;

export class HealthSession {
  frames = 0;
  readonly identifiers = new Set<number>();
  readonly #time = new DriveTime();
  readonly #watch: MessageWatch;
  readonly #values: Params['health'];
  readonly #staleUs: number;
  readonly #profile: ProfileDecoder | null;
  readonly #diagnostics: DiagnosticReader;
  readonly #knownNames: ReadonlyMap<number, string>;
  readonly #onReport: (report: HealthReport, tS: number) => void;
  readonly #onStep: (report: HealthReport) => void;
  readonly #onSamples: (samples: readonly SignalSample[]) => void;
  readonly #busOff: boolean[] = [];
  #busNames: readonly string[] = [];
  #monitor: HealthState = initialHealthState;
  #last: HealthReport | null = null;
  #nextStepUs = stepUs;
  #lastFrameUs = 0;
  #lastFrameS = 0;

  constructor(options: {
    readonly params: Params;
    readonly profile: ProfileDecoder | null;
    readonly diagnostics: DiagnosticReader;
    /** called on every change */
    readonly onReport: (report: HealthReport, tS: number) => void;
    /** called on every step, changed or not */
    readonly onStep: (report: HealthReport) => void;
    /** called with the signals of a step, of the profile and of diagnostic answers */
    readonly onSamples?: (samples: readonly SignalSample[]) => void;
  }) {
    const { health, freshness } = options.params;
    this.#values = health;
    this.#staleUs = freshness.healthUs;
    this.#profile = options.profile;
    this.#diagnostics = options.diagnostics;
    this.#onReport = options.onReport;
    this.#onStep = options.onStep;
    this.#onSamples = options.onSamples ?? (() => undefined);
    this.#knownNames = namesOf(options.profile);
    this.#watch = new MessageWatch({
      debounceUs: health.debounceUs,
      clearUs: health.clearUs,
      timeoutCyclesCount: health.staleCyclesCount,
    });
  }

  /** messages known as cyclic */
  get cyclicCount(): number {
    return this.#watch.cyclicCount;
  }

  /** drive time of the last frame, µs */
  get durationUs(): number {
    return this.#lastFrameUs;
  }

  consume(batch: FrameBatch): void {
    this.#busNames = batch.busNames;
    const tUs = new Float64Array(batch.count);
    let from = 0;
    for (let i = 0; i < batch.count; i++) {
      const now = this.#time.at(batch.tS[i]!);
      tUs[i] = now;
      if (now >= this.#nextStepUs) {
        this.#take(batch, from, i, tUs);
        from = i;
        this.#stepTo(now);
      }
      this.#frame(batch, i, now);
      this.#lastFrameUs = now;
      this.#lastFrameS = batch.tS[i]!;
    }
    this.#take(batch, from, batch.count, tUs);
  }

  #take(batch: FrameBatch, from: number, to: number, tUs: Float64Array): void {
    this.#profile?.consume(batch, from, to, tUs.subarray(from, to));
    this.#diagnostics.consume(batch, from, to, this.#lastFrameUs);
  }

  /** The last report, with what only the end can tell; `onReport` is not called for it. */
  finish(further: readonly ReportFinding[]): HealthReport {
    this.#diagnostics.finish(this.#lastFrameUs);
    return this.#report(this.#lastFrameUs, further);
  }

  #stepTo(nowUs: number): void {
    while (this.#nextStepUs <= nowUs) {
      if (this.#nextStepUs - this.#lastFrameUs > settleUs) {
        this.#nextStepUs = Math.max(this.#nextStepUs, Math.floor(nowUs / stepUs) * stepUs);
      }
      this.#step(this.#nextStepUs);
      this.#nextStepUs += stepUs;
    }
  }

  #step(tUs: number): void {
    const report = this.#report(tUs, []);
    if (isNews(this.#last, report)) this.#onReport(report, this.#clockS(tUs));
    this.#last = report;
  }

  #report(tUs: number, further: readonly ReportFinding[]): HealthReport {
    const news = this.#diagnostics.drain();
    const own = this.#profile?.drain() ?? [];
    // A signal that the profile delivers is not taken from diagnostics as well.
    const paths = this.#profile?.paths ?? [];
    const samples = [...own, ...news.samples.filter(({ path }) => !paths.includes(path))];
    this.#onSamples(samples);
    this.#monitor = advanceHealth(this.#monitor, samples, tUs, this.#values);
    const report = reportHealth(
      {
        monitor: this.#monitor,
        diagnostics: news.memory,
        buses: this.#buses(news.isRedBrakeLampOn),
        further: [...news.findings, ...further],
      },
      tUs,
      this.#staleUs,
      this.#values,
    );
    this.#onStep(report);
    return report;
  }

  /** Time of the log at a step, s. */
  #clockS(tUs: number): number {
    return Math.round(this.#lastFrameS * 1e6 + (tUs - this.#lastFrameUs)) / 1e6;
  }

  get lastClockS(): number {
    return this.#lastFrameS;
  }

  #buses(isRedBrakeLampOn: boolean): BusCondition {
    const lost = this.#watch.lost();
    const quiet = this.#watch.quietBuses();
    const lostKnown: string[] = [];
    const lostUnknown: string[] = [];
    for (const { bus, id, isExtended } of lost) {
      if (quiet.includes(bus)) continue;
      const name = this.#knownNames.get(messageKey(0, id, isExtended));
      if (name === undefined) lostUnknown.push(idText(id, isExtended));
      else lostKnown.push(name);
    }
    return {
      lostKnown: [...new Set(lostKnown)],
      lostUnknown: [...new Set(lostUnknown)],
      isWatching: this.#isWatching(),
      isBusOff: this.#busOff.includes(true),
      quietBuses: quiet.map((bus) => this.#busNames[bus] ?? String(bus)),
      isRedBrakeLampOn,
    };
  }

  #isWatching(): boolean {
    for (let bus = 0; bus < this.#busNames.length; bus++) {
      for (const { id, ext } of this.#profile?.identifiers ?? []) {
        if (this.#watch.isWatched(bus, id, ext)) return true;
      }
    }
    return false;
  }

  #frame(batch: FrameBatch, i: number, tUs: number): void {
    this.frames++;
    const flags = batch.flags[i]!;
    const bus = batch.bus[i]!;
    const id = batch.id[i]!;
    if ((flags & FRAME_ERROR) !== 0) {
      const { controller } = readErrorFrame(id, batch.data, i * FRAME_STRIDE, batch.length[i]!);
      if (controller !== null) this.#busOff[bus] = controller === 'bus_off';
      return;
    }
    // A frame that arrives is the end of bus-off, whether or not the restart was reported.
    this.#busOff[bus] = false;
    if ((flags & FRAME_REMOTE) !== 0) return;
    const isExtended = (flags & FRAME_EXT) !== 0;
    if (this.identifiers.size < identifiersMaxCount) this.identifiers.add(messageKey(0, id, isExtended));
    if (!isDiagnosticId(id, isExtended)) this.#watch.seen(bus, id, isExtended, tUs);
  }
}

const identifiersMaxCount = 65_536;

/** Names of a profile's messages by identifier; of J1939 groups none, they have no single one. */
function namesOf(profile: ProfileDecoder | null): Map<number, string> {
  const names = new Map<number, string>();
  for (const [index, { id, ext, isGroup }] of (profile?.identifiers ?? []).entries()) {
    const message = profile?.messages[index];
    if (!isGroup && message !== undefined) names.set(messageKey(0, id, ext), message.mapped.name);
  }
  return names;
}
