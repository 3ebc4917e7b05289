/** One watched interface: its port, its life, and what has to be done when it goes and comes. */
import { readErrorFrame } from '../../core/can/error-frame.js';
import { FRAME_ERROR, FRAME_STRIDE, type FrameBatch } from '../../core/can/frame-batch.js';
import {
  type InterfaceEvent,
  type InterfaceInput,
  type InterfaceLife,
  type InterfaceState,
  newInterfaceLife,
  stepInterface,
} from '../../core/can/interface-life.js';
import { type ListenOnlyFinding, listenOnlyFinding } from '../../core/can/listen-only.js';
import type { CanPort } from './can-port.js';
import type { CanController, LinkMessage } from './link-message.js';

export interface InterfaceNews {
  readonly tUs: number;
  readonly name: string;
  readonly from: InterfaceState;
  readonly to: InterfaceState;
  readonly events: readonly InterfaceEvent[];
}

const batchFrames = 4096;

export class CanInterface {
  life: InterfaceLife;
  /** facts of the controller from the last link message; null for virtual interfaces */
  controller: CanController | null = null;
  /** driver family of the link: `can`, `vcan`; null until the first link message */
  family: string | null = null;
  rebinds = 0;
  rebindFailures = 0;
  /** state changes and events since the last `takeNews` */
  #news: InterfaceNews[] = [];
  #seenFailures = 0;
  #mustRebind: boolean;

  constructor(
    readonly port: CanPort,
    tUs: number,
  ) {
    this.life = newInterfaceLife(port.name, tUs);
    this.#mustRebind = !port.isBound;
  }

  /** By the last link message. */
  get listenOnly(): ListenOnlyFinding {
    const { life, family, controller } = this;
    return listenOnlyFinding({ isPresent: life.index !== null, family, controller });
  }

  /** An announcement of the kernel about this interface. */
  onLink(message: Extract<LinkMessage, { kind: 'link' | 'gone' }>, tUs: number): void {
    if (message.kind === 'gone') {
      if (this.life.index !== null && message.index !== this.life.index) return; // about a predecessor
      this.#step({ kind: 'gone' }, tUs);
      return;
    }
    this.family = message.family;
    this.controller = message.controller;
    const controller = message.controller?.state ?? null;
    this.#step({ kind: 'link', link: { index: message.index, isUp: message.isUp, controller } }, tUs);
    if (this.#mustRebind) {
      this.rebinds++;
      if (this.port.rebind() === 0) this.#mustRebind = false;
      else this.rebindFailures++;
    }
  }

  /** Looks at the socket's failures, once a tick; true: the kernel must be asked for the state of the links. */
  checkPort(tUs: number): boolean {
    const { failures } = this.port.counters();
    if (failures === this.#seenFailures) return false;
    this.#seenFailures = failures;
    return this.#step({ kind: 'failure' }, tUs);
  }

  /** Moves waiting frames into the batch; error frames among them are taken as reports about the interface. */
  drain(batch: FrameBatch, bus: number, timesUs: Float64Array, tUs: number): number {
    const from = batch.count;
    const count = this.port.drain(batch, bus, timesUs);
    this.look(batch, bus, from, tUs);
    return count;
  }

  /** What the frames of `bus` from the batch's frame `from` on say about the interface. */
  look(batch: FrameBatch, bus: number, from: number, tUs: number): void {
    let hasData = false;
    for (let i = from; i < batch.count; i++) {
      if (batch.bus[i] !== bus) continue;
      if ((batch.flags[i]! & FRAME_ERROR) === 0) {
        hasData = true;
        continue;
      }
      const report = readErrorFrame(batch.id[i]!, batch.data, i * FRAME_STRIDE, batch.length[i]!);
      this.#step({ kind: 'error_frame', report }, tUs);
      hasData = false; // only frames after the last report say anything against it
    }
    if (hasData) this.#step({ kind: 'frames' }, tUs);
  }

  takeNews(): InterfaceNews[] {
    const news = this.#news;
    this.#news = [];
    return news;
  }

  #step(input: InterfaceInput, tUs: number): boolean {
    const step = stepInterface(this.life, input, tUs);
    if (step.mustRebind) this.#mustRebind = true;
    if (step.changedFrom !== null || step.events.length > 0) {
      this.#news.push({
        tUs,
        name: this.life.name,
        from: this.life.state,
        to: step.life.state,
        events: step.events,
      });
    }
    this.life = step.life;
    return step.mustAsk;
  }
}

/** Size of the batches that interfaces are drained into. */
export const interfaceBatchFrames = batchFrames;
