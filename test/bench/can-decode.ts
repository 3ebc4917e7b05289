/** Where frames become values: by the profile in TypeScript, from the ring; or by the native table, on the receive thread. */
import { FrameBatch } from '../../daemon/core/can/frame-batch.js';
import { DecodedFrames } from '../../daemon/sources/can/decoded-frames.js';
import { FrameRing } from '../../daemon/sources/can/frame-ring.js';
import { NativeProfile } from '../../daemon/sources/can/native-profile.js';
import type { CanRxModule } from '../../native/index.js';
import { packageSender } from '../kernel/bus.js';
import { framesOf, type TestFrame } from '../vehicles/frames-of.js';
import { espState, profileOf, protectedSpeed } from '../vehicles/test-car.js';

export interface DecodeFigure {
  /** processor time from the first frame to the samples, of all threads */
  readonly cpuS: number;
  /** the look alone, on the thread that decides, after all was received: it waits for nobody */
  readonly lookS: number;
}

const profile = () =>
  profileOf({
    ...protectedSpeed,
    'Motor_1.Motordrehzahl': { vss: 'Vehicle.Powertrain.CombustionEngine.Speed' },
    'Motor_1.Fahrpedalstellung': { vss: 'Vehicle.Chassis.Accelerator.PedalPosition' },
  });

/** Frames of a car, half of them with checksum and counter; none is refused. */
function carFrame(i: number): TestFrame {
  if (i % 2 === 0) return espState(5000 + ((i >> 3) & 7), (i / 2) % 15);
  return { id: 512, data: [i & 255, 10, 130, 100, 0, (i >> 2) & 127, 0, 0] };
}

function fill(name: string, frames: number): void {
  const bus = packageSender(name);
  for (let i = 0; i < frames; i++) {
    const { id, data } = carFrame(i);
    bus.send(id, [...data]);
  }
  bus.stop();
}

/** Receives a queue of frames and looks once, with every frame handed on, as to the recorder. */
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
  receiver.start();
  while (ring.waiting < frames && performance.now() - began < 20_000) Atomics.wait(idle, 0, 0, 5);
  const looked = performance.now();
  if (decoded !== null) decoded.take([], 0);
  else {
    for (let count = -1; count !== 0; ) {
      batch.clear();
      count = ring.drain(batch, 0, timesUs);
      ours.consume(batch, 0, count, timesUs);
    }
  }
  (native ?? ours).drain();
  const lookS = (performance.now() - looked) / 1000;
  const now = process.cpuUsage(used);
  receiver.stop();
  const accepted = ours.messages.reduce((sum, record) => sum + record.accepted, 0);
  if (accepted !== frames) throw new Error(`${accepted} of ${frames} frames`);
  return { cpuS: (now.user + now.system) / 1e6, lookS };
}

const idle = new Int32Array(new SharedArrayBuffer(4));

/** Frames of a batch through `consume`, processor time per million: decoding alone, without reception. */
export function decodeAlone(canRx: CanRxModule, isNative: boolean): number {
  const { batch, tUs } = framesOf(
    Array.from({ length: 3000 }, (_, i) => ({ ...carFrame(i), tUs: i * 1000 })),
  );
  const ours = profile();
  const decoder = isNative ? new NativeProfile(canRx, ours) : ours;
  const times = (rounds: number) => {
    for (let round = 0; round < rounds; round++) decoder.consume(batch, 0, batch.count, tUs);
  };
  times(50); // warm
  const used = process.cpuUsage();
  times(1000);
  const { user, system } = process.cpuUsage(used);
  return (user + system) / (1000 * batch.count);
}
