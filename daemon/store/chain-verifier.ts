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
    if (last === null) {
      this.#isAnchored = !(record.epoch === 1 && record.seq === 1);
      return this.#isAnchored || record.prev_hash === genesisHash
        ? null
        : 'the first record of a device has 64 zeros as prev_hash';
    }
    if (record.epoch === last.epoch) {
      if (record.seq !== last.seq + 1) return `number ${record.seq} follows number ${last.seq}`;
      return record.prev_hash === last.hash ? null : 'prev_hash is not the hash of the record before';
    }
    if (record.epoch < last.epoch) return `epoch ${record.epoch} follows epoch ${last.epoch}`;
    if (record.seq !== 1) return `epoch ${record.epoch} begins with number ${record.seq}`;
    if (record.prev_hash === last.hash || isUnlinkedStart(record)) return null;
    return `epoch ${record.epoch} does not begin with the last hash of epoch ${last.epoch}`;
  }
}

/** An epoch after one whose last hash was lost begins with 64 zeros and a note of the store. */
function isUnlinkedStart(record: StoredRecord): boolean {
  return (
    record.prev_hash === genesisHash &&
    record.kind === 'store' &&
    record.body.includes('"event":"epoch_started"') &&
    record.body.includes('"linked":false')
  );
}

function hashProblem(record: StoredRecord): string | null {
  return chainHash(record.prev_hash, hashedText(record)) === record.hash
    ? null
    : 'the hash is not that of the record';
}

const hex64 = /^[0-9a-f]{64}$/;

/** A line of an export as a record, or what is wrong with it. Only exactly the exported text will do. */
export function parseExportLine(line: string): StoredRecord | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
    if (canonicalJson(value) !== line) return 'not canonical JSON (RFC 8785): changed after the export';
  } catch (error) {
    return `not JSON: ${(error as Error).message}`;
  }
  const r = value as Record<string, unknown>;
  const isNumber = (key: string) => typeof r[key] === 'number';
  const hasAll =
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length === 9 &&
    ['epoch', 'seq', 'tick', 'mono_us', 'wall_ms'].every(isNumber) &&
    typeof r['kind'] === 'string' &&
    r['body'] !== undefined &&
    ['prev_hash', 'hash'].every((key) => typeof r[key] === 'string' && hex64.test(r[key]));
  if (!hasAll) return 'not an audit record';
  return { ...(r as unknown as StoredRecord), body: canonicalJson(r['body']) };
}
