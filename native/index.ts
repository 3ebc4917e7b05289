/**
 * Typed loader of the native modules. They are built by `scripts/prepare` (node-gyp); where they cannot be built the
 * daemon still reads files, pipes, and interfaces through the `socketcan` package, and says what is missing.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Raised together with `kAbi` in the C++ sources whenever a layout or a meaning changes. */
const abi = 3;

/** The typed arrays of a decode plan; the shape of `PlanArrays` in daemon/vehicles/dbc. */
export type NativePlan = Readonly<Record<string, unknown>>;

export interface NativeDecoder {
  /** message index of an identifier without flag bits, or −1 */
  find(id: number, ext: boolean): number;
  /** as `decodeMessage` in daemon/vehicles/dbc; @throws RangeError where an argument is out of bounds */
  decode(
    message: number,
    data: Uint8Array,
    start: number,
    length: number,
    values: Float64Array,
    present: Uint8Array,
  ): number;
}

export interface CanReceiverOptions {
  /** network interface, e.g. `can0`; or */
  readonly interface?: string;
  /** a connected datagram descriptor that carries struct can_frame and canfd_frame (a stand-in); duplicated */
  readonly fd?: number;
  /** pairs of (id with flag bits, mask) for the kernel; left out = every frame */
  readonly filters?: Uint32Array;
  /** classes of error frames wanted (linux/can/error.h) */
  readonly errorMask?: number;
  readonly receiveBufferBytes?: number;
  /** how long datagrams may collect before they are taken, µs (default 2000) */
  readonly collectUs?: number;
  /** decodes what is received, on the receive thread; frames go into its ring then, those of several receivers in order */
  readonly table?: NativeProfileTable;
  /** number of this interface in the table, 0 … 255 */
  readonly bus?: number;
  /** 3 words: written, read, dropped; for a receiver without a table */
  readonly ringControl?: Int32Array;
  /** a power of two of 88-byte slots, layout in native/can_rx/frame_slot.h */
  readonly ringSlots?: Uint8Array;
}

/** Columns of what `NativeProfileTable.read` gives: one row for all, one a mapped message, one a mapped signal. */
export const tableColumns = [
  'frames',
  'unmapped',
  'ignoredError',
  'ignoredRemote',
  'ignoredFd',
  'faults',
  'activeFaults',
  'droppedFaults',
] as const;
export const messageColumns = [
  'frames',
  'accepted',
  'short',
  'long',
  'checksum',
  'stuck',
  'lost',
  'badInRow',
  'fault',
  'firstUs',
  'lastUs',
] as const;
export const signalColumns = [
  'value',
  'isValid',
  'observedAtUs',
  'hasArrived',
  'changes',
  'rejectedInRow',
  'arrived',
  'accepted',
  'notAvailable',
  'notFinite',
  'outOfRange',
  'tooFast',
  'lowest',
  'highest',
] as const;
/** Numbers of the kinds of faults; 0 = none. */
export const faultKinds = [null, 'length', 'checksum', 'counter', 'rate'] as const;

/** The typed arrays of `ReceptionPlan` in daemon/vehicles/profile. */
export type NativeReception = Readonly<Record<string, unknown>>;

/** A vehicle profile at work in the module: frames in, latest values and counts out. */
export interface NativeProfileTable {
  /** float64 places that `read` fills */
  readonly size: number;
  /** drive time 0 on the kernel's monotonic clock, µs; frames received before have the time 0 */
  start(monoUs: number): void;
  /** frames of a batch (its arrays), as `VehicleProfile.consume`; @throws RangeError where an array is too short */
  take(
    id: Uint32Array,
    flags: Uint8Array,
    length: Uint8Array,
    bus: Uint16Array,
    data: Uint8Array,
    from: number,
    to: number,
    tUs: Float64Array,
  ): void;
  /**
   * Copies the state at one moment; arrivals and changes begin anew. Returns the position of the ring, modulo 2^32: what
   * was written before it is in the state, what comes after it is not.
   */
  read(out: Float64Array): number;
  /** rows of: mapped message (for a rate: mapped signal), kind, 1 = began or 0 = ended, time; returns how many */
  drainFaults(out: Float64Array): number;
}

/** Places of `CanReceiver.readCounters`. */
export const counterNames = [
  'frames',
  'error_frames',
  'remote_frames',
  'malformed',
  'kernel_drops',
  'ring_drops',
  'batches',
  'failures',
  'heartbeat',
  'last_frame_us',
  'last_errno',
  'time_sources',
] as const;

export interface NativeCanReceiver {
  start(): void;
  /** joins the thread and closes the descriptor; idempotent */
  stop(): void;
  /** binds to the interface again and sets the filters again; 0 or errno */
  rebind(): number;
  readCounters(out: Float64Array): void;
  readonly descriptor: number;
  /** false: the interface was not there; `rebind` when it appears */
  readonly isBound: boolean;
  readonly receiveBufferBytes: number;
}

export interface CanRxModule {
  readonly Decoder: new (plan: NativePlan) => NativeDecoder;
  /** the ring, where there is one, takes every frame that a receiver gives to the table */
  readonly ProfileTable: new (
    plan: NativePlan,
    reception: NativeReception,
    ring?: { readonly ringControl: Int32Array; readonly ringSlots: Uint8Array },
  ) => NativeProfileTable;
  readonly CanReceiver: new (options: CanReceiverOptions) => NativeCanReceiver;
}

export interface NativeTickTimer {
  stop(): void;
}

export interface HostModule {
  readonly TickTimer: new (
    periodUs: number,
    onTick: (expirations: number, lateUs: number) => void,
    /** until the first tick; default: one period */
    delayUs?: number,
  ) => NativeTickTimer;
  /** SCHED_FIFO for the calling thread alone; 0 or errno (EPERM without CAP_SYS_NICE) */
  realtimeThread(priority: number): number;
  isRealtime(): boolean;
  /**
   * Turns of 100 µs to 100 ms for the calling thread alone, at its ordinary priority: since Linux 6.12 it then goes
   * before a thread that is at work with a longer one. 0 or errno; older kernels ignore it. Absent in a module that was
   * built before there was this function.
   */
  shortSlice?(us: number): number;
  /** what the kernel says of it, µs; 0 = it keeps none */
  sliceUs?(): number;
  /** no thread can write to descriptors from this number on, ever again; 0 or errno */
  denyWrites(firstDescriptor: number): number;
  /** system calls denied so far, in this process and its children; −1 where the kernel cannot tell */
  deniedCalls(): number;
  /** `socket 2, write 1; of child processes: socket 1` */
  describeDenied(): string;
  /** state for the service manager, e.g. `READY=1`; 0, ENOENT where there is none, or errno */
  notify(state: string): number;
  /** realtime − monotonic clock, µs */
  clockOffsetUs(): number;
  /** descriptor or −errno */
  linkSocket(): number;
  /** RTM_GETLINK requests only; 0 or errno */
  linkRequest(fd: number, request: Uint8Array): number;
  /** bytes received, 0 = nothing waits, or −errno */
  linkReceive(fd: number, to: Uint8Array): number;
  socketPair(): [number, number];
  closeDescriptor(fd: number): number;
}

/** Verdicts of the guard in native/obd_tx/guard.h, by number. */
export const requestVerdicts = [
  'allowed',
  'identifier',
  'service',
  'length',
  'sub_function',
  'data_identifier',
] as const;

/** A kernel ISO-TP socket towards one ECU, or all of them (then it only sends). */
export interface NativeIsotpSocket {
  /** 0 or errno (EBUSY: less than 100 ms after the request before); @throws RangeError where the guard refuses */
  send(request: Uint8Array): number;
  /** length of one whole message, 0 = nothing waits, or −errno of a broken one */
  receive(to: Uint8Array): number;
  close(): void;
}

export interface ObdTxModule {
  readonly firstDescriptor: number;
  /** the guard that every request passes: index into `requestVerdicts` */
  checkRequest(id: number, isExtended: boolean, request: Uint8Array): number;
  /** nothing but the guarded sockets can send any more; 0 or errno */
  seal(): number;
  readonly IsotpSocket: new (
    interfaceName: string,
    requestId: number,
    isExtended: boolean,
  ) => NativeIsotpSocket;
}

export type Loaded<T> = { readonly module: T } | { readonly module: null; readonly reason: string };

export function loadCanRx(): Loaded<CanRxModule> {
  return load<CanRxModule>('can_rx');
}

export function loadHost(): Loaded<HostModule> {
  return load<HostModule>('host');
}

/** The module that can send: only the poller loads it. */
export function loadObdTx(): Loaded<ObdTxModule> {
  return load<ObdTxModule>('obd_tx');
}

function load<T>(name: string): Loaded<T> {
  const path = fileURLToPath(new URL(`../../build/Release/${name}.node`, import.meta.url));
  let loaded: T & { readonly abi?: number };
  try {
    loaded = createRequire(import.meta.url)(path) as T & { readonly abi?: number };
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND' ? 'it is not built' : (error as Error).message;
    return { module: null, reason: `${name}.node: ${reason}` };
  }
  if (loaded.abi !== abi) return { module: null, reason: `${name}.node was built for another version; build it again` };
  return { module: loaded };
}
