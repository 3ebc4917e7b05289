/** CAN as an output of a bridge: the ego's frames are encoded once a step and handed to every sink. */
import { FRAME_STRIDE, FrameBatch } from '../../daemon/core/can/frame-batch.js';
import type { DriveMcpError } from '../../daemon/core/errors.js';
import { EgoBus, type EgoBusOptions } from '../carla/drive/ego-bus.js';
import type { BridgeOutput, BridgeStep, OutputCounters } from './bridge-output.js';

const batchFrames = 1024;

/** Where frames go: a log, an interface. */
export interface FrameSink {
  readonly name: string;
  /** As `BridgeOutput.open`. */
  open?(fail: (error: DriveMcpError) => void, signal: AbortSignal): Promise<void>;
  /**
   * Takes the frames that were complete on the bus in this step, in order, `tUs` on the bridge's clock. The batch is the
   * caller's and changes after the call.
   */
  take(batch: FrameBatch, tUs: Float64Array): void;
  counters(): OutputCounters;
  close(): Promise<void>;
}

export interface CanBridgeOptions extends EgoBusOptions {
  /** as it stands in logs */
  readonly busName: string;
  readonly sinks: readonly FrameSink[];
}

export class CanBridge implements BridgeOutput {
  readonly name = 'can';
  readonly #bus: EgoBus;
  readonly #sinks: readonly FrameSink[];
  readonly #batch: FrameBatch;
  readonly #tUs = new Float64Array(batchFrames);
  #frames = 0;

  constructor({ busName, sinks, ...bus }: CanBridgeOptions) {
    this.#bus = new EgoBus(bus);
    this.#sinks = sinks;
    this.#batch = new FrameBatch(batchFrames, [busName]);
  }

  async open(fail: (error: DriveMcpError) => void, signal: AbortSignal): Promise<void> {
    // Buses are listened to at the same time.
    await Promise.all(this.#sinks.map((sink) => sink.open?.(fail, signal)));
  }

  step(step: BridgeStep): void {
    const batch = this.#batch;
    this.#bus.step(step, (atUs, id, data) => {
      if (batch.isFull) this.#hand();
      const i = batch.count++;
      this.#tUs[i] = atUs;
      batch.tS[i] = atUs / 1e6;
      batch.id[i] = id;
      batch.length[i] = data.length;
      batch.dlc[i] = data.length;
      batch.data.set(data, i * FRAME_STRIDE);
    });
    this.#hand();
  }

  counters(): OutputCounters {
    const all: Record<string, OutputCounters[string]> = { frames: this.#frames };
    for (const sink of this.#sinks)
      for (const [key, value] of Object.entries(sink.counters())) all[`${sink.name}.${key}`] = value;
    return all;
  }

  async close(): Promise<void> {
    for (const sink of this.#sinks) await sink.close();
  }

  #hand(): void {
    const batch = this.#batch;
    if (batch.count === 0) return;
    this.#frames += batch.count;
    for (const sink of this.#sinks) sink.take(batch, this.#tUs);
    batch.clear();
  }
}
