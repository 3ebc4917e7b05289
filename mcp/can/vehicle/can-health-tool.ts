import { z } from 'zod';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { HealthReport } from '../../../daemon/core/safety/health/health-report.js';
import { healthGroups, indicatorNames, indicators } from '../../../daemon/core/safety/health/indicators.js';
import { type ExpertTool, expertTool, type ToolContext } from '../../shared/expert-tool.js';
import { shownText } from '../../shared/shown-text.js';
import { assessCanHealth, explained } from '../can-health.js';
import type { DbcShelf } from '../files/dbc-shelf.js';
import { type CanHealthAnswer, canHealthAnswer, canHealthToolArgs } from '../health-schema.js';
import type { LogAccess } from '../log/scan-log.js';
import { stamped } from './answer-stamp.js';
import { readVehicleLog, type VehicleLog } from './vehicle-log.js';
import { askVehicle, checkLogArgs, daemonMoment, daemonSource } from './vehicle-source.js';

const findingsMaxCount = 100;

const daemonHealth = z.object({
  ...daemonMoment,
  health: z
    .object({
      health: z.number().nullable(),
      health_risk: z.number().nullable(),
      coverage: z.number(),
      brake_effectiveness: z.number(),
      contributions: z.array(
        z.object({
          indicator: z.enum(indicatorNames),
          group: z.enum(healthGroups),
          points: z.number(),
          severity: z.number(),
          sources: z.array(z.string()),
        }),
      ),
      findings: z.array(z.object({ code: z.string(), path: z.string() })),
    })
    .nullable(),
});
const daemonValues = z.object({
  ...daemonMoment,
  signals: z.record(z.string(), z.object({ value: z.number().nullable() })),
});

/** `can_health`: how the car is, with what contributes to it. */
export function canHealthTool(access: LogAccess, shelf: DbcShelf, socket: string | null): ExpertTool {
  return expertTool({
    name: 'can_health',
    title: 'Vehicle health',
    description:
      'How the vehicle is, with every contribution and the numbers that decided: from given signals and trouble codes, at the end of a log, or of a running daemon. 100 means that nothing bad is known, not that all is well; coverage says how much is known. Research software beside certified functions, never in their place.',
    input: canHealthToolArgs,
    output: canHealthAnswer,
    async run(args, context) {
      const { signals, log, profile, dbc, ...rest } = args;
      checkLogArgs(args);
      // The daemon asks with values: its own record says when, and the same question has the same answer.
      if (signals !== undefined && log === undefined) return assessCanHealth({ ...rest, signals });
      const extra = Object.entries({ signals, ...rest }).find(([, value]) => value !== undefined)?.[0];
      if (extra !== undefined) {
        throw new DriveMcpError('TOOL_ARGS_INVALID', `${extra} belongs to given signals without a log`, {
          location: { key: log === undefined ? 'signals' : extra },
        });
      }
      const answer =
        log === undefined
          ? await ofDaemon(socket, context)
          : ofLog(await readVehicleLog(access, shelf, { log, profile, dbc }, context));
      return stamped(answer, args, context.nowWallMs);
    },
  });
}

async function ofDaemon(socket: string | null, { signal }: ToolContext): Promise<CanHealthAnswer> {
  const told = await askVehicle(socket, { subject: 'health', scopes: ['read:health'] }, daemonHealth, signal);
  const source = daemonSource(told);
  const { health } = told;
  if (health === null) return { ...nothingKnown, source };
  const question = { subject: 'signals', scopes: ['read:Vehicle'] } as const;
  const { signals } = await askVehicle(socket, question, daemonValues, signal);
  const values = Object.fromEntries(Object.entries(signals).map(([path, { value }]) => [path, value]));
  return {
    ...health,
    contributions: health.contributions.map((each) => explained(each, values)),
    findings: health.findings.slice(0, findingsMaxCount).map(({ code, path }) => finding(code, path)),
    ignored_signals: [],
    source,
  };
}

function ofLog({ source, report, signals }: VehicleLog): CanHealthAnswer {
  const values = Object.fromEntries([...signals].map(([path, { value }]) => [path, value]));
  return {
    health_risk: report.healthRisk,
    health: report.health,
    coverage: report.coverage,
    brake_effectiveness: report.brakeEffectiveness,
    contributions: contributionsOf(report).map((each) => explained(each, values)),
    findings: report.findings
      .slice(0, findingsMaxCount)
      .map(({ code, subject }) => finding(code, shownText(subject))),
    ignored_signals: [],
    source,
  };
}

/** A report tells each tyre and each code by itself. */
function contributionsOf({ contributions }: HealthReport) {
  return contributions.map(({ indicator, severity, weight, source, vss }) => ({
    indicator,
    group: indicators[indicator].group,
    points: weight * severity,
    severity,
    sources: [shownText(source ?? vss ?? 'bus')],
  }));
}

function finding(code: string, path: string): { code: string; path?: string } {
  return path === '' ? { code } : { code, path };
}

const nothingKnown: CanHealthAnswer = {
  health_risk: null,
  health: null,
  coverage: 0,
  brake_effectiveness: 1,
  contributions: [],
  findings: [],
  ignored_signals: [],
};
