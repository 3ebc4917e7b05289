/**
 * Listens to the diagnostics on any number of buses: ISO-TP with OBD and UDS, and J1939 faults. It takes frames
 * in batches and hands on messages; it never sends. What it keeps is bounded by the limits of its parts.
 */
import {
  FRAME_ERROR,
  FRAME_EXT,
  FRAME_REMOTE,
  FRAME_STRIDE,
  type FrameBatch,
} from '../../core/can/frame-batch.js';
import { answeredService, decodeRequest, decodeResponse } from './decode-response.js';
import type { DiagnosticContent } from './diagnostic-content.js';
import { type IdPair, idText } from './diagnostic-id.js';
import type { DiagnosticMessage } from './diagnostic-message.js';
import { IsoTpReassembly } from './isotp-reassembly.js';
import { faultList, faultMessages, pgnVehicleIdentification } from './j1939-faults.js';
import { pgnOf, sourceOf } from './j1939-id.js';
import { type J1939Route, J1939Transport, pgnConnection, pgnData } from './j1939-transport.js';
import { responsePending } from './negative-response.js';
import type { Incomplete, TransportError } from './transport-error.js';
import { hexByte } from './trouble-code.js';
import { type DiagnosticStream, type HeardRequest, UnitDirectory } from './unit-directory.js';
import { asciiField, isVin } from './vin.js';

/** An answer is taken for one to a request at most that old: P2* of 5 s, asked for twice. */
const pairingS = 10;
const nothing = new Uint8Array(0);

export class DiagnosticListener {
  readonly #onMessage: (message: DiagnosticMessage) => void;
  readonly #units: UnitDirectory;
  readonly #isoTp: IsoTpReassembly;
  readonly #j1939: J1939Transport;
  /** by bus: the last request to all units */
  readonly #functional = new Map<string, HeardRequest>();
  readonly #busesWithRequests = new Set<string>();
  #nextDeadlineS = Number.POSITIVE_INFINITY;

  /** @param pairs identifiers beside those of ISO 15765-4; they come first */
  constructor(pairs: readonly IdPair[], onMessage: (message: DiagnosticMessage) => void) {
    this.#onMessage = onMessage;
    this.#isoTp = new IsoTpReassembly({
      message: (stream, tS, bytes) => this.#isoTpMessage(stream as DiagnosticStream, tS, bytes),
      failed: (stream, tS, error, incomplete) =>
        this.#isoTpFailed(stream as DiagnosticStream, tS, error, incomplete),
    });
    this.#units = new UnitDirectory(pairs, (stream) => this.#isoTp.abandon(stream, this.#lastS));
    this.#j1939 = new J1939Transport({
      message: (route, tS, bytes) => this.#j1939Message(route, tS, bytes, false),
      failed: (route, tS, error, incomplete) => this.#j1939Failed(route, tS, error, incomplete),
    });
  }

  #lastS = 0;

  /** What was given up or forgotten, by the name of the bound. */
  get counters() {
    return {
      streams_forgotten: this.#units.forgotten,
      isotp_evicted: this.#isoTp.counters.evicted,
      isotp_passed_over: this.#isoTp.counters.passedOver,
      j1939_evicted: this.#j1939.evicted,
    };
  }

  /** What is held now, for whoever watches the bounds. */
  get held() {
    return {
      streams: this.#units.streams,
      isoTpMessages: this.#isoTp.openMessages,
      isoTpBytes: this.#isoTp.openBytes,
      j1939Sessions: this.#j1939.sessions,
    };
  }

  /** Takes the frames `from` … `to` − 1 of a batch. */
  consume(batch: FrameBatch, from = 0, to = batch.count): void {
    for (let i = from; i < to; i++) {
      const tS = batch.tS[i]!;
      if (tS > this.#nextDeadlineS) this.#expire(tS);
      const flags = batch.flags[i]!;
      if ((flags & (FRAME_ERROR | FRAME_REMOTE)) !== 0) continue;
      const busIndex = batch.bus[i]!;
      const id = batch.id[i]!;
      const isExtendedId = (flags & FRAME_EXT) !== 0;
      const start = i * FRAME_STRIDE;
      const bus = batch.busNames[busIndex] ?? '';
      const stream = this.#units.find(bus, busIndex, id, isExtendedId, batch.data[start]!);
      if (stream !== null) {
        this.#lastS = tS;
        this.#isoTp.accept(stream, batch.data, start, batch.length[i]!, tS);
        if (this.#isoTp.nextDeadlineS < this.#nextDeadlineS) this.#nextDeadlineS = this.#isoTp.nextDeadlineS;
      } else if (isExtendedId) this.#j1939Frame(bus, busIndex, id, batch, i, tS);
    }
  }

  /** The end of the input: what is not complete will not be. */
  finish(): void {
    this.#isoTp.finish();
    this.#j1939.finish();
  }

  #expire(tS: number): void {
    this.#isoTp.expire(tS);
    this.#j1939.expire(tS);
    this.#nextDeadlineS = Math.min(this.#isoTp.nextDeadlineS, this.#j1939.nextDeadlineS);
  }

  #isoTpMessage(stream: DiagnosticStream, tS: number, raw: Uint8Array): void {
    const { address, isRequest, unit } = stream;
    const message = messageOf(stream, tS, raw);
    if (isRequest) {
      const request = { bytes: raw.subarray(0, 64), tS };
      this.#busesWithRequests.add(address.bus);
      if (unit === null) this.#functional.set(address.bus, request);
      else unit.request = request;
      fill(message, decodeRequest(raw));
    } else {
      const request = this.#requestOf(stream, tS, answeredService(raw));
      const content = decodeResponse(request?.bytes ?? null, raw, unit!.context);
      fill(message, content);
      if (request !== null && unit!.answered === request) message.isRepeated = true;
      if (request !== null && content.nrc !== responsePending) unit!.answered = request;
      if (request === null && content.service !== null && this.#busesWithRequests.has(address.bus)) {
        message.isUnrequested = true;
      }
    }
    this.#onMessage(message);
  }

  /** The newest request to this unit or to all that asks for that service. */
  #requestOf({ unit, address }: DiagnosticStream, tS: number, service: number | null): HeardRequest | null {
    const physical = unit!.request;
    const functional = this.#functional.get(address.bus) ?? null;
    let found: HeardRequest | null = null;
    if (isAsked(physical, service, tS)) found = physical;
    if (isAsked(functional, service, tS) && (found === null || functional.tS > found.tS)) found = functional;
    return found;
  }

  #isoTpFailed(stream: DiagnosticStream, tS: number, error: TransportError, incomplete?: Incomplete): void {
    const message = messageOf(stream, tS, nothing);
    message.service = serviceOf(stream, incomplete?.received);
    message.error = error;
    if (incomplete !== undefined) message.incomplete = incomplete;
    this.#onMessage(message);
  }

  #j1939Frame(bus: string, busIndex: number, id: number, batch: FrameBatch, i: number, tS: number): void {
    const pgn = pgnOf(id);
    if (pgn === pgnConnection) this.#j1939.connection(bus, busIndex, id, batch.payload(i), tS);
    else if (pgn === pgnData) this.#j1939.data(bus, busIndex, id, batch.payload(i), tS);
    else if (faultMessages.has(pgn)) {
      const route = { bus, busIndex, id, source: sourceOf(id), destination: 0xff, pgn };
      this.#j1939Message(route, tS, batch.payload(i), true);
      return;
    } else return;
    this.#nextDeadlineS = Math.min(this.#nextDeadlineS, this.#j1939.nextDeadlineS);
  }

  #j1939Message(route: J1939Route, tS: number, raw: Uint8Array, isSingleFrame: boolean): void {
    const message = j1939Message(route, tS, raw);
    const kind = faultMessages.get(route.pgn!);
    if (kind !== undefined) {
      const { lamps, dtcs, error } = faultList(raw, kind.state, isSingleFrame);
      message.faultMessage = kind.name;
      message.lamps = lamps;
      message.dtcs = dtcs;
      if (error !== undefined) message.error = error;
    } else if (route.pgn === pgnVehicleIdentification) {
      const text = asciiField(raw).split('*')[0]!;
      message.vin = isVin(text) ? text : null;
    }
    this.#onMessage(message);
  }

  #j1939Failed(route: J1939Route, tS: number, error: TransportError, incomplete?: Incomplete): void {
    const message = j1939Message(route, tS, nothing);
    message.error = error;
    if (incomplete !== undefined) message.incomplete = incomplete;
    this.#onMessage(message);
  }
}

type Draft = { -readonly [Key in keyof DiagnosticMessage]: DiagnosticMessage[Key] };

function messageOf(
  { address, idText: id, isRequest, unit }: DiagnosticStream,
  tS: number,
  raw: Uint8Array,
): Draft {
  return { tS, bus: address.bus, id, ecu: unit?.name ?? null, isRequest, raw, service: null };
}

/** Takes over what the content has; one by one, since spreading an object costs more than all the decoding. */
function fill(message: Draft, content: DiagnosticContent): void {
  message.service = content.service;
  if (content.pid !== undefined) message.pid = content.pid;
  if (content.did !== undefined) message.did = content.did;
  if (content.sub !== undefined) message.sub = content.sub;
  if (content.frame !== undefined) message.frame = content.frame;
  if (content.pids !== undefined) message.pids = content.pids;
  if (content.values !== undefined) message.values = content.values;
  if (content.supported !== undefined) message.supported = content.supported;
  if (content.dtcs !== undefined) message.dtcs = content.dtcs;
  if (content.vin !== undefined) message.vin = content.vin;
  if (content.nrc !== undefined) message.nrc = content.nrc;
  if (content.error !== undefined) message.error = content.error;
}

function isAsked(request: HeardRequest | null, service: number | null, tS: number): request is HeardRequest {
  return request !== null && request.bytes[0] === service && tS - request.tS <= pairingS;
}

function serviceOf({ isRequest }: DiagnosticStream, received: Uint8Array | undefined): number | null {
  if (received === undefined) return null;
  return isRequest ? (received[0] ?? null) : answeredService(received);
}

function j1939Message({ bus, id, source, pgn }: J1939Route, tS: number, raw: Uint8Array): Draft {
  const message: Draft = {
    tS,
    bus,
    id: idText(id, true),
    ecu: hexByte(source),
    isRequest: false,
    raw,
    service: null,
  };
  if (pgn !== null) message.pgn = pgn;
  return message;
}
