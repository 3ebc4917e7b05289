/** What is known of the world, as the signal service shows it: facts with confidence, origin and age. */
import type { JsonObject } from '../core/tick.js';
import type { Fact } from '../core/world/facts.js';
import type { WorldState } from '../core/world/world-state.js';

const actorsMaxCount = 64;
/** Text of signs is untrusted and left out; what they say counts. */
export function worldObject(world: WorldState, nowUs: number): JsonObject {
  const { weather, road, posted, jurisdiction, actors } = world;
  return {
    weather: weather === null ? null : factObject(weather, { ...weather.value }, nowUs),
    road: road === null ? null : factObject(road, { ...road.value }, nowUs),
    jurisdiction: jurisdiction.committed,
    sign:
      posted.sign === null
        ? null
        : factObject(
            posted.sign.fact,
            {
              category: posted.sign.fact.value.category,
              value: posted.sign.fact.value.value,
              unit: posted.sign.unit,
              limit_mps: posted.sign.valueMps,
              segment: posted.sign.segment,
            },
            nowUs,
          ),
    gantry:
      posted.gantry === null
        ? null
        : factObject(
            posted.gantry.fact,
            { value: posted.gantry.fact.value.value, unit: posted.gantry.fact.value.unit },
            nowUs,
          ),
    actors_observed: actors.observedAtUs !== null,
    actors: actors.tracks.slice(0, actorsMaxCount).map((track) => ({
      id: track.id,
      class: track.cls,
      gap_m: track.gapM,
      closing_mps: track.closingMps,
      in_path: track.inPath,
      confidence: track.conf,
      age_ms: ageMs(track.observedAtUs, nowUs),
    })),
  };
}

function factObject(fact: Fact<unknown>, value: JsonObject, nowUs: number): JsonObject {
  const age = nowUs - fact.observedAtUs;
  return {
    value,
    confidence: fact.conf,
    provenance: fact.provenance,
    age_ms: ageMs(fact.observedAtUs, nowUs),
    is_fresh: age <= fact.ttlUs,
  };
}

function ageMs(observedAtUs: number, nowUs: number): number {
  return Math.round((nowUs - observedAtUs) / 1000);
}
