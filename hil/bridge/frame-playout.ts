/**
 * Frames of simulated time on the wall clock: when each is due. The first frame of a step is due when the step is there,
 * the others behind it as on the bus; a world that is late moves all later times, one that is early is caught up with.
 *
 * A queue with a bound: what does not fit, and what is overdue, goes oldest first and is counted.
 */
import { FRAME_EXT, type FrameBatch } from '../../daemon/core/can/frame-batch.js';
import type { SentFrame } from '../transmit/can-channel.js';

/** Two seconds of a bus with 1,000 frames a second. */
export const playoutFramesMax = 2048;
/** A frame that is later than this says what is not so any more. */
const staleMs = 250;
/** Steps may come this much early against the wall clock before time is moved at once, and before it is moved slowly. */
const farAheadMs = 150;
const aheadMs = 20;
const catchUpMs = 1;

interface WaitingFrame extends SentFrame {
  readonly dueMs: number;
}

export class FramePlayout {
  #waiting: WaitingFrame[] = [];
  /** wall clock − bridge's clock, ms; null before the first frame */
  #offsetMs: number | null = null;
  dropped = 0;
  /** how often the world was so far from the wall clock that time was moved at once */
  jumps = 0;

  get length(): number {
    return this.#waiting.length;
  }

  /** When the next frame is due; null where none waits. */
  get nextDueMs(): number | null {
    return this.#waiting[0]?.dueMs ?? null;
  }

  /** Takes the frames of one step, `tUs` on the bridge's clock. */
  push(batch: FrameBatch, tUs: Float64Array, nowMs: number): void {
    if (batch.count === 0) return;
    const offsetMs = this.#offsetFor(tUs[0]! / 1000, nowMs);
    for (let i = 0; i < batch.count; i++)
      this.#waiting.push({
        dueMs: offsetMs + tUs[i]! / 1000,
        id: batch.id[i]!,
        ext: (batch.flags[i]! & FRAME_EXT) !== 0,
        data: batch.payload(i).slice(),
      });
    this.#drop(this.#waiting.length - playoutFramesMax);
  }

  /**
   * Gives every frame that is due to `send`, in order, until it refuses one: that stays the next. What is overdue behind a
   * refusal is dropped.
   */
  play(nowMs: number, send: (frame: SentFrame) => boolean): number {
    let sent = 0;
    let isRefused = false;
    for (const frame of this.#waiting) {
      if (frame.dueMs > nowMs) break;
      isRefused = !send(frame);
      if (isRefused) break;
      sent++;
    }
    this.#waiting.splice(0, sent);
    if (isRefused) this.#drop(this.#waiting.findIndex(({ dueMs }) => dueMs > nowMs - staleMs));
    return sent;
  }

  clear(): void {
    this.#drop(this.#waiting.length);
  }

  #offsetFor(firstMs: number, nowMs: number): number {
    const offsetMs = this.#offsetMs ?? nowMs - firstMs;
    const leadMs = offsetMs + firstMs - nowMs;
    if (leadMs > farAheadMs || leadMs < -farAheadMs) this.jumps++;
    const moveMs = leadMs < 0 || leadMs > farAheadMs ? -leadMs : leadMs > aheadMs ? -catchUpMs : 0;
    this.#offsetMs = offsetMs + moveMs;
    return this.#offsetMs;
  }

  /** `count` −1: all of them. */
  #drop(count: number): void {
    const most = count === -1 ? this.#waiting.length : Math.max(0, count);
    this.dropped += most;
    this.#waiting.splice(0, most);
  }
}
