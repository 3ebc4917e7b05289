/**
 * The hash chain of the audit store.
 *
 * hash = SHA-256(prev_hash as 32 raw bytes ‖ JCS(record without `hash`)), lower-case hex; the record holds
 * `prev_hash`. JCS = RFC 8785 in UTF-8. The first record of a device has 64 zeros as `prev_hash`, the first of
 * a later epoch the last hash of the epoch before. Whoever holds the disk can rewrite a chain without a key:
 * it shows damage and careless changes, and pins what somebody else has already received.
 */
import { createHash } from 'node:crypto';

/** `prev_hash` of the first record of a device. */
export const genesisHash = '0'.repeat(64);

/** A record exactly as it is hashed and exported. `seq` counts from 1 without gaps in each epoch. */
export interface AuditRecord {
  readonly epoch: number;
  readonly seq: number;
  /** −1 for records that belong to no tick */
  readonly tick: number;
  readonly mono_us: number;
  readonly wall_ms: number;
  /** a tick's kinds (decision, act, mode, heartbeat), `run` (start and end) or `store` (the store's own notes) */
  readonly kind: string;
  readonly body: unknown;
  readonly prev_hash: string;
  readonly hash: string;
}

/** A record with its body as canonical JSON text, as the database keeps it. */
export interface StoredRecord extends Omit<AuditRecord, 'body'> {
  readonly body: string;
}

/** JCS of a record without its hash. Members are written in the order RFC 8785 asks for. */
export function hashedText(record: Omit<StoredRecord, 'hash'>): string {
  return `{"body":${record.body},"epoch":${record.epoch},${tail(record)}`;
}

/** JCS of the whole record: a line of `audit export`. */
export function exportLine(record: StoredRecord): string {
  return `{"body":${record.body},"epoch":${record.epoch},"hash":"${record.hash}",${tail(record)}`;
}

function tail(record: Omit<StoredRecord, 'hash'>): string {
  return `"kind":${JSON.stringify(record.kind)},"mono_us":${record.mono_us},"prev_hash":"${record.prev_hash}","seq":${record.seq},"tick":${record.tick},"wall_ms":${record.wall_ms}}`;
}

export function chainHash(prevHash: string, text: string): string {
  return createHash('sha256').update(prevHash, 'hex').update(text, 'utf8').digest('hex');
}

/** Gives a record its place in the chain. */
export function link(record: Omit<StoredRecord, 'hash'>): StoredRecord {
  return { ...record, hash: chainHash(record.prev_hash, hashedText(record)) };
}
