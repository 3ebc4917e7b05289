/**
 * Grip as it is used: the weather expert's answer, capped by what the core itself sees now. Without an answer
 * there is none, and the safety evaluation falls back to the lower bound of the road state.
 */
import type { Params } from '../params.js';
import type { CachedAnswer, RouterState } from '../router/router-state.js';
import {
  estimateGrip,
  type GripEstimate,
  type GripObservations,
  measuredGrip,
  surfaceOfEstimate,
} from '../safety/friction-estimate.js';
import { hasSlipHint, noSlip, observeSlip, type SlipMemory } from '../safety/wheel-slip.js';
import type { RoadSurface } from '../world/facts.js';
import { worseSurface } from '../world/road-surface.js';
import type { WorldView } from '../world/world-view.js';

/** What is remembered about grip. */
export interface GripMemory {
  /** grip measured while ABS cycled */
  readonly measured: { readonly ratio: number; readonly atUs: number } | null;
  readonly slip: SlipMemory;
  /** newest good answer of the weather expert */
  readonly answer: {
    readonly key: string;
    readonly muEst: number;
    readonly muLo: number;
    readonly confidence: number;
    readonly atUs: number;
  } | null;
}

export const emptyGripMemory: GripMemory = { measured: null, slip: noSlip, answer: null };

export interface Grip {
  /** what the core itself makes of weather and vehicle */
  readonly prior: GripEstimate;
  readonly seen: GripObservations;
  readonly hasEvidence: boolean;
  /** wheels slip without braking or accelerating */
  readonly isSlipping: boolean;
  readonly surface: RoadSurface;
  /** null = no usable answer */
  readonly est: number | null;
  readonly lo: number | null;
  readonly conf: number;
  readonly ageUs: number;
}

/** Confidence of a friction that is only the fallback of a road state. */
const fallbackConf = 0.2;

export function measureGrip(memory: GripMemory, view: WorldView, tUs: number, params: Params): GripMemory {
  const speedMps = view.speedMps === null ? null : Math.abs(view.speedMps);
  const slip = observeSlip(memory.slip, view.wheels, speedMps, view.accelerationMps2, params);
  if (slip !== memory.slip) memory = { ...memory, slip };
  const ratio = measuredGrip(view.isAbsActive, view.accelerationMps2, params);
  if (ratio !== null) return { ...memory, measured: { ratio, atUs: tUs } };
  if (memory.measured !== null && tUs - memory.measured.atUs > params.friction.measuredGripTtlUs) {
    return { ...memory, measured: null };
  }
  return memory;
}

export function rememberGrip(memory: GripMemory, router: RouterState): GripMemory {
  let newest: CachedAnswer | null = null;
  for (const entry of router.cache) {
    if (entry.answer?.tool === 'weather' && (newest === null || entry.receivedAtUs >= newest.receivedAtUs)) {
      newest = entry;
    }
  }
  if (newest?.answer?.tool !== 'weather') return memory;
  if (memory.answer !== null && newest.receivedAtUs <= memory.answer.atUs) return memory;
  const { muEst, muLo, confidence } = newest.answer;
  return { ...memory, answer: { key: newest.key, muEst, muLo, confidence, atUs: newest.receivedAtUs } };
}

export function fuseGrip(memory: GripMemory, view: WorldView, tUs: number, params: Params): Grip {
  const seen: GripObservations = {
    precipitation: view.weather?.precipitation ?? null,
    precipitationDeposits: view.weather?.precipitationDeposits ?? null,
    wetness: view.weather?.wetness ?? null,
    wiper: view.wiper,
    speedMps: view.speedMps === null ? null : Math.abs(view.speedMps),
    tyreKpa: view.tyreKpa,
    ambientC: view.airTemperatureC,
    measuredGripRatio: memory.measured?.ratio ?? null,
  };
  const prior = estimateGrip(seen);
  const hasEvidence = view.weather !== null || view.wiper !== null || memory.measured !== null;
  const isSlipping = hasSlipHint(memory.slip, tUs, params);
  const surface = worseSurface(
    view.surface,
    view.weather === null ? 'unknown' : surfaceOfEstimate(prior, seen),
  );
  const answer = memory.answer;
  const ageUs = answer === null ? 0 : tUs - answer.atUs;
  if (answer === null || ageUs > params.freshness.frictionUs) {
    return { prior, seen, hasEvidence, isSlipping, surface, est: null, lo: null, conf: fallbackConf, ageUs };
  }
  const est = Math.min(answer.muEst, prior.estimate);
  const lo = Math.min(answer.muLo, prior.lower, est);
  return { prior, seen, hasEvidence, isSlipping, surface, est, lo, conf: answer.confidence, ageUs };
}
