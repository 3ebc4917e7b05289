/** Plays the frames of a recorded drive onto a CAN interface, at their own pace: the other end of the wire. */
import { FRAME_EXT } from '../../daemon/core/can/frame-batch.js';
import { readRecording } from '../../daemon/record/recording-reader.js';
import { sender } from './bus.js';

export interface WireFrame {
  readonly tUs: number;
  readonly id: number;
  readonly ext: boolean;
  readonly data: readonly number[];
}

/** The first `seconds` of a recorded drive. */
export async function framesOfDrive(drive: string, seconds: number): Promise<WireFrame[]> {
  const frames: WireFrame[] = [];
  const recording = await readRecording(drive);
  for await (const record of recording.records({ types: ['frames'] })) {
    if (record.type !== 'frames') continue;
    const { batch, tUs } = record.frames;
    for (let i = 0; i < batch.count && tUs[i]! <= seconds * 1e6; i++) {
      const ext = (batch.flags[i]! & FRAME_EXT) !== 0;
      frames.push({ tUs: tUs[i]!, id: batch.id[i]!, ext, data: [...batch.payload(i)] });
    }
    if (tUs[batch.count - 1]! > seconds * 1e6) break;
  }
  await recording.close();
  return frames;
}

/** Sends the frames when they are due, from the beginning again at their end unless `once`; `stop` ends it. */
export function play(frames: readonly WireFrame[], name: string, { once = false } = {}): { stop(): void } {
  const bus = sender(name);
  let startMs = performance.now();
  let next = 0;
  const timer = setInterval(() => {
    const dueUs = (performance.now() - startMs) * 1000;
    for (let frame = frames[next]; frame && frame.tUs <= dueUs; frame = frames[++next]) {
      bus.send(frame.id, frame.data, { ext: frame.ext });
    }
    if (next < frames.length || once) return;
    next = 0;
    startMs = performance.now();
  }, 10);
  return {
    stop: () => {
      clearInterval(timer);
      bus.stop();
    },
  };
}
