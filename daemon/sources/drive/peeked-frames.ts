import type { FrameBatch } from '../../core/can/frame-batch.js';
import type { FrameSource } from '../../ports.js';

/** A frame source whose first batch has been looked at and is delivered all the same. */
export class PeekedFrames implements FrameSource {
  readonly #frames: FrameSource;
  #first: FrameBatch | null;

  private constructor(frames: FrameSource, first: FrameBatch | null) {
    this.#frames = frames;
    this.#first = first;
  }

  /** Waits for the first batch. */
  static async peek(frames: FrameSource): Promise<{ frames: PeekedFrames; firstS: number | null }> {
    const first = await frames.next();
    const firstS = first === null || first.count === 0 ? null : first.tS[0]!;
    return { frames: new PeekedFrames(frames, first), firstS };
  }

  get description(): string {
    return this.#frames.description;
  }

  get format(): string {
    return this.#frames.format;
  }

  get hasAbsoluteTime(): boolean {
    return this.#frames.hasAbsoluteTime;
  }

  async next(): Promise<FrameBatch | null> {
    const first = this.#first;
    this.#first = null;
    return first ?? this.#frames.next();
  }

  close(): Promise<void> {
    return this.#frames.close();
  }
}
