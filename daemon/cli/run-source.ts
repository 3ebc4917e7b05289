/** What a run reads from: the bundled drive, a file, a pipe, or CAN interfaces; with the vehicle that decodes it. */
import { statSync } from 'node:fs';
import { DriveMcpError } from '../core/errors.js';
import type { DriveSource, Sink } from '../ports.js';
import { kernelClockBaseUs } from '../runtime/clock.js';
import type { Config } from '../runtime/config-schema.js';
import { TapedProfile } from '../runtime/taped-profile.js';
import { type TickClock, timerfdClock } from '../runtime/tick-clock.js';
import { DecodedFrames } from '../sources/can/decoded-frames.js';
import { FrameRing } from '../sources/can/frame-ring.js';
import { InterfaceDrive } from '../sources/can/interface-drive.js';
import { kernelFilters } from '../sources/can/kernel-filters.js';
import { ringFrames } from '../sources/can/native-port.js';
import { NativeProfile } from '../sources/can/native-profile.js';
import { lockOut, openInterfaces, receiveModule } from '../sources/can/open-interfaces.js';
import { TransmitAttempts } from '../sources/can/transmit-attempts.js';
import { openInput } from '../sources/drive/open-drive.js';
import { type ChosenVehicle, chooseVehicle } from './choose-vehicle.js';
import { orAborted, sourceFrom } from './open-source.js';

export interface RunSource {
  readonly source: DriveSource;
  readonly vehicle: ChosenVehicle;
  /** the vehicle's profile, which the source feeds */
  readonly profile: TapedProfile;
  /** SHA-256 of a file; null for pipes and interfaces */
  readonly fileDigest: string | null;
  /** begins a live input with the monotonic time of tick 0; null = recorded */
  readonly goLive: ((startUs: number) => void) | null;
  /** where an ACT can be carried out: a simulated car that this run drives */
  readonly actSink?: Sink;
  /** to be closed at the end: its timer keeps the process alive */
  readonly clock?: TickClock;
}

export interface RunSourceWish {
  /** file, or `-` for standard input */
  readonly path: string;
  readonly isLiveForced: boolean;
  readonly config: Config;
  readonly notice: (text: string) => void;
  readonly signal: AbortSignal;
}

/** @throws DriveMcpError what `openInput`, `chooseVehicle` and `sourceFrom` throw */
export async function fileSource({
  path,
  isLiveForced,
  config,
  notice,
  signal,
}: RunSourceWish): Promise<RunSource> {
  const patience = setTimeout(
    () => notice('waiting for frames on standard input'),
    path === '-' ? 1000 : 2 ** 30,
  );
  const input = await orAborted(openInput(path), signal).finally(() => clearTimeout(patience));
  // A pipe can be read once: looking into it first would take its frames, and opening it again would wait for ever.
  const canLookAhead = input.kind !== 'drive' && path !== '-' && statSync(path).isFile();
  const logFile = canLookAhead ? path : null;
  const vehicle = await chooseVehicle(
    { profile: config.vehicle.profile, dbc: config.vehicle.dbc, logFile },
    input,
  );
  for (const text of vehicle.notices) notice(text);
  const profile = new TapedProfile(vehicle.loaded.profile);
  const opened = await orAborted(
    sourceFrom(input, profile, { isPipe: path === '-', isForced: isLiveForced }),
    signal,
  );
  return { ...opened, vehicle, profile, fileDigest: input.digest };
}

/** @throws DriveMcpError CAN_UNAVAILABLE, CAN_NOT_LISTEN_ONLY, and what `chooseVehicle` throws */
export async function interfaceSource({ config, notice }: RunSourceWish): Promise<RunSource> {
  const { can, tick } = config;
  const vehicle = await chooseVehicle(
    { profile: config.vehicle.profile, dbc: config.vehicle.dbc, logFile: null },
    null,
  );
  for (const text of vehicle.notices) notice(text);
  const names = [...new Set(can.interfaces)];
  const ring = new FrameRing(ringFrames);
  const native =
    can.driver === 'native' ? new NativeProfile(receiveModule(), vehicle.loaded.profile, ring) : null;
  const profile = new TapedProfile(native ?? vehicle.loaded.profile);
  const filters = kernelFilters(profile.identifiers);
  const { host, links, interfaces, notices } = openInterfaces({
    names,
    driver: can.driver,
    requireListenOnly: can.require_listen_only,
    ...(filters ? { filters } : {}),
    ...(native ? { decodeInto: native.table } : {}),
  });
  for (const text of notices) notice(text);
  const isLocked = can.driver === 'native';
  if (isLocked) notice(lockOut(host));
  if (tick.realtime) notice(realtimeNotice(host.realtimeThread(realtimePriority)));

  const clock = timerfdClock(host, tick.period_ms * 1000);
  const clockBaseUs = kernelClockBaseUs();
  const source = new InterfaceDrive({
    interfaces,
    links,
    profile,
    decoded: native && new DecodedFrames({ profile: native, ring, keeper: profile, names, clockBaseUs }),
    clock,
    requiresListenOnly: can.require_listen_only,
    transmitAttempts: isLocked ? new TransmitAttempts(host) : null,
    clockOffsetUs: () => host.clockOffsetUs() + clockBaseUs,
    onNews: ({ name, from, to, events, tUs }) => {
      const change = from === to ? '' : ` ${from} → ${to}`;
      notice(
        `${(tUs / 1e6).toFixed(2)} s: ${name}${change}${events.length > 0 ? ` (${events.join(', ')})` : ''}`,
      );
    },
  });
  return { source, vehicle, profile, fileDigest: null, goLive: (startUs) => source.start(startUs), clock };
}

/** Above ordinary threads, below the kernel's own interrupt threads (50). */
const realtimePriority = 10;

function realtimeNotice(errno: number): string {
  return errno === 0
    ? 'the tick thread runs with real-time priority'
    : `no real-time priority (errno ${errno}); it needs CAP_SYS_NICE. Ticks may be late under load`;
}

/** @throws DriveMcpError USAGE where both were named */
export function refuseTwoSources(
  named: string | undefined,
  interfaces: readonly string[],
  isOnCommandLine: boolean,
): void {
  if (named !== undefined && interfaces.length > 0 && isOnCommandLine) {
    throw new DriveMcpError('USAGE', '--source and --can are two ways in; name one');
  }
}
