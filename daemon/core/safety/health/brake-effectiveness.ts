import type { HealthValues } from './indicators.js';

export interface BrakeCondition {
  /** debounced severities, 0…1 */
  readonly absSeverity: number;
  readonly brakeFluidSeverity: number;
  readonly isRedBrakeLampOn: boolean;
  /** deficit severity of the worst wheel */
  readonly tyreSeverity: number;
}

/**
 * η_b: share of the braking ability that is left. 0.8 without ABS, 0.5 with low fluid or the red lamp, up to
 * 15 % less on a soft tyre, floor 0.3. A fluid level counts as low from half of its ramp (25 % full).
 */
export function brakeEffectiveness(condition: BrakeCondition, values: HealthValues): number {
  let left = 1;
  if (condition.absSeverity >= 0.5) left *= 1 - values.absBrakeLossRatio;
  if (condition.brakeFluidSeverity >= 0.5 || condition.isRedBrakeLampOn)
    left *= 1 - values.fluidBrakeLossRatio;
  left *= 1 - values.tyreBrakeLossRatio * condition.tyreSeverity;
  return Math.max(values.brakeEffectivenessFloorRatio, left);
}
