/** Condition of the vehicle as it is used: computed from its signals here, once a second. */
import type { Params } from '../params.js';
import type { RouterState } from '../router/router-state.js';
import { advanceHealth, type HealthState, initialHealthState } from '../safety/health/health-monitor.js';
import { type HealthResult, summariseHealth } from '../safety/health/health-summary.js';
import type { SignalSample, SourceState } from '../tick.js';

export interface ConditionMemory {
  readonly monitor: HealthState;
  readonly summary: HealthResult | null;
  readonly summarisedAtUs: number;
  /** newest good answer of the CAN expert, which may know trouble codes that no signal tells */
  readonly answer: {
    readonly healthRisk: number;
    readonly indicators: readonly string[];
    readonly atUs: number;
  } | null;
}

export const initialCondition: ConditionMemory = {
  monitor: initialHealthState,
  summary: null,
  summarisedAtUs: 0,
  answer: null,
};

export interface Condition {
  /** 0 healthy … below 1; null = nothing known */
  readonly healthRisk: number | null;
  readonly ageUs: number;
  readonly brakeEffectiveness: number;
  /** worst first */
  readonly indicators: readonly string[];
  readonly coverage: number;
}

/** Health changes slowly: once a second is often enough (its debouncing takes longer). */
const summariseEveryUs = 1_000_000;

export function advanceCondition(
  memory: ConditionMemory,
  samples: readonly SignalSample[],
  sources: readonly SourceState[],
  tUs: number,
  params: Params,
): ConditionMemory {
  const monitor = advanceHealth(memory.monitor, samples, tUs, params.health);
  const isDue = memory.summary === null || tUs - memory.summarisedAtUs >= summariseEveryUs;
  if (!isDue) return monitor === memory.monitor ? memory : { ...memory, monitor };
  const buses = sources.filter((source) => source.kind === 'can');
  const extras = buses.length === 0 ? {} : { isBusOff: buses.some((source) => source.state === 'lost') };
  const summary = summariseHealth(monitor, tUs, params.freshness.healthUs, params.health, extras);
  return { ...memory, monitor, summary, summarisedAtUs: tUs };
}

export function rememberCondition(memory: ConditionMemory, router: RouterState): ConditionMemory {
  let next = memory;
  for (const entry of router.cache) {
    if (entry.answer?.tool !== 'can' || entry.answer.healthRisk === null) continue;
    if (next.answer !== null && entry.receivedAtUs <= next.answer.atUs) continue;
    const { healthRisk, indicators } = entry.answer;
    next = { ...next, answer: { healthRisk, indicators, atUs: entry.receivedAtUs } };
  }
  return next;
}

/** The worse of what the signals say and what the expert said within the time to live of health. */
export function fuseCondition(memory: ConditionMemory, tUs: number, params: Params): Condition {
  const summary = memory.summary;
  const own = summary?.healthRisk ?? null;
  const ownAgeUs = summary === null ? 0 : tUs - (summary.observedAtUs ?? tUs);
  const indicators = summary?.contributions.map((contribution) => contribution.indicator as string) ?? [];
  const base = {
    brakeEffectiveness: summary?.brakeEffectiveness ?? 1,
    coverage: summary?.coverage ?? 0,
  };
  const answer = memory.answer;
  const isFresh = answer !== null && tUs - answer.atUs <= params.freshness.healthUs;
  if (isFresh && (own === null || answer.healthRisk > own)) {
    return {
      ...base,
      healthRisk: answer.healthRisk,
      ageUs: tUs - answer.atUs,
      indicators: answer.indicators.length > 0 ? answer.indicators : indicators,
    };
  }
  return { ...base, healthRisk: own, ageUs: ownAgeUs, indicators };
}
