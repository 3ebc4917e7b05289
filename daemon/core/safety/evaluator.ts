/**
 * The seam of safety rules: given a resolved situation, how much gap is needed and is there less?
 *
 * The first evaluator decides (its violation enters the risk); further ones report beside it.
 */
import type { Params } from '../params.js';
import type { ResolvedInputs } from './safety-inputs.js';

export const ruleNames = ['brick-wall', 'full-rss'] as const;
export type RuleName = (typeof ruleNames)[number];

export interface RuleVerdict {
  readonly rule: RuleName;
  /** which formula applied; `none`: no usable lead or no ego speed */
  readonly formula: 'standing_obstacle' | 'same_direction' | 'opposite_direction' | 'none';
  /** m; null where it is not defined */
  readonly requiredGapM: number | null;
  /** m, where lateral data was given */
  readonly requiredLateralGapM: number | null;
  readonly isViolated: boolean;
}

/**
 * Every implementation promises: no violation without ego speed and usable lead; the required gap is never
 * negative, never shrinks with the speed towards a standing lead, and never shrinks with less grip or weaker
 * brakes; a violation never disappears when only the gap gets smaller.
 */
export interface SafetyEvaluator {
  readonly rule: RuleName;
  evaluate(situation: ResolvedInputs, params: Params): RuleVerdict;
}
