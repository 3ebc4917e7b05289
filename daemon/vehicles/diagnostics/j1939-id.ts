/** 29-bit identifiers of SAE J1939-21: priority, parameter group, addresses. */

/** Everybody: the destination of a parameter group that is broadcast. */
export const globalAddress = 0xff;

/** SAE J1939-21 §5.2: below PF 240 the PS byte is a destination and no part of the group's number. */
export function pgnOf(id: number): number {
  const pgn = (id >>> 8) & 0x3ffff;
  return ((pgn >> 8) & 0xff) < 240 ? pgn & 0x3ff00 : pgn;
}

export function sourceOf(id: number): number {
  return id & 0xff;
}

export function destinationOf(id: number): number {
  return ((id >>> 16) & 0xff) < 240 ? (id >>> 8) & 0xff : globalAddress;
}
