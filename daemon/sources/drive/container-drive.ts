/** A recorded drive (container of kind `drive`): frames and facts as they happened, through a vehicle profile. */
import type { SignalSample } from '../../core/tick.js';
import type { FactInput } from '../../core/world/facts.js';
import type { DriveSource, VehicleProfile } from '../../ports.js';
import type { UnpackedFrames } from '../../record/packed-frames.js';
import type { Recording } from '../../record/recording-reader.js';

type DriveRecord =
  | { readonly type: 'frames'; readonly frames: UnpackedFrames }
  | { readonly type: 'facts'; readonly tUs: number; readonly facts: readonly FactInput[] };

/**
 * Writers put frames down in blocks and facts as they come, so neither is in order with the other. Reading
 * goes on until both have passed the moment asked for, but no further ahead than this.
 */
const lookAheadUs = 30_000_000;

export class ContainerDrive implements DriveSource {
  readonly description: string;
  readonly isSimulated: boolean;
  readonly startWallMs: number | null;
  frameCount = 0;
  diagnosticCount = 0;
  readonly #recording: Recording;
  readonly #profile: VehicleProfile;
  readonly #records: AsyncGenerator<DriveRecord>;
  #waiting: { frames: UnpackedFrames; next: number }[] = [];
  #waitingFacts: { tUs: number; facts: readonly FactInput[] }[] = [];
  #facts: FactInput[] = [];
  #framesUpToUs = Number.NEGATIVE_INFINITY;
  #factsUpToUs = Number.NEGATIVE_INFINITY;
  #isOver = false;

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

  async advance(tUs: number): Promise<boolean> {
    while (!this.#isOver && this.#needsMore(tUs)) {
      const { value, done } = await this.#records.next();
      if (done) this.#isOver = true;
      else this.#hold(value);
    }
    const before = this.#waiting.length + this.#waitingFacts.length;
    this.#release(tUs);
    return !this.#isOver || before > 0;
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

  #needsMore(tUs: number): boolean {
    const nearest = Math.min(this.#framesUpToUs, this.#factsUpToUs);
    return nearest <= tUs && Math.max(this.#framesUpToUs, this.#factsUpToUs) <= tUs + lookAheadUs;
  }

  #hold(record: DriveRecord): void {
    if (record.type === 'facts') {
      this.#waitingFacts.push({ tUs: record.tUs, facts: record.facts });
      this.#factsUpToUs = Math.max(this.#factsUpToUs, record.tUs);
      return;
    }
    const { frames } = record;
    this.#waiting.push({ frames, next: 0 });
    this.#framesUpToUs = Math.max(this.#framesUpToUs, frames.tUs[0] ?? 0);
  }

  #release(tUs: number): void {
    for (const block of this.#waiting) {
      const { batch, tUs: times } = block.frames;
      const from = block.next;
      let to = from;
      while (to < batch.count && times[to]! <= tUs) to++;
      if (to === from) break;
      this.#profile.consume(batch, from, to, times.subarray(from, to));
      this.frameCount += to - from;
      block.next = to;
      if (to < batch.count) break;
    }
    this.#waiting = this.#waiting.filter((block) => block.next < block.frames.batch.count);
    for (const arrived of this.#waitingFacts) {
      if (arrived.tUs <= tUs) this.#facts.push(...arrived.facts);
    }
    this.#waitingFacts = this.#waitingFacts.filter((arrived) => arrived.tUs > tUs);
  }

  async *#read(): AsyncGenerator<DriveRecord> {
    for await (const record of this.#recording.records({ types: ['frames', 'facts', 'gap'] })) {
      if (record.type === 'frames' || record.type === 'facts') yield record;
      else this.diagnosticCount++;
    }
  }
}
