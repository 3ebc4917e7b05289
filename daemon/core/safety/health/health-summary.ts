/** What the kept signals say at one moment: risk, coverage, brakes, and why. */
import { clamp01 } from '../braking-envelope.js';
import { brakeEffectiveness } from './brake-effectiveness.js';
import type { HealthState } from './health-monitor.js';
import { type HealthContribution, type HealthTerm, healthPercent, scoreHealth } from './health-score.js';
import { healthSignals, tyreDeficitSeverity } from './health-signals.js';
import { type HealthValues, type IndicatorName, indicatorNames, indicators } from './indicators.js';
import { type TroubleCode, troubleCodeTerms } from './trouble-codes.js';

/** What is known of the car beyond its signals; a missing member is unknown, not healthy. */
export interface HealthExtras {
  readonly troubleCodes?: readonly TroubleCode[];
  readonly isMessageLost?: boolean;
  /** which, for the contribution's source */
  readonly lostMessages?: readonly string[];
  readonly isBusOff?: boolean;
  readonly isRedBrakeLampOn?: boolean;
}

export interface HealthFinding {
  readonly code: 'sensor_range' | 'low_coverage';
  /** VSS path, or empty */
  readonly path: string;
}

export interface HealthResult {
  /** 0 healthy … below 1; null = nothing is known */
  readonly healthRisk: number | null;
  /** 100·(1 − healthRisk) */
  readonly health: number | null;
  readonly z: number;
  /** share of the total weight that is fresh and plausible */
  readonly coverage: number;
  /** η_b, 0.3…1 */
  readonly brakeEffectiveness: number;
  readonly contributions: readonly HealthContribution[];
  /** what the contributions are summed from: each tyre, each code by itself */
  readonly terms: readonly HealthTerm[];
  /** indicators that had data and have none now */
  readonly stale: readonly IndicatorName[];
  readonly findings: readonly HealthFinding[];
  /** when the last health signal came in; null = never */
  readonly observedAtUs: number | null;
}

/** A signal's part in the result at one moment. */
interface Reading {
  readonly path: string;
  readonly indicator: IndicatorName;
  readonly wheel: number | null;
  readonly severity: number;
  readonly deficit: number;
  readonly weightRatio: number;
  readonly isFresh: boolean;
}

/** @param staleUs age in µs from which a signal is stale, at least; five of its cycles if that is longer */
export function summariseHealth(
  state: HealthState,
  tUs: number,
  staleUs: number,
  values: HealthValues,
  extras: HealthExtras = {},
): HealthResult {
  const readings: Reading[] = [];
  const findings: HealthFinding[] = [];
  const stale = new Set<IndicatorName>();
  let observedAtUs: number | null = null;
  // Sorted, so that the result does not depend on which signal was seen first.
  for (const path of Object.keys(state.signals).sort()) {
    const known = state.signals[path];
    const signal = healthSignals.get(path);
    if (known === undefined || signal === undefined) continue;
    observedAtUs = Math.max(observedAtUs ?? known.observedAtUs, known.observedAtUs);
    const isSilent =
      tUs - known.observedAtUs > Math.max(staleUs, (known.cycleUs ?? 0) * values.staleCyclesCount);
    const isInvalid = known.invalidSinceUs !== null;
    if (isInvalid) findings.push({ code: 'sensor_range', path });
    if (isSilent) stale.add(signal.indicator);
    // A failed sensor is believed for a while and is then unknown; a silent one keeps what it last said, for
    // silence must not heal a fault.
    const invalidSinceUs = known.invalidSinceUs ?? tUs;
    if (known.value === null || tUs - invalidSinceUs > values.sensorHoldUs) continue;
    readings.push({
      path,
      indicator: signal.indicator,
      wheel: signal.wheel,
      severity: known.severity,
      deficit: path.endsWith('.Tire.Pressure')
        ? Math.min(known.severity, tyreDeficitSeverity(known.value, values))
        : known.severity,
      weightRatio: signal.weight?.(known.value, values) ?? values[indicators[signal.indicator].weight],
      isFresh: !isSilent && !isInvalid,
    });
  }
  return assemble(readings, findings, [...stale], observedAtUs, values, extras);
}

function assemble(
  readings: readonly Reading[],
  findings: HealthFinding[],
  stale: readonly IndicatorName[],
  observedAtUs: number | null,
  values: HealthValues,
  extras: HealthExtras,
): HealthResult {
  const terms = [...signalTerms(readings), ...tyreTerms(readings, values), ...extraTerms(extras, values)];
  const { z, healthRisk, contributions } = scoreHealth(terms, values);
  const coverage = coverageOf(readings, extras, values);
  // A bus that works says nothing about the car: unknown never counts as healthy.
  const isKnown = terms.length > 0 || extras.troubleCodes !== undefined;
  if (isKnown && coverage < values.coverageLowRatio) findings.push({ code: 'low_coverage', path: '' });
  return {
    healthRisk: isKnown ? healthRisk : null,
    health: isKnown ? healthPercent(healthRisk) : null,
    z,
    coverage,
    brakeEffectiveness: brakeEffectiveness(
      {
        absSeverity: worst(readings, 'abs'),
        brakeFluidSeverity: worst(readings, 'brake_fluid'),
        isRedBrakeLampOn: extras.isRedBrakeLampOn === true,
        tyreSeverity: worstDeficit(readings),
      },
      values,
    ),
    contributions,
    terms,
    stale: indicatorNames.filter((name) => stale.includes(name)),
    findings,
    observedAtUs,
  };
}

/** Indicators other than tyres: the worst of their signals counts, once. */
function signalTerms(readings: readonly Reading[]): HealthTerm[] {
  const byIndicator = new Map<IndicatorName, Reading>();
  for (const reading of readings) {
    if (reading.indicator === 'tyre_pressure') continue;
    const known = byIndicator.get(reading.indicator);
    if (known === undefined || reading.severity > known.severity) byIndicator.set(reading.indicator, reading);
  }
  return [...byIndicator.values()].map(toTerm);
}

function toTerm(reading: Reading): HealthTerm {
  const { indicator, severity, weightRatio, path, isFresh } = reading;
  return { indicator, severity, weightRatio, source: path, isHeld: !isFresh };
}

/** The worst tyre weighs most, every other one a quarter. */
function tyreTerms(readings: readonly Reading[], values: HealthValues): HealthTerm[] {
  const byWheel = new Map<number, Reading>();
  for (const reading of readings) {
    if (reading.wheel === null) continue;
    const known = byWheel.get(reading.wheel);
    if (known === undefined || reading.severity > known.severity) byWheel.set(reading.wheel, reading);
  }
  // Readings come by path and sorting is stable, so equal wheels stay in that order.
  const wheels = [...byWheel.values()].sort((a, b) => b.severity - a.severity);
  return wheels.map((reading, rank) => ({
    ...toTerm(reading),
    weightRatio: rank === 0 ? values.tyreWorstWeightRatio : values.tyreOtherWeightRatio,
  }));
}

function extraTerms(extras: HealthExtras, values: HealthValues): HealthTerm[] {
  const terms = troubleCodeTerms(extras.troubleCodes ?? [], values);
  const weightRatio = values.commsWeightRatio;
  if (extras.isMessageLost === true)
    terms.push({
      indicator: 'lost_message',
      severity: 1,
      weightRatio,
      source: extras.lostMessages?.join(', ') || 'cyclic message',
      isHeld: false,
    });
  if (extras.isBusOff === true)
    terms.push({ indicator: 'bus_off', severity: 1, weightRatio, source: 'bus', isHeld: false });
  return terms;
}

/** Four wheels share the weight of the tyres; everything else is known or not. */
function coverageOf(readings: readonly Reading[], extras: HealthExtras, values: HealthValues): number {
  const fresh = new Set<IndicatorName>();
  const freshWheels = new Set<number>();
  for (const reading of readings) {
    if (!reading.isFresh) continue;
    if (reading.wheel !== null) freshWheels.add(reading.wheel);
    else fresh.add(reading.indicator);
  }
  if (extras.troubleCodes !== undefined) fresh.add('dtc');
  if (extras.isMessageLost !== undefined) fresh.add('lost_message');
  if (extras.isBusOff !== undefined) fresh.add('bus_off');
  let total = 0;
  let known = 0;
  for (const name of indicatorNames) {
    if (name === 'tyre_pressure') {
      const weight = values.tyreWorstWeightRatio + 3 * values.tyreOtherWeightRatio;
      total += weight;
      known += (weight * freshWheels.size) / 4;
    } else {
      const weight = values[indicators[name].weight];
      total += weight;
      if (fresh.has(name)) known += weight;
    }
  }
  return clamp01(known / total);
}

function worst(readings: readonly Reading[], indicator: IndicatorName): number {
  let severity = 0;
  for (const reading of readings) {
    if (reading.indicator === indicator) severity = Math.max(severity, reading.severity);
  }
  return severity;
}

function worstDeficit(readings: readonly Reading[]): number {
  let deficit = 0;
  for (const reading of readings) if (reading.wheel !== null) deficit = Math.max(deficit, reading.deficit);
  return deficit;
}
