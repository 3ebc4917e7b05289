/** CAN interfaces as the source of a live run: looked at once a tick, never waited for. */
import { FrameBatch } from '../../core/can/frame-batch.js';
import { interfaceSourceState } from '../../core/can/interface-source.js';
import type { JsonObject, SignalSample, SourceState } from '../../core/tick.js';
import type { FactInput } from '../../core/world/facts.js';
import type { Clock, DriveSource, VehicleProfile } from '../../ports.js';
import { type CanInterface, type InterfaceNews, interfaceBatchFrames } from './can-interface.js';
import type { DecodedFrames } from './decoded-frames.js';
import { interfaceObject } from './interface-pump.js';
import { hearLinks, type LinkWatch } from './link-watch.js';
import type { TransmitAttempts } from './transmit-attempts.js';

/** A larger jump of the wall clock against the monotonic one is a step of the clock. */
const clockStepUs = 50_000;

export interface InterfaceDriveParts {
  readonly interfaces: readonly CanInterface[];
  readonly links: LinkWatch;
  readonly profile: VehicleProfile;
  /** where frames are decoded as they are received; null: by the profile, once a tick */
  readonly decoded: DecodedFrames | null;
  readonly clock: Clock;
  /** realtime − `clock.monoUs()`, µs; read once a tick, because the realtime clock may be set */
  readonly clockOffsetUs: () => number;
  readonly onNews: (news: InterfaceNews) => void;
  /** verified when they were opened; an interface that comes back another way blinds the daemon like a lost one */
  readonly requiresListenOnly: boolean;
  /** attempts to send that the sandbox denied; null where no sandbox is on */
  readonly transmitAttempts: TransmitAttempts | null;
}

export class InterfaceDrive implements DriveSource {
  readonly digest = 'live';
  readonly isSimulated = false;
  startWallMs: number | null = null;
  readonly diagnosticCount = 0;
  frameCount = 0;
  /** steps of the wall clock seen; frames carry its time, so they are placed anew after one */
  clockSteps = 0;
  readonly #parts: InterfaceDriveParts;
  readonly #batch: FrameBatch;
  readonly #wallUs = new Float64Array(interfaceBatchFrames);
  readonly #tUs = new Float64Array(interfaceBatchFrames);
  readonly #lastUs: number[];
  /** realtime at drive time 0 by the offset read last, µs */
  #zeroWallUs = 0;
  #startUs = 0;
  /** drive time of the tick */
  #nowUs = 0;

  constructor(parts: InterfaceDriveParts) {
    this.#parts = parts;
    const names = parts.interfaces.map((one) => one.port.name);
    this.#batch = new FrameBatch(interfaceBatchFrames, names);
    this.#lastUs = parts.interfaces.map(() => 0);
  }

  /** Reads from now on; drive time 0 is the monotonic time `startUs`, about now. */
  start(startUs: number): void {
    this.#startUs = startUs;
    this.startWallMs = this.#parts.clock.wallMs() - (this.#parts.clock.monoUs() - startUs) / 1000;
    this.#zeroWallUs = this.#wallAtZero();
    this.#parts.decoded?.start(startUs);
  }

  get description(): string {
    return this.#parts.interfaces.map((one) => `${one.port.name} (${one.port.driver})`).join(', ');
  }

  advance(tUs: number): Promise<boolean> {
    const zeroUs = this.#wallAtZero();
    if (Math.abs(zeroUs - this.#zeroWallUs) > clockStepUs) this.clockSteps++;
    this.#zeroWallUs = zeroUs;
    const { links, interfaces, decoded, onNews } = this.#parts;
    hearLinks(links, interfaces, tUs);
    this.#nowUs = tUs;
    for (const one of interfaces) if (one.checkPort(tUs)) links.ask();
    if (decoded !== null) this.frameCount += decoded.take(interfaces, tUs);
    else for (const [bus, one] of interfaces.entries()) this.#take(one, bus, tUs);
    for (const one of interfaces) for (const news of one.takeNews()) onNews(news);
    return Promise.resolve(true);
  }

  drainFacts(): FactInput[] {
    return [];
  }

  drainSignals(): SignalSample[] {
    return this.#parts.profile.drain(this.#nowUs);
  }

  states(): SourceState[] {
    const { requiresListenOnly } = this.#parts;
    const states = this.#parts.interfaces.map(({ life, listenOnly }) =>
      interfaceSourceState(life, listenOnly, requiresListenOnly),
    );
    const attempts = this.#parts.transmitAttempts?.state() ?? null;
    return attempts === null ? states : [...states, attempts];
  }

  heartbeats(): readonly number[] {
    return this.#parts.interfaces.flatMap(({ port }) => port.counters().heartbeat ?? []);
  }

  /** What was received and lost, an entry an interface. */
  counters(): JsonObject {
    const { requiresListenOnly } = this.#parts;
    const interfaces = this.#parts.interfaces.map((one) =>
      interfaceObject(one, this.#nowUs, requiresListenOnly),
    );
    const denied = this.#parts.transmitAttempts?.total ?? null;
    return { frames: this.frameCount, clock_steps: this.clockSteps, transmit_attempts: denied, interfaces };
  }

  close(): Promise<void> {
    for (const one of this.#parts.interfaces) one.port.close();
    this.#parts.links.close();
    return Promise.resolve();
  }

  #wallAtZero(): number {
    // Read together in the native module, so that a preemption between two readings is no step of the clock.
    return this.#parts.clockOffsetUs() + this.#startUs;
  }

  #take(one: CanInterface, bus: number, tUs: number): void {
    for (let hasMore = true; hasMore; ) {
      this.#batch.clear();
      const count = one.drain(this.#batch, bus, this.#wallUs, tUs);
      hasMore = count === interfaceBatchFrames;
      let lastUs = this.#lastUs[bus]!;
      for (let i = 0; i < count; i++) {
        // Never newer than this tick, never older than the frame before: a step of the clock moves no order.
        const receivedUs = Math.min(Math.floor(this.#wallUs[i]! - this.#zeroWallUs), tUs);
        if (receivedUs > lastUs) lastUs = receivedUs;
        this.#tUs[i] = lastUs;
      }
      this.#lastUs[bus] = lastUs;
      this.frameCount += count;
      if (count > 0) this.#parts.profile.consume(this.#batch, 0, count, this.#tUs.subarray(0, count));
    }
  }
}
