/**
 * The 24 packed bytes that say where a stream is: id u32, port u16, protocol u8, kind of address u8, address 16 bytes,
 * little-endian (LibCarla streaming/detail/Token.h).
 */
import { wireError } from '../wire/wire-error.js';

export const tokenBytes = 24;

export interface StreamToken {
  readonly streamId: number;
  readonly port: number;
  /** null = the host of the RPC connection */
  readonly address: string | null;
}

const protocols = { unset: 0, tcp: 1, udp: 2 } as const;
const addressKinds = { unset: 0, v4: 1, v6: 2 } as const;

export function writeToken(token: StreamToken): Buffer {
  const bytes = Buffer.alloc(tokenBytes);
  bytes.writeUInt32LE(token.streamId, 0);
  bytes.writeUInt16LE(token.port, 4);
  bytes[6] = protocols.tcp;
  if (token.address !== null) {
    const parts = token.address.split('.').map(Number);
    if (parts.length !== 4 || parts.some((part) => !Number.isInteger(part) || part < 0 || part > 255))
      throw new RangeError(`${token.address} is no IPv4 address`);
    bytes[7] = addressKinds.v4;
    bytes.set(parts, 8);
  }
  return bytes;
}

/** Throws CARLA_WIRE for a token of another size, over UDP or without a port. */
export function readToken(bytes: Uint8Array): StreamToken {
  if (bytes.length !== tokenBytes) throw wireError('Token', `${bytes.length} bytes instead of ${tokenBytes}`);
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const protocol = view[6];
  if (protocol === protocols.udp) throw wireError('Token', 'streams over UDP are not supported');
  const port = view.readUInt16LE(4);
  if (port === 0) throw wireError('Token', 'no port');
  return { streamId: view.readUInt32LE(0), port, address: address(view) };
}

function address(view: Buffer): string | null {
  if (view[7] === addressKinds.v4) return [...view.subarray(8, 12)].join('.');
  if (view[7] !== addressKinds.v6) return null;
  const groups: string[] = [];
  for (let at = 8; at < tokenBytes; at += 2) groups.push(view.readUInt16BE(at).toString(16));
  return groups.join(':');
}
