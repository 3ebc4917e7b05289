/**
 * What the safety quantities are computed from, and how doubtful input is resolved: every substitution leaves
 * a flag, none is silent except plain clamping.
 */
import type { Params } from '../params.js';
import type { RoadSurface } from '../world/facts.js';
import { clamp, clamp01 } from './braking-envelope.js';
import { frictionTable, isRoadSurface } from './friction-table.js';

/** Position and motion across the road, where perception gives it; signed, positive to the right. */
export interface LateralInput {
  /** free gap between both vehicles' sides, m */
  readonly gapM: number;
  readonly egoMps: number;
  readonly otherMps: number;
  /** on which side of us the other one is */
  readonly side: 'left' | 'right';
}

export interface LeadInput {
  readonly id?: string;
  /** bumper to bumper, m; null = not measured */
  readonly gapM: number | null;
  /** closing speed, m/s, positive = approaching */
  readonly closingMps: number | null;
  readonly ageUs?: number;
  readonly lateral?: LateralInput;
}

export interface FrictionInput {
  readonly est: number | null;
  readonly lo?: number | null;
  readonly ageUs?: number;
}

/** Raw input of one evaluation. `null` or a missing member = not known. */
export interface SafetyInputs {
  readonly speedMps: number | null;
  readonly speedAgeUs?: number;
  /** null = fresh "nobody ahead" */
  readonly lead: LeadInput | null;
  readonly friction: FrictionInput | null;
  /** a road state of the friction table; missing = unknown */
  readonly road?: string;
  /** 0…1 share of braking ability left; missing = 1 */
  readonly brakeEffectiveness?: number | null;
  /** 0 healthy … 1 worst */
  readonly healthRisk: number | null;
  readonly healthAgeUs?: number;
  /** least confidence of what enters; missing = 1 */
  readonly confidence?: number | null;
}

export interface UsableLead {
  readonly id: string | null;
  readonly gapM: number;
  readonly closingMps: number;
  readonly lateral: LateralInput | null;
}

export interface ResolvedInputs {
  /** forward speed; 0 while reversing; null = not known */
  readonly speedMps: number | null;
  readonly isReversing: boolean;
  readonly confidence: number;
  readonly lead: UsableLead | null;
  readonly road: RoadSurface;
  /** what braking distances use */
  readonly frictionUsed: number;
  /** lower bound, also on dry roads: what an intervention may count on */
  readonly frictionLower: number;
  /** best estimate */
  readonly frictionEstimate: number;
  readonly brakeEffectiveness: number;
  readonly healthRisk: number;
  /** sorted by code point */
  readonly flags: readonly string[];
}

export function resolveInputs(inputs: SafetyInputs, params: Params): ResolvedInputs {
  const flags: string[] = [];
  const speed = resolveSpeed(inputs, params, flags);
  const confidence = resolveConfidence(inputs, flags);
  const lead = resolveLead(inputs.lead, params, flags);
  const road = resolveRoad(inputs.road, flags);
  const friction = resolveFriction(inputs.friction, road, params, flags);
  const brakeEffectiveness = resolveBrakes(inputs, params, flags);
  const healthRisk = resolveHealth(inputs, params, flags);
  // Code unit order equals code point order here: all flags are ASCII.
  flags.sort();
  return { ...speed, confidence, lead, road, ...friction, brakeEffectiveness, healthRisk, flags };
}

/** An age that is no number is as good as too old. */
function isStale(ageUs: number | undefined, ttlUs: number): boolean {
  return ageUs !== undefined && !(ageUs <= ttlUs);
}

function resolveSpeed(inputs: SafetyInputs, params: Params, flags: string[]) {
  let speed = inputs.speedMps;
  if (speed !== null && !Number.isFinite(speed)) {
    flags.push('nonfinite:v');
    speed = null;
  }
  if (speed !== null && isStale(inputs.speedAgeUs, params.freshness.speedUs)) {
    flags.push('stale:v');
    speed = null;
  }
  if (speed === null) flags.push('missing:v');
  const isReversing = speed !== null && speed < 0;
  if (isReversing) flags.push('reverse');
  return { speedMps: isReversing ? 0 : speed, isReversing };
}

function resolveConfidence(inputs: SafetyInputs, flags: string[]): number {
  const confidence = inputs.confidence;
  if (confidence === undefined) return 1;
  if (confidence === null || !Number.isFinite(confidence)) {
    flags.push('nonfinite:conf');
    return 0;
  }
  return clamp01(confidence);
}

function resolveLead(lead: LeadInput | null, params: Params, flags: string[]): UsableLead | null {
  if (lead === null) return null;
  const gapM = measured(lead.gapM, 'd', flags);
  const closingMps = measured(lead.closingMps, 'dv', flags);
  if (isStale(lead.ageUs, params.freshness.leadUs)) {
    flags.push('stale:lead');
    return null;
  }
  if (gapM === null || closingMps === null) {
    flags.push('lead:unusable');
    return null;
  }
  if (gapM < 0) flags.push('neg_distance');
  return { id: lead.id ?? null, gapM: Math.max(0, gapM), closingMps, lateral: lead.lateral ?? null };
}

function measured(value: number | null, name: string, flags: string[]): number | null {
  if (value === null) {
    flags.push(`missing:${name}`);
    return null;
  }
  if (!Number.isFinite(value)) {
    flags.push(`nonfinite:${name}`);
    return null;
  }
  return value;
}

function resolveRoad(road: string | undefined, flags: string[]): RoadSurface {
  if (road === undefined) return 'unknown';
  if (isRoadSurface(road)) return road;
  flags.push('road:unrecognised');
  return 'unknown';
}

function resolveFriction(input: FrictionInput | null, road: RoadSurface, params: Params, flags: string[]) {
  const { frictionMinRatio, frictionMaxRatio } = params.friction;
  const roadLower = frictionTable[road].lowerBound;
  let est: number | null = null;
  if (input !== null) {
    if (input.est === null || !Number.isFinite(input.est) || input.est <= 0) flags.push('mu:invalid');
    else if (isStale(input.ageUs, params.freshness.frictionUs)) flags.push('stale:mu');
    else est = input.est;
  }
  let used = roadLower;
  let lower = roadLower;
  if (input === null || est === null) {
    flags.push('mu:fallback');
  } else {
    const lo = input.lo;
    const isUsable = lo !== undefined && lo !== null && Number.isFinite(lo) && lo > 0;
    lower = Math.min(est, isUsable ? lo : roadLower);
    used = road === 'dry' ? est : lower;
  }
  const frictionUsed = clamp(used, frictionMinRatio, frictionMaxRatio);
  if (frictionUsed !== used) flags.push('mu:clamped');
  return {
    frictionUsed,
    frictionLower: clamp(lower, frictionMinRatio, frictionMaxRatio),
    frictionEstimate: clamp(est ?? roadLower, frictionMinRatio, frictionMaxRatio),
  };
}

function resolveBrakes(inputs: SafetyInputs, params: Params, flags: string[]): number {
  const { brakeEffectivenessMinRatio, brakeEffectivenessInvalidRatio } = params.friction;
  const given = inputs.brakeEffectiveness;
  if (given === undefined) return 1;
  if (given === null || !Number.isFinite(given) || given <= 0) {
    flags.push('brake_eff:invalid');
    return clamp(brakeEffectivenessInvalidRatio, brakeEffectivenessMinRatio, 1);
  }
  return clamp(given, brakeEffectivenessMinRatio, 1);
}

function resolveHealth(inputs: SafetyInputs, params: Params, flags: string[]): number {
  let risk = inputs.healthRisk;
  if (risk !== null && !Number.isFinite(risk)) {
    flags.push('nonfinite:h');
    risk = null;
  }
  if (risk !== null && isStale(inputs.healthAgeUs, params.freshness.healthUs)) {
    flags.push('stale:h');
    risk = null;
  }
  if (risk === null) {
    // Inventing a fault would desensitise; the γ-term is at most 0.1.
    flags.push('h:unknown');
    return 0;
  }
  return clamp01(risk);
}
