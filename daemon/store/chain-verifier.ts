import { canonicalJson } from '../core/canonical.js';
import type { ChainHead } from './audit-store.js';
import { chainHash, genesisHash, hashedText, type StoredRecord } from './chain.js';

export interface ChainBreak {
  readonly epoch: number;
  readonly seq: number;
  readonly reason: string;
}

/** Follows a chain record by record and says where it first breaks. */
export class ChainVerifier {
  #last: ChainHead | null;
  #count = 0;
  #isAnchored = false;

  /** `anchor`: what the first record must follow (a checkpoint); null = the beginning, or wherever it starts. */
  constructor(anchor: ChainHead | null = null) {
    this.#last = anchor;
  }

  get head(): ChainHead | null {
    return this.#last;
  }

  get count(): number {
    return this.#count;
  }

  /** True where the first record was not the first of a device, so that its `prev_hash` is taken as given. */
  get beginsInside(): boolean {
    return this.#isAnchored;
  }

  /** The break this record makes, or null. After a break the verifier is not to be used on. */
  add(record: StoredRecord): ChainBreak | null {
    const reason = this.#orderProblem(record) ?? hashProblem(record);
    if (reason !== null) return { epoch: record.epoch, seq: record.seq, reason };
    this.#last = { epoch: record.epoch, seq: record.seq, hash: record.hash };
    this.#count++;
    return null;
  }

  #orderProblem(record: StoredRecord): string | null {
    const last = this.#last;
    const isFirst = record.epoch === 1 && record.seq === 1;
    if (record.prev_hash === genesisHash && !isFirst && !isUnlinkedStart(record))
      return 'only the first record of a device has 64 zeros as prev_hash';
    if (last === null) {
      this.#isAnchored = !isFirst;
      return this.#isAnchored || record.prev_hash === genesisHash
        ? null
        : 'the first record of a device has 64 zeros as prev_hash';
    }
    if (record.epoch === last.epoch) {
      if (record.seq !== last.seq + 1) return `number ${record.seq} follows number ${last.seq}`;
      return record.prev_hash === last.hash ? null : 'prev_hash is not the hash of the record before';
    }
    if (record.epoch !== last.epoch + 1) return `epoch ${record.epoch} follows epoch ${last.epoch}`;
    if (record.seq !== 1) return `epoch ${record.epoch} begins with number ${record.seq}`;
    // Zeros stand here only where the note says why.
    if (record.prev_hash === last.hash || record.prev_hash === genesisHash) return null;
    return `epoch ${record.epoch} does not begin with the last hash of epoch ${last.epoch}`;
  }
}

/** An epoch after one whose last hash was lost begins with 64 zeros and a note of the store. */
function isUnlinkedStart(record: StoredRecord): boolean {
  if (record.epoch === 1 || record.seq !== 1 || record.kind !== 'store') return false;
  const { event, linked } = JSON.parse(record.body) as Record<string, unknown>;
  return event === 'epoch_started' && linked === false;
}

function hashProblem(record: StoredRecord): string | null {
  return chainHash(record.prev_hash, hashedText(record)) === record.hash
    ? null
    : 'the hash is not that of the record';
}

const hex64 = /^[0-9a-f]{64}$/;
const kinds: ReadonlySet<unknown> = new Set([
  'decision',
  'act',
  'mode',
  'source',
  'rulepack',
  'expert',
  'authorisation',
  'monitor',
  'heartbeat',
  'run',
  'store',
]);

/** What each member of an exported record has to be; a record has all of these and no other. */
const members: Readonly<Record<string, (value: unknown) => boolean>> = {
  body: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  epoch: (value) => isCount(value, 1),
  hash: isHash,
  kind: (value) => kinds.has(value),
  mono_us: (value) => typeof value === 'number',
  prev_hash: isHash,
  seq: (value) => isCount(value, 1),
  tick: (value) => isCount(value, -1),
  wall_ms: (value) => typeof value === 'number',
};

function isCount(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && hex64.test(value);
}

/** A line of an export as a record, or what is wrong with it. Only exactly the exported text will do. */
export function parseExportLine(line: string): StoredRecord | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
    if (canonicalJson(value) !== line) return 'not canonical JSON (RFC 8785): changed after the export';
  } catch (error) {
    return `not JSON: ${(error as Error).message}`;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not an audit record';
  const found = value as Record<string, unknown>;
  const unknown = Object.keys(found).find((key) => !Object.hasOwn(members, key));
  if (unknown !== undefined)
    return `not an audit record: no record has the member ${JSON.stringify(unknown)}`;
  for (const [key, isRight] of Object.entries(members)) {
    if (!Object.hasOwn(found, key)) return `not an audit record: '${key}' is missing`;
    if (!isRight(found[key])) return `not an audit record: '${key}' is not what a record holds there`;
  }
  return { ...(found as unknown as StoredRecord), body: canonicalJson(found['body']) };
}
