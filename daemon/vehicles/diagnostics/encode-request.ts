/** Requests that read and change nothing. There is no way to encode another service. */
import { isListedIdentifier } from './data-identifier.js';

export type ReadRequest =
  /** current values, at most six parameters in one request */
  | { readonly service: 0x01; readonly pids: readonly number[] }
  | { readonly service: 0x02; readonly pid: number; readonly frame: number }
  | { readonly service: 0x03 | 0x07 | 0x0a }
  | { readonly service: 0x09; readonly infoType: number }
  | { readonly service: 0x22; readonly did: number }
  /** 02 by status mask, 0A all that the unit knows, 01 their number */
  | { readonly service: 0x19; readonly sub: 0x01 | 0x02; readonly statusMask: number }
  | { readonly service: 0x19; readonly sub: 0x0a };

/** The bytes of a request; RangeError where a number is out of its range or an identifier is not on the list. */
export function encodeRequest(request: ReadRequest): Uint8Array {
  switch (request.service) {
    case 0x01:
      if (request.pids.length < 1 || request.pids.length > 6) throw new RangeError('one to six parameters');
      return Uint8Array.of(0x01, ...request.pids.map(byte));
    case 0x02:
      return Uint8Array.of(0x02, byte(request.pid), byte(request.frame));
    case 0x03:
    case 0x07:
    case 0x0a:
      return Uint8Array.of(request.service);
    case 0x09:
      return Uint8Array.of(0x09, byte(request.infoType));
    case 0x22:
      if (!isListedIdentifier(request.did)) throw new RangeError('an identifier that is not on the list');
      return Uint8Array.of(0x22, request.did >> 8, request.did & 0xff);
    case 0x19:
      return request.sub === 0x0a
        ? Uint8Array.of(0x19, 0x0a)
        : Uint8Array.of(0x19, request.sub, byte(request.statusMask));
  }
}

function byte(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > 0xff) throw new RangeError(`${value} is no byte`);
  return value;
}
