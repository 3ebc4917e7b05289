/** Law, then traction, then the car: the speed and headway that are advised, and why. */
import type { Params } from '../params.js';
import type { SpeedValue } from '../router/expert-answers.js';
import type { SafetyRecord } from '../safety/safety-record.js';
import { displayedAdvice, speedFactor } from '../safety/target-speed.js';
import type { SpeedUnit } from '../world/facts.js';
import { fromMps } from '../world/speed-units.js';
import type { Law } from './law.js';

export interface Advice {
  /** what the advice starts from: the binding limit, else the recommended speed */
  readonly reference: SpeedValue | null;
  readonly isBinding: boolean;
  readonly speedFactor: number;
  readonly targetMps: number | null;
  /** whole units of the driver, never above the limit */
  readonly speed: number | null;
  /** the limit in the driver's unit, rounded down as signs of the other unit would have to be */
  readonly limit: number | null;
  readonly unit: SpeedUnit;
  /** advice is below the limit: both are told */
  readonly tellBoth: boolean;
  readonly headwayS: number | null;
  /** what lowered the target most */
  readonly because: 'law' | 'traction' | 'health';
  readonly isConservative: boolean;
}

export function adviseSpeed(law: Law, safety: SafetyRecord, unit: SpeedUnit, params: Params): Advice {
  const reference = law.limit ?? law.advisory;
  const headwayS = headway(safety, params);
  if (reference === null) {
    return {
      reference,
      isBinding: false,
      speedFactor: 1,
      targetMps: null,
      speed: null,
      limit: null,
      unit,
      tellBoth: false,
      headwayS,
      because: 'law',
      isConservative: law.isConservative,
    };
  }
  const factor = speedFactor(reference.mps, safety.mu_used, params);
  const healthFactor = 1 - params.friction.healthSpeedLossRatio * safety.h_used;
  const targetMps = reference.mps * factor * healthFactor;
  // The slack keeps 50 km/h at 50 after the way through m/s.
  const limit = reference.unit === unit ? reference.value : Math.floor(fromMps(reference.mps, unit) + 1e-9);
  const isLawAlone = factor >= 1 && healthFactor >= 1;
  // 80 km/h is 49 mph on the display; rounding that down to 45 would advise against nothing.
  const speed = isLawAlone && reference.unit !== unit ? limit : displayedAdvice(targetMps, limit, unit);
  return {
    reference,
    isBinding: law.limit !== null,
    speedFactor: factor,
    targetMps,
    speed,
    limit,
    unit,
    tellBoth: speed < limit,
    headwayS,
    because: isLawAlone ? 'law' : factor <= healthFactor ? 'traction' : 'health',
    isConservative: law.isConservative,
  };
}

/** max(2 s, d_min/v), where the car moves fast enough for a headway to mean something. */
function headway(safety: SafetyRecord, params: Params): number | null {
  const { v, dmin } = safety;
  if (v === null || dmin === null || v < params.act.speedMinMps) return null;
  return Math.max(params.speech.headwayMinS, dmin / v);
}
