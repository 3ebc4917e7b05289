/** What a bus says at the moment: every identifier with its rate, every known signal with its last value. Bounded. */
import {
  FRAME_ERROR,
  FRAME_EXT,
  FRAME_REMOTE,
  FRAME_STRIDE,
  type FrameBatch,
} from '../../core/can/frame-batch.js';
import type { DecodePlan } from '../../vehicles/dbc/decode-plan.js';
import { FrameDecoder } from '../../vehicles/dbc/frame-decoder.js';
import { readRaw } from '../../vehicles/dbc/read-raw.js';

/** More identifiers than this are not a vehicle but noise: they are counted together. */
const rowsMax = 4096;

export interface BusRow {
  readonly bus: number;
  readonly id: number;
  readonly ext: boolean;
  /** message of the plan, −1 = unknown */
  readonly message: number;
  frames: number;
  /** since the last `nextWindow` */
  framesInWindow: number;
  length: number;
  /** receive time of the last frame, Unix µs */
  lastUs: number;
  readonly data: Uint8Array;
  /** by signal of the message: last value (NaN before the first) and its label */
  readonly values: Float64Array;
  readonly labels: (string | undefined)[];
}

export class BusTable {
  readonly plan: DecodePlan;
  /** frames of identifiers beyond the bound */
  others = 0;
  errorFrames = 0;
  remoteFrames = 0;
  frames = 0;
  readonly #decoder: FrameDecoder;
  readonly #rows = new Map<number, BusRow>();

  constructor(plan: DecodePlan) {
    this.plan = plan;
    this.#decoder = new FrameDecoder(plan);
  }

  /** `timesUs[i]`: receive time of frame i, Unix µs. */
  consume(batch: FrameBatch, timesUs: Float64Array): void {
    for (let i = 0; i < batch.count; i++) this.#frame(batch, i, timesUs[i]!);
  }

  /** By bus and identifier; 29-bit identifiers after 11-bit ones. */
  rows(): BusRow[] {
    return [...this.#rows.values()].sort(
      (a, b) => a.bus - b.bus || Number(a.ext) - Number(b.ext) || a.id - b.id,
    );
  }

  /** Begins the next window of rates. */
  nextWindow(): void {
    for (const row of this.#rows.values()) row.framesInWindow = 0;
  }

  #frame(batch: FrameBatch, i: number, timeUs: number): void {
    this.frames++;
    const flags = batch.flags[i]!;
    if ((flags & FRAME_ERROR) !== 0) {
      this.errorFrames++;
      return;
    }
    if ((flags & FRAME_REMOTE) !== 0) {
      this.remoteFrames++;
      return;
    }
    const row = this.#row(batch.bus[i]!, batch.id[i]!, (flags & FRAME_EXT) !== 0);
    if (row === null) {
      this.others++;
      return;
    }
    row.frames++;
    row.framesInWindow++;
    row.lastUs = timeUs;
    row.length = batch.length[i]!;
    const start = i * FRAME_STRIDE;
    row.data.set(batch.data.subarray(start, start + row.length));
    if (row.message < 0) return;
    this.#decoder.decode(batch, i);
    const { values, present, plan } = this.#decoder;
    const first = plan.messageFirstSignal[row.message]!;
    for (let k = 0; k < row.values.length; k++) {
      if (present[k] !== 1) continue;
      row.values[k] = values[k]!;
      const labels = plan.signalLabels[first + k];
      if (labels) row.labels[k] = labels.get(readRaw(plan, first + k, batch.data, start));
    }
  }

  #row(bus: number, id: number, ext: boolean): BusRow | null {
    // 29 bits of identifier, one of its kind, 16 of bus: below 2^53.
    const key = (bus * 2 + (ext ? 1 : 0)) * 0x20000000 + id;
    const found = this.#rows.get(key);
    if (found) return found;
    if (this.#rows.size >= rowsMax) return null;
    const { plan } = this;
    const message = plan.find(id, ext);
    const signals =
      message < 0 ? 0 : plan.messageFirstSignal[message + 1]! - plan.messageFirstSignal[message]!;
    const row: BusRow = {
      bus,
      id,
      ext,
      message,
      frames: 0,
      framesInWindow: 0,
      length: 0,
      lastUs: 0,
      data: new Uint8Array(FRAME_STRIDE),
      values: new Float64Array(signals).fill(Number.NaN),
      labels: new Array<string | undefined>(signals).fill(undefined),
    };
    this.#rows.set(key, row);
    return row;
  }
}
