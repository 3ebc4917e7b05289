/** Takes what arrived with a tick into the world: checked, in an order that does not depend on arrival. */
import type { Params } from '../params.js';
import type { RunSettings } from '../settings.js';
import type { SignalSample, TickInputs } from '../tick.js';
import { compareStrings, count, flag, type TickNotes } from '../tick-notes.js';
import { forgetOldTracks, observeActors } from './actor-tracks.js';
import { checkFact, clamp01, oneOf } from './check-fact.js';
import { type Fact, type FactInput, type FactKind, type FactValues, provenances } from './facts.js';
import { observeJurisdiction, observeSide, observeUnit } from './jurisdiction.js';
import {
  dropPosted,
  expirePosted,
  observeGantry,
  observeSign,
  type PostingContext,
} from './posted-limits.js';
import { holdSignals } from './signals.js';
import type { WorldState } from './world-state.js';

export interface Ingested {
  readonly world: WorldState;
  /** questions of the driver that arrived with this tick; untrusted text */
  readonly queries: readonly string[];
}

const futureToleranceUs = 100_000;
const maxFacts = 256;

const factKinds: readonly FactKind[] = [
  'jurisdiction',
  'units',
  'drive_side',
  'road',
  'weather',
  'sign',
  'gantry',
  'actors',
  'driver_query',
];

/**
 * @param samples the tick's signals in a definite order (`orderedSamples`)
 * @param currentLimitMps limit believed so far: raising it takes more evidence than lowering it
 */
export function ingest(
  before: WorldState,
  inputs: TickInputs,
  samples: readonly SignalSample[],
  currentLimitMps: number | null,
  settings: RunSettings,
  params: Params,
  notes: TickNotes,
): Ingested {
  const { tUs } = inputs;
  const facts = inDefiniteOrder(inputs.facts, tUs, settings, notes);
  const queries: string[] = [];
  let world: WorldState = before;
  const signals = holdSignals(before.signals, samples, tUs, notes);
  if (signals !== before.signals) world = { ...world, signals };
  for (const fact of facts) world = takeFact(world, fact, currentLimitMps, params, queries, notes);
  const posted = expirePosted(world.posted, world.road?.value.segment ?? null, tUs, params);
  if (posted !== world.posted) {
    if (posted.sign !== world.posted.sign) flag(notes, 'stale:sign');
    if (posted.gantry !== world.posted.gantry) flag(notes, 'stale:gantry');
    world = { ...world, posted };
  }
  const actors = forgetOldTracks(world.actors, tUs);
  if (actors !== world.actors) world = { ...world, actors };
  return { world, queries };
}

function takeFact(
  world: WorldState,
  input: FactInput,
  currentLimitMps: number | null,
  params: Params,
  queries: string[],
  notes: TickNotes,
): WorldState {
  const { conf, provenance, observedAtUs: atUs } = input;
  const context = (): PostingContext => ({
    jurisdiction: world.jurisdiction.committed,
    segment: world.road?.value.segment ?? null,
    currentMps: currentLimitMps,
  });
  switch (input.kind) {
    case 'actors':
      return { ...world, actors: observeActors(world.actors, input.value, conf, provenance, atUs, notes) };
    case 'weather': {
      if (world.weather !== null && atUs < world.weather.observedAtUs) return world;
      return { ...world, weather: factOf(input, input.value, params.freshness.frictionUs) };
    }
    case 'road': {
      if (world.road !== null && atUs < world.road.observedAtUs) return world;
      return { ...world, road: factOf(input, input.value, params.freshness.frictionUs) };
    }
    case 'sign': {
      const fact = factOf(input, input.value, params.freshness.limitUs);
      return { ...world, posted: observeSign(world.posted, fact, context(), params, notes) };
    }
    case 'gantry': {
      const fact = factOf(input, input.value, params.freshness.limitUs);
      return { ...world, posted: observeGantry(world.posted, fact, context(), params, notes) };
    }
    case 'jurisdiction': {
      const { jurisdiction } = world;
      const next = observeJurisdiction(jurisdiction, input.value, conf, provenance, atUs, params);
      if (next === jurisdiction) return world;
      const hasCrossed = next.committed !== jurisdiction.committed && jurisdiction.committed !== null;
      const posted = hasCrossed ? dropPosted(world.posted, atUs) : world.posted;
      return { ...world, jurisdiction: next, posted };
    }
    case 'units':
      return { ...world, jurisdiction: observeUnit(world.jurisdiction, input.value, atUs) };
    case 'drive_side':
      return { ...world, jurisdiction: observeSide(world.jurisdiction, input.value, atUs) };
    case 'driver_query':
      queries.push(input.value);
      return world;
  }
}

function factOf<T>(input: FactInput, value: T, ttlUs: number): Fact<T> {
  return {
    value,
    conf: input.conf,
    provenance: input.provenance,
    observedAtUs: input.observedAtUs,
    ttlUs,
  };
}

/**
 * Checked facts by time of observation, then kind, provenance, confidence and content, so that the order in
 * which adapters happened to deliver them changes nothing.
 */
function inDefiniteOrder(
  facts: readonly FactInput[],
  tUs: number,
  settings: RunSettings,
  notes: TickNotes,
): readonly FactInput[] {
  if (facts.length === 0) return facts;
  const checked: FactInput[] = [];
  for (const fact of facts) {
    const taken = checkInput(fact, tUs, settings, notes);
    if (taken !== null) checked.push(taken);
  }
  if (checked.length > 1) checked.sort(compareFacts);
  if (checked.length > maxFacts) {
    // The newest stay: they are what the tick is about.
    count(notes, 'facts_over_bound', checked.length - maxFacts);
    flag(notes, 'facts:too_many');
    checked.splice(0, checked.length - maxFacts);
  }
  return checked;
}

function checkInput(fact: FactInput, tUs: number, settings: RunSettings, notes: TickNotes): FactInput | null {
  const kind = oneOf(factKinds, fact.kind);
  const provenance = oneOf(provenances, fact.provenance);
  if (kind === null || provenance === null || !Number.isFinite(fact.observedAtUs)) {
    return refuse(notes, 'fact:malformed');
  }
  if (provenance === 'sim_oracle' && !settings.isAnalysis) return refuse(notes, 'refused:sim_oracle');
  if (fact.observedAtUs > tUs + futureToleranceUs) return refuse(notes, `future:${kind}`);
  const value: FactValues[FactKind] | null = checkFact(kind, fact.value);
  if (value === null) return refuse(notes, `malformed:${kind}`);
  if (!Number.isFinite(fact.conf)) flag(notes, `nonfinite:conf:${kind}`);
  return {
    kind,
    value,
    conf: Number.isFinite(fact.conf) ? clamp01(fact.conf) : 0,
    provenance,
    observedAtUs: Math.min(fact.observedAtUs, tUs),
  } as FactInput;
}

function refuse(notes: TickNotes, name: string): null {
  flag(notes, name);
  count(notes, 'facts_refused');
  return null;
}

function compareFacts(a: FactInput, b: FactInput): number {
  return (
    a.observedAtUs - b.observedAtUs ||
    factKinds.indexOf(a.kind) - factKinds.indexOf(b.kind) ||
    compareStrings(a.provenance, b.provenance) ||
    a.conf - b.conf ||
    compareStrings(JSON.stringify(a.value), JSON.stringify(b.value))
  );
}
