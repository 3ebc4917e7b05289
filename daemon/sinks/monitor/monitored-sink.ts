/** A sink of ACT behind an external monitor: tells it every intent, and hands on what it leaves of them. */
import type { MonitorVerdict } from '../../core/act/apply-verdict.js';
import {
  hearVerdict,
  leaveOf,
  type MonitorMode,
  type MonitorOutcome,
  type MonitorState,
  seqBehindMax,
  unjudged,
} from '../../core/act/monitored-intent.js';
import type { ActIntent, AuditEntry, Decision, JsonObject, Utterance } from '../../core/tick.js';
import type { Sink } from '../../ports.js';

/** The monitor's end of the wire. */
export interface MonitorLine {
  readonly isConnected: boolean;
  tell(message: JsonObject): void;
  refuse(message: string, seq: number): void;
  counters(): JsonObject;
}

interface Told {
  readonly seq: number;
  readonly tick: number;
  readonly decision: Decision;
  readonly intent: ActIntent;
  readonly nowUs: number;
  readonly atMs: number;
}

export class MonitoredSink implements Sink {
  readonly name: string;
  readonly #inner: Sink;
  readonly #mode: MonitorMode;
  readonly #monoMs: () => number;
  #line: MonitorLine | null = null;
  #state: MonitorState = unjudged;
  #seq = 0;
  /** what a verdict may still be about, oldest first */
  #told: Told[] = [];
  #outcome: { readonly expiresAtUs: number; readonly outcome: MonitorOutcome } | null = null;
  #isLetOut = false;
  readonly #entries: AuditEntry[] = [];
  readonly #counts = {
    told: 0,
    verdicts: 0,
    stale_verdicts: 0,
    strengthening: 0,
    weakened: 0,
    vetoed: 0,
    held_back: 0,
  };

  /** @param monoMs how long a verdict has taken */
  constructor(inner: Sink, mode: MonitorMode, monoMs: () => number) {
    this.name = inner.name;
    this.#inner = inner;
    this.#mode = mode;
    this.#monoMs = monoMs;
  }

  attach(line: MonitorLine): void {
    this.#line = line;
  }

  /** Without a monitor that is required there is no authority for an ACT. */
  get isReady(): boolean {
    return this.#mode !== 'required' || this.#line?.isConnected === true;
  }

  takeEntries(): AuditEntry[] {
    return this.#entries.splice(0);
  }

  counters(): JsonObject {
    return { mode: this.#mode, ...this.#counts, ...this.#line?.counters() };
  }

  speak(tick: number, utterance: Utterance): void {
    this.#inner.speak(tick, utterance);
  }

  act(tick: number, decision: Decision, nowUs: number): void {
    const { intent } = decision;
    if (intent === null) return;
    const told = { seq: ++this.#seq, tick, decision, intent, nowUs, atMs: this.#monoMs() };
    this.#told = [...this.#told.filter(({ seq }) => this.#seq - seq <= seqBehindMax), told];
    this.#counts.told++;
    this.#line?.tell({
      seq: told.seq,
      tick,
      kind: intent.kind,
      decel_mps2: intent.decelMps2,
      max_ms: intent.maxMs,
      intervention: intent.expiresAtUs,
      held: decision.held,
    });
    this.#handOn(told);
  }

  release(tick: number): void {
    if (this.#told.length > 0) this.#line?.tell({ seq: ++this.#seq, tick, kind: 'ended' });
    this.#told = [];
    this.#isLetOut = false;
    this.#inner.release?.(tick);
  }

  /** From the socket. */
  connected(isConnected: boolean): void {
    this.#entries.push({
      kind: 'monitor',
      commit: 'group',
      body: { connected: isConnected, mode: this.#mode },
    });
    // What a monitor took from an intervention is not given back because it has gone.
    this.#again();
  }

  verdict(seq: number, verdict: MonitorVerdict): void {
    this.#counts.verdicts++;
    const about = this.#told.find((told) => told.seq === seq);
    if (about === undefined) {
      this.#counts.stale_verdicts++;
      this.#line?.refuse('no intent of this number is in force', seq);
      return;
    }
    const heard = hearVerdict(this.#state, about.intent, seq, verdict);
    if (heard.isStrengthening) {
      this.#counts.strengthening++;
      this.#line?.refuse('a monitor can weaken or veto, never strengthen', seq);
    }
    this.#state = heard.state;
    this.#again();
  }

  /** What is in force is judged again, without waiting for the next tick. */
  #again(): void {
    const last = this.#told.at(-1);
    if (last !== undefined) this.#handOn(last);
  }

  #handOn({ seq, tick, decision, intent, nowUs: toldUs, atMs }: Told): void {
    // A verdict takes its time, and what is left of the intent is less by then: a late one must not make it last longer.
    const nowUs = toldUs + Math.max(0, Math.round((this.#monoMs() - atMs) * 1000));
    const left = leaveOf(intent, seq, this.#state, this.#mode, this.#line?.isConnected ?? false);
    this.#note(intent, left);
    if (left.intent !== null && nowUs <= intent.expiresAtUs) {
      this.#isLetOut = true;
      this.#inner.act(tick, { ...decision, intent: left.intent }, nowUs);
      return;
    }
    this.#counts.held_back++;
    if (this.#isLetOut) this.#inner.release?.(tick);
    this.#isLetOut = false;
  }

  #note(intent: ActIntent, left: ReturnType<typeof leaveOf>): void {
    const { expiresAtUs } = intent;
    if (this.#outcome?.expiresAtUs === expiresAtUs && this.#outcome.outcome === left.outcome) return;
    this.#outcome = { expiresAtUs, outcome: left.outcome };
    if (left.outcome === 'weakened') this.#counts.weakened++;
    if (left.outcome === 'vetoed') this.#counts.vetoed++;
    this.#entries.push({
      kind: 'monitor',
      commit: 'group',
      body: {
        outcome: left.outcome,
        mode: this.#mode,
        intervention: expiresAtUs,
        asked_mps2: intent.decelMps2,
        asked_ms: intent.maxMs,
        left_mps2: left.intent?.decelMps2 ?? 0,
        left_ms: left.intent?.maxMs ?? 0,
      },
    });
  }
}
