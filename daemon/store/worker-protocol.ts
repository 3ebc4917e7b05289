/** What the daemon's thread and the store's thread say to each other. */
import type { ErrorCode, ErrorLocation } from '../core/errors.js';
import type { QueuedRecord } from './audit-database.js';
import type { ChainHead, RunStart } from './audit-store.js';

export interface StoreWorkerData {
  readonly stateDir: string;
  /** names this writer in the database; a worker that replaces a dead one has the same */
  readonly session: string;
  readonly maxBytes: number;
  /** 0 = no limit */
  readonly maxAgeMs: number;
  /** Unix ms at opening */
  readonly wallMs: number;
  /** run in progress where a worker replaces a dead one */
  readonly run: RunStart | null;
}

/** An error as it crosses threads. */
export interface PlainError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly location: ErrorLocation;
}

export type ToWorker =
  /** one at a time: the next only after the answer */
  | { readonly type: 'commit'; readonly batch: readonly QueuedRecord[]; readonly wallMs: number }
  /** a check beside the run has found this epoch damaged */
  | { readonly type: 'condemn'; readonly epoch: number; readonly reason: string; readonly wallMs: number }
  | { readonly type: 'close' };

export type FromWorker =
  /** nothing can be stored in this directory: locked, unwritable, newer schema */
  | { readonly type: 'refused'; readonly error: PlainError }
  /** `trouble`: locked, but the disk refuses; opened again with each commit */
  | {
      readonly type: 'opened';
      readonly head: ChainHead | null;
      readonly ordinal: number;
      readonly trouble: PlainError | null;
    }
  | { readonly type: 'committed'; readonly head: ChainHead; readonly ordinal: number }
  /** the store has added a note of its own */
  | { readonly type: 'head'; readonly head: ChainHead }
  | { readonly type: 'failed'; readonly error: PlainError }
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'scrub'; readonly epoch: number; readonly path: string }
  | { readonly type: 'closed' };
