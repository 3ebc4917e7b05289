/** What a picture shows of a drive, gathered tick by tick from what `step` decided; bounded for drives of any length. */
import type { EventType } from '../../core/events/event-types.js';
import type { Mode } from '../../core/modes/mode-types.js';
import { actLine } from '../../core/params/reachability.js';
import type { Params } from '../../core/params.js';
import type { RunSettings } from '../../core/settings.js';
import type { JsonObject, JsonValue, TickOutputs } from '../../core/tick.js';
import type { SpeedUnit } from '../../core/world/facts.js';
import { displayUnitOf } from '../../core/world/jurisdiction-profiles.js';
import { toMps } from '../../core/world/speed-units.js';
import { outcomeOf } from '../../runtime/run-tally.js';
import { aboutOf, actEndReason, decisiveNumbers } from '../../sinks/decision-lines.js';
import { SampledSeries } from './sampled-series.js';
import { SpanSeries } from './spans.js';

export interface SpokenLine {
  readonly tUs: number;
  readonly urgent: boolean;
  readonly text: string;
  /** event or numbers behind it */
  readonly why: string;
}

export interface ActLine {
  readonly fromUs: number;
  /** null while it is in force */
  readonly toUs: number | null;
  readonly decelMps2: number | null;
  readonly why: string;
  readonly ended: string;
}

/** Above it a TTC says nothing about the next moments. */
export const ttcShownMaxS = 10;
/** Ticks further apart than this leave a gap in every line. */
const holeUs = 1_000_000;

export class DriveTrace {
  readonly speedMps = new SampledSeries();
  readonly limitMps = new SampledSeries();
  readonly advisedMps = new SampledSeries();
  readonly gapM = new SampledSeries();
  readonly safeGapM = new SampledSeries();
  readonly ttcS = new SampledSeries();
  readonly risk = new SampledSeries();
  /** risk above which ACT is worth more than words; unknown where no risk reaches that */
  readonly actRisk = new SampledSeries();
  readonly healthRisk = new SampledSeries();
  readonly modes = new SpanSeries<Mode>();
  readonly jurisdictions = new SpanSeries<string | null>();
  readonly units = new SpanSeries<SpeedUnit>();
  readonly violations = new SpanSeries<boolean>();
  readonly events = new Map<EventType, number[]>();
  readonly spoken: SpokenLine[] = [];
  readonly acts: ActLine[] = [];
  readonly #params: Params;
  readonly #displayUnit: RunSettings['displayUnit'];
  #ticksOutOfOrder = 0;
  #firstUs: number | null = null;
  #lastUs = 0;

  constructor(params: Params, settings: RunSettings) {
    this.#params = params;
    this.#displayUnit = settings.displayUnit;
  }

  /** Time of the first and the last tick; null before the first. */
  get rangeUs(): { readonly fromUs: number; readonly toUs: number } | null {
    return this.#firstUs === null ? null : { fromUs: this.#firstUs, toUs: this.#lastUs };
  }

  /** Ticks whose time is none or lies before that of the tick before: a damaged recording. */
  get ticksOutOfOrder(): number {
    return this.#ticksOutOfOrder;
  }

  /** @param record full audit body of the tick */
  add(outputs: TickOutputs, record: JsonObject): void {
    const { tUs, safety } = outputs;
    if (!Number.isFinite(tUs) || (this.#firstUs !== null && tUs < this.#lastUs)) {
      this.#ticksOutOfOrder++;
      return;
    }
    if (this.#firstUs === null) this.#firstUs = tUs;
    else if (tUs - this.#lastUs > holeUs) this.#interrupt();
    this.#lastUs = tUs;

    const fused = member(record, 'fused');
    this.speedMps.add(tUs, safety.v);
    this.limitMps.add(tUs, numberOf(member(member(fused, 'legal'), 'mps')));
    this.advisedMps.add(tUs, adviceMps(member(fused, 'advice')));
    this.gapM.add(tUs, safety.d);
    this.safeGapM.add(tUs, safety.dmin);
    this.ttcS.add(tUs, safety.ttc !== null && safety.ttc < ttcShownMaxS ? safety.ttc : null);
    this.risk.add(tUs, safety.r);
    const { rStar, isReachable } = actLine(this.#params, safety.delta);
    this.actRisk.add(tUs, isReachable ? rStar : null);
    this.healthRisk.add(tUs, safety.h_used);

    const place = member(member(record, 'world_state'), 'jurisdiction');
    const jurisdiction = typeof place === 'string' ? place : null;
    this.modes.add(tUs, outputs.mode);
    this.jurisdictions.add(tUs, jurisdiction);
    this.units.add(tUs, displayUnitOf(this.#displayUnit, jurisdiction));
    this.violations.add(tUs, safety.rss_viol === 1);

    for (const { type } of outputs.events) {
      const times = this.events.get(type);
      if (times === undefined) this.events.set(type, [tUs]);
      else times.push(tUs);
    }
    this.#followAct(outputs);
    const { utterance } = outputs;
    if (utterance !== null) {
      const { urgent, l1: text } = utterance;
      this.spoken.push({ tUs, urgent, text, why: urgent ? decisiveNumbers(outputs) : aboutOf(utterance) });
    }
  }

  #followAct(outputs: TickOutputs): void {
    const { tUs } = outputs;
    const last = this.acts.at(-1);
    const isInForce = last !== undefined && last.toUs === null;
    if (outcomeOf(outputs) === 'act') {
      if (isInForce) return;
      const decelMps2 = outputs.decision.intent?.decelMps2 ?? null;
      this.acts.push({ fromUs: tUs, toUs: null, decelMps2, why: decisiveNumbers(outputs), ended: '' });
    } else if (isInForce) {
      this.acts[this.acts.length - 1] = { ...last, toUs: tUs, ended: actEndReason(outputs) };
    }
  }

  /** Nothing is known of the time between two ticks that lie apart. */
  #interrupt(): void {
    const tUs = this.#lastUs;
    for (const series of [
      this.speedMps,
      this.limitMps,
      this.advisedMps,
      this.gapM,
      this.safeGapM,
      this.ttcS,
      this.risk,
      this.actRisk,
      this.healthRisk,
    ]) {
      series.add(tUs, null);
    }
    for (const spans of [this.modes, this.jurisdictions, this.units, this.violations]) spans.interrupt();
  }
}

/** The advice as it is displayed, in whole steps of its unit. */
function adviceMps(advice: JsonValue | undefined): number | null {
  const value = numberOf(member(advice, 'value'));
  const unit = member(advice, 'unit');
  return value === null || (unit !== 'km/h' && unit !== 'mph') ? null : toMps(value, unit);
}

function member(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return (value as JsonObject)[key];
}

function numberOf(value: JsonValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
