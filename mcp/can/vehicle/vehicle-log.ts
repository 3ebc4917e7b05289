/** What a log tells of a vehicle at its end: signals, trouble codes, health. Read to its end within the bounds of a tool. */

import { createParams } from '../../../daemon/core/params.js';
import type { DiagnosticMemory } from '../../../daemon/core/safety/health/diagnostic-memory.js';
import type { HealthReport } from '../../../daemon/core/safety/health/health-report.js';
import { HeardDiagnostics } from '../../../daemon/vehicles/health/diagnostic-reader.js';
import { HealthSession } from '../../../daemon/vehicles/health/health-session.js';
import type { ToolContext } from '../../shared/expert-tool.js';
import type { DbcShelf } from '../files/dbc-shelf.js';
import { type LogAccess, scanLog } from '../log/scan-log.js';
import { openProfile } from './tool-profile.js';
import type { LogArgs, VehicleSource } from './vehicle-source.js';

export interface VehicleLog {
  readonly source: VehicleSource;
  readonly identity: string;
  readonly report: HealthReport;
  readonly diagnostics: DiagnosticMemory;
  /** latest value by VSS path, with its age at the end of the log */
  readonly signals: ReadonlyMap<string, { readonly value: number | null; readonly ageS: number }>;
}

const params = createParams('default');
const signalsMaxCount = 2048;

/** @throws DriveMcpError as `scanLog` and `openProfile` */
export async function readVehicleLog(
  access: LogAccess,
  shelf: DbcShelf,
  args: LogArgs & { readonly log: string },
  context: ToolContext,
): Promise<VehicleLog> {
  const profile =
    args.profile === undefined
      ? null
      : await openProfile(access.folders, shelf, args.profile, args.dbc ?? []);
  const latest = new Map<string, { value: number | null; observedAtUs: number }>();
  const diagnostics = new HeardDiagnostics([]);
  const session = new HealthSession({
    params,
    profile,
    diagnostics,
    onReport: () => undefined,
    onStep: () => undefined,
    onSamples: (samples) => {
      for (const { path, value, observedAtUs } of samples) {
        if (latest.has(path) || latest.size < signalsMaxCount) latest.set(path, { value, observedAtUs });
      }
    },
  });
  const scanned = await scanLog(access, args.log, context, (batch) => {
    session.consume(batch);
    return false;
  });
  const report = session.finish([]);
  const endUs = session.durationUs;
  return {
    source: { kind: 'log', tick: null, mode: null, t_s: endUs / 1e6, ended_by: scanned.end },
    identity: scanned.identity,
    report,
    diagnostics: diagnostics.drain().memory,
    signals: new Map(
      [...latest].map(([path, { value, observedAtUs }]) => [
        path,
        { value, ageS: Math.max(0, endUs - observedAtUs) / 1e6 },
      ]),
    ),
  };
}
