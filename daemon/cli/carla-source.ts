/** `run --carla`: a CARLA server, or the simulator behind the same sockets, as the drive of a run. */
import { DriveMcpError } from '../core/errors.js';
import { systemClock } from '../runtime/clock.js';
import { packageFile } from '../runtime/package-root.js';
import { TapedProfile } from '../runtime/taped-profile.js';
import { readDbcFile } from '../vehicles/profile/dbc-set.js';
import { tableText } from './bridge-act.js';
import { chooseVehicle } from './choose-vehicle.js';
import { cockpitBeside, cockpitOptions } from './cockpit-socket.js';
import { type OptionSpec, type OptionValues, stringOption } from './command.js';
import { parseHostPort } from './host-port.js';
import type { RunSource, RunSourceWish } from './run-source.js';

/** The car that the simulator and the CARLA client put on the bus. */
const simulatedProfile = 'sim-car';
/** Full brakes of the simulated car; other blueprints: hil calibrate. */
const simulatedPeakMps2 = 11;
const syncModes = ['owner', 'passive', 'async'] as const;

export const carlaOptions = {
  carla: {
    type: 'string',
    value: 'HOST:PORT',
    help: 'a CARLA server or drivemcp hil serve instead of a source; port 2000 where none is named',
  },
  'carla-sync': {
    type: 'string',
    value: 'MODE',
    choices: syncModes,
    help: 'owner (default: this run ticks the world), passive (somebody else does), async (the clock does)',
  },
  'carla-profile': {
    type: 'string',
    value: 'VERSION',
    help: 'wire profile, e.g. 0.9.13; without: found out by asking the server',
  },
  'carla-timeout-s': { type: 'string', value: 'N', help: 'longest wait for one answer; default 10' },
  'brake-table': {
    type: 'string',
    value: 'FILE',
    help: 'with --act carla: how the ego brakes, measured by hil calibrate; without: nominal brakes of the simulated car',
  },
  'duration-s': { type: 'string', value: 'N', help: 'with --carla: end after so many seconds of the world' },
  ...cockpitOptions,
} as const satisfies Record<string, OptionSpec>;

/** @throws DriveMcpError USAGE, CARLA_*, and what `chooseVehicle` throws */
export async function carlaSource(values: OptionValues, wish: RunSourceWish): Promise<RunSource> {
  const { config, notice, signal } = wish;
  const { host, port } = parseHostPort(stringOption(values, 'carla') ?? '', 2000, '--carla');
  const timeoutMs = positive(values, 'carla-timeout-s', 10) * 1000;
  const sync = (stringOption(values, 'carla-sync') ?? 'owner') as (typeof syncModes)[number];
  const { carlaProfileNames } = await import('../../hil/carla/profile/profile.js');
  const { openCarlaDrive } = await import('../../hil/carla/drive/open-carla-drive.js');
  const { ReconnectingDrive } = await import('../../hil/carla/drive/reconnecting-drive.js');
  const named = stringOption(values, 'carla-profile');
  const wireProfile = carlaProfileNames.find((name) => name === named) ?? null;
  if (named !== undefined && wireProfile === null)
    throw new DriveMcpError('USAGE', `--carla-profile: there is no '${named.slice(0, 40)}'`, {
      hint: `known: ${carlaProfileNames.join(', ')}`,
    });
  const vehicle = await chooseVehicle(
    { profile: config.vehicle.profile || simulatedProfile, dbc: config.vehicle.dbc, logFile: null },
    null,
  );
  for (const text of vehicle.notices) notice(text);
  const profile = new TapedProfile(vehicle.loaded.profile);
  const dbc = readDbcFile(
    packageFile('daemon', 'vehicles', 'profiles', simulatedProfile, `${simulatedProfile}.dbc`),
  );
  const startWallMs = systemClock.wallMs();
  const { Intervention } = await import('../../hil/act/intervention.js');
  const { SimulatorSink } = await import('../../hil/act/simulator-sink.js');
  const { proportionalBrake } = await import('../core/act/brake-curve.js');
  // Told by the drive: the sink's clock is the time of the world.
  let worldUs = 0;
  const brakeFile = stringOption(values, 'brake-table');
  const { readBrakeTable } = await import('../../hil/act/brake-table.js');
  const brakeTable = brakeFile === undefined ? null : readBrakeTable(tableText(brakeFile), brakeFile);
  const intervention = new Intervention(brakeTable?.curve ?? proportionalBrake(simulatedPeakMps2));
  const tickS = config.tick.period_ms / 1000;
  const beside = await cockpitBeside(values, [], notice);
  const source = await ReconnectingDrive.open({
    open: () =>
      openCarlaDrive({
        host,
        port,
        timeoutMs,
        sync,
        fixedDeltaS: config.tick.period_ms / 1000,
        profile: wireProfile,
        vehicle: profile,
        database: dbc.database,
        seed: 'run',
        startWallMs,
        endsAfterS: positive(values, 'duration-s', Number.POSITIVE_INFINITY),
        intervene: (driver, _motion, tUs) => {
          worldUs = tUs;
          return intervention.over(driver, tUs, tickS);
        },
        brakeTable,
        companion: beside?.companion,
        notice,
      }),
    closed: async () => beside?.close(),
    patienceMs: Math.max(30_000, timeoutMs),
    signal,
    nowMs: () => systemClock.monoUs() / 1000,
    notice,
  }).catch(async (error: unknown) => {
    await beside?.close();
    throw error;
  });
  // Against the clock the loop waits for nothing, and each tick moves the world up to where the clock is.
  const isRealTime = stringOption(values, 'pacing') === 'realtime';
  return {
    source,
    vehicle,
    profile,
    fileDigest: null,
    goLive: isRealTime ? () => {} : null,
    actSink: new SimulatorSink('carla', intervention, () => worldUs),
  };
}

function positive(values: OptionValues, option: string, fallback: number): number {
  const text = stringOption(values, option);
  if (text === undefined) return fallback;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0 && value <= 1e6) return value;
  throw new DriveMcpError('USAGE', `--${option} takes a number above 0, got '${text.slice(0, 40)}'`);
}
