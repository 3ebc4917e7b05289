/**
 * One CAN interface as the daemon sees it, whichever driver stands behind: frames out, never in. There is no way to send.
 */
import type { FrameBatch } from '../../core/can/frame-batch.js';

export interface CanCounters {
  readonly frames: number;
  readonly errorFrames: number;
  readonly malformed: number;
  /** lost in the kernel: the socket's queue was full */
  readonly kernelDrops: number;
  /** not handed on: the ring was full; where frames are decoded as they come, only the recorder misses them */
  readonly ringDrops: number;
  readonly failures: number;
  /** errno of the last failure of the socket, 0 after a success */
  readonly lastErrno: number;
  /** turns of the receive thread, which turns on a silent bus too; null where the driver has none */
  readonly heartbeat: number | null;
  /** where receive times come from */
  readonly timeSource: 'none' | 'kernel' | 'hardware' | 'daemon';
}

export interface CanPort {
  readonly name: string;
  readonly driver: 'native' | 'socketcan';
  /** true where the driver's code provably cannot send */
  readonly isReceiveOnly: boolean;
  /** false while the interface is not there */
  readonly isBound: boolean;
  /** Moves waiting frames into the batch; `timesUs` gets their receive times on the realtime clock, µs. */
  drain(batch: FrameBatch, bus: number, timesUs: Float64Array): number;
  /** Binds to the interface again and sets the filters again; 0 or errno. */
  rebind(): number;
  counters(): CanCounters;
  close(): void;
}
