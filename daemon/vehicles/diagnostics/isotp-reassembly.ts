/**
 * Passive ISO-TP reassembly (ISO 15765-2): it hears both directions and sends nothing, so flow control is
 * observed. Memory is bounded: a first frame costs its announced length only below `messageBytes`, and open
 * messages together no more than `totalBytes`; beyond that the oldest is given up.
 */
import type { IsoTpStream, OpenMessage } from './isotp-stream.js';
import type { Incomplete, TransportError } from './transport-error.js';

export const isoTpLimits = {
  /** longest message that is accepted; classic first frames announce up to 4,095 */
  messageBytes: 65_536,
  totalBytes: 1_048_576,
  openMessages: 256,
  /** flow control frames between two data frames that may prolong the wait (N_WFTmax and then some) */
  flowControls: 16,
  /** N_Cr, s */
  consecutiveFrameS: 1,
} as const;

/** Times of logs are float64 seconds since 1970: 1 s after is exact to a microsecond at best. */
const timeToleranceS = 2e-6;

export interface IsoTpListener {
  /** A complete message; `bytes` is the listener's to keep. */
  message(stream: IsoTpStream, tS: number, bytes: Uint8Array): void;
  failed(stream: IsoTpStream, tS: number, error: TransportError, incomplete?: Incomplete): void;
}

export interface IsoTpCounters {
  messages: number;
  /** consecutive frames passed over after a refused first frame */
  passedOver: number;
  /** open messages given up because there were too many */
  evicted: number;
}

export class IsoTpReassembly {
  readonly counters: IsoTpCounters = { messages: 0, passedOver: 0, evicted: 0 };
  /** no open message runs out before that */
  nextDeadlineS = Number.POSITIVE_INFINITY;
  readonly #listener: IsoTpListener;
  readonly #open = new Set<IsoTpStream>();
  #openBytes = 0;

  constructor(listener: IsoTpListener) {
    this.#listener = listener;
  }

  get openMessages(): number {
    return this.#open.size;
  }

  get openBytes(): number {
    return this.#openBytes;
  }

  /** A frame of `stream`: `length` bytes of `data` from `start`. */
  accept(stream: IsoTpStream, data: Uint8Array, start: number, length: number, tS: number): void {
    const { addressByte } = stream.address;
    const at = addressByte === null ? start : start + 1;
    const end = start + length;
    if (at >= end) {
      this.#fail(stream, tS, 'malformed');
      return;
    }
    const control = data[at]!;
    switch (control >> 4) {
      case 0:
        this.#single(stream, data, at, end, tS);
        return;
      case 1:
        this.#first(stream, data, at, end, tS);
        return;
      case 2:
        this.#consecutive(stream, data, at, end, tS);
        return;
      case 3:
        this.#flowControl(stream, control & 15, end - at, tS);
        return;
      default:
        this.#fail(stream, tS, 'malformed');
    }
  }

  /** Ends the messages whose time ran out before `tS`, each with the time when it did. */
  expire(tS: number): void {
    const late = [...this.#open].filter((stream) => stream.open!.deadlineS + timeToleranceS < tS);
    late.sort((a, b) => a.open!.deadlineS - b.open!.deadlineS);
    for (const stream of late) this.#drop(stream, stream.open!.deadlineS, 'timeout');
    this.#lookAhead();
  }

  /** The end of the input: what is still open will not be completed. */
  finish(): void {
    this.expire(Number.POSITIVE_INFINITY);
  }

  /** Gives a message up whose stream is forgotten. */
  abandon(stream: IsoTpStream, tS: number): void {
    if (stream.open === null) return;
    this.counters.evicted++;
    this.#drop(stream, tS, 'interrupted');
  }

  #single(stream: IsoTpStream, data: Uint8Array, at: number, end: number, tS: number): void {
    const nibble = data[at]! & 15;
    // More than 8 bytes in the frame: the length stands in a byte of its own and is longer than a classic one.
    const isLong = end - at + (stream.address.addressByte === null ? 0 : 1) > 8;
    const bytes = isLong ? data[at + 1]! : nibble;
    const from = at + (isLong ? 2 : 1);
    const least = isLong ? (stream.address.addressByte === null ? 8 : 7) : 1;
    if (bytes < least || bytes > end - from || (isLong && nibble !== 0)) {
      this.#fail(stream, tS, 'malformed');
      return;
    }
    this.#begin(stream, tS);
    this.counters.messages++;
    this.#listener.message(stream, tS, data.slice(from, from + bytes));
  }

  #first(stream: IsoTpStream, data: Uint8Array, at: number, end: number, tS: number): void {
    const addressBytes = stream.address.addressByte === null ? 0 : 1;
    const frameBytes = end - at;
    if (frameBytes + addressBytes < 8) {
      this.#refuse(stream, tS, 'malformed');
      return;
    }
    let bytes = ((data[at]! & 15) << 8) | data[at + 1]!;
    let from = at + 2;
    if (bytes === 0) {
      bytes = data[at + 2]! * 0x1000000 + ((data[at + 3]! << 16) | (data[at + 4]! << 8) | data[at + 5]!);
      from = at + 6;
      if (bytes <= 4095) {
        this.#refuse(stream, tS, 'malformed');
        return;
      }
    }
    // A message that fits into a single frame of this size is none that may begin with a first frame.
    const fitsSingle = frameBytes + addressBytes > 8 ? frameBytes - 2 : frameBytes - 1;
    if (bytes <= fitsSingle) {
      this.#refuse(stream, tS, 'malformed');
      return;
    }
    if (bytes > isoTpLimits.messageBytes) {
      this.#refuse(stream, tS, 'too_long', { receivedBytes: end - from, announcedBytes: bytes });
      return;
    }
    this.#begin(stream, tS);
    this.#makeRoom(bytes, tS);
    const open: OpenMessage = {
      bytes: new Uint8Array(bytes),
      received: end - from,
      nextSequence: 1,
      frameBytes,
      deadlineS: tS + isoTpLimits.consecutiveFrameS,
      flowControls: 0,
    };
    open.bytes.set(data.subarray(from, end));
    stream.open = open;
    this.#open.add(stream);
    this.#openBytes += bytes;
    this.nextDeadlineS = Math.min(this.nextDeadlineS, open.deadlineS);
  }

  #consecutive(stream: IsoTpStream, data: Uint8Array, at: number, end: number, tS: number): void {
    const { open } = stream;
    if (open === null) {
      if (tS <= stream.refusedUntilS) {
        stream.refusedUntilS = tS + isoTpLimits.consecutiveFrameS;
        this.counters.passedOver++;
        return;
      }
      this.#fail(stream, tS, 'unexpected');
      return;
    }
    if ((data[at]! & 15) !== open.nextSequence) {
      this.#drop(stream, tS, 'sequence');
      return;
    }
    const due = Math.min(open.bytes.length - open.received, open.frameBytes - 1);
    if (end - at - 1 < due) {
      this.#drop(stream, tS, 'malformed');
      return;
    }
    open.bytes.set(data.subarray(at + 1, at + 1 + due), open.received);
    open.received += due;
    open.nextSequence = (open.nextSequence + 1) & 15;
    open.deadlineS = tS + isoTpLimits.consecutiveFrameS;
    open.flowControls = 0;
    if (open.received < open.bytes.length) return;
    this.#close(stream);
    this.counters.messages++;
    this.#listener.message(stream, tS, open.bytes);
  }

  /** 0 go on, 1 wait, 2 overflow: it is for the message that goes the other way. */
  #flowControl(stream: IsoTpStream, status: number, bytes: number, tS: number): void {
    if (status > 2 || bytes < 3) {
      this.#fail(stream, tS, 'malformed');
      return;
    }
    const sender = stream.answersTo.find((other) => other.open !== null);
    if (sender === undefined || sender.open!.flowControls >= isoTpLimits.flowControls) {
      this.#fail(stream, tS, 'flow_control_ignored');
      return;
    }
    if (status === 2) {
      this.#drop(sender, tS, 'too_long');
      return;
    }
    sender.open!.flowControls++;
    sender.open!.deadlineS = Math.max(sender.open!.deadlineS, tS + isoTpLimits.consecutiveFrameS);
  }

  /** A new message on `stream`: one that is not complete is so for ever. */
  #begin(stream: IsoTpStream, tS: number): void {
    stream.refusedUntilS = Number.NEGATIVE_INFINITY;
    if (stream.open !== null) this.#drop(stream, tS, 'interrupted');
  }

  #refuse(stream: IsoTpStream, tS: number, error: TransportError, incomplete?: Incomplete): void {
    this.#begin(stream, tS);
    stream.refusedUntilS = tS + isoTpLimits.consecutiveFrameS;
    this.#fail(stream, tS, error, incomplete);
  }

  #makeRoom(bytes: number, tS: number): void {
    for (const oldest of this.#open) {
      if (this.#open.size < isoTpLimits.openMessages && this.#openBytes + bytes <= isoTpLimits.totalBytes) {
        return;
      }
      this.counters.evicted++;
      this.#drop(oldest, tS, 'interrupted');
    }
  }

  #drop(stream: IsoTpStream, tS: number, error: TransportError): void {
    const { bytes, received } = stream.open!;
    this.#close(stream);
    this.#fail(stream, tS, error, {
      receivedBytes: received,
      announcedBytes: bytes.length,
      received: bytes.subarray(0, received),
    });
  }

  #close(stream: IsoTpStream): void {
    this.#openBytes -= stream.open!.bytes.length;
    this.#open.delete(stream);
    stream.open = null;
    if (this.#open.size === 0) this.nextDeadlineS = Number.POSITIVE_INFINITY;
  }

  #lookAhead(): void {
    let next = Number.POSITIVE_INFINITY;
    for (const stream of this.#open) next = Math.min(next, stream.open!.deadlineS);
    this.nextDeadlineS = next;
  }

  #fail(stream: IsoTpStream, tS: number, error: TransportError, incomplete?: Incomplete): void {
    this.#listener.failed(stream, tS, error, incomplete);
  }
}
