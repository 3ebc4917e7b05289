/** Health as it is reported over time: each contribution by itself, findings with their subject, and what changed. */
import { type DiagnosticMemory, recentlyClearedUnits, troubleCodesOf } from './diagnostic-memory.js';
import type { HealthState } from './health-monitor.js';
import type { HealthTerm } from './health-score.js';
import { summariseHealth } from './health-summary.js';
import type { HealthValues, IndicatorName } from './indicators.js';

/** What is known of the buses. */
export interface BusCondition {
  /** names of cyclic messages that stopped and whose meaning is known: they lower health */
  readonly lostKnown: readonly string[];
  /** of those whose meaning is not known: they are reported, no more */
  readonly lostUnknown: readonly string[];
  /** true as soon as a cyclic message of known meaning is watched */
  readonly isWatching: boolean;
  readonly isBusOff: boolean;
  /** buses that fell silent as a whole */
  readonly quietBuses: readonly string[];
  readonly isRedBrakeLampOn: boolean;
}

export const quietBusCondition: BusCondition = {
  lostKnown: [],
  lostUnknown: [],
  isWatching: false,
  isBusOff: false,
  quietBuses: [],
  isRedBrakeLampOn: false,
};

export interface ReportedContribution {
  readonly indicator: IndicatorName;
  readonly severity: number;
  readonly weight: number;
  /** path in the Vehicle Signal Specification; null where it has none (buses) */
  readonly vss: string | null;
  /** for trouble codes and lost messages: what exactly, e.g. `7E8:P0301` */
  readonly source: string | null;
  readonly isHeld: boolean;
}

export type ReportFindingCode =
  | 'sensor_range'
  | 'low_coverage'
  | 'recently_cleared'
  | 'message_lost'
  | 'message_missing'
  | 'bus_off'
  | 'bus_quiet'
  | 'answer_incomplete';

export interface ReportFinding {
  readonly code: ReportFindingCode;
  /** VSS path, control unit, message or bus; '' where there is none */
  readonly subject: string;
}

export interface HealthReport {
  readonly tUs: number;
  readonly health: number | null;
  readonly healthRisk: number | null;
  readonly coverage: number;
  readonly brakeEffectiveness: number;
  /** by falling weight × severity, then by name */
  readonly contributions: readonly ReportedContribution[];
  readonly stale: readonly IndicatorName[];
  readonly findings: readonly ReportFinding[];
}

export interface HealthSources {
  readonly monitor: HealthState;
  readonly diagnostics: DiagnosticMemory;
  readonly buses: BusCondition;
  /** findings of whoever reads the log */
  readonly further: readonly ReportFinding[];
}

/** @param staleUs age from which a signal is stale, at least; five of its cycles if that is longer */
export function reportHealth(
  sources: HealthSources,
  tUs: number,
  staleUs: number,
  values: HealthValues,
): HealthReport {
  const { monitor, diagnostics, buses, further } = sources;
  const troubleCodes = troubleCodesOf(diagnostics);
  const result = summariseHealth(monitor, tUs, staleUs, values, {
    isBusOff: buses.isBusOff,
    isRedBrakeLampOn: buses.isRedBrakeLampOn,
    ...(buses.isWatching ? { isMessageLost: buses.lostKnown.length > 0, lostMessages: buses.lostKnown } : {}),
    ...(troubleCodes === undefined ? {} : { troubleCodes }),
  });
  const found = (code: ReportFindingCode, subjects: readonly string[]): ReportFinding[] =>
    subjects.map((subject) => ({ code, subject }));
  return {
    tUs,
    health: result.health,
    healthRisk: result.healthRisk,
    coverage: result.coverage,
    brakeEffectiveness: result.brakeEffectiveness,
    contributions: result.terms
      .filter(({ severity }) => severity > 0)
      .map(contribution)
      .sort(byWeightThenName),
    stale: result.stale,
    findings: [
      ...result.findings.map(({ code, path }) => ({ code, subject: path })),
      ...found('recently_cleared', recentlyClearedUnits(diagnostics)),
      ...found('message_lost', [...buses.lostKnown, ...buses.lostUnknown]),
      ...(buses.isBusOff ? found('bus_off', ['']) : []),
      ...found('bus_quiet', buses.quietBuses),
      ...further,
    ],
  };
}

function contribution(term: HealthTerm): ReportedContribution {
  const { indicator, severity, weightRatio: weight, source, isHeld } = term;
  const isPath = source.startsWith('Vehicle.');
  return {
    indicator,
    severity,
    weight,
    vss: isPath ? source : indicator === 'dtc' ? 'Vehicle.Diagnostics.DTCList' : null,
    source: isPath || indicator === 'bus_off' ? null : source,
    isHeld,
  };
}

function byWeightThenName(a: ReportedContribution, b: ReportedContribution): number {
  return (
    b.weight * b.severity - a.weight * a.severity ||
    compare(a.indicator, b.indicator) ||
    compare(a.source ?? a.vss ?? '', b.source ?? b.vss ?? '')
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** True where a new line is due: a contribution, a stale indicator or a finding came, went or changed. */
export function isNews(before: HealthReport | null, now: HealthReport): boolean {
  if (before === null) return now.health !== null || now.findings.length > 0;
  if ((before.health === null) !== (now.health === null)) return true;
  return (
    before.contributions.length !== now.contributions.length ||
    before.stale.length !== now.stale.length ||
    before.findings.length !== now.findings.length ||
    now.contributions.some((one, i) => !isSameContribution(one, before.contributions[i])) ||
    now.stale.some((name, i) => name !== before.stale[i]) ||
    now.findings.some(({ code, subject }, i) => {
      const other = before.findings[i];
      return code !== other?.code || subject !== other.subject;
    })
  );
}

function isSameContribution(a: ReportedContribution, b: ReportedContribution | undefined): boolean {
  return (
    b !== undefined &&
    a.indicator === b.indicator &&
    a.severity === b.severity &&
    a.weight === b.weight &&
    a.vss === b.vss &&
    a.source === b.source
  );
}
