import { randomUUID } from 'node:crypto';
import { DriveMcpError } from '../core/errors.js';
import type { AuditEntry, JsonObject, StoreState } from '../core/tick.js';
import type { Clock } from '../ports.js';
import { systemClock } from '../runtime/clock.js';
import { createStateDir } from '../runtime/state-dir.js';
import type { QueuedRecord } from './audit-database.js';
import type { AuditStore, ChainHead, RunEnd, RunStart, StoreCounters } from './audit-store.js';
import { DurabilityWaiters } from './durability-waiters.js';
import { canonicalBody } from './record-body.js';
import { RecordQueue } from './record-queue.js';
import { runEndBody, runStartBody } from './run-body.js';
import { scrubEpoch } from './scrub.js';
import { StoreThread } from './store-thread.js';
import type { FromWorker, PlainError } from './worker-protocol.js';

export interface OpenStoreOptions {
  readonly stateDir: string;
  /** a record waits at most this long for others to share its commit */
  readonly groupMs?: number;
  readonly groupRecords?: number;
  /** of the database; the oldest runs are removed beyond it */
  readonly maxBytes?: number;
  /** runs that ended longer ago are removed; 0 = no limit */
  readonly maxAgeMs?: number;
  readonly queueMaxRecords?: number;
  readonly queueMaxBytes?: number;
  /** monotonic time for the age of records that wait, wall time for the store's own notes */
  readonly clock?: Pick<Clock, 'monoUs' | 'wallMs'>;
}

const defaults = {
  // With the commit itself a record is durable within 250 ms.
  groupMs: 200,
  groupRecords: 64,
  maxBytes: 512 * 1024 * 1024,
  maxAgeMs: 0,
  queueMaxRecords: 4096,
  queueMaxBytes: 8 * 1024 * 1024,
  clock: systemClock,
};
/** Records in one transaction, at most: a backlog must not hold up an urgent record for long. */
const maxBatch = 512;
const maxNotices = 100;
const retryMs = [250, 500, 1000, 2000, 5000] as const;

/**
 * Opens the audit store of a state directory and takes the directory's lock. A disk that is full or fails does
 * not stop this: the store is unhealthy then, keeps what it can and tries again.
 *
 * Throws STATE_LOCKED, STATE_UNWRITABLE, STORE_VERSION.
 */
export async function openStore(options: OpenStoreOptions): Promise<AuditStore> {
  createStateDir(options.stateDir);
  const store = new ThreadedStore({ ...defaults, ...options });
  await store.opened;
  return store;
}

class ThreadedStore implements AuditStore {
  readonly stateDir: string;
  readonly notices: string[] = [];
  readonly opened: Promise<void>;
  readonly #queue: RecordQueue;
  readonly #waiters = new DurabilityWaiters();
  readonly #thread: StoreThread;
  readonly #session = randomUUID();
  #listener: ((notice: string) => void) | null = null;
  #settleOpen: { resolve: () => void; reject: (error: Error) => void } | null = null;
  #isReady = false;
  #isInFlight = false;
  #timer: NodeJS.Timeout | null = null;
  #immediate: NodeJS.Immediate | null = null;
  #failuresInRow = 0;
  #failedCommits = 0;
  #committed = 0;
  #trouble: PlainError | null = null;
  #ordinal = 0;
  #head: ChainHead | null = null;
  #run: RunStart | null = null;
  #lastTick = -1;
  #onClosed: (() => void) | null = null;
  #stopScrub: (() => void) | null = null;

  constructor(readonly options: Required<OpenStoreOptions>) {
    this.stateDir = options.stateDir;
    this.#queue = new RecordQueue({
      maxRecords: options.queueMaxRecords,
      maxBytes: options.queueMaxBytes,
    });
    this.opened = new Promise((resolve, reject) => {
      this.#settleOpen = { resolve, reject };
    });
    const { stateDir, maxBytes, maxAgeMs, clock } = options;
    this.#thread = new StoreThread(
      () => ({
        stateDir,
        maxBytes,
        maxAgeMs,
        session: this.#session,
        wallMs: clock.wallMs(),
        run: this.#run,
      }),
      (message) => this.#receive(message),
      (reason) => this.#lose(reason),
    );
  }

  tell(listener: (notice: string) => void): void {
    for (const notice of this.notices) listener(notice);
    this.#listener = listener;
  }

  beginRun(run: RunStart): void {
    this.#run = run;
    this.#lastTick = -1;
    this.#enqueue(-1, 0, run.wallMs, 'run', runStartBody(run), { event: 'start', start: run });
    this.#sendSoon();
  }

  endRun(end: RunEnd): void {
    if (this.#run === null) return;
    this.#enqueue(-1, 0, end.wallMs, 'run', runEndBody(this.#run.runId, end), { event: 'end', end });
    this.#run = null;
    this.#sendSoon();
  }

  append(tick: number, monoUs: number, wallMs: number, entries: readonly AuditEntry[]): void {
    this.#lastTick = tick;
    if (entries.length === 0) return;
    let isUrgent = false;
    for (const entry of entries) {
      this.#enqueue(tick, monoUs, wallMs, entry.kind, entry.body);
      if (entry.commit === 'now') isUrgent = true;
    }
    if (isUrgent || this.#queue.length >= this.options.groupRecords) this.#sendSoon();
    else this.#sendLater(this.options.groupMs);
  }

  state(): StoreState {
    const oldest = this.#queue.oldest;
    const isOfRun = oldest?.runId === (this.#run?.runId ?? null);
    return {
      healthy: this.#isReady && this.#trouble === null && !this.#queue.isOverfull,
      durableTick: oldest === undefined ? this.#lastTick : isOfRun ? Math.max(-1, oldest.tick - 1) : -1,
      lagUs:
        oldest === undefined ? 0 : Math.max(0, Math.round(this.options.clock.monoUs() - oldest.queuedAtUs)),
    };
  }

  counters(): StoreCounters {
    return {
      committed: this.#committed,
      queued: this.#queue.length,
      queuedBytes: this.#queue.bytes,
      droppedHeartbeats: this.#queue.droppedHeartbeats,
      foldedRecords: this.#queue.foldedRecords,
      failedCommits: this.#failedCommits,
    };
  }

  head(): ChainHead | null {
    return this.#head === null || this.#head.seq === 0 ? null : this.#head;
  }

  get trouble(): string | null {
    return this.#trouble?.message ?? null;
  }

  whenDurable(tick: number, timeoutMs: number): Promise<boolean> {
    const ordinal = this.#queue.lastOrdinalUpTo(this.#run?.runId ?? null, tick);
    if (ordinal === 0) return Promise.resolve(true);
    if (this.#trouble === null) this.#sendSoon();
    return this.#waiters.wait(ordinal, timeoutMs);
  }

  flush(): Promise<void> {
    const newest = this.#queue.newest;
    if (newest === undefined) return Promise.resolve();
    const flushed = this.#waiters.flushed(newest.ordinal);
    this.#sendNow();
    return flushed;
  }

  async close(): Promise<void> {
    let failure: unknown = null;
    try {
      await this.flush();
    } catch (error) {
      failure = error;
    }
    this.#stopScrub?.();
    this.#clearTimers();
    this.#thread.expectEnd();
    if (this.#isReady) {
      const closed = new Promise<void>((resolve) => {
        this.#onClosed = resolve;
      });
      this.#thread.post({ type: 'close' });
      await Promise.race([closed, this.#thread.ended]);
    }
    this.#isReady = false;
    await this.#thread.terminate();
    if (failure === null) return;
    const lost = this.#queue.length;
    const { code, message } = failure as DriveMcpError;
    throw new DriveMcpError(code, `${lost} audit records could not be written before the end: ${message}`, {
      location: { file: this.stateDir },
      cause: failure,
    });
  }

  #enqueue(
    tick: number,
    monoUs: number,
    wallMs: number,
    kind: string,
    body: JsonObject,
    run?: NonNullable<QueuedRecord['run']>,
  ): void {
    const runId = this.#run?.runId ?? null;
    this.#queue.push({
      ordinal: ++this.#ordinal,
      runId,
      tick,
      monoUs: finite(monoUs, 'monoUs', tick),
      wallMs: finite(wallMs, 'wallMs', tick),
      kind,
      body: canonicalBody(body),
      queuedAtUs: this.options.clock.monoUs(),
      ...(run === undefined ? {} : { run }),
    });
  }

  #sendLater(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#send();
    }, ms);
  }

  /** After the caller's turn, so that sending costs the tick nothing and records of one turn go together. */
  #sendSoon(): void {
    if (this.#trouble !== null) {
      this.#sendLater(this.options.groupMs);
      return;
    }
    this.#immediate ??= setImmediate(() => {
      this.#immediate = null;
      this.#sendNow();
    });
  }

  #sendNow(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#send();
  }

  #send(): void {
    if (!this.#isReady || this.#isInFlight || this.#queue.length === 0) return;
    this.#isInFlight = true;
    const batch = this.#queue.take(maxBatch);
    this.#thread.post({ type: 'commit', batch, wallMs: this.options.clock.wallMs() });
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case 'opened':
        this.#isReady = true;
        this.#head = message.head;
        if (message.trouble === null) this.#recover();
        else this.#notice(message.trouble.message);
        this.#trouble = message.trouble;
        this.#acknowledge(message.ordinal);
        this.#settleOpen?.resolve();
        this.#settleOpen = null;
        break;
      case 'refused':
        this.#refuse(message.error);
        break;
      case 'committed':
        this.#head = message.head;
        this.#recover();
        this.#acknowledge(message.ordinal);
        break;
      case 'head':
        this.#head = message.head;
        break;
      case 'failed':
        this.#fail(message.error);
        break;
      case 'notice':
        this.#notice(message.text);
        break;
      case 'scrub':
        this.#stopScrub = scrubEpoch(message, (reason) =>
          this.#thread.post({
            type: 'condemn',
            epoch: message.epoch,
            reason,
            wallMs: this.options.clock.wallMs(),
          }),
        );
        break;
      case 'closed':
        this.#onClosed?.();
        break;
    }
  }

  #acknowledge(ordinal: number): void {
    this.#isInFlight = false;
    this.#committed += this.#queue.acknowledge(ordinal);
    const wallMs = this.options.clock.wallMs();
    for (const note of this.#queue.takeNotes()) this.#enqueue(-1, 0, wallMs, 'store', note);
    this.#waiters.durable(ordinal);
    if (this.#queue.length === 0) return;
    const oldestMs = (this.options.clock.monoUs() - this.#queue.oldest!.queuedAtUs) / 1000;
    const isDue = this.#waiters.isWaiting || this.#queue.length >= this.options.groupRecords;
    if (isDue || oldestMs >= this.options.groupMs) this.#sendSoon();
    else this.#sendLater(Math.max(0, this.options.groupMs - oldestMs));
  }

  #recover(): void {
    if (this.#trouble !== null) this.#notice('audit records are durable again');
    this.#trouble = null;
    this.#failuresInRow = 0;
  }

  #fail(error: PlainError): void {
    this.#isInFlight = false;
    this.#queue.release();
    this.#trouble = error;
    this.#failedCommits++;
    if (this.#failuresInRow === 0) this.#notice(`${error.message}; no ACT until records are durable again`);
    this.#waiters.failed(asError(error));
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#sendLater(retryMs[Math.min(this.#failuresInRow++, retryMs.length - 1)]!);
  }

  #notice(text: string): void {
    if (text === this.notices.at(-1)) return;
    this.notices.push(text);
    if (this.notices.length > maxNotices) this.notices.shift();
    this.#listener?.(text);
  }

  #lose(reason: string): void {
    this.#isReady = false;
    this.#fail({
      code: 'STORE_FAILED',
      message: `the store's thread ended: ${reason}`,
      location: { file: this.stateDir },
    });
  }

  /** At opening this ends the attempt; later (a replaced thread) the store stays unhealthy. */
  #refuse(error: PlainError): void {
    this.#isReady = false;
    this.#trouble = error;
    this.#waiters.failed(asError(error));
    const settle = this.#settleOpen;
    if (settle !== null) void this.#thread.terminate().then(() => settle.reject(asError(error)));
  }

  #clearTimers(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#immediate !== null) clearImmediate(this.#immediate);
    this.#timer = null;
    this.#immediate = null;
  }
}

function asError(error: PlainError): DriveMcpError {
  return new DriveMcpError(error.code, error.message, { location: error.location });
}

function finite(value: number, name: string, tick: number): number {
  if (Number.isFinite(value)) return value;
  throw new DriveMcpError('INVARIANT', `${name} of tick ${tick} is not a number`);
}
