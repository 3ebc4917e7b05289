import type { JsonObject, JsonValue, ToolRequest } from '../../daemon/core/tick.js';

/** What the server sees of a daemon and its runs: files of a state directory, read, never written. */
export interface DaemonView {
  /** audit store and recordings */
  readonly stateDir: string;
  status(nowWallMs: number): DaemonStatus;
  /**
   * Decides a run again up to `tick`.
   * @param runId null = the latest run with a recording
   * @throws DriveMcpError RUN_UNKNOWN, TICK_UNKNOWN, RECORDING_*
   */
  explain(tick: number, runId: string | null, signal: AbortSignal): Promise<ExplainedDecision>;
  /** Ids of the runs with a recording, oldest first. */
  recordedRuns(): readonly string[];
  /** Tells that a daemon has written a new status. */
  watch(changed: () => void): () => void;
}

export interface DaemonStatus {
  readonly state: 'running' | 'stale' | 'ended' | 'absent' | 'damaged';
  /** for people: why it does not run, null where it does */
  readonly why: string | null;
  readonly ageMs: number | null;
  /** as the daemon wrote it */
  readonly status: JsonObject | null;
}

export interface ExplainedDecision {
  readonly runId: string;
  readonly tick: number;
  readonly tUs: number;
  readonly isSimulated: boolean;
  /** false: decided otherwise than recorded; null: no hash was recorded */
  readonly isAsRecorded: boolean | null;
  /** audit body in full */
  readonly record: JsonObject;
}

/** Asks the experts in process, as the daemon would. */
export type AskExpert = (request: ToolRequest, signal: AbortSignal) => Promise<JsonObject>;

/** Members of a value that came from a file, where it is an object. */
export function membersOf(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

export function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

export function numberOf(value: JsonValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
