/** Addresses of ISO 15765-4: whom a tester asks and on which identifier the answer comes. */

export const functionalId = 0x7df;
export const functionalExtendedId = 0x18db33f1;

/** Pairs outside the standard range that makers use; the guard in native code knows the same ones. */
const otherPairs: readonly (readonly [request: number, answer: number])[] = [
  [0x7b0, 0x7b8],
  [0x7c0, 0x7c8],
  [0x79b, 0x7bb],
];

export function isFunctionalRequest(id: number): boolean {
  return id === functionalId || id === functionalExtendedId;
}

/** The identifier on which the ECU asked at `requestId` answers. */
export function answerIdOf(requestId: number): number {
  if (requestId > 0x7ff) return 0x18daf100 + (Math.floor(requestId / 256) % 256);
  return otherPairs.find(([request]) => request === requestId)?.[1] ?? requestId + 8;
}

/** Where to ask the ECU that answers on `answerId`; null: not an identifier that ECUs answer on. */
export function requestIdOf(answerId: number): number | null {
  if (answerId > 0x7ff) {
    return Math.floor(answerId / 256) === 0x18daf1 ? 0x18da00f1 + (answerId % 256) * 256 : null;
  }
  if (answerId >= 0x7e8 && answerId <= 0x7ef) return answerId - 8;
  return otherPairs.find(([, answer]) => answer === answerId)?.[0] ?? null;
}

/** True for identifiers on which some tester asks: not ours alone. */
export function isRequestId(id: number): boolean {
  if (id > 0x7ff)
    return id === functionalExtendedId || (id % 256 === 0xf1 && Math.floor(id / 65_536) === 0x18da);
  if (id === functionalId || (id >= 0x7e0 && id <= 0x7e7)) return true;
  return otherPairs.some(([request]) => request === id);
}
