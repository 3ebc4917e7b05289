/**
 * Signs and gantries: which of what was seen is believed, and which sign is in force.
 *
 * A map's sign counts at once. A camera's needs agreement: 2 of the last 3 sightings, 3 of the last 5 where it
 * raises the limit or differs from it by more than 40 units (a misread digit), and one alone only for a
 * gantry read with confidence ≥ 0.8 that lowers the limit.
 */
import type { Params } from '../params.js';
import { flag, type TickNotes } from '../tick-notes.js';
import type { Fact, GantryFact, SignFact, SpeedUnit } from './facts.js';
import { countryOf, isPostableLimit, jurisdictionProfile } from './jurisdiction-profiles.js';
import { toMps } from './speed-units.js';

/** A believed sign, with the segment it was seen on. */
export interface PostedSign {
  readonly fact: Fact<SignFact>;
  readonly segment: string | null;
  /** null where the sign says no number: end of limit, town limit */
  readonly valueMps: number | null;
  readonly unit: SpeedUnit;
  readonly conf: number;
}

export interface ShownGantry {
  readonly fact: Fact<GantryFact>;
  readonly segment: string | null;
}

/** Something seen that could be a limit but was not believed: unclear, impossible or not yet confirmed. */
export interface UnclearLimit {
  readonly atUs: number;
  /** what it may have said; null where that cannot be a limit */
  readonly value: number | null;
  readonly unit: SpeedUnit;
  readonly reason: 'confidence' | 'impossible' | 'unconfirmed';
}

export interface PostedLimits {
  /** last signs seen, one an id, oldest first */
  readonly recent: readonly Fact<SignFact>[];
  readonly sightings: readonly string[];
  readonly sign: PostedSign | null;
  readonly gantry: ShownGantry | null;
  readonly unclear: UnclearLimit | null;
}

export const nothingPosted: PostedLimits = {
  recent: [],
  sightings: [],
  sign: null,
  gantry: null,
  unclear: null,
};

/** Where we are when a sign is seen, and the limit so far. */
export interface PostingContext {
  readonly jurisdiction: string | null;
  readonly segment: string | null;
  readonly currentMps: number | null;
}

const maxRecent = 16;
const sightingsKept = 5;
const gantryAloneConf = 0.8;
const unseenUnitConfRatio = 0.8;

const limitCategories: ReadonlySet<string> = new Set(['speed_limit', 'zone']);
const contextCategories: ReadonlySet<string> = new Set(['end_limit', 'town_entry', 'town_exit']);

export function observeSign(
  state: PostedLimits,
  fact: Fact<SignFact>,
  context: PostingContext,
  params: Params,
  notes: TickNotes,
): PostedLimits {
  const seen: PostedLimits = { ...state, recent: keepRecent(state.recent, fact) };
  const sign = fact.value;
  // A plate for lorries does not bind a car; one for a time of day may, so it counts as in force.
  if (sign.condition === 'truck') return seen;
  if (contextCategories.has(sign.category) && sign.value === undefined) {
    return believeSign(seen, fact, context, null, unitOf(sign, context.jurisdiction), fact.conf, params);
  }
  if (!limitCategories.has(sign.category) && !contextCategories.has(sign.category)) return seen;
  const unit = unitOf(sign, context.jurisdiction);
  const conf = sign.unit === undefined ? fact.conf * unseenUnitConfRatio : fact.conf;
  const country = sign.country ?? (context.jurisdiction === null ? null : countryOf(context.jurisdiction));
  if (sign.value === undefined || !isPostableLimit(sign.value, unit, country)) {
    flag(notes, 'limit:impossible');
    return { ...seen, unclear: unclearLimit(fact, null, unit, 'impossible') };
  }
  return believeSign(seen, fact, context, sign.value, unit, conf, params);
}

function believeSign(
  state: PostedLimits,
  fact: Fact<SignFact>,
  context: PostingContext,
  value: number | null,
  unit: SpeedUnit,
  conf: number,
  params: Params,
): PostedLimits {
  const valueMps = value === null ? null : toMps(value, unit);
  const key = `sign:${fact.value.category}:${value ?? ''}:${unit}`;
  const counted = addSighting(state, key, conf, params);
  if (conf < params.events.lowConfidenceRatio) {
    return { ...counted, unclear: unclearLimit(fact, value, unit, 'confidence') };
  }
  const isCertain = fact.provenance === 'map' || hasEnough(counted.sightings, key, valueMps, unit, context);
  if (!isCertain) {
    return { ...counted, unclear: unclearLimit(fact, value, unit, 'unconfirmed') };
  }
  return { ...counted, sign: { fact, segment: context.segment, valueMps, unit, conf }, unclear: null };
}

export function observeGantry(
  state: PostedLimits,
  fact: Fact<GantryFact>,
  context: PostingContext,
  params: Params,
  notes: TickNotes,
): PostedLimits {
  const { value, unit, country } = fact.value;
  const place = country ?? (context.jurisdiction === null ? null : countryOf(context.jurisdiction));
  if (value !== null && !isPostableLimit(value, unit, place)) {
    flag(notes, 'limit:impossible');
    return { ...state, unclear: unclearLimit(fact, null, unit, 'impossible') };
  }
  const valueMps = value === null ? null : toMps(value, unit);
  const key = `gantry:${value ?? ''}:${unit}`;
  const counted = addSighting(state, key, fact.conf, params);
  if (fact.conf < params.events.lowConfidenceRatio) {
    return { ...counted, unclear: unclearLimit(fact, value, unit, 'confidence') };
  }
  const lowers = valueMps !== null && (context.currentMps === null || valueMps <= context.currentMps);
  const isCertain =
    fact.provenance === 'map' ||
    (lowers && fact.conf >= gantryAloneConf) ||
    hasEnough(counted.sightings, key, valueMps, unit, context);
  if (!isCertain) {
    return { ...counted, unclear: unclearLimit(fact, value, unit, 'unconfirmed') };
  }
  return { ...counted, gantry: { fact, segment: context.segment }, unclear: null };
}

/** Signs seen before a border do not bind behind it. */
export function dropPosted(state: PostedLimits, borderAtUs: number): PostedLimits {
  const isBefore = (fact: Fact<unknown> | undefined): boolean =>
    fact !== undefined && fact.observedAtUs < borderAtUs;
  return {
    ...state,
    sightings: [],
    sign: isBefore(state.sign?.fact) ? null : state.sign,
    gantry: isBefore(state.gantry?.fact) ? null : state.gantry,
    unclear: null,
  };
}

/**
 * Lets go of what no longer binds: a sign or gantry counts on the segment it was seen on and, where segments
 * are unknown, for the time to live of limits.
 */
export function expirePosted(
  state: PostedLimits,
  segment: string | null,
  tUs: number,
  params: Params,
): PostedLimits {
  const { limitUs } = params.freshness;
  const isOver = (seenOn: string | null, fact: Fact<unknown>): boolean =>
    (seenOn === null || seenOn !== segment) && tUs - fact.observedAtUs > limitUs;
  const sign = state.sign !== null && isOver(state.sign.segment, state.sign.fact) ? null : state.sign;
  const gantry =
    state.gantry !== null && isOver(state.gantry.segment, state.gantry.fact) ? null : state.gantry;
  const unclear = state.unclear !== null && tUs - state.unclear.atUs > limitUs ? null : state.unclear;
  let recent = state.recent;
  for (const fact of state.recent) {
    if (tUs - fact.observedAtUs > limitUs) {
      recent = state.recent.filter((kept) => tUs - kept.observedAtUs <= limitUs);
      break;
    }
  }
  if (
    sign === state.sign &&
    gantry === state.gantry &&
    unclear === state.unclear &&
    recent === state.recent
  ) {
    return state;
  }
  return { ...state, sign, gantry, unclear, recent };
}

function unclearLimit(
  fact: Fact<unknown>,
  value: number | null,
  unit: SpeedUnit,
  reason: UnclearLimit['reason'],
): UnclearLimit {
  return { atUs: fact.observedAtUs, value, unit, reason };
}

/** The unit a sign is read in: its own, else the country's, else km/h, which is the lower speed of the two. */
function unitOf(sign: SignFact, jurisdiction: string | null): SpeedUnit {
  if (sign.unit !== undefined) return sign.unit;
  const profile = jurisdiction === null ? null : jurisdictionProfile(jurisdiction);
  return profile?.unit ?? 'km/h';
}

function hasEnough(
  sightings: readonly string[],
  key: string,
  valueMps: number | null,
  unit: SpeedUnit,
  context: PostingContext,
): boolean {
  const current = context.currentMps;
  // Rounding of the unit conversion must not turn an equal limit into a raised one.
  const raises = valueMps === null || (current !== null && valueMps > current + 1e-6);
  const isFar =
    valueMps !== null && current !== null && Math.abs(valueMps - current) > toMps(40, unit) + 1e-6;
  const [window, needed] = raises || isFar ? [5, 3] : [3, 2];
  let agreeing = 0;
  for (const sighting of sightings.slice(-window)) if (sighting === key) agreeing++;
  return agreeing >= needed;
}

function addSighting(state: PostedLimits, key: string, conf: number, params: Params): PostedLimits {
  // An unsure reading neither confirms nor refutes.
  if (conf < params.events.lowConfidenceRatio) return state;
  return { ...state, sightings: [...state.sightings.slice(-(sightingsKept - 1)), key] };
}

function keepRecent(recent: readonly Fact<SignFact>[], fact: Fact<SignFact>): readonly Fact<SignFact>[] {
  const others = recent.filter((seen) => seen.value.id !== fact.value.id);
  return [...others.slice(-(maxRecent - 1)), fact];
}
