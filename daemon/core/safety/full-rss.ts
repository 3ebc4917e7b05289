/**
 * RSS with the lead's own speed, as a monitor beside the deciding rule: same direction while the lead moves
 * away or stands, opposite direction while it comes towards us, which the deciding rule cannot see.
 */
import type { Params } from '../params.js';
import type { RuleVerdict, SafetyEvaluator } from './evaluator.js';
import {
  lateralDistanceM,
  oppositeDirectionDistanceM,
  type RssDynamics,
  sameDirectionDistanceM,
} from './rss-formulas.js';
import type { LateralInput, ResolvedInputs } from './safety-inputs.js';

export const fullRssRule: SafetyEvaluator = {
  rule: 'full-rss',
  evaluate(situation, params): RuleVerdict {
    const { speedMps, lead } = situation;
    if (speedMps === null || lead === null) return noVerdict;
    const ego = egoDynamics(situation, params);
    const other = otherDynamics(situation, params);
    const leadMps = speedMps - lead.closingMps;
    const isOncoming = leadMps < 0;
    const requiredGapM = isOncoming
      ? oppositeDirectionDistanceM(speedMps, -leadMps, ego, other)
      : sameDirectionDistanceM(speedMps, leadMps, ego, other);
    const requiredLateralGapM = lead.lateral === null ? null : lateralRequirementM(lead.lateral, ego, other);
    // A situation is dangerous only if both distances are violated; unknown lateral counts as violated.
    const isLateralSafe =
      lead.lateral !== null && requiredLateralGapM !== null && lead.lateral.gapM > requiredLateralGapM;
    return {
      rule: 'full-rss',
      formula: isOncoming ? 'opposite_direction' : 'same_direction',
      requiredGapM,
      requiredLateralGapM,
      isViolated: requiredGapM !== null && !(lead.gapM > requiredGapM) && !isLateralSafe,
    };
  },
};

const noVerdict: RuleVerdict = {
  rule: 'full-rss',
  formula: 'none',
  requiredGapM: null,
  requiredLateralGapM: null,
  isViolated: false,
};

/** Braking the ego car is sure to reach on this road with these brakes. */
function egoDynamics(situation: ResolvedInputs, params: Params): RssDynamics {
  const { rss } = params;
  const brakeMinMps2 =
    rss.brakeMinGripRatio * situation.frictionLower * situation.brakeEffectiveness * params.risk.gravityMps2;
  return {
    ...commonDynamics(params),
    responseTimeS: rss.responseTimeS,
    brakeMinMps2,
    brakeMaxMps2: Math.max(brakeMinMps2, hardestBrakeMps2(situation, params)),
    brakeMinCorrectMps2: rss.brakeCorrectRatio * brakeMinMps2,
  };
}

/** The other car: its brakes are sound, and its hardest braking is what the road may give at best. */
function otherDynamics(situation: ResolvedInputs, params: Params): RssDynamics {
  const { rss } = params;
  const brakeMinMps2 = rss.brakeMinGripRatio * situation.frictionLower * params.risk.gravityMps2;
  return {
    ...commonDynamics(params),
    responseTimeS: rss.otherResponseTimeS,
    brakeMinMps2,
    brakeMaxMps2: Math.max(brakeMinMps2, hardestBrakeMps2(situation, params)),
    brakeMinCorrectMps2: rss.brakeCorrectRatio * brakeMinMps2,
  };
}

function hardestBrakeMps2(situation: ResolvedInputs, params: Params): number {
  return Math.min(params.rss.brakeMaxMps2, situation.frictionEstimate * params.risk.gravityMps2);
}

function commonDynamics(params: Params) {
  const { rss } = params;
  return {
    accelMaxMps2: rss.accelMaxMps2,
    lateralAccelMaxMps2: rss.lateralAccelMaxMps2,
    lateralBrakeMinMps2: rss.lateralBrakeMinMps2,
    lateralFluctuationM: rss.lateralFluctuationM,
    accelSpeedMaxMps: rss.accelSpeedMaxMps,
    minDistanceM: rss.standstillGapM,
  };
}

function lateralRequirementM(lateral: LateralInput, ego: RssDynamics, other: RssDynamics): number | null {
  return lateral.side === 'left'
    ? lateralDistanceM(lateral.otherMps, lateral.egoMps, other, ego)
    : lateralDistanceM(lateral.egoMps, lateral.otherMps, ego, other);
}
