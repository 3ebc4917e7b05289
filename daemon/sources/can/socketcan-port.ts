/**
 * A CAN interface through the npm package `socketcan`: for comparison, and for machines where our module cannot be built.
 * It can send, so the proof that nothing can be transmitted does not hold with it. One object a frame, no drop counter.
 */
import { createRequire } from 'node:module';
import { ERROR_ALL } from '../../core/can/error-frame.js';
import {
  FRAME_ERROR,
  FRAME_EXT,
  FRAME_FD,
  FRAME_REMOTE,
  FRAME_STRIDE,
  type FrameBatch,
} from '../../core/can/frame-batch.js';
import { DriveMcpError } from '../../core/errors.js';
import type { CanCounters, CanPort } from './can-port.js';
import { holdUntilClosed, stopChannel } from './stopped-channel.js';

interface Message {
  readonly id: number;
  readonly ext?: boolean;
  readonly rtr?: boolean;
  readonly err?: boolean;
  readonly canfd?: boolean;
  readonly data: Buffer;
  readonly ts_sec?: number;
  readonly ts_usec?: number;
}

interface Channel {
  addListener(event: 'onMessage', listener: (message: Message) => void): void;
  addListener(event: 'onStopped', listener: () => void): void;
  setErrorFilters(mask: number): void;
  start(): void;
  stop(): void;
}

type CreateChannel = (name: string, timestamps: boolean) => Channel;

/** Waiting frames: the newest are dropped and counted when nobody drains, as in the native ring. */
const waitingFramesMax = 65_536;
const ENETDOWN = 100;
const ENODEV = 19;

export class SocketcanPort implements CanPort {
  readonly driver = 'socketcan';
  readonly isReceiveOnly = false;
  readonly #create: CreateChannel;
  readonly #waiting: Message[] = [];
  #channel: Channel | null = null;
  #frames = 0;
  #errorFrames = 0;
  #dropped = 0;
  #failures = 0;
  #lastErrno = 0;

  /** @throws DriveMcpError CAN_UNAVAILABLE where the package is missing or refuses */
  constructor(readonly name: string) {
    try {
      const loaded = createRequire(import.meta.url)('socketcan') as { createRawChannel: CreateChannel };
      this.#create = loaded.createRawChannel;
    } catch (cause) {
      throw new DriveMcpError('CAN_UNAVAILABLE', 'the package socketcan is not installed', {
        cause,
        hint: 'it is an optional dependency and needs a compiler; the native driver does not need it',
      });
    }
    this.rebind();
  }

  get isBound(): boolean {
    return this.#channel !== null;
  }

  drain(batch: FrameBatch, bus: number, timesUs: Float64Array): number {
    const count = Math.min(this.#waiting.length, batch.capacity - batch.count);
    for (const message of this.#waiting.splice(0, count)) {
      const i = batch.count++;
      const length = Math.min(message.data.length, FRAME_STRIDE);
      timesUs[i] = (message.ts_sec ?? 0) * 1e6 + (message.ts_usec ?? 0);
      batch.tS[i] = timesUs[i]! / 1e6;
      batch.id[i] = message.id;
      batch.flags[i] =
        (message.ext === true ? FRAME_EXT : 0) |
        (message.rtr === true ? FRAME_REMOTE : 0) |
        (message.err === true ? FRAME_ERROR : 0) |
        (message.canfd === true ? FRAME_FD : 0);
      batch.length[i] = message.rtr === true ? 0 : length;
      batch.dlc[i] = length;
      batch.bus[i] = bus;
      batch.line[i] = 0;
      batch.data.set(message.data.subarray(0, batch.length[i]), i * FRAME_STRIDE);
    }
    return count;
  }

  /** A channel of this package cannot be bound anew: it is replaced. */
  rebind(): number {
    if (this.#channel !== null) stopChannel(this.#channel);
    this.#channel = null;
    try {
      const channel = this.#create(this.name, true);
      channel.setErrorFilters(ERROR_ALL);
      channel.addListener('onMessage', (message) => this.#take(message));
      channel.addListener('onStopped', () => {
        // Stopping it again would make the package abort the process.
        if (this.#channel === channel) this.#channel = null;
        holdUntilClosed(channel);
        this.#failures++;
        this.#lastErrno = ENETDOWN;
      });
      channel.start();
      this.#channel = channel;
      this.#lastErrno = 0;
      return 0;
    } catch {
      this.#failures++;
      this.#lastErrno = ENODEV;
      return ENODEV;
    }
  }

  counters(): CanCounters {
    return {
      frames: this.#frames,
      errorFrames: this.#errorFrames,
      malformed: 0,
      kernelDrops: 0,
      ringDrops: this.#dropped,
      failures: this.#failures,
      lastErrno: this.#lastErrno,
      heartbeat: null,
      timeSource: this.#frames > 0 ? 'kernel' : 'none',
    };
  }

  close(): void {
    if (this.#channel !== null) stopChannel(this.#channel);
    this.#channel = null;
  }

  #take(message: Message): void {
    this.#frames++;
    if (message.err === true) this.#errorFrames++;
    if (this.#waiting.length >= waitingFramesMax) this.#dropped++;
    else this.#waiting.push(message);
  }
}
