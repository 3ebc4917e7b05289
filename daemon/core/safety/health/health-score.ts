/**
 * From severities to one number: z = Σ over groups of min(cap, Σ w·s), h = 1 − exp(−z).
 *
 * 0 is a car of which nothing bad is known. The squash gives 0 for z = 0, never reaches 1, and lets two
 * independent faults combine as 1 − (1 − h₁)(1 − h₂).
 */
import {
  groupCaps,
  type HealthGroup,
  type HealthValues,
  healthGroups,
  type IndicatorName,
  indicatorNames,
  indicators,
} from './indicators.js';

/** One weighted severity. An indicator may have several (four tyres, many codes). */
export interface HealthTerm {
  readonly indicator: IndicatorName;
  /** 0…1 */
  readonly severity: number;
  readonly weightRatio: number;
  /** what it was read from: VSS paths or a code */
  readonly source: string;
  /** the value is held: its signal is silent or out of range */
  readonly isHeld: boolean;
}

export interface HealthContribution {
  readonly indicator: IndicatorName;
  readonly group: HealthGroup;
  /** Σ w·s of the indicator, before the group's cap */
  readonly points: number;
  /** the worst */
  readonly severity: number;
  readonly sources: readonly string[];
  readonly isHeld: boolean;
}

export interface HealthScore {
  readonly z: number;
  /** 0 healthy … below 1 */
  readonly healthRisk: number;
  /** above 0 only, by falling points, then by name */
  readonly contributions: readonly HealthContribution[];
}

/** The sum does not depend on the order of `terms`, to the last bit. */
export function scoreHealth(terms: readonly HealthTerm[], values: HealthValues): HealthScore {
  const contributions = contributionsOf(terms);
  let z = 0;
  for (const group of healthGroups) {
    let sum = 0;
    for (const contribution of contributions) if (contribution.group === group) sum += contribution.points;
    z += Math.min(values[groupCaps[group]], sum);
  }
  contributions.sort(byPointsThenName);
  return { z, healthRisk: squash(z), contributions };
}

function contributionsOf(terms: readonly HealthTerm[]): HealthContribution[] {
  const contributions: HealthContribution[] = [];
  for (const indicator of indicatorNames) {
    const own = terms.filter((term) => term.indicator === indicator && term.severity > 0);
    if (own.length === 0) continue;
    // Sorted by value, so that floating-point addition meets the same numbers in the same order.
    own.sort(
      (a, b) => b.weightRatio * b.severity - a.weightRatio * a.severity || compare(a.source, b.source),
    );
    let points = 0;
    let severity = 0;
    for (const term of own) {
      points += term.weightRatio * term.severity;
      severity = Math.max(severity, term.severity);
    }
    contributions.push({
      indicator,
      group: indicators[indicator].group,
      points,
      severity,
      sources: own.map((term) => term.source),
      isHeld: own.some((term) => term.isHeld),
    });
  }
  return contributions;
}

function byPointsThenName(a: HealthContribution, b: HealthContribution): number {
  return b.points - a.points || compare(a.indicator, b.indicator);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * The one transcendental function of the core. Its last bits differ between engines, so the result is rounded
 * at once to twelve decimals, where every machine agrees.
 */
export function squash(z: number): number {
  return Math.round((1 - Math.exp(-z)) * 1e12) / 1e12;
}

/** What people see: 100 = nothing known to be wrong. */
export function healthPercent(healthRisk: number): number {
  return 100 * (1 - healthRisk);
}
