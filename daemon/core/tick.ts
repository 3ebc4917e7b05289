/**
 * The contract of one tick: everything `step` reads and everything it says, as plain data.
 *
 * `TickInputs` is what a recording holds; replaying them must give the same `TickOutputs`, bit for bit.
 */
import type { EventType } from './events/event-types.js';
import type { Mode } from './modes/mode-types.js';
import type { SafetyRecord } from './safety/safety-record.js';
import type { FactInput } from './world/facts.js';

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };
export type JsonObject = { readonly [key: string]: JsonValue | undefined };

/** A vehicle signal that arrived since the tick before, under its COVESA VSS path, in the core's units. */
export interface SignalSample {
  readonly path: string;
  /** null = received, but marked invalid by the vehicle profile (out of range, raw "not available") */
  readonly value: number | null;
  readonly observedAtUs: number;
  /** how often the value changed since the tick before, so that short pulses are seen */
  readonly changes: number;
}

export type ToolName = 'rules' | 'weather' | 'can';

export interface ToolRequest {
  /** unique within a run: `<tick>-<n>` */
  readonly id: string;
  readonly tool: ToolName;
  /** tool call, MCP name: `rules_lookup_limit`, `weather_assess`, `can_health`, … */
  readonly call: string;
  /** two requests with the same key have the same answer while it is cached */
  readonly key: string;
  readonly args: JsonObject;
  readonly deadlineUs: number;
  readonly reason: readonly EventType[];
}

export interface ToolAnswer {
  readonly requestId: string;
  readonly tool: ToolName;
  readonly status: 'ok' | 'error' | 'timeout';
  readonly latencyUs: number;
  readonly payload: JsonObject | null;
  readonly error?: string;
  /** true: came after its deadline, when `timeout` had been told already */
  readonly late?: boolean;
}

/** Health of something that delivers inputs. */
export interface SourceState {
  readonly name: string;
  readonly kind: 'can' | 'perception' | 'tool' | 'timer';
  readonly required: boolean;
  readonly state: 'fresh' | 'stale' | 'lost';
  /** what exactly, for records and people: `bus_off`, `unplugged` */
  readonly detail?: string;
}

export interface StoreState {
  /** false: records are not becoming durable (disk full, worker gone) */
  readonly healthy: boolean;
  /** highest tick whose records are on disk; −1 = none yet */
  readonly durableTick: number;
  readonly lagUs: number;
}

/** What the driver or the operator did; the only way in for feedback. */
export interface OperatorCommand {
  /** `button`: an edge of an input device; `prefer`: a preference is set */
  readonly kind: 'late_warning' | 'false_positive' | 'cancel' | 'mute' | 'unmute' | 'prefer' | 'button';
  /** what is muted or set */
  readonly subject?: string;
  /** what it is set to */
  readonly value?: string;
  readonly isPressed?: boolean;
  /** monotonic time of an edge */
  readonly atUs?: number;
  /** under which it is found again in the feedback log */
  readonly id?: string;
  /** free text, untrusted: on record and nowhere else */
  readonly note?: string;
  /** how long before this tick it was given */
  readonly ageUs?: number;
}

export interface TickInputs {
  readonly tick: number;
  /** scheduled monotonic time; physics uses this, never the actual wake time */
  readonly tUs: number;
  /** wall clock, for records and validity dates only */
  readonly wallMs: number;
  readonly lateUs: number;
  readonly missedTicks: number;
  readonly signals: readonly SignalSample[];
  readonly facts: readonly FactInput[];
  readonly answers: readonly ToolAnswer[];
  readonly sources: readonly SourceState[];
  readonly store: StoreState;
  readonly commands: readonly OperatorCommand[];
  /** true only where an authorised sink for ACT exists (simulator or log); false by default */
  readonly actAuthorised: boolean;
}

/** A bounded intervention; an intent, never a command to an actuator. */
export interface ActIntent {
  readonly kind: 'brake_assist';
  readonly decelMps2: number;
  readonly maxMs: number;
  readonly expiresAtUs: number;
}

export interface Decision {
  readonly kind: 'act' | 'speak' | 'none';
  /** every condition of ACT that failed, in the order of evaluation */
  readonly blockedBy: readonly string[];
  /** consecutive ticks on which the ACT condition held */
  readonly confirm: number;
  /** true while an ACT goes on without its condition (minimum hold) */
  readonly held: boolean;
  readonly intent: ActIntent | null;
}

export interface Utterance {
  readonly key: string;
  readonly urgent: boolean;
  readonly lang: string;
  /** at most 90 characters, imperative, numbers from the state only */
  readonly l1: string;
  /** at most three sentences: what was observed, which rule, which numbers decided */
  readonly l2: string;
}

export interface FiredEvent {
  readonly type: EventType;
  readonly score: number;
  readonly eta: number;
  /** what it is about: limit, jurisdiction, indicator */
  readonly payload: JsonObject;
}

export interface AuditEntry {
  readonly kind:
    | 'decision'
    | 'act'
    | 'mode'
    | 'source'
    | 'rulepack'
    | 'expert'
    | 'authorisation'
    | 'monitor'
    | 'heartbeat';
  /** `now`: the row must be durable before an ACT may go out; `group`: with the next group commit */
  readonly commit: 'now' | 'group';
  readonly body: JsonObject;
}

export interface TickOutputs {
  readonly tick: number;
  readonly tUs: number;
  readonly mode: Mode;
  readonly requests: readonly ToolRequest[];
  readonly cancels: readonly string[];
  readonly events: readonly FiredEvent[];
  readonly decision: Decision;
  readonly utterance: Utterance | null;
  readonly safety: SafetyRecord;
  readonly audit: readonly AuditEntry[];
  /** increments of named counters */
  readonly counts: { readonly [name: string]: number };
}
