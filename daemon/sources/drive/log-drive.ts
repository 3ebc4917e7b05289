/** A CAN log as a drive: frames of a log file or pipe, through a vehicle profile. */

import { DriveTime } from '../../core/can/drive-time.js';
import type { FrameBatch } from '../../core/can/frame-batch.js';
import type { SignalSample } from '../../core/tick.js';
import type { FactInput } from '../../core/world/facts.js';
import type { DriveSource, FrameSource, VehicleProfile } from '../../ports.js';

export interface LogDriveOptions {
  /** SHA-256 of the input where it is a file; else what names it */
  readonly digest: string;
  /** Unix ms of the first frame where the log holds no absolute time */
  readonly startWallMs: number | null;
}

/** Frames as they happened; nothing is dropped, and time never runs backwards (see `DriveTime`). */
export class LogDrive implements DriveSource {
  readonly digest: string;
  readonly isSimulated = false;
  readonly time = new DriveTime();
  frameCount = 0;
  diagnosticCount = 0;
  readonly #frames: FrameSource;
  readonly #profile: VehicleProfile;
  readonly #startWallMs: number | null;
  #batch: FrameBatch | null = null;
  #tUs = new Float64Array(0);
  #next = 0;
  #isOver = false;

  constructor(frames: FrameSource, profile: VehicleProfile, options: LogDriveOptions) {
    this.#frames = frames;
    this.#profile = profile;
    this.digest = options.digest;
    this.#startWallMs = options.startWallMs;
  }

  /** Codes of the damaged parts that the source remembers, each once. */
  get diagnosticKinds(): string[] {
    return [...new Set((this.#frames.firstDiagnostics ?? []).map(({ code }) => code))];
  }

  get description(): string {
    return this.#frames.description;
  }

  /** Known with the first frame: `advance` must have been called. */
  get startWallMs(): number | null {
    const { originS } = this.time;
    return this.#frames.hasAbsoluteTime && originS !== null ? originS * 1000 : this.#startWallMs;
  }

  async advance(tUs: number): Promise<boolean> {
    let hasDelivered = false;
    for (;;) {
      const batch = this.#batch ?? (await this.#read());
      if (!batch) return hasDelivered;
      const from = this.#next;
      let to = from;
      while (to < batch.count && this.#tUs[to]! <= tUs) to++;
      if (to > from) {
        this.#profile.consume(batch, from, to, this.#tUs.subarray(from, to));
        this.frameCount += to - from;
        hasDelivered = true;
      }
      this.#next = to;
      if (to < batch.count) return true;
      this.#batch = null;
    }
  }

  drainFacts(): FactInput[] {
    return [];
  }

  drainSignals(): SignalSample[] {
    return this.#profile.drain();
  }

  close(): Promise<void> {
    return this.#frames.close();
  }

  async #read(): Promise<FrameBatch | null> {
    if (this.#isOver) return null;
    const batch = await this.#frames.next();
    if (!batch) {
      this.#isOver = true;
      return null;
    }
    this.diagnosticCount += batch.findings;
    if (this.#tUs.length < batch.count) this.#tUs = new Float64Array(batch.capacity);
    for (let i = 0; i < batch.count; i++) this.#tUs[i] = this.time.at(batch.tS[i]!);
    this.#batch = batch;
    this.#next = 0;
    return batch;
  }
}
