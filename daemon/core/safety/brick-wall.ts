import { requiredStoppingGapM } from './braking-envelope.js';
import type { SafetyEvaluator } from './evaluator.js';

/**
 * The publication's rule: the lead may stop at once, as if it hit a wall. It needs the ego speed only, hence is
 * violated in most ordinary following above 80 km/h; TTC does the discriminating. Strict: d < d_min.
 */
export const brickWallRule: SafetyEvaluator = {
  rule: 'brick-wall',
  evaluate(situation, params) {
    const { speedMps, lead, frictionUsed, brakeEffectiveness } = situation;
    if (speedMps === null) {
      return {
        rule: 'brick-wall',
        formula: 'none',
        requiredGapM: null,
        requiredLateralGapM: null,
        isViolated: false,
      };
    }
    const brakeMps2 = frictionUsed * params.risk.gravityMps2 * brakeEffectiveness;
    const requiredGapM = requiredStoppingGapM(speedMps, brakeMps2, params);
    return {
      rule: 'brick-wall',
      formula: 'standing_obstacle',
      requiredGapM,
      requiredLateralGapM: null,
      isViolated: lead !== null && lead.gapM < requiredGapM,
    };
  },
};
