/**
 * `can_health` of given values: how the car is, from vehicle signals under their COVESA VSS paths and from trouble codes.
 *
 * Judges one moment: the values are taken as they stand, debouncing is up to whoever reads the bus.
 */
import { createParams } from '../../daemon/core/params.js';
import { advanceHealth, initialHealthState } from '../../daemon/core/safety/health/health-monitor.js';
import type { HealthContribution } from '../../daemon/core/safety/health/health-score.js';
import { contextPaths, healthSignals } from '../../daemon/core/safety/health/health-signals.js';
import { type HealthExtras, summariseHealth } from '../../daemon/core/safety/health/health-summary.js';
import { explainCode } from '../../daemon/vehicles/dtc/dtc-knowledge.js';
import { explainContribution, unitOfPath } from './explain-contribution.js';
import type { CanHealthAnswer, CanHealthArgs } from './health-schema.js';

const values = createParams('default').health;

/** `health_risk` is null where nothing given says anything about health. */
export function assessCanHealth(given: CanHealthArgs): CanHealthAnswer {
  const samples = Object.entries(given.signals).map(([path, value]) => ({
    path,
    value,
    observedAtUs: 0,
    changes: 0,
  }));
  // As often as debouncing asks for, so that the values count at once.
  let state = initialHealthState;
  for (let seen = 0; seen < values.debounceCount; seen++) state = advanceHealth(state, samples, 0, values);
  const result = summariseHealth(state, 0, 0, values, healthExtras(given));
  return {
    health_risk: result.healthRisk,
    health: result.health,
    coverage: result.coverage,
    brake_effectiveness: result.brakeEffectiveness,
    contributions: result.contributions.map((contribution) => explained(contribution, given.signals)),
    findings: result.findings.map(({ code, path }) => (path === '' ? { code } : { code, path })),
    ignored_signals: Object.keys(given.signals)
      .filter((path) => !isUsed(path))
      .slice(0, 20),
  };
}

function healthExtras(given: CanHealthArgs): HealthExtras {
  return {
    ...(given.trouble_codes === undefined
      ? {}
      : {
          troubleCodes: given.trouble_codes.map(({ code, status, ecu }) => ({
            code,
            status,
            ecu: ecu ?? '',
          })),
        }),
    ...(given.is_bus_off === undefined ? {} : { isBusOff: given.is_bus_off }),
    ...(given.is_message_lost === undefined ? {} : { isMessageLost: given.is_message_lost }),
    ...(given.is_red_brake_lamp_on === undefined ? {} : { isRedBrakeLampOn: given.is_red_brake_lamp_on }),
  };
}

/** A contribution with the values that decided. */
export function explained(
  contribution: Pick<HealthContribution, 'indicator' | 'group' | 'points' | 'severity' | 'sources'>,
  signals: Readonly<Record<string, number | null>>,
): CanHealthAnswer['contributions'][number] {
  return {
    indicator: contribution.indicator,
    group: contribution.group,
    points: contribution.points,
    severity: contribution.severity,
    sources: contribution.sources.map((source) => {
      const value = signals[source];
      const unit = unitOfPath(source);
      if (value === undefined) return { source, ...titleOf(contribution.indicator, source) };
      return { source, value, ...(unit === '' ? {} : { unit }) };
    }),
    explanation: explainContribution(contribution, signals, values),
  };
}

/** What a trouble code says, beside the code. */
function titleOf(indicator: string, source: string): { title?: string } {
  if (indicator !== 'dtc') return {};
  const code = source.slice(source.indexOf(':') + 1);
  return { title: explainCode({ kind: 'obd', code, ftb: null }, 'en').title };
}

function isUsed(path: string): boolean {
  return healthSignals.has(path) || path === contextPaths.engineRpm || path === contextPaths.speedMps;
}
