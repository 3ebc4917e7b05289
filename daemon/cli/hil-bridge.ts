import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { causeText } from '../core/cause-text.js';
import { DriveMcpError } from '../core/errors.js';
import { systemClock } from '../runtime/clock.js';
import { packageFile } from '../runtime/package-root.js';
import { LinkSights } from '../sources/can/link-sights.js';
import { readDbcFile } from '../vehicles/profile/dbc-set.js';
import { actOptions, bridgeAct } from './bridge-act.js';
import { bridgeCamera, cameraOptions } from './bridge-camera.js';
import { faultOptions, faultsOf } from './bridge-faults.js';
import { reportObject, showStatus, statusText } from './bridge-status.js';
import { wireOptions, wireSinks, wiresOf } from './bridge-wires.js';
import { CandumpSink } from './candump-sink.js';
import { CandumpSocket } from './candump-socket.js';
import { cockpitBeside, cockpitOptions } from './cockpit-socket.js';
import { type CommandSpec, type Invocation, type OptionValues, stringOption } from './command.js';
import { parseHostPort } from './host-port.js';
import type { Terminal } from './terminal.js';

/** The car that the bridge puts on the wire: its DBC and vehicle profile come with the package. */
const bridgedCar = 'sim-car';
const carFiles = [`${bridgedCar}.dbc`, 'profile.json'] as const;
const syncModes = ['owner', 'passive', 'async'] as const;
const statusPeriodMs = 1000;

export const bridgeCommand: CommandSpec = {
  path: ['hil', 'bridge'],
  summary: 'the ego of a CARLA server, ours or the real one, as a car on a CAN bus',
  positionals: '[HOST:PORT]',
  arity: [0, 1],
  options: {
    ...wireOptions,
    ...cameraOptions,
    ...actOptions,
    ...faultOptions,
    candump: {
      type: 'string',
      value: 'FILE|-',
      help: 'a candump log (candump -L); - is standard output, for a pipe into drivemcp run --source -',
    },
    'can-socket': {
      type: 'string',
      value: 'PATH',
      help: 'the same lines on a Unix socket that is made there, for up to 8 readers: where the kernel has no CAN',
    },
    sync: {
      type: 'string',
      value: 'MODE',
      choices: syncModes,
      help: 'owner (default: the bridge ticks the world), passive (somebody else does), async (the clock does)',
    },
    pacing: {
      type: 'string',
      value: 'P',
      choices: ['realtime', 'lockstep'],
      help: 'as owner: one step a period of the clock (default), or as fast as it goes, for logs',
    },
    'step-ms': { type: 'string', value: 'N', help: 'as owner: one step of the world, 5 to 100; default 50' },
    'carla-profile': { type: 'string', value: 'VERSION', help: 'wire profile; without: found out by asking' },
    'timeout-s': { type: 'string', value: 'N', help: 'longest wait for one answer; default 10' },
    'duration-s': { type: 'string', value: 'N', help: 'end after so many seconds of the world' },
    seed: {
      type: 'string',
      value: 'TEXT',
      help: 'phases, jitter and sensor noise of the bus; default bridge',
    },
    ...cockpitOptions,
    'write-dbc': {
      type: 'string',
      value: 'DIR',
      help: 'write DBC and vehicle profile there, for whoever decodes the frames elsewhere',
    },
  },
  details:
    'Takes the vehicle with the role hero or ego_vehicle, or spawns one and drives it. Simulated: the frames are those of the\n' +
    'vehicle profile sim-car, with the cycle times, counters and checksums of its DBC. What CARLA does not tell (tyres,\n' +
    'temperatures, lamps) is that of a healthy car; our simulator tells it, with the can_faults of its scenario.\n' +
    'Whatever ends it, the server is left as it was.\n' +
    'Sends on the interfaces it is told, and on no other: virtual ones by --can, a real one only by --real-can with\n' +
    '--no-vehicle-connected. Each bus is listened to before the first frame; a frame of anybody else means refusal, and\n' +
    'silence at once where it comes later. On a bus of two, the other node has to acknowledge: one in listen-only mode\n' +
    'does not.\n' +
    'Pictures go to the loopback, elsewhere only with an address and --camera-token-file. Viewers: a browser, ffmpeg,\n' +
    'GStreamer, at http://HOST:PORT/ and rtsp://HOST:PORT/camera.\n' +
    '--act-listen takes the ACT of one daemon with the key, onto a simulated ego that the bridge drives, within its bounds, and\n' +
    'lets go at once with silence, a wrong line or the driver. Research software beside certified functions, never in their place.',
  examples: [
    ['drivemcp hil bridge --can vcan0', 'then, elsewhere: drivemcp run --can vcan0 --profile sim-car'],
    [
      'drivemcp hil bridge --real-can can0 --no-vehicle-connected',
      'a bench: the other end of the wire is another machine',
    ],
    [
      'drivemcp hil bridge --can vcan0 --mjpeg 8090 --act-listen 7310 --act-key-file act.key',
      'with its camera, and the way back: drivemcp run --can vcan0 --act hil --act-peer 127.0.0.1:7310 --act-key-file act.key',
    ],
    [
      'drivemcp hil bridge 127.0.0.1:2000 --candump drive.log',
      'until Ctrl-C; then drivemcp run --source drive.log',
    ],
    ['drivemcp hil bridge --candump - | drivemcp run --source - --profile sim-car', 'live, through a pipe'],
    ['drivemcp hil bridge --mjpeg 8090 --rtsp 8554', "the ego's camera for browsers and players"],
    ['drivemcp hil bridge --candump a.log --pacing lockstep --duration-s 60', 'a minute, as fast as it goes'],
  ],
  run,
};

async function run({ values, positionals, terminal, signal }: Invocation): Promise<number> {
  const address = parseHostPort(positionals[0] ?? '', 2000, 'hil bridge');
  const session = await sessionOptions(values);
  const folder = stringOption(values, 'write-dbc');
  const candump = stringOption(values, 'candump');
  if (candump === '-' && terminal.json)
    throw new DriveMcpError('USAGE', '--json and --candump - both want standard output');
  const socketPath = stringOption(values, 'can-socket');
  const wires = wiresOf(values);
  if (folder !== undefined) writeCar(folder, terminal);
  const elsewhere = ['can-socket', 'cockpit-socket', 'mjpeg', 'rtsp'].some(
    (name) => values[name] !== undefined,
  );
  if (candump === undefined && wires.length === 0 && !elsewhere) {
    if (folder !== undefined) return 0;
    throw new DriveMcpError(
      'USAGE',
      'where to? --can vcan0, --candump FILE, --mjpeg 8090, --cockpit-socket PATH',
    );
  }
  const isRealTime = stringOption(values, 'pacing') !== 'lockstep';
  if (!isRealTime && (wires.length > 0 || socketPath !== undefined))
    throw new DriveMcpError('USAGE', 'a bus lives in real time: --pacing lockstep goes with --candump alone');
  const dbc = readDbcFile(carFile(`${bridgedCar}.dbc`));
  const endsAfterS = positive(values, 'duration-s', Number.POSITIVE_INFINITY, 1e6);
  const { Bridge } = await import('../../hil/bridge/run-bridge.js');
  const { CanBridge } = await import('../../hil/bridge/can-bridge.js');
  const seed = stringOption(values, 'seed') ?? 'bridge';
  const faults = await faultsOf(values);
  const notice = (text: string): void => terminal.message(`drivemcp: ${text}`);
  const nowMs = (): number => systemClock.monoUs() / 1000;
  const startWallMs = systemClock.wallMs();
  const links = wires.length === 0 ? null : new LinkSights();
  const sinks = [
    ...(links === null ? [] : await wireSinks(wires, links, { nowMs, notice })),
    ...(socketPath === undefined ? [] : [new CandumpSocket(socketPath, startWallMs)]),
    ...(candump === undefined ? [] : [new CandumpSink(candump, startWallMs, terminal)]),
  ];
  const beside = await cockpitBeside(values, faults.scripted, notice);
  const act = await bridgeAct(values, isRealTime, notice);
  const cameras = await bridgeCamera(values, notice);
  for (const { frames } of cameras) act?.watchPictures(frames);
  const bridge = new Bridge({
    session: { ...address, ...session },
    seed,
    isRealTime,
    endsAfterS,
    companion: beside?.companion,
    outputs: [
      new CanBridge({ database: dbc.database, seed, ...faults, busName: wires[0]?.name ?? 'vcan0', sinks }),
      ...cameras,
      ...(act === null ? [] : [act]),
    ],
    intervene: act?.intervene ?? null,
    patienceMs: Math.max(30_000, session.timeoutMs),
    nowMs,
    signal,
    notice,
  });
  const timer = setInterval(() => showStatus(bridge.report(), terminal), statusPeriodMs);
  try {
    const report = await bridge.run();
    terminal.clearProgress();
    if (terminal.json) terminal.object({ event: 'ended', ...reportObject(report) });
    else terminal.message(`drivemcp: ${statusText(report)}`);
    return 0;
  } finally {
    clearInterval(timer);
    links?.close();
    await beside?.close();
  }
}

async function sessionOptions(values: OptionValues) {
  const { carlaProfileNames } = await import('../../hil/carla/profile/profile.js');
  const named = stringOption(values, 'carla-profile');
  const profile = carlaProfileNames.find((name) => name === named) ?? null;
  if (named !== undefined && profile === null)
    throw new DriveMcpError('USAGE', `--carla-profile: there is no '${named.slice(0, 40)}'`, {
      hint: `known: ${carlaProfileNames.join(', ')}`,
    });
  const stepMs = positive(values, 'step-ms', 50, 100);
  if (stepMs < 5) throw new DriveMcpError('USAGE', '--step-ms takes 5 to 100');
  const sync = (stringOption(values, 'sync') ?? 'owner') as (typeof syncModes)[number];
  if (sync !== 'owner' && values['step-ms'] !== undefined)
    throw new DriveMcpError(
      'USAGE',
      `--step-ms goes with --sync owner: in ${sync} mode others make the steps`,
    );
  return {
    sync,
    profile,
    fixedDeltaS: stepMs / 1000,
    timeoutMs: positive(values, 'timeout-s', 10, 600) * 1000,
  };
}

function carFile(name: string): string {
  return packageFile('daemon', 'vehicles', 'profiles', bridgedCar, name);
}

function writeCar(folder: string, terminal: Terminal): void {
  try {
    mkdirSync(folder, { recursive: true });
    for (const name of carFiles) copyFileSync(carFile(name), join(folder, name));
  } catch (cause) {
    throw new DriveMcpError('FILE_UNWRITABLE', `cannot write: ${causeText(cause)}`, {
      location: { file: folder },
      cause,
    });
  }
  terminal.message(`drivemcp: DBC and vehicle profile are in ${folder}: drivemcp run … --profile ${folder}`);
}

function positive(values: OptionValues, option: string, fallback: number, most: number): number {
  const text = stringOption(values, option);
  if (text === undefined) return fallback;
  const value = Number(text);
  if (text !== '' && value > 0 && value <= most) return value;
  throw new DriveMcpError('USAGE', `--${option} takes a number up to ${most}, got '${text.slice(0, 40)}'`);
}
