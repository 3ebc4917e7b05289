/** Where frames become values: by the profile in TypeScript, from the ring; or by the native table, on the receive thread. */
import { FrameBatch } from '../../daemon/core/can/frame-batch.js';
import { DecodedFrames } from '../../daemon/sources/can/decoded-frames.js';
import { FrameRing } from '../../daemon/sources/can/frame-ring.js';
import { NativeProfile } from '../../daemon/sources/can/native-profile.js';
import type { CanRxModule } from '../../native/index.js';
import { packageSender } from '../kernel/bus.js';
import { espState, profileOf, protectedSpeed } from '../vehicles/test-car.js';

export interface DecodeFigure {
  readonly seconds: number;
  /** of all threads */
  readonly cpu: number;
  /** the part of the thread that decides */
  readonly javascript: number;
  readonly accepted: number;
}

const profile = () =>
  profileOf({
    ...protectedSpeed,
    'Motor_1.Motordrehzahl': { vss: 'Vehicle.Powertrain.CombustionEngine.Speed' },
    'Motor_1.Fahrpedalstellung': { vss: 'Vehicle.Chassis.Accelerator.PedalPosition' },
  });

/** A car's frames, half of them with checksum and counter; none is refused. */
function fill(name: string, frames: number): void {
  const bus = packageSender(name);
  for (let i = 0; i < frames; i++) {
    if (i % 2 === 0) bus.send(256, [...espState(5000 + ((i >> 3) & 7), (i / 2) % 15).data]);
    else bus.send(512, [i & 255, 10, 130, 100, 0, (i >> 2) & 127, 0, 0]);
  }
  bus.stop();
}

/**
 * Empties a queue of frames through one of the two, looking every millisecond, with the samples of each look drained
 * and every frame handed on, as to the recorder.
 */
export async function decodeQueue(
  canRx: CanRxModule,
  name: string,
  frames: number,
  isNative: boolean,
): Promise<DecodeFigure> {
  const ring = new FrameRing(65_536);
  const ours = profile();
  const native = isNative ? new NativeProfile(canRx, ours, ring) : null;
  const keeper = { keep: () => {}, lost: () => {} };
  const decoded =
    native && new DecodedFrames({ profile: native, ring, keeper, names: [name], clockBaseUs: 0 });
  decoded?.start(0);
  const receiver = new canRx.CanReceiver({
    interface: name,
    receiveBufferBytes: 1 << 26,
    ...(native ? { table: native.table, bus: 0 } : { ringControl: ring.control, ringSlots: ring.slots }),
  });
  fill(name, frames);
  const batch = new FrameBatch(4096);
  const timesUs = new Float64Array(4096);
  const began = performance.now();
  const used = process.cpuUsage();
  let javascriptMs = 0;
  receiver.start();
  let got = 0;
  while (got < frames && performance.now() - began < 20_000) {
    const lookedMs = performance.now();
    let count = 0;
    if (decoded !== null) count = decoded.take([], 0);
    else {
      batch.clear();
      count = ring.drain(batch, 0, timesUs);
      ours.consume(batch, 0, count, timesUs);
    }
    (native ?? ours).drain();
    got += count;
    if (count > 0) javascriptMs += performance.now() - lookedMs;
    else await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const now = process.cpuUsage(used);
  const seconds = (performance.now() - began) / 1000;
  receiver.stop();
  const accepted = ours.messages.reduce((sum, record) => sum + record.accepted, 0);
  if (got !== frames || accepted !== frames) throw new Error(`${got} and ${accepted} of ${frames} frames`);
  return { seconds, cpu: (now.user + now.system) / 1e6, javascript: javascriptMs / 1000, accepted };
}
