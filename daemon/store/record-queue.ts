/**
 * Queue "audit": what waits for the disk. Bound: 4,096 records or 8 MB. When full: heartbeats go first and are
 * counted, decisions stay and `isOverfull` tells the core (no ACT then). Beyond four times the bound, after
 * many minutes without a disk, records are folded into one that keeps their number, ticks and a digest, so that
 * memory is bounded even then and nothing is silent.
 */
import { createHash, type Hash } from 'node:crypto';
import type { JsonObject } from '../core/tick.js';
import type { QueuedRecord } from './audit-database.js';

export interface QueueBounds {
  readonly maxRecords: number;
  readonly maxBytes: number;
}

export type NumberedRecord = QueuedRecord & { readonly ordinal: number; readonly queuedAtUs: number };

/** Around a body: the other columns and the object itself. */
const recordBytes = 256;
const hardFactor = 4;

interface Fold {
  count: number;
  firstTick: number;
  lastTick: number;
  readonly digest: Hash;
}

export class RecordQueue {
  readonly #records: NumberedRecord[] = [];
  #bytes = 0;
  #heartbeats = 0;
  #inFlight = 0;
  #fold: Fold | null = null;
  #lost = { count: 0, firstTick: -1, lastTick: -1 };
  droppedHeartbeats = 0;
  foldedRecords = 0;

  constructor(readonly bounds: QueueBounds) {}

  get length(): number {
    return this.#records.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get oldest(): NumberedRecord | undefined {
    return this.#records[0];
  }

  get newest(): NumberedRecord | undefined {
    return this.#records.at(-1);
  }

  get isOverfull(): boolean {
    return this.#fold !== null || this.#exceeds(1, 0);
  }

  /** Ordinal of the last queued record of this run and of ticks up to `tick`; 0 where none waits. */
  lastOrdinalUpTo(runId: string | null, tick: number): number {
    if (this.#fold !== null && this.#fold.firstTick <= tick) return Number.POSITIVE_INFINITY;
    for (let i = this.#records.length - 1; i >= 0; i--) {
      const record = this.#records[i]!;
      if (record.runId !== runId || record.tick <= tick) return record.ordinal;
    }
    return 0;
  }

  push(record: NumberedRecord): void {
    const bytes = record.body.length + recordBytes;
    while (this.#exceeds(1, bytes) && this.#heartbeats > 0 && this.#dropOldestHeartbeat());
    if (this.#exceeds(1, bytes) && record.kind === 'heartbeat') {
      this.#countLost(record);
      return;
    }
    const isRunRecord = record.run !== undefined;
    if (!isRunRecord && (this.#fold !== null || this.#exceeds(hardFactor, bytes))) {
      this.#foldIn(record);
      return;
    }
    this.#records.push(record);
    this.#bytes += bytes;
    if (record.kind === 'heartbeat') this.#heartbeats++;
  }

  /** The next records for a commit; they stay queued until `acknowledge`. */
  take(maxRecords: number): readonly NumberedRecord[] {
    const batch = this.#records.slice(0, maxRecords);
    this.#inFlight = batch.length;
    return batch;
  }

  /** Everything up to this ordinal is durable. */
  acknowledge(ordinal: number): number {
    let count = 0;
    while (count < this.#records.length && this.#records[count]!.ordinal <= ordinal) {
      const record = this.#records[count++]!;
      this.#bytes -= record.body.length + recordBytes;
      if (record.kind === 'heartbeat') this.#heartbeats--;
    }
    this.#records.splice(0, count);
    this.#inFlight = 0;
    return count;
  }

  /** The commit failed: its records wait again. */
  release(): void {
    this.#inFlight = 0;
  }

  /** What was given up since the last call, as bodies of notes; only once there is room again. */
  takeNotes(): JsonObject[] {
    if (this.#exceeds(1, 0)) return [];
    const notes: JsonObject[] = [];
    if (this.#lost.count > 0) {
      const { count, firstTick, lastTick } = this.#lost;
      notes.push({ event: 'heartbeats_dropped', count, first_tick: firstTick, last_tick: lastTick });
      this.#lost = { count: 0, firstTick: -1, lastTick: -1 };
    }
    if (this.#fold !== null) {
      const { count, firstTick, lastTick, digest } = this.#fold;
      this.#fold = null;
      notes.push({
        event: 'records_folded',
        count,
        first_tick: firstTick,
        last_tick: lastTick,
        bodies_sha256: digest.digest('hex'),
      });
    }
    return notes;
  }

  #exceeds(factor: number, extraBytes: number): boolean {
    return (
      this.#records.length >= this.bounds.maxRecords * factor ||
      this.#bytes + extraBytes > this.bounds.maxBytes * factor
    );
  }

  /** What is on its way to the disk stays; false where nothing else is left. */
  #dropOldestHeartbeat(): boolean {
    for (let i = this.#inFlight; i < this.#records.length; i++) {
      const record = this.#records[i]!;
      if (record.kind !== 'heartbeat') continue;
      this.#records.splice(i, 1);
      this.#bytes -= record.body.length + recordBytes;
      this.#heartbeats--;
      this.#countLost(record);
      return true;
    }
    return false;
  }

  #countLost(record: NumberedRecord): void {
    this.droppedHeartbeats++;
    if (this.#lost.count === 0) this.#lost.firstTick = record.tick;
    this.#lost.count++;
    this.#lost.lastTick = record.tick;
  }

  #foldIn(record: NumberedRecord): void {
    this.foldedRecords++;
    this.#fold ??= { count: 0, firstTick: record.tick, lastTick: record.tick, digest: createHash('sha256') };
    this.#fold.count++;
    this.#fold.lastTick = record.tick;
    this.#fold.digest.update(record.body, 'utf8');
  }
}
