/**
 * `can_health`: how the car is, from vehicle signals under their COVESA VSS paths and from trouble codes.
 *
 * Judges one moment: the values are taken as they stand, debouncing is up to whoever reads the bus.
 */
import { z } from 'zod';
import { createParams } from '../../daemon/core/params.js';
import { advanceHealth, initialHealthState } from '../../daemon/core/safety/health/health-monitor.js';
import type { HealthContribution } from '../../daemon/core/safety/health/health-score.js';
import { contextPaths, healthSignals } from '../../daemon/core/safety/health/health-signals.js';
import { type HealthExtras, summariseHealth } from '../../daemon/core/safety/health/health-summary.js';
import { dtcStatuses } from '../../daemon/core/safety/health/trouble-codes.js';
import type { JsonObject, JsonValue } from '../../daemon/core/tick.js';
import { explainCode } from '../../daemon/vehicles/dtc/dtc-knowledge.js';
import { parseToolArgs } from '../shared/tool-args.js';
import { explainContribution, unitOfPath } from './explain-contribution.js';

const signalMaxCount = 500;

const troubleCode = z.strictObject({
  code: z
    .string()
    .regex(/^[PCBUpcbu][0-9A-Fa-f]{4}$/)
    .describe('five characters, e.g. C0035'),
  status: z.enum(dtcStatuses),
  ecu: z.string().max(20).optional().describe('control unit; the same code of one unit counts once'),
});

export const canHealthArgs = z.strictObject({
  signals: z
    .record(z.string().max(160), z.number().nullable())
    .refine((signals) => Object.keys(signals).length <= signalMaxCount, `at most ${signalMaxCount} signals`)
    .describe('VSS path → value in m/s, °C, kPa, V, % or 0/1; null = received, but not available'),
  trouble_codes: z.array(troubleCode).max(500).optional().describe('missing = not read; [] = read, none'),
  is_bus_off: z.boolean().optional(),
  is_message_lost: z.boolean().optional().describe('a cyclic safety message is missing'),
  is_red_brake_lamp_on: z.boolean().optional(),
});

const values = createParams('default').health;

/**
 * @returns `{health_risk, health, coverage, brake_effectiveness, contributions, findings, ignored_signals}`;
 * `health_risk` is null where nothing given says anything about health
 * @throws DriveMcpError TOOL_ARGS_INVALID
 */
export function assessCanHealth(args: unknown): JsonObject {
  const given = parseToolArgs(canHealthArgs, args, 'can_health');
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

function healthExtras(given: z.output<typeof canHealthArgs>): HealthExtras {
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

function explained(
  contribution: HealthContribution,
  signals: Readonly<Record<string, number | null>>,
): JsonObject {
  return {
    indicator: contribution.indicator,
    group: contribution.group,
    points: contribution.points,
    severity: contribution.severity,
    sources: contribution.sources.map((source): JsonValue => {
      const value = signals[source];
      const unit = unitOfPath(source);
      if (value === undefined) return { source, ...titleOf(contribution, source) };
      return { source, value, ...(unit === '' ? {} : { unit }) };
    }),
    explanation: explainContribution(contribution, signals, values),
  };
}

/** What a trouble code says, beside the code. */
function titleOf({ indicator }: HealthContribution, source: string): { title?: string } {
  if (indicator !== 'dtc') return {};
  const code = source.slice(source.indexOf(':') + 1);
  return { title: explainCode({ kind: 'obd', code, ftb: null }, 'en').title };
}

function isUsed(path: string): boolean {
  return healthSignals.has(path) || path === contextPaths.engineRpm || path === contextPaths.speedMps;
}
