import type { JsonObject, TickOutputs } from '../core/tick.js';
import { outcomeOf } from '../runtime/run-tally.js';
import { actEndCode, modeCauses } from './decision-lines.js';

/** A decision that is not "none" as one JSON object for programs; null for all other ticks. */
export function decisionObject(outputs: TickOutputs): JsonObject | null {
  const outcome = outcomeOf(outputs);
  if (outcome === 'none') return null;
  const { decision, utterance, safety } = outputs;
  const intent = decision.intent;
  return {
    tick: outputs.tick,
    t: outputs.tUs / 1e6,
    decision: outcome,
    mode: outputs.mode,
    events: outputs.events.map((event) => event.type),
    utterance:
      utterance === null
        ? null
        : {
            key: utterance.key,
            urgent: utterance.urgent,
            lang: utterance.lang,
            l1: utterance.l1,
            l2: utterance.l2,
          },
    intent:
      intent === null ? null : { kind: intent.kind, decel_mps2: intent.decelMps2, max_ms: intent.maxMs },
    held: decision.held,
    blocked_by: decision.blockedBy,
    safety: {
      v: safety.v,
      d: safety.d,
      dmin: safety.dmin,
      ttc: safety.ttc,
      r: safety.r,
      score: safety.score,
    },
  };
}

/**
 * What a run tells programs, in the order of the ticks: changes of mode, ends of an ACT, decisions. As with the
 * lines for people, a run that starts in NORMAL says nothing of it; the first `from` is null.
 */
export class DecisionObjects {
  #mode: string | null = null;
  #actSinceUs: number | null = null;

  of(outputs: TickOutputs): JsonObject[] {
    const objects: JsonObject[] = [];
    const { tick, tUs, mode } = outputs;
    const at = { t: tUs / 1e6, tick };
    if (mode !== this.#mode) {
      const from = this.#mode;
      this.#mode = mode;
      if (from !== null || mode !== 'NORMAL')
        objects.push({ ...at, mode_change: { from, to: mode, causes: [...modeCauses(outputs)] } });
    }
    const isAct = outcomeOf(outputs) === 'act';
    if (isAct) this.#actSinceUs ??= tUs;
    else if (this.#actSinceUs !== null) {
      const seconds = (tUs - this.#actSinceUs) / 1e6;
      this.#actSinceUs = null;
      objects.push({ ...at, act_end: { seconds, reason: actEndCode(outputs) } });
    }
    const decision = decisionObject(outputs);
    if (decision !== null) objects.push(decision);
    return objects;
  }
}
