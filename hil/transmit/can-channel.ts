/**
 * A CAN interface that can be sent on, through npm `socketcan`: the only place of this project that gives frames of a
 * simulation to a kernel. Optional dependency, loaded when a channel is opened.
 */
import { createRequire } from 'node:module';
import { ERROR_ALL, type ErrorReport, readErrorFrame } from '../../daemon/core/can/error-frame.js';
import { causeText } from '../../daemon/core/cause-text.js';
import { DriveMcpError } from '../../daemon/core/errors.js';

export interface SentFrame {
  readonly id: number;
  readonly ext: boolean;
  readonly data: Uint8Array;
}

export interface HeardFrame extends SentFrame {
  readonly rtr: boolean;
}

export interface ChannelEars {
  /** Somebody else's frame: a socket does not hear what it sends itself, nor does it hear an echo of it. */
  heard(frame: HeardFrame): void;
  /** what the controller reports about itself */
  reported?(report: ErrorReport): void;
  /** the interface went down or away; nothing can be sent any more */
  stopped?(): void;
}

interface Message {
  readonly id: number;
  readonly ext?: boolean;
  readonly rtr?: boolean;
  readonly err?: boolean;
  readonly data: Buffer;
}

interface RawChannel {
  addListener(event: 'onMessage', listener: (message: Message) => void): void;
  addListener(event: 'onStopped', listener: () => void): void;
  setErrorFilters(mask: number): void;
  start(): void;
  stop(): void;
  send(message: Message): number;
}

interface Package {
  createRawChannelWithOptions(name: string, options: { readonly non_block_send: boolean }): RawChannel;
}

/**
 * Channels are kept for the life of the process: the package frees the handles of the event loop together with the
 * channel, and libuv aborts where a collection of garbage comes before it has closed them (native/can.cc 4.0.7).
 */
const kept = new Set<RawChannel>();

export class CanChannel {
  readonly #channel: RawChannel;
  #isStopped = false;

  /** @throws DriveMcpError CAN_UNAVAILABLE where the package is missing or the interface cannot be opened */
  constructor(
    readonly name: string,
    ears: ChannelEars,
  ) {
    const socketcan = loadPackage();
    try {
      const channel = socketcan.createRawChannelWithOptions(name, { non_block_send: true });
      kept.add(channel);
      channel.setErrorFilters(ERROR_ALL);
      channel.addListener('onMessage', ({ id, ext, rtr, err, data }) => {
        if (err === true) ears.reported?.(readErrorFrame(id, data, 0, data.length));
        else ears.heard({ id, ext: ext === true, rtr: rtr === true, data });
      });
      channel.addListener('onStopped', () => {
        // The package calls this for a stop of ours as well.
        if (this.#isStopped) return;
        this.#isStopped = true;
        ears.stopped?.();
      });
      channel.start();
      this.#channel = channel;
    } catch (cause) {
      throw new DriveMcpError('CAN_UNAVAILABLE', `${name} cannot be opened: ${causeText(cause)}`, { cause });
    }
  }

  /** False where the kernel does not take the frame now: its queue is full, or the interface is not up. */
  send({ id, ext, data }: SentFrame): boolean {
    if (this.#isStopped) return false;
    return this.#channel.send({ id, ext, rtr: false, data: Buffer.from(data) }) >= 0;
  }

  close(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#channel.stop();
  }
}

function loadPackage(): Package {
  try {
    return createRequire(import.meta.url)('socketcan') as Package;
  } catch (cause) {
    throw new DriveMcpError('CAN_UNAVAILABLE', 'the package socketcan is not installed', {
      cause,
      hint: 'frames are sent through this optional dependency, which needs a compiler: npm install socketcan',
    });
  }
}
