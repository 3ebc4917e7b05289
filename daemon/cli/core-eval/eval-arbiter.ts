import { actBlockers } from '../../core/arbiter/guards.js';
import type { Params } from '../../core/params.js';
import { assessSafety, startThresholds } from '../../core/safety/assessment.js';
import type { FrictionInput, LeadInput, SafetyInputs } from '../../core/safety/safety-inputs.js';
import type { VectorFields } from './vector-fields.js';

/** One evaluation of the decision rule, without the daemon's confirmation, hold and gates. */
export function evalArbiter(id: string, inputs: VectorFields, params: Params): Record<string, unknown> {
  const assessment = assessSafety(safetyInputs(inputs), startThresholds(params), params);
  const { record } = assessment;
  const blockedBy = actBlockers(assessment, params);
  return {
    id,
    preset: params.preset,
    mu_used: record.mu_used,
    a_brake: record.a_brake,
    dmin: record.dmin,
    ttc: record.ttc,
    ttc_term: record.ttc_term,
    rss_viol: record.rss_viol,
    h_used: record.h_used,
    r: record.r,
    u_act: record.u_act,
    u_speak: record.u_speak,
    score: record.score,
    decision: blockedBy.length === 0 ? 'ACT' : 'SPEAK',
    blocked_by: blockedBy,
    flags: record.flags,
  };
}

function safetyInputs(inputs: VectorFields): SafetyInputs {
  const lead = inputs.fieldsOrNull('lead');
  const friction = inputs.fieldsOrNull('mu');
  return {
    speedMps: inputs.numberOrNull('v') ?? null,
    ...ageOf('speedAgeUs', inputs, 'v_age_ms'),
    lead: lead === null ? null : leadInput(lead),
    friction: friction === null ? null : frictionInput(friction),
    ...optional('road', inputs.stringOr('road', undefined)),
    ...optional('brakeEffectiveness', inputs.numberOrNull('brake_eff')),
    healthRisk: inputs.numberOrNull('h') ?? null,
    ...ageOf('healthAgeUs', inputs, 'h_age_ms'),
    ...optional('confidence', inputs.numberOrNull('conf')),
  };
}

function leadInput(lead: VectorFields): LeadInput {
  return {
    gapM: lead.numberOrNull('d') ?? null,
    closingMps: lead.numberOrNull('dv') ?? null,
    ...ageOf('ageUs', lead, 'age_ms'),
  };
}

function frictionInput(friction: VectorFields): FrictionInput {
  return {
    est: friction.numberOrNull('est') ?? null,
    ...optional('lo', friction.numberOrNull('lo')),
    ...ageOf('ageUs', friction, 'age_ms'),
  };
}

function ageOf<K extends string>(name: K, fields: VectorFields, key: string): { readonly [P in K]?: number } {
  const ageMs = fields.numberOrNull(key);
  return ageMs === undefined || ageMs === null
    ? {}
    : ({ [name]: ageMs * 1000 } as { readonly [P in K]: number });
}

/** Under exact optional types a missing member is not a member that is undefined. */
function optional<K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [P in K]: V });
}
