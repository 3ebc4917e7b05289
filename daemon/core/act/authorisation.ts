/**
 * The out-of-band authorisation of ACT: a token that binds to one host and one configuration and ends by itself. Whether
 * the file that holds it may be believed at all (its owner and permissions) is looked at where it is read.
 */
import type { JsonObject } from '../tick.js';

export const authorisationHoursMax = 8;

export interface Authorisation {
  readonly hostId: string;
  readonly configHash: string;
  readonly issuedMs: number;
  readonly expiresMs: number;
}

export type AuthorisationVerdict =
  | { readonly isAuthorised: true; readonly expiresMs: number }
  | { readonly isAuthorised: false; readonly reason: AuthorisationRefusal };

export type AuthorisationRefusal =
  | 'no_token'
  | 'malformed'
  | 'other_host'
  | 'other_configuration'
  | 'not_yet'
  | 'expired'
  | 'too_long'
  | 'unsafe_file';

const hash = /^[0-9a-f]{64}$/;
const fields = ['authorisation', 'config_hash', 'expires_ms', 'host_id', 'issued_ms'];

/** Reads the token's content; null where it is not exactly one. */
export function readAuthorisation(value: unknown): Authorisation | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const token = value as Readonly<Record<string, unknown>>;
  if (Object.keys(token).sort().join() !== fields.join() || token['authorisation'] !== 1) return null;
  const { host_id: hostId, config_hash: configHash, issued_ms: issuedMs, expires_ms: expiresMs } = token;
  if (typeof hostId !== 'string' || !hash.test(hostId)) return null;
  if (typeof configHash !== 'string' || !hash.test(configHash)) return null;
  if (!isTime(issuedMs) || !isTime(expiresMs)) return null;
  return { hostId, configHash, issuedMs, expiresMs };
}

export function authorisationObject({ hostId, configHash, issuedMs, expiresMs }: Authorisation): JsonObject {
  return {
    authorisation: 1,
    host_id: hostId,
    config_hash: configHash,
    issued_ms: issuedMs,
    expires_ms: expiresMs,
  };
}

/** @param token null = the file does not hold one */
export function judgeAuthorisation(
  token: Authorisation | null,
  here: { readonly hostId: string; readonly configHash: string; readonly nowMs: number },
): AuthorisationVerdict {
  const refuse = (reason: AuthorisationRefusal): AuthorisationVerdict => ({ isAuthorised: false, reason });
  if (token === null) return refuse('malformed');
  if (token.hostId !== here.hostId) return refuse('other_host');
  if (token.configHash !== here.configHash) return refuse('other_configuration');
  const lengthMs = token.expiresMs - token.issuedMs;
  if (!(lengthMs > 0 && lengthMs <= authorisationHoursMax * 3_600_000)) return refuse('too_long');
  // A clock that was set back must not make a token longer.
  if (here.nowMs < token.issuedMs) return refuse('not_yet');
  if (here.nowMs >= token.expiresMs) return refuse('expired');
  return { isAuthorised: true, expiresMs: token.expiresMs };
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
