import { FRAME_EXT, FRAME_STRIDE, type FrameBatch } from '../../core/can/frame-batch.js';
import { decodeMessage } from './decode-message.js';
import type { DecodePlan } from './decode-plan.js';

/** Decodes data frames of batches into its own buffers, which the next frame overwrites. */
export class FrameDecoder {
  readonly values: Float64Array;
  readonly present: Uint8Array;
  /** message index of the last frame, −1 where its identifier is unknown */
  message = -1;
  /** FRAME_… bits of the last frame */
  findings = 0;

  constructor(readonly plan: DecodePlan) {
    this.values = new Float64Array(plan.maxSignalsPerMessage);
    this.present = new Uint8Array(plan.maxSignalsPerMessage);
  }

  /** Decodes frame `i`, which must be a data frame; true where its identifier is known. */
  decode(batch: FrameBatch, i: number): boolean {
    this.message = this.plan.find(batch.id[i]!, (batch.flags[i]! & FRAME_EXT) !== 0);
    if (this.message < 0) return false;
    this.findings = decodeMessage(
      this.plan,
      this.message,
      batch.data,
      i * FRAME_STRIDE,
      batch.length[i]!,
      this.values,
      this.present,
    );
    return true;
  }
}
