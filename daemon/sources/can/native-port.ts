/** A CAN interface through our own receive module. */

import {
  type CanRxModule,
  counterNames,
  type NativeCanReceiver,
  type NativeProfileTable,
} from '../../../native/index.js';
import { ERROR_ALL } from '../../core/can/error-frame.js';
import type { FrameBatch } from '../../core/can/frame-batch.js';
import { causeText } from '../../core/cause-text.js';
import { DriveMcpError } from '../../core/errors.js';
import type { CanCounters, CanPort } from './can-port.js';
import { FrameRing } from './frame-ring.js';

/** 65,536 frames are two seconds of four saturated 1 Mbit/s buses. */
export const ringFrames = 65_536;
const EAFNOSUPPORT = 97;
const EPERM = 1;

export interface NativePortOptions {
  /** identifiers wanted, with flag bits and masks; left out = everything */
  readonly filters?: Uint32Array;
  /** a connected datagram descriptor that stands in for the interface; duplicated */
  readonly fd?: number;
  /**
   * Frames are decoded into this table when they are received, as those of `bus`, and go into the table's ring, which its
   * interfaces share: nothing is left to drain from this port.
   */
  readonly decodeInto?: { readonly table: NativeProfileTable; readonly bus: number };
}

export class NativePort implements CanPort {
  readonly driver = 'native';
  readonly isReceiveOnly = true;
  readonly #receiver: NativeCanReceiver;
  /** null: frames go into the ring of the table */
  readonly #ring: FrameRing | null;
  readonly #counters = new Float64Array(counterNames.length);

  /** @throws DriveMcpError CAN_UNAVAILABLE where the kernel has no CAN or refuses the socket */
  constructor(
    canRx: CanRxModule,
    readonly name: string,
    options: NativePortOptions = {},
  ) {
    const { decodeInto } = options;
    const ring = decodeInto ? null : new FrameRing(ringFrames);
    this.#ring = ring;
    try {
      this.#receiver = new canRx.CanReceiver({
        ...(options.fd === undefined ? { interface: name } : { fd: options.fd }),
        errorMask: ERROR_ALL,
        ...(ring === null ? {} : { ringControl: ring.control, ringSlots: ring.slots }),
        ...(decodeInto ?? {}),
        ...(options.filters ? { filters: options.filters } : {}),
      });
      this.#receiver.start();
    } catch (cause) {
      const errno = (cause as { errno?: number }).errno;
      const hint =
        errno === EAFNOSUPPORT
          ? 'this kernel has no CAN; load it with modprobe can-raw, or use a kernel that has it'
          : errno === EPERM
            ? 'the sandbox allows no further CAN socket'
            : 'ip link show lists the interfaces';
      throw new DriveMcpError('CAN_UNAVAILABLE', `no CAN socket on ${name}: ${causeText(cause)}`, {
        cause,
        hint,
      });
    }
  }

  get isBound(): boolean {
    return this.#receiver.isBound;
  }

  /** descriptor of the socket: the sandbox denies writes to it */
  get descriptor(): number {
    return this.#receiver.descriptor;
  }

  drain(batch: FrameBatch, bus: number, timesUs: Float64Array): number {
    return this.#ring?.drain(batch, bus, timesUs) ?? 0;
  }

  rebind(): number {
    return this.#receiver.rebind();
  }

  counters(): CanCounters {
    const raw = this.#counters;
    this.#receiver.readCounters(raw);
    const at = (name: (typeof counterNames)[number]): number => raw[counterNames.indexOf(name)]!;
    const sources = at('time_sources');
    return {
      frames: at('frames'),
      errorFrames: at('error_frames'),
      malformed: at('malformed'),
      kernelDrops: at('kernel_drops'),
      ringDrops: at('ring_drops'),
      failures: at('failures'),
      lastErrno: at('last_errno'),
      heartbeat: at('heartbeat'),
      timeSource:
        (sources & 4) !== 0
          ? 'hardware'
          : (sources & 2) !== 0
            ? 'kernel'
            : (sources & 1) !== 0
              ? 'daemon'
              : 'none',
    };
  }

  close(): void {
    this.#receiver.stop();
  }
}
