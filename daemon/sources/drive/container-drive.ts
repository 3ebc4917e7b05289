/** A recorded drive (container of kind `drive`): frames and facts as they happened, through a vehicle profile. */

import { SilenceBudget } from '../../core/can/silence-budget.js';
import { DriveMcpError } from '../../core/errors.js';
import type { SignalSample } from '../../core/tick.js';
import type { FactInput } from '../../core/world/facts.js';
import type { DriveSource, VehicleProfile } from '../../ports.js';
import type { UnpackedFrames } from '../../record/packed-frames.js';
import { factShape, misfit } from '../../record/record-shape.js';
import type { Recording } from '../../record/recording-reader.js';

type DriveRecord =
  | { readonly type: 'frames'; readonly frames: UnpackedFrames }
  | { readonly type: 'facts'; readonly tUs: number; readonly facts: readonly FactInput[] };

/**
 * Writers put frames down in blocks and facts as they come, so neither is in order with the other. Reading
 * goes on until both have passed the moment asked for, but no further ahead than this in time …
 */
const lookAheadUs = 30_000_000;
/** … and, where the times jump further than that, in records. */
const aheadRecordsMin = 512;

/** Facts that wait for their tick. A car delivers some hundred a second: more are no drive. */
const waitingFactsMax = 100_000;
/** Frames that wait: twice what ten full buses of 500 kbit/s carry in the time looked ahead. */
const waitingFramesMax = 2_000_000;

/** Three years: drive time counts from the start of a drive, and no drive is longer. */
const driveTimeMaxUs = 1e14;

export class ContainerDrive implements DriveSource {
  readonly description: string;
  readonly isSimulated: boolean;
  readonly startWallMs: number | null;
  readonly silence = new SilenceBudget();
  frameCount = 0;
  diagnosticCount = 0;
  readonly #recording: Recording;
  readonly #profile: VehicleProfile;
  readonly #records: AsyncGenerator<DriveRecord>;
  #waiting: { frames: UnpackedFrames; next: number }[] = [];
  #waitingFacts: { tUs: number; facts: readonly FactInput[] }[] = [];
  #waitingFactCount = 0;
  #waitingFrameCount = 0;
  #facts: FactInput[] = [];
  #framesUpToUs = Number.NEGATIVE_INFINITY;
  #factsUpToUs = Number.NEGATIVE_INFINITY;
  #isOver = false;
  /** recorded time minus drive time: silence that was left out */
  #shiftUs = 0;
  /** drive time at which something was released last */
  #activeUs = 0;

  constructor(
    recording: Recording,
    profile: VehicleProfile,
    readonly digest: string,
  ) {
    this.#recording = recording;
    this.#profile = profile;
    this.description = recording.header.description;
    this.isSimulated = recording.header.isSimulated;
    this.startWallMs = recording.header.startWallMs;
    this.#records = this.#read();
  }

  /** @throws DriveMcpError RECORDING_INVALID where a record is none that a drive can hold */
  async advance(tUs: number): Promise<boolean> {
    while (!this.#isOver && this.#needsMore(tUs + this.#shiftUs)) {
      const { value, done } = await this.#records.next();
      if (done) this.#isOver = true;
      else this.#hold(value);
    }
    const isWaiting = this.#waiting.length + this.#waitingFacts.length > 0;
    if (this.#release(tUs) || this.#leaveSilenceOut(tUs)) this.#activeUs = tUs;
    return !this.#isOver || isWaiting;
  }

  drainFacts(): FactInput[] {
    const facts = this.#facts;
    this.#facts = [];
    return facts;
  }

  drainSignals(): SignalSample[] {
    return this.#profile.drain();
  }

  close(): Promise<void> {
    return this.#recording.close();
  }

  #needsMore(recordedUs: number): boolean {
    const nearest = Math.min(this.#framesUpToUs, this.#factsUpToUs);
    if (nearest > recordedUs) return false;
    const isFar = Math.max(this.#framesUpToUs, this.#factsUpToUs) > recordedUs + lookAheadUs;
    return !isFar || (this.#framesUpToUs <= recordedUs && this.#waitingFacts.length < aheadRecordsMin);
  }

  #hold(record: DriveRecord): void {
    if (record.type === 'facts') {
      this.#check(record);
      this.#waitingFacts.push({ tUs: record.tUs, facts: record.facts });
      this.#waitingFactCount += record.facts.length;
      this.#factsUpToUs = Math.max(this.#factsUpToUs, record.tUs);
      if (this.#waitingFactCount > waitingFactsMax)
        throw this.#invalid('facts', 'too many facts at one time');
      return;
    }
    const { frames } = record;
    for (let i = 0; i < frames.batch.count; i++) this.#checkTime(frames.tUs[i]!, 'frames');
    this.#waiting.push({ frames, next: 0 });
    this.#framesUpToUs = Math.max(this.#framesUpToUs, frames.tUs[0] ?? 0);
    this.#waitingFrameCount += frames.batch.count;
    if (this.#waitingFrameCount > waitingFramesMax)
      throw this.#invalid('frames', 'too many frames at one time');
  }

  #check({ tUs, facts }: DriveRecord & { type: 'facts' }): void {
    this.#checkTime(tUs, 'facts');
    for (let i = 0; i < facts.length; i++) {
      const problem = misfit(facts[i], factShape, `facts[${i}]`);
      if (problem !== null) throw this.#invalid(problem, `a record at ${tUs / 1e6} s holds what is no fact`);
    }
  }

  #checkTime(tUs: number, key: string): void {
    if (!(Math.abs(tUs) <= driveTimeMaxUs))
      throw this.#invalid(`${key}.tUs`, `${tUs} µs is no time of a drive`);
  }

  #invalid(key: string, message: string): DriveMcpError {
    return new DriveMcpError('RECORDING_INVALID', message, {
      location: { file: this.#recording.path, key },
      hint: 'this drive was not written by drivemcp, or was changed afterwards',
    });
  }

  /** Whether anything was due. */
  #release(tUs: number): boolean {
    const recordedUs = tUs + this.#shiftUs;
    let released = 0;
    for (const block of this.#waiting) {
      const { batch, tUs: times } = block.frames;
      const from = block.next;
      let to = from;
      while (to < batch.count && times[to]! <= recordedUs) to++;
      if (to === from) break;
      const due = times.subarray(from, to);
      if (this.#shiftUs > 0)
        for (let i = 0; i < due.length; i++) due[i] = Math.max(0, due[i]! - this.#shiftUs);
      this.#profile.consume(batch, from, to, due);
      this.frameCount += to - from;
      this.#waitingFrameCount -= to - from;
      released += to - from;
      block.next = to;
      if (to < batch.count) break;
    }
    this.#waiting = this.#waiting.filter((block) => block.next < block.frames.batch.count);
    for (const { tUs: arrivedUs, facts } of this.#waitingFacts) {
      if (arrivedUs > recordedUs) continue;
      for (const fact of facts) this.#facts.push(this.#inDriveTime(fact));
      this.#waitingFactCount -= facts.length;
      released++;
    }
    this.#waitingFacts = this.#waitingFacts.filter((arrived) => arrived.tUs > recordedUs);
    if (released > 0) this.silence.take(tUs - this.#activeUs);
    return released > 0;
  }

  #inDriveTime(fact: FactInput): FactInput {
    return this.#shiftUs === 0 ? fact : { ...fact, observedAtUs: fact.observedAtUs - this.#shiftUs };
  }

  /** In a silence that has been played long enough: goes on with what comes next. */
  #leaveSilenceOut(tUs: number): boolean {
    let nextUs = Number.POSITIVE_INFINITY;
    for (const { frames, next } of this.#waiting) nextUs = Math.min(nextUs, frames.tUs[next]!);
    for (const arrived of this.#waitingFacts) nextUs = Math.min(nextUs, arrived.tUs);
    if (nextUs === Number.POSITIVE_INFINITY) return false;
    const gapUs = nextUs - this.#shiftUs - this.#activeUs;
    const { longestUs } = this.silence;
    if (!this.silence.isSilence(gapUs) || gapUs <= longestUs || tUs - this.#activeUs < longestUs)
      return false;
    this.silence.take(gapUs);
    this.#activeUs = tUs;
    this.#shiftUs = nextUs - tUs;
    return this.#release(tUs);
  }

  async *#read(): AsyncGenerator<DriveRecord> {
    for await (const record of this.#recording.records({ types: ['frames', 'facts', 'gap'] })) {
      if (record.type === 'frames' || record.type === 'facts') yield record;
      else this.diagnosticCount++;
    }
  }
}
