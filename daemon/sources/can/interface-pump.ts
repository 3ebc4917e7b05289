/** Frames of interfaces as they come, for commands that only look: no profile, no ticks, the same care for what is lost. */
import { FrameBatch } from '../../core/can/frame-batch.js';
import { adviceFor } from '../../core/can/interface-source.js';
import type { JsonObject } from '../../core/tick.js';
import { type CanInterface, type InterfaceNews, interfaceBatchFrames } from './can-interface.js';
import { hearLinks } from './link-watch.js';
import type { OpenedInterfaces } from './open-interfaces.js';

export class InterfacePump {
  readonly #opened: OpenedInterfaces;
  readonly #batch: FrameBatch;
  readonly #timesUs = new Float64Array(interfaceBatchFrames);

  constructor(
    opened: OpenedInterfaces,
    /** is given each batch with the receive times of its frames, Unix µs; both are reused */
    readonly onFrames: (batch: FrameBatch, timesUs: Float64Array) => void,
    readonly onNews: (news: InterfaceNews) => void,
  ) {
    this.#opened = opened;
    const names = opened.interfaces.map((one) => one.port.name);
    this.#batch = new FrameBatch(interfaceBatchFrames, names);
  }

  get interfaces(): readonly CanInterface[] {
    return this.#opened.interfaces;
  }

  /** Takes what waits; to be called every few milliseconds. `tUs` is the monotonic time, for states. */
  turn(tUs: number): void {
    const { interfaces, links } = this.#opened;
    hearLinks(links, interfaces, tUs);
    for (const [bus, one] of interfaces.entries()) {
      if (one.checkPort(tUs)) links.ask();
      for (let hasMore = true; hasMore; ) {
        this.#batch.clear();
        const count = one.drain(this.#batch, bus, this.#timesUs, tUs);
        hasMore = count === interfaceBatchFrames;
        if (count > 0) this.onFrames(this.#batch, this.#timesUs);
      }
      for (const news of one.takeNews()) this.onNews(news);
    }
  }

  close(): void {
    for (const one of this.#opened.interfaces) one.port.close();
    this.#opened.links.close();
  }
}

/** An interface for people and programs: state with its age and what to do about it, what came and what was lost. */
export function interfaceObject(one: CanInterface, tUs: number, requiresListenOnly = false): JsonObject {
  const { life, port, controller, listenOnly, rebinds } = one;
  const { frames, errorFrames, malformed, kernelDrops, ringDrops, timeSource } = port.counters();
  return {
    name: life.name,
    state: life.state,
    state_s: Math.max(0, tUs - life.sinceUs) / 1e6,
    advice: adviceFor(life, listenOnly, requiresListenOnly),
    driver: port.driver,
    bitrate: controller?.bitrate ?? null,
    listen_only: controller?.isListenOnly ?? null,
    frames,
    error_frames: errorFrames,
    malformed,
    kernel_drops: kernelDrops,
    ring_drops: ringDrops,
    time_source: timeSource,
    outages: life.outages,
    outage_s: life.outageUs / 1e6,
    rebinds,
    ...life.events,
  };
}

/** Frames that an interface delivered and nobody got. */
export function lostFrames(one: CanInterface): number {
  const { kernelDrops, ringDrops } = one.port.counters();
  return kernelDrops + ringDrops;
}
