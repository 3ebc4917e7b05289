import { FRAME_EXT, FRAME_STRIDE, FrameBatch } from '../../daemon/core/can/frame-batch.js';

export interface TestFrame {
  readonly id: number;
  readonly data: readonly number[];
  /** µs */
  readonly tUs?: number;
  readonly ext?: boolean;
  readonly bus?: number;
  /** further FRAME_… bits */
  readonly flags?: number;
}

/** A batch as a source would fill it, with the times that `consume` takes. */
export function framesOf(frames: readonly TestFrame[]): { batch: FrameBatch; tUs: Float64Array } {
  const batch = new FrameBatch(Math.max(1, frames.length), ['can0']);
  const tUs = new Float64Array(frames.length);
  for (const [i, frame] of frames.entries()) {
    batch.id[i] = frame.id;
    batch.flags[i] = (frame.flags ?? 0) | (frame.ext === true ? FRAME_EXT : 0);
    batch.bus[i] = frame.bus ?? 0;
    batch.length[i] = frame.data.length;
    batch.dlc[i] = frame.data.length;
    batch.data.set(frame.data, i * FRAME_STRIDE);
    tUs[i] = frame.tUs ?? i * 10_000;
    batch.tS[i] = tUs[i]! / 1e6;
  }
  batch.count = frames.length;
  return { batch, tUs };
}

/** The same frames as `candump -l` text. */
export function candumpOf(frames: readonly TestFrame[]): string {
  return frames
    .map(({ id, data, ext, tUs }, i) => {
      const seconds = ((tUs ?? i * 10_000) / 1e6 + 1_700_000_000).toFixed(6);
      const name = id
        .toString(16)
        .toUpperCase()
        .padStart(ext === true ? 8 : 3, '0');
      const bytes = data.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join('');
      return `(${seconds}) can0 ${name}#${bytes}\n`;
    })
    .join('');
}
