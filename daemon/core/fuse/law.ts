/**
 * The limit that applies: what the rules expert says of exactly this situation, else what is posted, else the
 * lower of what was last known here and what this kind of road has had; then it is called conservative.
 */

import type { RulesAnswer, SpeedValue } from '../router/expert-answers.js';
import type { LawContext } from '../router/law-context.js';
import type { CachedAnswer } from '../router/router-state.js';
import type { RoadSurface, SpeedUnit } from '../world/facts.js';
import { countryOf, isPostableLimit, jurisdictionProfile } from '../world/jurisdiction-profiles.js';
import type { PostedLimits } from '../world/posted-limits.js';
import { toMps } from '../world/speed-units.js';
import type { WorldView } from '../world/world-view.js';

export type LawSource = 'rules' | 'gantry' | 'sign' | 'last_known' | 'unclear_sign' | 'none';

export interface Law {
  /** binding limit, null where there is none or it is unknown */
  readonly limit: SpeedValue | null;
  /** speed that is only recommended (no binding limit) */
  readonly advisory: SpeedValue | null;
  readonly source: LawSource;
  readonly conf: number;
  /** when what it rests on was observed or answered */
  readonly sinceUs: number;
  /** true where the limit is a cautious stand-in for one that is not known */
  readonly isConservative: boolean;
  /** the answer was given under other conditions (it was dry); it holds until the new one is there */
  readonly isOutdated: boolean;
  readonly answer: RulesAnswer | null;
  readonly answeredAtUs: number | null;
}

/** What is remembered of the law, per run. */
export interface LawMemory {
  /** the last answer that was used, with the question it answers */
  readonly current: {
    readonly key: string;
    readonly place: string;
    readonly answer: RulesAnswer;
    readonly atUs: number;
  } | null;
  readonly lastKnown: { readonly jurisdiction: string; readonly limit: SpeedValue } | null;
  /** limits that roads had without any sign, newest last */
  readonly roadDefaults: readonly { readonly road: string; readonly limit: SpeedValue }[];
}

export const emptyLawMemory: LawMemory = { current: null, lastKnown: null, roadDefaults: [] };

const maxRoadDefaults = 32;
/** Below the resolution of any sign; rounding of the way through m/s. */
const mpsSlack = 1e-6;
/** Confidence of a limit that was seen but not believed: below every threshold that would call it certain. */
const unclearConf = 0.4;
/** An answer without a route segment is believed as long as it may be reused. */
const withoutSegmentUs = 60_000_000;

/** Puts a cached answer to the present question into memory; leaves it as it is where there is none. */
export function rememberAnswer(
  memory: LawMemory,
  context: LawContext | null,
  cached: CachedAnswer | null,
): LawMemory {
  if (context === null || cached?.answer?.tool !== 'rules') return memory;
  if (memory.current?.key === context.key && memory.current.atUs === cached.receivedAtUs) return memory;
  const answer = cached.answer;
  const next: LawMemory = {
    ...memory,
    current: { key: context.key, place: context.place, answer, atUs: cached.receivedAtUs },
  };
  if (answer.limit === null || context.road === null || context.hasPosted) return next;
  // What is no answer here is no usual limit of the road either.
  if (!isLegalHere(answer, context.jurisdiction)) return next;
  const road = `${context.jurisdiction}|${context.road}`;
  const others = memory.roadDefaults.filter((known) => known.road !== road);
  return {
    ...next,
    roadDefaults: [...others.slice(-(maxRoadDefaults - 1)), { road, limit: answer.limit }],
  };
}

/** The limit so far, where it is one of this jurisdiction. */
export function knownLimitMps(memory: LawMemory, jurisdiction: string | null): number | null {
  const known = memory.lastKnown;
  return known !== null && known.jurisdiction === jurisdiction ? known.limit.mps : null;
}

/** Remembers a limit that is known for certain, as the last known one of its jurisdiction. */
export function rememberLimit(memory: LawMemory, jurisdiction: string | null, law: Law): LawMemory {
  if (jurisdiction === null || law.limit === null || law.isConservative) return memory;
  const known = memory.lastKnown;
  if (known?.jurisdiction === jurisdiction && known.limit.mps === law.limit.mps) return memory;
  return { ...memory, lastKnown: { jurisdiction, limit: law.limit } };
}

export function resolveLaw(
  view: WorldView,
  surface: RoadSurface,
  posted: PostedLimits,
  context: LawContext | null,
  memory: LawMemory,
  tUs: number,
): Law {
  const current = memory.current;
  if (
    context !== null &&
    current !== null &&
    current.place === context.place &&
    (context.segment !== null || tUs - current.atUs <= withoutSegmentUs)
  ) {
    const isOutdated = current.key !== context.key;
    const fromRules = ofAnswer(current.answer, current.atUs, isOutdated, posted);
    const isLegal = isLegalHere(current.answer, context.jurisdiction);
    if (fromRules !== null && isLegal) return withUnclear(notAbovePosted(fromRules, surface, posted), posted);
  }
  return withUnclear(ofPosted(surface, posted) ?? lastKnown(view, context, memory, tUs), posted);
}

function ofAnswer(answer: RulesAnswer, atUs: number, isOutdated: boolean, posted: PostedLimits): Law | null {
  if (answer.limit === null && answer.advisory === null) {
    // "Unknown" and actions without a number do not say that there is no limit.
    if (answer.legalAction !== 'limit_ended') return null;
  }
  const seenConf = Math.min(posted.sign?.conf ?? 1, posted.gantry?.fact.conf ?? 1);
  return {
    limit: answer.limit,
    advisory: answer.limit === null ? answer.advisory : null,
    source: 'rules',
    conf: Math.min(answer.confidence, seenConf),
    sinceUs: atUs,
    isConservative: false,
    isOutdated,
    answer,
    answeredAtUs: atUs,
  };
}

/** A limit that cannot be posted in this country, or in another unit than its own, is no answer. */
function isLegalHere(answer: RulesAnswer, jurisdiction: string): boolean {
  const unit = jurisdictionProfile(jurisdiction)?.unit;
  for (const speed of [answer.limit, answer.advisory]) {
    if (speed === null) continue;
    if (unit !== undefined && speed.unit !== unit) return false;
    if (!isPostableLimit(speed.value, speed.unit, countryOf(jurisdiction))) return false;
  }
  return true;
}

/**
 * An answer that says "obey" and names more than what stands at the roadside contradicts it: the lower counts.
 * One that says why the posted number does not hold (ended, condition false) may name more.
 */
function notAbovePosted(law: Law, surface: RoadSurface, posted: PostedLimits): Law {
  const seen = ofPosted(surface, posted);
  const mustObey = law.answer?.legalAction.startsWith('obey_limit') ?? false;
  if (!mustObey || seen === null || seen.limit === null) return law;
  if (law.limit !== null && law.limit.mps <= seen.limit.mps + mpsSlack) return law;
  return { ...seen, isConservative: true, answer: law.answer, answeredAtUs: law.answeredAtUs };
}

function ofPosted(surface: RoadSurface, posted: PostedLimits): Law | null {
  let best: Law | null = null;
  const gantry = posted.gantry;
  if (gantry !== null && gantry.fact.value.value !== null) {
    const { value, unit } = gantry.fact.value;
    best = observed('gantry', speedOf(value, unit), gantry.fact.conf, gantry.fact.observedAtUs);
  }
  const sign = posted.sign;
  if (sign !== null && sign.valueMps !== null && sign.fact.value.value !== undefined) {
    const isForWet = sign.fact.value.condition === 'wet';
    const isDry = surface === 'dry' || surface === 'damp';
    const limit = { value: sign.fact.value.value, unit: sign.unit, mps: sign.valueMps };
    // Until the expert has spoken the lower of sign and gantry binds; an unknown surface counts as wet.
    if (!(isForWet && isDry) && (best?.limit == null || limit.mps < best.limit.mps)) {
      best = observed('sign', limit, sign.conf, sign.fact.observedAtUs);
    }
  }
  return best;
}

function observed(source: LawSource, limit: SpeedValue, conf: number, atUs: number): Law {
  return {
    limit,
    advisory: null,
    source,
    conf,
    sinceUs: atUs,
    isConservative: false,
    isOutdated: false,
    answer: null,
    answeredAtUs: null,
  };
}

function lastKnown(view: WorldView, context: LawContext | null, memory: LawMemory, tUs: number): Law {
  let limit: SpeedValue | null = null;
  if (memory.lastKnown !== null && memory.lastKnown.jurisdiction === view.jurisdiction) {
    limit = memory.lastKnown.limit;
  }
  if (context !== null && context.road !== null) {
    const road = `${context.jurisdiction}|${context.road}`;
    const usual = memory.roadDefaults.find((known) => known.road === road);
    if (usual !== undefined && (limit === null || usual.limit.mps < limit.mps)) limit = usual.limit;
  }
  return {
    limit,
    advisory: null,
    source: limit === null ? 'none' : 'last_known',
    conf: 0,
    sinceUs: tUs,
    isConservative: true,
    isOutdated: false,
    answer: null,
    answeredAtUs: null,
  };
}

/** Something seen but not believed may lower the limit, never raise it. */
function withUnclear(law: Law, posted: PostedLimits): Law {
  const unclear = posted.unclear;
  if (unclear === null || unclear.value === null) return law;
  if (law.source === 'rules' && law.limit === null) return law;
  const limit = speedOf(unclear.value, unclear.unit);
  if (law.limit !== null && law.limit.mps <= limit.mps) return law;
  return {
    ...law,
    limit,
    source: 'unclear_sign',
    conf: Math.min(law.conf, unclearConf),
    isConservative: true,
  };
}

function speedOf(value: number, unit: SpeedUnit): SpeedValue {
  return { value, unit, mps: toMps(value, unit) };
}
