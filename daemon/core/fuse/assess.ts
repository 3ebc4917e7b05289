/** From the fused world to the inputs of the safety evaluation. */

import type { SafetyRules } from '../safety/assessment.js';
import { defaultRules } from '../safety/assessment.js';
import { brickWallRule } from '../safety/brick-wall.js';
import { fullRssRule } from '../safety/full-rss.js';
import type { LeadCandidate } from '../safety/lead-choice.js';
import type { SafetyInputs } from '../safety/safety-inputs.js';
import type { RunSettings } from '../settings.js';
import type { WorldView } from '../world/world-view.js';
import type { Condition } from './condition.js';
import type { Grip } from './grip.js';

/** The decision is at most as sure as the grip it is computed with; each lead adds its own confidence. */
export function safetyInputs(view: WorldView, grip: Grip, condition: Condition): Omit<SafetyInputs, 'lead'> {
  return {
    speedMps: view.heldSpeedMps,
    speedAgeUs: view.speedAgeUs,
    friction: grip.est === null ? null : { est: grip.est, lo: grip.lo, ageUs: grip.ageUs },
    road: grip.surface,
    brakeEffectiveness: condition.brakeEffectiveness,
    healthRisk: condition.healthRisk,
    healthAgeUs: condition.ageUs,
    confidence: grip.conf,
  };
}

export function leadCandidates(view: WorldView): LeadCandidate[] {
  return view.leads.map((lead) => ({
    id: lead.id,
    gapM: lead.gapM,
    closingMps: lead.closingMps,
    ageUs: lead.ageUs,
    inPath: lead.inPath,
    confidence: Math.min(lead.conf, lead.inPath),
  }));
}

const monitored: SafetyRules = { deciding: brickWallRule, monitors: [fullRssRule] };

/** The publication's rule decides; full RSS reports beside it where the run asks for it. */
export function safetyRules(settings: RunSettings): SafetyRules {
  return settings.evaluator === 'rss' ? monitored : defaultRules;
}
