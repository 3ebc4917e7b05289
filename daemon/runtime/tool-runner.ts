import type { SourceState, ToolAnswer, ToolRequest } from '../core/tick.js';

/** What the tick loop needs of whatever runs the experts' calls. */
export interface ToolRunner {
  /** Starts a call for the tick at `tUs`; never throws, never waits. */
  submit(request: ToolRequest, tUs: number): void;
  /** The core no longer wants this answer. */
  cancel(requestId: string): void;
  /** Answers that arrived since the last call, by tick and number of their requests. */
  takeAnswers(tUs: number): ToolAnswer[];
  /** Resolves when every call has answered or has run out of time. */
  settled(): Promise<void>;
  states(): SourceState[];
  counters(): Readonly<Record<string, ToolCounters>>;
  /** Cancels what is under way. */
  close(): Promise<void>;
}

/** Per expert; `latencyUs` is measured wall time of the calls that answered in time. */
export interface ToolCounters {
  readonly requests: number;
  readonly ok: number;
  readonly errors: number;
  readonly timeouts: number;
  /** answered after the deadline; delivered all the same, marked */
  readonly late: number;
  /** answers thrown away because of their form, and why the last one was */
  readonly discarded: number;
  readonly lastDiscard: string | null;
  /** not called: breaker open, queue full, too many calls that never ended */
  readonly refused: number;
  readonly cancelled: number;
  /** asked while the same question was under way */
  readonly joined: number;
  readonly breaker: 'closed' | 'open' | 'probing';
  readonly breakerOpened: number;
  readonly latencyUs: { readonly p50: number; readonly p99: number; readonly max: number };
}
