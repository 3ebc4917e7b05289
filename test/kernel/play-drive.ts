/**
 * Plays the frames of a recorded drive onto a CAN interface, at their own pace: the other end of the wire.
 * Arguments: drive, interface, seconds. Ends early, quietly, when the interface goes.
 */
import { FRAME_EXT } from '../../daemon/core/can/frame-batch.js';
import { readRecording } from '../../daemon/record/recording-reader.js';
import { sender } from './bus.js';

const [, , drive = '', name = '', seconds = '5'] = process.argv;
const untilUs = Number(seconds) * 1e6;
const frames: { tUs: number; id: number; ext: boolean; data: number[] }[] = [];
const recording = await readRecording(drive);
for await (const record of recording.records()) {
  if (record.type !== 'frames') continue;
  const { batch, tUs } = record.frames;
  for (let i = 0; i < batch.count && tUs[i]! <= untilUs; i++) {
    const ext = (batch.flags[i]! & FRAME_EXT) !== 0;
    frames.push({ tUs: tUs[i]!, id: batch.id[i]!, ext, data: [...batch.payload(i)] });
  }
  if (tUs[batch.count - 1]! > untilUs) break;
}
await recording.close();

const bus = sender(name);
const startMs = performance.now();
let next = 0;
const timer = setInterval(() => {
  const dueUs = (performance.now() - startMs) * 1000;
  for (let frame = frames[next]; frame && frame.tUs <= dueUs; frame = frames[++next]) {
    bus.send(frame.id, frame.data, { ext: frame.ext });
  }
  if (next < frames.length) return;
  clearInterval(timer);
  bus.stop();
  process.stdout.write(`${JSON.stringify({ sent: next })}\n`);
}, 5);
