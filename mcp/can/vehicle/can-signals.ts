import { z } from 'zod';
import { signalSpecByPath } from '../../../daemon/core/world/signal-paths.js';
import { vssCatalogue } from '../../../daemon/vehicles/vss/catalogue.js';
import { type ExpertTool, expertTool } from '../../shared/expert-tool.js';
import { shownText } from '../../shared/shown-text.js';
import type { DbcShelf } from '../files/dbc-shelf.js';
import type { LogAccess } from '../log/scan-log.js';
import { answerStamp, stamped } from './answer-stamp.js';
import { pathsOfGroup, signalGroups } from './signal-groups.js';
import { readVehicleLog } from './vehicle-log.js';
import {
  askVehicle,
  checkLogArgs,
  daemonMoment,
  daemonSource,
  logArgs,
  type VehicleSource,
  vehicleSource,
} from './vehicle-source.js';

const signalsMaxCount = 300;
/** For signals that decide nothing in the daemon, and so have no time to live there. */
const staleFromS = 10;

const input = z.strictObject({
  group: z.enum(signalGroups).optional().describe('only the signals of this group'),
  paths: z
    .array(
      z
        .string()
        .max(200)
        .regex(/^Vehicle(\.[A-Za-z0-9]+)*$/, 'a VSS path or branch, e.g. Vehicle.Chassis'),
    )
    .min(1)
    .max(50)
    .optional()
    .describe('only these signals or branches'),
  ...logArgs,
});

const answer = z.strictObject({
  source: vehicleSource,
  signals: z.array(
    z.strictObject({
      path: z.string().describe('COVESA VSS'),
      value: z.number().nullable().describe('null = received, but marked as not available'),
      unit: z.string(),
      age_s: z.number(),
      state: z.enum(['fresh', 'stale', 'not_available']),
    }),
  ),
  signals_count: z.number().int().describe('found; at most 300 are given'),
  missing: z.array(z.string()).describe('of the group, never received'),
  stamp: answerStamp,
});

const daemonSignals = z.object({
  ...daemonMoment,
  signals: z.record(
    z.string(),
    z.object({ value: z.number().nullable(), unit: z.string(), age_ms: z.number() }),
  ),
});

interface Reading {
  readonly value: number | null;
  readonly ageS: number;
}

/** `can_signals`: latest values of vehicle signals. */
export function canSignalsTool(access: LogAccess, shelf: DbcShelf, socket: string | null): ExpertTool {
  return expertTool({
    name: 'can_signals',
    title: 'Vehicle signals',
    description:
      'Latest values of vehicle signals under COVESA VSS paths in SI units, of a group (longitudinal, lateral, health) or by path, from a running daemon or at the end of a log. Each has its age; a stale value says nothing about now. Research software beside certified functions, never in their place.',
    input,
    output: answer,
    async run(args, context) {
      checkLogArgs(args);
      const { log, group, paths } = args;
      let source: VehicleSource;
      let readings: ReadonlyMap<string, Reading>;
      if (log !== undefined) {
        const read = await readVehicleLog(access, shelf, { ...args, log }, context);
        source = read.source;
        readings = read.signals;
      } else {
        const question = { subject: 'signals', scopes: ['read:Vehicle'] } as const;
        const told = await askVehicle(socket, question, daemonSignals, context.signal);
        source = daemonSource(told);
        readings = new Map(
          Object.entries(told.signals).map(([path, { value, age_ms }]) => [
            path,
            { value, ageS: age_ms / 1000 },
          ]),
        );
      }
      const ofGroup = group === undefined ? null : pathsOfGroup[group];
      const found = [...readings]
        .filter(([path]) => (ofGroup?.includes(path) ?? true) && isNamed(path, paths))
        .sort(([a], [b]) => (a < b ? -1 : 1));
      const signals = found
        .slice(0, signalsMaxCount)
        .map(([path, reading]) => ({ path: shownText(path, 200), ...shown(path, reading) }));
      const missing = [...(ofGroup ?? []), ...(paths ?? []).filter((path) => vssCatalogue.has(path))].filter(
        (path) => !readings.has(path) && isNamed(path, paths),
      );
      return stamped({ source, signals, signals_count: found.length, missing }, args, context.nowWallMs);
    },
  });
}

function isNamed(path: string, paths: readonly string[] | undefined): boolean {
  return paths === undefined || paths.some((one) => path === one || path.startsWith(`${one}.`));
}

function shown(path: string, { value, ageS }: Reading) {
  const staleS = (signalSpecByPath.get(path)?.ttlUs ?? staleFromS * 1e6) / 1e6;
  const state: 'fresh' | 'stale' | 'not_available' =
    ageS > staleS ? 'stale' : value === null ? 'not_available' : 'fresh';
  return { value, unit: vssCatalogue.get(path)?.unit ?? '', age_s: ageS, state };
}
