/** Scores of the events about law: borders, gantries, foreign signs, unclear limits, overspeed. */

import type { Situation } from '../fuse/situation.js';
import type { Params } from '../params.js';
import { clamp01 } from '../world/check-fact.js';
import { contradicting, hasFlipped } from '../world/jurisdiction.js';
import type { Detection } from './detect.js';

/** conf of the new tag · 1[tag ≠ committed]; a flip of unit or drive side counts 0.6. */
export function scoreJurisdictionChange(situation: Situation, params: Params): Detection | null {
  const from = situation.before.jurisdiction.committed;
  const state = situation.world.jurisdiction;
  const to = state.committed;
  if (to !== null && to !== from) {
    return { score: 1, subject: to, payload: { from, to, evidence: 'committed' } };
  }
  const flip = hasFlipped(state);
  if (flip !== null) {
    const score = params.events.unitFlipEvidenceRatio;
    return { score, subject: `${to}?${flip}`, payload: { from: to, to: null, evidence: flip } };
  }
  // A tag that is not committed yet is seen, but asking for its law would be asking about a guess.
  const seen = contradicting(state);
  if (seen === null) return null;
  return {
    score: Math.min(seen.conf, params.events.etaRatio * 0.9),
    subject: seen.path,
    payload: { from: to, to: seen.path, evidence: 'observed' },
  };
}

/** conf · 1[the gantry shows something else than the last committed one, appears, ends, or has a wet plate]. */
export function scoreDynamicLimit(situation: Situation): Detection | null {
  const before = situation.before.posted.gantry?.fact.value ?? null;
  const gantry = situation.world.posted.gantry;
  const now = gantry?.fact.value ?? null;
  if (gantry === null || now === null) return null;
  const isSame =
    before !== null &&
    before.value === now.value &&
    before.unit === now.unit &&
    (before.wetPlate ?? false) === (now.wetPlate ?? false);
  // A dark gantry where there was none in force changes nothing.
  if (isSame || (now.value === null && (before?.value ?? null) === null)) return null;
  return {
    score: gantry.fact.conf,
    subject: `${now.id}:${now.value ?? 'end'}:${now.unit}`,
    payload: {
      gantry: now.id,
      from: before?.value ?? null,
      to: now.value,
      unit: now.unit,
      wet_plate: now.wetPlate ?? false,
    },
  };
}

/** max over signs of conf · 1[unit, design family or language is not that of the country or the driver]. */
export function scoreForeignSign({ foreignSign }: Situation): Detection | null {
  if (foreignSign === null) return null;
  const { fact, reason, word } = foreignSign.seen;
  const { id, value, unit, country, category, text } = fact.value;
  return {
    score: fact.conf,
    subject: id,
    payload: {
      sign: id,
      reason,
      value: value ?? null,
      unit: unit ?? null,
      country: country ?? null,
      category,
      // Of the text only what the glossary has goes on; the rest stays where it was observed.
      has_text: text !== undefined,
      ...(word === null ? {} : { meaning: word.meaning, form: word.form }),
    },
  };
}

/**
 * 1 where the limit is not known though there is law to know, where a sign or gantry was seen and is not sure,
 * or where the conditions of the answer have changed.
 */
export function scoreUncertainLimit(situation: Situation, params: Params): Detection | null {
  const { law, view, world } = situation;
  const seen = world.posted.unclear;
  const hasLaw = view.jurisdiction !== null || seen !== null || world.posted.sign !== null;
  if (!hasLaw || situation.isLawPending) return null;
  const isUnknown = law.limit === null && law.advisory === null && law.source !== 'rules';
  const isAbsent = isUnknown || law.source === 'last_known';
  const isUnsure = law.conf < params.events.lowConfidenceRatio && (seen !== null || law.source !== 'none');
  if (!isAbsent && !isUnsure && !law.isOutdated) return null;
  return {
    score: 1,
    subject: seen === null ? `absent:${view.road?.segment ?? '-'}:${view.jurisdiction ?? '-'}` : seen.reason,
    payload: {
      reason: seen?.reason ?? (isAbsent ? 'absent' : isUnsure ? 'confidence' : 'conditions'),
      limit: law.limit?.value ?? null,
      unit: law.limit?.unit ?? null,
      confidence: law.conf,
    },
  };
}

/** clamp01((v − v_target)/(0.1·v_target)); a speed that is only recommended does not bind on a good road. */
export function scoreOverspeed(situation: Situation, params: Params): Detection | null {
  const { advice, safety, law, tUs } = situation;
  const speed = safety.record.v;
  const target = advice.targetMps;
  if (speed === null || target === null || target <= 0) return null;
  if (!advice.isBinding && advice.because === 'law') return null;
  return {
    score: clamp01((speed - target) / (params.events.overspeedSpanRatio * target)),
    subject: 'overspeed',
    payload: {
      v_mps: speed,
      target_mps: target,
      limit_age_s: (tUs - law.sinceUs) / 1e6,
    },
  };
}
