/** Frames that arrive while the daemon runs: a pipe from candump, later an interface. */
import type { FrameBatch } from '../../core/can/frame-batch.js';
import type { SignalSample } from '../../core/tick.js';
import type { FactInput } from '../../core/world/facts.js';
import type { Clock, DriveSource, FrameSource, VehicleProfile } from '../../ports.js';

/**
 * Takes frames when they come. `advance` never waits: a tick sees what has arrived. Frames keep the time
 * they were received at where the input has Unix time; no frame is newer than the moment it is read.
 */
export class LiveDrive implements DriveSource {
  readonly digest = 'live';
  readonly isSimulated = false;
  startWallMs: number | null = null;
  frameCount = 0;
  diagnosticCount = 0;
  readonly #frames: FrameSource;
  readonly #profile: VehicleProfile;
  readonly #clock: Clock;
  #startUs = 0;
  #pump: Promise<void> | null = null;
  #tUs = new Float64Array(0);
  #lastUs = 0;
  #unseen = 0;
  #isOver = false;
  #failure: unknown = null;

  constructor(frames: FrameSource, profile: VehicleProfile, clock: Clock) {
    this.#frames = frames;
    this.#profile = profile;
    this.#clock = clock;
  }

  /** Reads from now on; drive time 0 is the monotonic time `startUs`, about now. */
  start(startUs: number): void {
    this.#startUs = startUs;
    this.startWallMs = this.#clock.wallMs() - (this.#clock.monoUs() - startUs) / 1000;
    this.#pump = this.#read();
  }

  get description(): string {
    return `${this.#frames.description} (live)`;
  }

  /** False when the pipe has closed and everything from it was seen. */
  advance(_tUs: number): Promise<boolean> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    const hasMore = !this.#isOver || this.#unseen > 0;
    this.#unseen = 0;
    return Promise.resolve(hasMore);
  }

  drainFacts(): FactInput[] {
    return [];
  }

  drainSignals(): SignalSample[] {
    return this.#profile.drain();
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#frames.close();
    await this.#pump;
  }

  async #read(): Promise<void> {
    try {
      for (let batch = await this.#frames.next(); batch; batch = await this.#frames.next()) {
        if (this.#isOver) return;
        this.#take(batch);
      }
    } catch (error) {
      if (!this.#isOver) this.#failure = error;
    } finally {
      this.#isOver = true;
    }
  }

  #take(batch: FrameBatch): void {
    this.diagnosticCount += batch.findings;
    if (this.#tUs.length < batch.count) this.#tUs = new Float64Array(batch.capacity);
    const nowUs = this.#clock.monoUs() - this.#startUs;
    const startWallMs = this.startWallMs ?? 0;
    for (let i = 0; i < batch.count; i++) {
      const receivedUs = this.#frames.hasAbsoluteTime ? (batch.tS[i]! * 1000 - startWallMs) * 1000 : nowUs;
      if (receivedUs > this.#lastUs) this.#lastUs = Math.min(Math.floor(receivedUs), nowUs);
      this.#tUs[i] = this.#lastUs;
    }
    this.#profile.consume(batch, 0, batch.count, this.#tUs.subarray(0, batch.count));
    this.frameCount += batch.count;
    this.#unseen += batch.count;
  }
}
