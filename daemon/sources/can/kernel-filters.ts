/** Filters for the kernel from what a vehicle profile reads: usually 10 to 30 % of a bus is delivered. */
import type { MessageIdentifier } from '../../ports.js';

// linux/can.h
const extendedFlag = 0x80000000;
const remoteFlag = 0x40000000;
const standardMask = 0x7ff;
const extendedMask = 0x1fffffff;

/** Beyond this many, every filter of the list is tried on every frame: taking all of them costs less. */
const filtersMax = 512;

/** Pairs of (id with flag bits, mask), without repetitions; undefined = take every frame. */
export function kernelFilters(identifiers: readonly MessageIdentifier[]): Uint32Array | undefined {
  const pairs = new Map<string, [number, number]>();
  for (const identifier of identifiers) {
    const [id, mask] = filterOf(identifier);
    pairs.set(`${id}/${mask}`, [id, mask]);
  }
  if (pairs.size === 0 || pairs.size > filtersMax) return undefined;
  return Uint32Array.from([...pairs.values()].flat());
}

/** The flags are part of the mask, so that 0x180 with 11 bits is not 0x180 with 29 bits, and remote frames stay out. */
function filterOf({ id, ext, isGroup }: MessageIdentifier): [number, number] {
  const flags = extendedFlag | remoteFlag;
  if (!ext) return [(id & standardMask) >>> 0, (flags | standardMask) >>> 0];
  if (!isGroup) return [(extendedFlag | id) >>> 0, (flags | extendedMask) >>> 0];
  // SAE J1939-21: priority and source never count; the low byte of a PDU1 group (PF < 240) is the destination.
  const mask = ((id >>> 16) & 0xff) < 240 ? 0x03ff0000 : 0x03ffff00;
  return [(extendedFlag | (id & mask)) >>> 0, (flags | mask) >>> 0];
}
