/**
 * How two ends that share a key know each other: a challenge each, answered with an HMAC-SHA-256 over both challenges and
 * the direction, and from the same challenges one key for each direction. Nobody who has not the key can answer, and
 * nothing that was recorded from one connection is worth anything in another.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export type LinkEnd = 'bridge' | 'daemon';

export const nonceBytes = 32;

export const newNonce = (): string => randomBytes(nonceBytes).toString('hex');

/** What `end` says to prove that it has the key. */
export function proofOf(key: string, end: LinkEnd, bridgeNonce: string, daemonNonce: string): string {
  return hmac(key, `drivemcp act proof ${end} ${bridgeNonce} ${daemonNonce}`);
}

/** Key under which `end` seals what it sends in this connection. */
export function sealingKey(key: string, end: LinkEnd, bridgeNonce: string, daemonNonce: string): string {
  return hmac(key, `drivemcp act seal ${end} ${bridgeNonce} ${daemonNonce}`);
}

export const sealOf = (sealing: string, text: string): string => hmac(sealing, text);

/** Takes the same time whatever differs. */
export function isSameDigest(given: unknown, expected: string): boolean {
  if (typeof given !== 'string' || given.length !== expected.length) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}

const hmac = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('hex');
