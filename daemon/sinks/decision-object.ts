import type { JsonObject, TickOutputs } from '../core/tick.js';
import { outcomeOf } from '../runtime/run-tally.js';

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
