/**
 * Control units on a CAN interface. Requests and their flow controls go through the kernel's ISO-TP sockets in
 * native/obd_tx; a receive-only socket beside them hears the bus: whether it is alive, whether a long answer is coming,
 * whether another tester asks.
 */
import type { HostModule, NativeIsotpSocket, ObdTxModule } from '../../../native/index.js';
import { FRAME_ERROR, FRAME_EXT, FRAME_STRIDE, FrameBatch } from '../../core/can/frame-batch.js';
import { causeText } from '../../core/cause-text.js';
import { DriveMcpError } from '../../core/errors.js';
import type { Ask } from '../../core/obd-poll/exchange.js';
import {
  answerIdOf,
  functionalExtendedId,
  functionalId,
  isFunctionalRequest,
  isRequestId,
  requestIdOf,
} from '../../core/obd-poll/obd-address.js';
import type { SendFailure } from '../../core/obd-poll/poll-scheduler.js';
import { requestBytes } from '../../core/obd-poll/question.js';
import { lockOut, openInterfaces } from '../can/open-interfaces.js';
import type { ObdTransport, TransportEvent } from './obd-transport.js';

const ENOBUFS = 105;
const EBUSY = 16;
const EAGAIN = 11;
const ENETDOWN = 100;
/** ENODEV, ENXIO, EADDRNOTAVAIL: the kernel has unbound the sockets of an interface that was removed */
const goneErrors: ReadonlySet<number> = new Set([19, 6, 99]);
/** the kernel's word for a broken long answer: wrong sequence, time over, out of memory for its length */
const brokenNames: Readonly<Record<number, string>> = {
  84: 'a frame of a long answer was missing or came twice',
  110: 'a long answer broke off',
  90: 'an answer was too long',
  [ENETDOWN]: 'the interface is down',
  19: 'the interface is gone',
};
const batchFrames = 4096;
/** ISO-TP messages of up to 4,095 bytes; longer ones are cut and refused */
const messageBytes = 4096;
/** 29-bit addresses of powertrain and chassis (10–2F by SAE J2178); others with --ecu */
const extendedAddresses = Array.from({ length: 32 }, (_, i) => 0x10 + i);

export interface IsotpTransportOptions {
  readonly interface: string;
  readonly addressing: '11' | '29' | 'auto';
  /** request identifiers beside the standard ones */
  readonly requestIds: readonly number[];
}

export class IsotpTransport implements ObdTransport {
  readonly name: string;
  readonly lock: string;
  readonly #sockets = new Map<number, NativeIsotpSocket>();
  /** answer identifiers of the sockets that receive */
  readonly #listening = new Map<number, NativeIsotpSocket>();
  readonly #port: { drain(batch: FrameBatch, bus: number, timesUs: Float64Array): number; close(): void };
  readonly #batch = new FrameBatch(batchFrames);
  readonly #timesUs = new Float64Array(batchFrames);
  readonly #message = new Uint8Array(messageBytes);
  readonly #closeLinks: () => void;
  /** answer identifiers with a long answer under way: the kernel tells that it broke off without a further frame */
  readonly #underWay = new Set<number>();
  /** own requests that were sent and not yet heard on the bus, as text */
  #echoes: string[] = [];
  #isGone = false;
  /** said once each time that it is found down */
  #isDown = false;
  #isDownNews = false;
  #withoutSocket = 0;
  #tooLong = 0;

  /** @throws DriveMcpError CAN_UNAVAILABLE, USAGE */
  constructor(obdTx: ObdTxModule, options: IsotpTransportOptions) {
    this.name = options.interface;
    const opened = openInterfaces({
      names: [options.interface],
      driver: 'native',
      requireListenOnly: false,
    });
    const one = opened.interfaces[0]!;
    this.#port = one.port;
    this.#closeLinks = () => opened.links.close();
    try {
      for (const id of requestIdsOf(options)) this.#open(obdTx, id);
      this.lock = sealOff(obdTx, opened.host);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  send(ask: Ask): 'sent' | SendFailure {
    const socket = this.#sockets.get(ask.requestId);
    if (socket === undefined) return 'failed';
    const bytes = requestBytes(ask.question);
    const errno = socket.send(Uint8Array.from(bytes));
    if (errno === 0) {
      this.#isDown = false;
      this.#echoes.push(echoOf(ask.requestId, bytes));
      return 'sent';
    }
    if (errno === ENOBUFS || errno === EBUSY || errno === EAGAIN) return 'queue_full';
    if (goneErrors.has(errno)) this.#isGone = true;
    if (errno !== ENETDOWN) return 'failed';
    this.#isDownNews ||= !this.#isDown;
    this.#isDown = true;
    return 'down';
  }

  poll(): TransportEvent[] {
    const events: TransportEvent[] = [];
    const heardFrom = new Set<number>();
    for (let hasMore = true; hasMore; ) {
      this.#batch.clear();
      hasMore = this.#port.drain(this.#batch, 0, this.#timesUs) === batchFrames;
      for (let i = 0; i < this.#batch.count; i++) this.#hear(i, events, heardFrom);
    }
    for (const id of this.#underWay) heardFrom.add(id);
    for (const id of heardFrom) this.#receive(id, events);
    if (this.#isDownNews) events.push({ kind: 'note', text: `${this.name} is down: waiting for it` });
    this.#isDownNews = false;
    if (this.#isGone) events.push({ kind: 'lost', why: `${this.name}: the interface is gone` });
    return events;
  }

  counters(): Readonly<Record<string, number>> {
    return { answers_without_socket: this.#withoutSocket, too_long: this.#tooLong };
  }

  close(): void {
    for (const socket of this.#sockets.values()) socket.close();
    this.#port.close();
    this.#closeLinks();
  }

  #open(obdTx: ObdTxModule, requestId: number): void {
    try {
      const socket = new obdTx.IsotpSocket(this.name, requestId, requestId > 0x7ff);
      this.#sockets.set(requestId, socket);
      if (!isFunctionalRequest(requestId)) this.#listening.set(answerIdOf(requestId), socket);
    } catch (cause) {
      const errno = (cause as { errno?: number }).errno;
      throw new DriveMcpError('CAN_UNAVAILABLE', `no ISO-TP socket on ${this.name}: ${causeText(cause)}`, {
        cause,
        hint:
          errno === 93 || errno === 97 // EPROTONOSUPPORT, EAFNOSUPPORT
            ? 'this kernel has no ISO-TP: load it with modprobe can-isotp (Linux 5.11 or newer)'
            : 'ip link show lists the interfaces',
      });
    }
  }

  #hear(i: number, events: TransportEvent[], heardFrom: Set<number>): void {
    const batch = this.#batch;
    const flags = batch.flags[i]!;
    if ((flags & FRAME_ERROR) !== 0) return;
    const id = batch.id[i]!;
    const isExtended = (flags & FRAME_EXT) !== 0;
    const start = i * FRAME_STRIDE;
    const first = batch.length[i]! > 0 ? batch.data[start]! : 0;
    const type = first >> 4;
    if (isExtended === id > 0x7ff && isRequestId(id)) {
      // Flow controls are the kernel's own; whole requests are ours or another tester's.
      if (type === 3) return;
      const bytes = type === 0 ? [...batch.data.subarray(start + 1, start + 1 + (first & 15))] : [];
      const at = this.#echoes.indexOf(echoOf(id, bytes));
      if (at >= 0) this.#echoes.splice(0, at + 1);
      else events.push({ kind: 'other_tester' });
      return;
    }
    if (events.at(-1)?.kind !== 'heard') events.push({ kind: 'heard' });
    if (isExtended !== id > 0x7ff) return;
    if (this.#listening.has(id)) {
      heardFrom.add(id);
      if (type === 1) this.#underWay.add(id);
      if (type === 1 || type === 2) events.push({ kind: 'progress', answerId: id });
    } else if (requestIdOf(id) !== null) this.#withoutSocket++;
  }

  /** All whole messages that wait in one socket. */
  #receive(answerId: number, events: TransportEvent[]): void {
    const socket = this.#listening.get(answerId);
    for (let length = 1; socket !== undefined && length !== 0; ) {
      length = socket.receive(this.#message);
      if (length !== 0) this.#underWay.delete(answerId);
      if (length > messageBytes) this.#tooLong++;
      else if (length > 0) events.push({ kind: 'answer', answerId, payload: this.#message.slice(0, length) });
      else if (length < 0) {
        events.push({ kind: 'broken', what: brokenNames[-length] ?? `errno ${-length}` });
      }
    }
  }
}

function requestIdsOf({ addressing, requestIds }: IsotpTransportOptions): number[] {
  const ids: number[] = [];
  if (addressing !== '29') ids.push(functionalId, ...Array.from({ length: 8 }, (_, i) => 0x7e0 + i));
  if (addressing !== '11')
    ids.push(functionalExtendedId, ...extendedAddresses.map((address) => 0x18da00f1 + address * 256));
  return [...new Set([...ids, ...requestIds])];
}

function echoOf(id: number, bytes: readonly number[]): string {
  return `${id}:${bytes.join(',')}`;
}

/** From here on only the guarded sockets can send, and no other CAN socket can be opened. */
function sealOff(obdTx: ObdTxModule, host: HostModule): string {
  const errno = obdTx.seal();
  const told = lockOut(host);
  return errno === 0 ? told : `the kernel refuses the seal (errno ${errno}); ${told}`;
}
