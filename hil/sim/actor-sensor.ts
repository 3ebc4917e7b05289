/**
 * The simulated perception of vehicles ahead: an estimate with errors, never the truth.
 *
 * Stands in for a track fused from radar and camera at 10 Hz, with the errors such tracks have (practice):
 * range to 1 %, at least 0.1 m; closing speed to 0.12 m/s near and 0.5 m/s at the edge of the range; confidence
 * and range that fall in rain; missed detections; and the latency of the processing.
 */
import type { Actor, FactInput } from '../../daemon/core/world/facts.js';
import type { LeadState } from './lead.js';
import type { Prng } from './prng.js';
import { createPrng } from './prng.js';
import type { WeatherState } from './weather.js';

const clearRangeM = 130;
const rangeLossInRain = 0.4; // of the range, at precipitation 100 %
const missedInClear = 0.01; // of the detections
const missedInRain = 0.04; // more, at precipitation 100 %

export const actorPeriodUs = 100_000;
/** from exposure to the finished track */
export const actorLatencyUs = 60_000;

export interface ActorSensor {
  readonly range: Prng;
  readonly closing: Prng;
  readonly missed: Prng;
}

export function createActorSensor(seed: string): ActorSensor {
  return {
    range: createPrng(seed, 'actor range'),
    closing: createPrng(seed, 'actor closing speed'),
    missed: createPrng(seed, 'actor missed'),
  };
}

/** One observation: who is seen ahead. An empty list says that nobody was seen, missed ones included. */
export function senseActors(
  sensor: ActorSensor,
  leads: readonly LeadState[],
  egoFrontM: number,
  egoMps: number,
  weather: WeatherState,
  tUs: number,
): FactInput {
  const rain = Math.min(1, weather.precipitation / 100);
  const rangeM = clearRangeM * (1 - rangeLossInRain * rain);
  const actors: Actor[] = [];
  let conf = 0.95;
  for (const lead of leads) {
    const gapM = lead.rearM - egoFrontM;
    // Draw before deciding, so that what is in range does not shift the noise that follows.
    const rangeNoise = sensor.range.normal();
    const closingNoise = sensor.closing.normal();
    const isMissed = sensor.missed.uniform() < missedInClear + missedInRain * rain;
    if (gapM > rangeM || isMissed) continue;
    const farness = Math.max(0, gapM / clearRangeM);
    actors.push({
      id: lead.script.id,
      cls: lead.script.cls,
      gapM: rounded(Math.max(0, gapM + rangeNoise * Math.max(0.1, 0.01 * gapM)), 100),
      closingMps: rounded(egoMps - lead.vMps + closingNoise * (0.12 + 0.4 * farness), 100),
      inPath: rounded(lead.inLane, 100),
    });
    conf = Math.min(conf, 0.95 - 0.25 * farness - 0.12 * rain);
  }
  return {
    kind: 'actors',
    value: actors,
    conf: rounded(conf, 1000),
    provenance: 'perception',
    observedAtUs: tUs,
  };
}

/** Sensors report steps, not 53 bits. */
function rounded(x: number, stepsPerUnit: number): number {
  return Math.round(x * stepsPerUnit) / stepsPerUnit;
}
