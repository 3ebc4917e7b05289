/** Who speaks on which identifier: streams and control units of one input, found by bus and identifier. */
import { newEcuContext } from './diagnostic-content.js';
import {
  defaultPairs,
  ecuName,
  fixedRole,
  functionalId,
  type IdPair,
  type IdRole,
  idText,
} from './diagnostic-id.js';
import { IsoTpStream } from './isotp-stream.js';

/** A request as it is remembered for the answers to it. */
export interface HeardRequest {
  readonly bytes: Uint8Array;
  readonly tS: number;
}

/** A control unit on one bus. */
export interface Unit {
  readonly name: string;
  readonly streams: DiagnosticStream[];
  request: HeardRequest | null;
  /** the request that its last answer was for */
  answered: HeardRequest | null;
  readonly context: ReturnType<typeof newEcuContext>;
}

export class DiagnosticStream extends IsoTpStream {
  /** the identifier as messages name it */
  readonly idText: string;

  constructor(
    address: IsoTpStream['address'],
    readonly isRequest: boolean,
    /** null: a request to all */
    readonly unit: Unit | null,
  ) {
    super(address);
    this.idText = idText(address.id, address.isExtendedId);
  }
}

/** Streams that are known at a time; on a flood of identifiers the oldest is forgotten. */
const mostStreams = 4096;
/** by bus, identifier and kind of identifier; several streams where an address byte tells them apart */
type Slot = DiagnosticStream[];

export class UnitDirectory {
  /** streams forgotten for want of room */
  forgotten = 0;
  readonly #roles = new Map<number, IdRole[]>();
  /** 1: an 11-bit identifier of diagnostics */
  readonly #isShortId = new Uint8Array(2048);
  #hasLongRoles = false;
  readonly #slots = new Map<number, Slot>();
  readonly #units = new Map<string, Unit>();
  readonly #onForget: (stream: DiagnosticStream) => void;

  constructor(pairs: readonly IdPair[], onForget: (stream: DiagnosticStream) => void) {
    this.#onForget = onForget;
    const taken = new Set(pairs.flatMap(({ request, response }) => [roleKey(request), roleKey(response)]));
    for (const { request, response } of [...pairs, ...defaultPairs]) {
      const isDefault = !pairs.some((pair) => pair.request === request);
      const ecu = ecuName(response);
      for (const [end, direction] of [
        [request, 'request'],
        [response, 'response'],
      ] as const) {
        // What was named by hand stands instead of what is usual.
        if (isDefault && taken.has(roleKey(end))) continue;
        this.#addRole(roleKey(end), { direction, ecu, addressByte: end.addressByte });
      }
    }
    if (!taken.has(functionalId)) {
      this.#addRole(functionalId, { direction: 'request', ecu: null, addressByte: null });
    }
  }

  get streams(): number {
    return this.#slots.size;
  }

  /** The stream of a frame, or null where its identifier carries no diagnostics. */
  find(
    bus: string,
    busIndex: number,
    id: number,
    isExtendedId: boolean,
    firstByte: number,
  ): DiagnosticStream | null {
    if (isExtendedId) {
      if (!this.#hasLongRoles && !mayBeFixed(id)) return null;
    } else if (this.#isShortId[id] !== 1) return null;
    const key = busIndex * 2 ** 30 + (isExtendedId ? 2 ** 29 : 0) + id;
    const slot = this.#slots.get(key);
    if (slot === undefined) return this.#enter(key, bus, id, isExtendedId, firstByte);
    if (slot.length === 1 && slot[0]!.address.addressByte === null) return slot[0]!;
    return slot.find(({ address }) => address.addressByte === firstByte) ?? null;
  }

  #enter(
    key: number,
    bus: string,
    id: number,
    isExtendedId: boolean,
    firstByte: number,
  ): DiagnosticStream | null {
    const fixed = isExtendedId ? fixedRole(id) : null;
    const roles = this.#roles.get((isExtendedId ? 2 ** 29 : 0) + id) ?? (fixed === null ? [] : [fixed]);
    if (roles.length === 0) return null;
    const slot: Slot = [];
    // With two roles of one direction (7BB answers 79B and 7B3) the first says all there is to say.
    for (const { direction, ecu, addressByte } of roles) {
      if (slot.some(({ address }) => address.addressByte === addressByte)) continue;
      const unit = ecu === null ? null : this.#unit(bus, ecu);
      const isRequest = direction === 'request';
      const stream = new DiagnosticStream({ bus, id, isExtendedId, addressByte }, isRequest, unit);
      for (const other of unit?.streams ?? []) {
        if (other.isRequest === isRequest) continue;
        stream.answersTo.push(other);
        other.answersTo.push(stream);
      }
      unit?.streams.push(stream);
      slot.push(stream);
    }
    if (this.#slots.size >= mostStreams) this.#forgetOldest();
    this.#slots.set(key, slot);
    const only = slot.length === 1 && slot[0]!.address.addressByte === null;
    return only ? slot[0]! : (slot.find(({ address }) => address.addressByte === firstByte) ?? null);
  }

  #forgetOldest(): void {
    const [oldest] = this.#slots;
    const [key, slot] = oldest!;
    this.#slots.delete(key);
    for (const stream of slot) {
      this.forgotten++;
      this.#onForget(stream);
      for (const other of stream.answersTo) remove(other.answersTo, stream);
      const { unit } = stream;
      if (unit === null) continue;
      remove(unit.streams, stream);
      if (unit.streams.length === 0) this.#units.delete(`${stream.address.bus} ${unit.name}`);
    }
  }

  #unit(bus: string, name: string): Unit {
    const key = `${bus} ${name}`;
    let unit = this.#units.get(key);
    if (unit === undefined) {
      unit = { name, streams: [], request: null, answered: null, context: newEcuContext() };
      this.#units.set(key, unit);
    }
    return unit;
  }

  #addRole(key: number, role: IdRole): void {
    const roles = this.#roles.get(key);
    if (roles === undefined) this.#roles.set(key, [role]);
    else roles.push(role);
    if (key < 2048) this.#isShortId[key] = 1;
    else this.#hasLongRoles = true;
  }
}

function roleKey({ id, isExtendedId }: { id: number; isExtendedId: boolean }): number {
  return (isExtendedId ? 2 ** 29 : 0) + id;
}

/** Fast refusal of the 29-bit identifiers that `fixedRole` refuses. */
function mayBeFixed(id: number): boolean {
  const format = (id >>> 16) & 0x3ff;
  return format === 0xda || format === 0xdb || id >>> 16 === 0x17fc || id >>> 16 === 0x17fe;
}

function remove<T>(list: T[], item: T): void {
  const at = list.indexOf(item);
  if (at >= 0) list.splice(at, 1);
}
