import type { Params } from '../params.js';
import type { SafetyAssessment } from '../safety/assessment.js';

/**
 * Deceleration (m/s²) an intervention may ask for: the class limit, a share of the sure grip, and what the
 * closing speed needs over the gap left, whichever is least. Null without a usable lead.
 */
export function intentDecelMps2(assessment: SafetyAssessment, params: Params): number | null {
  const { lead, frictionLower } = assessment.situation;
  if (lead === null) return null;
  const { decelMaxMps2, gripUseRatio, gapFloorM } = params.act;
  const distanceM = Math.max(gapFloorM, lead.gapM - params.risk.standstillGapM);
  const needed = (lead.closingMps * lead.closingMps) / (2 * distanceM);
  return Math.min(decelMaxMps2, gripUseRatio * frictionLower * params.risk.gravityMps2, needed);
}
