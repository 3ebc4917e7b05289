/**
 * The seams of the daemon: what an adapter must offer. Each has at least two implementations and a
 * conformance test that every one of them runs.
 */
import type { FrameBatch, LogDiagnostic } from './core/can/frame-batch.js';
import type {
  Decision,
  JsonObject,
  SignalSample,
  SourceState,
  ToolName,
  ToolRequest,
  Utterance,
} from './core/tick.js';
import type { FactInput } from './core/world/facts.js';

/** Gives CAN frames in the order of the input: a log file, a pipe, later an interface. */
export interface FrameSource {
  /** what it reads, for people: file name and format */
  readonly description: string;
  readonly format: string;
  /** true: `t` is Unix time; false: offset from the start */
  readonly hasAbsoluteTime: boolean;
  /** the first of the damaged parts, where the source keeps them */
  readonly firstDiagnostics?: readonly { readonly code: string }[];
  /** The next batch, or null at the end. The batch is reused: it is valid until the next call. */
  next(): Promise<FrameBatch | null>;
  close(): Promise<void>;
}

/** A log as a frame source, with the counts that say how much of it could be read. */
export interface FrameLog extends FrameSource {
  /** frames delivered so far */
  readonly frames: number;
  /** parts of the input (lines, objects, records) whose content was lost so far */
  readonly damaged: number;
  /** parts that hold no frame by design: headers, comments, status events */
  readonly ignored: number;
  /** all findings so far, damage and notes, by code */
  readonly diagnosticsByCode: ReadonlyMap<string, number>;
  /** the first findings of each code with their place; bounded */
  readonly firstDiagnostics: readonly LogDiagnostic[];
}

/**
 * Opens a log of any known format. `name` is what messages call it.
 * Rejects with FILE_MISSING, FILE_UNREADABLE, LOG_NO_FRAMES, LOG_FORMAT_UNKNOWN.
 */
export type OpenFrameLog = (path: string, options: { readonly name: string }) => Promise<FrameLog>;

/** `isGroup`: any identifier with the same J1939 parameter group counts. */
export interface MessageIdentifier {
  readonly id: number;
  readonly ext: boolean;
  readonly isGroup: boolean;
}

/** Decodes frames into the latest value of each subscribed signal, under VSS paths and in the core's units. */
export interface VehicleProfile {
  readonly name: string;
  /** SHA-256 over the profile and its DBC files */
  readonly digest: string;
  /** VSS paths it can deliver */
  readonly paths: readonly string[];
  /** VSS paths whose absence leads to mode MONITOR, with the age in µs from which they count as stale */
  readonly required: ReadonlyMap<string, number>;
  /** identifiers of the messages it reads, so that a kernel can leave out all others */
  readonly identifiers: readonly MessageIdentifier[];
  /** Takes the frames `from` … `to` − 1 of a batch; `tUs[i − from]` is their monotonic time. */
  consume(batch: FrameBatch, from: number, to: number, tUs: Float64Array): void;
  /**
   * What arrived since the last call, sorted by path. No sample is newer than `tUs`, the time of the tick that asks: a
   * frame may come between the time a tick was due and its look.
   */
  drain(tUs?: number): SignalSample[];
  /** Messages and signals that are not believed at the moment, and why (`detail`); empty where all is well. */
  states(): SourceState[];
  /** What was received and why it was not used, by name. */
  counts(): Readonly<Record<string, number>>;
}

/** A drive source: everything that happens up to a moment, frames and facts. */
export interface DriveSource {
  readonly description: string;
  readonly digest: string;
  /** true where every input was made by a simulator: nothing it says comes from a car */
  readonly isSimulated: boolean;
  /** Unix ms of drive time 0, where the input says so */
  readonly startWallMs: number | null;
  readonly diagnosticCount: number;
  /** Delivers what happened up to and including `tUs` of drive time; false when the drive is over. */
  advance(tUs: number): Promise<boolean>;
  /** facts since the last call */
  drainFacts(): FactInput[];
  /** signals since the last call */
  drainSignals(): SignalSample[];
  /** health of what the drive reads from, where it can tell */
  states?(): SourceState[];
  /** turns of the threads that receive, one number each: a thread that stands still has died */
  heartbeats?(): readonly number[];
  close(): Promise<void>;
}

/**
 * An expert, in process or behind MCP: answers a call or rejects; honours the abort signal. With the signal's reason
 * `deadline` an answer that is under way is still of use.
 */
export interface ToolClient {
  readonly tool: ToolName;
  call(request: ToolRequest, signal: AbortSignal): Promise<JsonObject>;
}

/** Where decisions go. A sink carries out; it never decides. */
export interface Sink {
  readonly name: string;
  /** false: nothing can be carried out at present; left out: always ready */
  readonly isReady?: boolean;
  speak(tick: number, utterance: Utterance): void;
  /** called for an ACT whose audit record is durable; `nowUs` on the clock that `expiresAtUs` is on */
  act(tick: number, decision: Decision, nowUs: number): void;
  /** the intervention is over, or vetoed; called once, after the last `act` */
  release?(tick: number): void;
  /** for the status */
  status?(): JsonObject;
}

/** Time as an argument: monotonic for logic, wall for records. */
export interface Clock {
  monoUs(): number;
  wallMs(): number;
  /** Resolves at the monotonic time `tUs`, or at once if that is past. */
  sleepUntilUs(tUs: number, signal?: AbortSignal): Promise<void>;
}
