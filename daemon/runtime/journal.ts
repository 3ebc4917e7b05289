import type { AuditEntry, StoreState, TickInputs } from '../core/tick.js';

/** What the tick loop needs of the audit store. */
export interface Journal {
  append(tick: number, monoUs: number, wallMs: number, entries: readonly AuditEntry[]): void;
  state(): StoreState;
  counters(): { readonly queued: number };
  /** True when the records of this tick and before are on disk; false after `timeoutMs` without. */
  whenDurable(tick: number, timeoutMs: number): Promise<boolean>;
}

/** What the tick loop needs of the recorder. */
export interface Tape {
  inputs(inputs: TickInputs): void;
  /** `hash`: decision hash after this tick, 32 bytes */
  decision(tick: number, hash: Uint8Array): void;
  /** Resolves when there is room again. */
  drain(): Promise<void>;
}
