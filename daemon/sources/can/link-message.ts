/**
 * Route-netlink messages about links (rtnetlink(7), linux/if_link.h, linux/can/netlink.h): the request for one interface
 * and what answers and announcements say. Plain bytes in, plain data out, so that recorded answers of real controllers
 * test it. Host byte order, which is little-endian on both supported architectures.
 */
import type { ControllerState } from '../../core/can/error-frame.js';

const headerBytes = 16;
const linkBytes = 16; // struct ifinfomsg
const RTM_NEWLINK = 16;
const RTM_DELLINK = 17;
const RTM_GETLINK = 18;
const NLMSG_ERROR = 2;
const NLMSG_DONE = 3;
const NLM_F_REQUEST = 1;
const NLM_F_DUMP = 0x300;

const IFLA_IFNAME = 3;
const IFLA_LINKINFO = 18;
const IFLA_INFO_KIND = 1;
const IFLA_INFO_DATA = 2;
const IFLA_CAN_BITTIMING = 1;
const IFLA_CAN_STATE = 4;
const IFLA_CAN_CTRLMODE = 5;
const IFLA_CAN_RESTART_MS = 6;
const IFLA_CAN_DATA_BITTIMING = 9;
const IFLA_CAN_BERR_COUNTER = 8;

/** hardware type of CAN interfaces (linux/if_arp.h); the kernel binds no CAN socket to any other */
const ARPHRD_CAN = 280;

const IFF_UP = 1;
const IFF_RUNNING = 0x40;
const controlModeListenOnly = 0x02;
const controlModeFd = 0x20;

/** enum can_state */
const controllerStates: readonly ControllerState[] = [
  'active',
  'warning',
  'passive',
  'bus_off',
  'stopped',
  'sleeping',
];

export interface CanController {
  readonly state: ControllerState | null;
  readonly bitrate: number | null;
  readonly dataBitrate: number | null;
  /** null = the driver does not say */
  readonly isListenOnly: boolean | null;
  readonly isFd: boolean;
  /** 0 = the controller stays bus-off until somebody restarts it */
  readonly restartMs: number | null;
  readonly txErrors: number | null;
  readonly rxErrors: number | null;
}

export type LinkMessage =
  | {
      readonly kind: 'link';
      readonly index: number;
      readonly name: string;
      /** administratively up and running */
      readonly isUp: boolean;
      /** driver family: `can`, `vcan`, `vxcan`, … */
      readonly family: string | null;
      /** null for interfaces without a controller of their own (vcan) */
      readonly controller: CanController | null;
    }
  | { readonly kind: 'gone'; readonly index: number; readonly name: string }
  | { readonly kind: 'error'; readonly errno: number }
  | { readonly kind: 'done' };

/** RTM_GETLINK for every link (a dump). */
export function linkDumpRequest(sequence: number): Uint8Array {
  const bytes = new Uint8Array(headerBytes + linkBytes);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, bytes.length, true);
  view.setUint16(4, RTM_GETLINK, true);
  view.setUint16(6, NLM_F_REQUEST | NLM_F_DUMP, true);
  view.setUint32(8, sequence, true);
  return bytes;
}

/** Reads one datagram. What is not about links, and what does not hold together, is left out. */
export function readLinkMessages(bytes: Uint8Array): LinkMessage[] {
  const messages: LinkMessage[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + headerBytes <= bytes.length; ) {
    const length = view.getUint32(at, true);
    if (length < headerBytes || at + length > bytes.length) break;
    const message = readMessage(view, at, length);
    if (message) messages.push(message);
    at += (length + 3) & ~3;
  }
  return messages;
}

function readMessage(view: DataView, at: number, length: number): LinkMessage | null {
  const type = view.getUint16(at + 4, true);
  if (type === NLMSG_DONE) return { kind: 'done' };
  if (type === NLMSG_ERROR) {
    const number = length >= headerBytes + 4 ? view.getInt32(at + headerBytes, true) : 0;
    return number === 0 ? { kind: 'done' } : { kind: 'error', errno: -number };
  }
  if ((type !== RTM_NEWLINK && type !== RTM_DELLINK) || length < headerBytes + linkBytes) return null;
  if (view.getUint16(at + headerBytes + 2, true) !== ARPHRD_CAN) return null;
  const index = view.getInt32(at + headerBytes + 4, true);
  const flags = view.getUint32(at + headerBytes + 8, true);
  let name = '';
  let family: string | null = null;
  let controller: CanController | null = null;
  for (const attribute of attributes(view, at + headerBytes + linkBytes, at + length)) {
    if (attribute.type === IFLA_IFNAME) name = text(view, attribute.from, attribute.to);
    if (attribute.type !== IFLA_LINKINFO) continue;
    for (const info of attributes(view, attribute.from, attribute.to)) {
      if (info.type === IFLA_INFO_KIND) family = text(view, info.from, info.to);
      if (info.type === IFLA_INFO_DATA && family === 'can')
        controller = readController(view, info.from, info.to);
    }
  }
  if (type === RTM_DELLINK) return { kind: 'gone', index, name };
  return {
    kind: 'link',
    index,
    name,
    isUp: (flags & IFF_UP) !== 0 && (flags & IFF_RUNNING) !== 0,
    family,
    controller,
  };
}

function readController(view: DataView, from: number, to: number): CanController {
  const word = new Map<number, number>();
  let txErrors: number | null = null;
  let rxErrors: number | null = null;
  for (const { type, from: at, to: end } of attributes(view, from, to)) {
    if (type === IFLA_CAN_CTRLMODE) {
      // struct can_ctrlmode: mask, then flags. Of a shorter one nothing is taken: the mask says what could be set,
      // and read as flags it would promise a listen-only mode that is off.
      if (end - at >= 8) word.set(type, view.getUint32(at + 4, true));
      else word.delete(type);
    } else if (type === IFLA_CAN_BERR_COUNTER && end - at >= 4) {
      txErrors = view.getUint16(at, true);
      rxErrors = view.getUint16(at + 2, true);
    } else if (end - at >= 4) {
      // struct can_bittiming begins with the bit rate.
      word.set(type, view.getUint32(at, true));
    }
  }
  const mode = word.get(IFLA_CAN_CTRLMODE) ?? null;
  return {
    state: controllerStates[word.get(IFLA_CAN_STATE) ?? -1] ?? null,
    bitrate: word.get(IFLA_CAN_BITTIMING) ?? null,
    dataBitrate: word.get(IFLA_CAN_DATA_BITTIMING) ?? null,
    isListenOnly: mode === null ? null : (mode & controlModeListenOnly) !== 0,
    isFd: mode !== null && (mode & controlModeFd) !== 0,
    restartMs: word.get(IFLA_CAN_RESTART_MS) ?? null,
    txErrors,
    rxErrors,
  };
}

interface Attribute {
  readonly type: number;
  readonly from: number;
  readonly to: number;
}

function attributes(view: DataView, from: number, to: number): Attribute[] {
  const found: Attribute[] = [];
  for (let at = from; at + 4 <= to; ) {
    const length = view.getUint16(at, true);
    if (length < 4 || at + length > to) break;
    // The two top bits are flags (nested, byte order).
    found.push({ type: view.getUint16(at + 2, true) & 0x3fff, from: at + 4, to: at + length });
    at += (length + 3) & ~3;
  }
  return found;
}

function text(view: DataView, from: number, to: number): string {
  let result = '';
  for (let at = from; at < to; at++) {
    const byte = view.getUint8(at);
    if (byte === 0) break;
    result += String.fromCharCode(byte);
  }
  return result;
}
