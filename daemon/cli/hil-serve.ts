import { DriveMcpError } from '../core/errors.js';
import { cockpitOptions, openCockpit } from './cockpit-socket.js';
import {
  booleanOption,
  type CommandSpec,
  type Invocation,
  type OptionValues,
  stringOption,
} from './command.js';
import { countOption } from './count-option.js';
import { openGroundTruth } from './ground-truth-file.js';
import { isLoopback } from './loopback.js';
import { scenarioOptions, servedScenario } from './served-scenario.js';
import { unexpectedError } from './unexpected-error.js';

const statusPeriodMs = 1000;
const profiles = [
  '0.9.8',
  '0.9.10',
  '0.9.11',
  '0.9.12',
  '0.9.13',
  '0.9.14',
  '0.9.15',
  '0.9.16',
  'ue4-dev',
  '0.10',
] as const;

export const serveCommand: CommandSpec = {
  path: ['hil', 'serve'],
  summary: 'the simulator for any CARLA client: its RPC and streams on two ports',
  arity: [0, 0],
  options: {
    ...scenarioOptions,
    host: { type: 'string', value: 'ADDR', help: 'address to listen at; default 127.0.0.1' },
    port: { type: 'string', value: 'N', help: 'RPC; streams take the next one; default 2000, 0 = any two' },
    profile: {
      type: 'string',
      value: 'V',
      help: "CARLA's version to speak; default 0.9.15",
      choices: profiles,
    },
    pacing: {
      type: 'string',
      value: 'P',
      help: 'realtime (default): by the clock; lockstep: only when a client ticks',
      choices: ['realtime', 'lockstep'],
    },
    sync: { type: 'boolean', help: 'the same as --pacing lockstep' },
    speed: { type: 'string', value: 'X', help: 'times real time, 0.01 to 100; default 1' },
    ...cockpitOptions,
    'until-stop': {
      type: 'boolean',
      help: "ends when the scenario's stop is reached; otherwise that is only said",
    },
    'ground-truth': {
      type: 'string',
      value: 'FILE',
      help: "for oracles: which sign faces each colour picture of a client's camera shows, one JSON object a line",
    },
    'allow-remote': {
      type: 'boolean',
      help: 'listen where other machines reach it: there is no authentication',
    },
  },
  details:
    "Simulated: stands in for CARLA where there is none, and speaks as CARLA's releases do; CARLA itself it is not.\n" +
    'A client that made it synchronous and is gone leaves it as it was started: real CARLA stands still for everybody then.\n' +
    'What it does not have (Traffic Manager, recorder, textures, other sensors) is refused as an unknown function.\n' +
    'On a terminal one line shows frame, speed, clients and streams; in a pipe that is one JSON object a second.',
  examples: [
    ['drivemcp hil serve --scenario town-rain', 'on ports 2000 and 2001 until Ctrl-C'],
    ['drivemcp hil serve --map motorway-gbr --sync', 'an empty motorway that moves when a client ticks'],
    ['drivemcp hil serve --scenario mine.yaml --port 0 --json', 'the first line names the ports'],
    [
      'drivemcp hil serve --scenario rural-night --cockpit-socket /tmp/ego.sock',
      "with the ego's cockpit; try it with drivemcp hil cockpit watch --socket /tmp/ego.sock WINDSHIELD_FOG",
    ],
  ],
  run,
};

async function run({ values, terminal, signal }: Invocation): Promise<number> {
  const { host, port, isOpen } = readAddress(values);
  const isSynchronous = readPacing(values);
  const speed = readSpeed(values, isSynchronous);
  const { world: scenario, mapText, stop, title } = await servedScenario(values);
  if (booleanOption(values, 'until-stop') && stop === null)
    throw new DriveMcpError('USAGE', '--until-stop needs a --scenario, which says where to stop');
  const { SimServer } = await import('../../hil/sim/server/sim-server.js');
  const { sensorProducers } = await import('../../hil/sim/server/producers.js');
  const { carlaProfiles } = await import('../../hil/carla/profile/profile.js');
  const { stopReason } = await import('../../hil/scenarios/stop-rule.js');
  const truth = await openGroundTruth(values, terminal);
  const profile = carlaProfiles[(stringOption(values, 'profile') ?? '0.9.15') as (typeof profiles)[number]];
  const ended = new AbortController();
  const toldFailures = new Set<string>();
  let stepFailure: unknown;
  const server = new SimServer({
    host,
    port,
    profile,
    scenario,
    scenarioMapText: mapText,
    producers: sensorProducers(`${scenario.id}/${scenario.seed}`, truth?.take),
    version: profile.name,
    isSynchronous,
    speed,
    failed: (what, error) => {
      // A call that fails is its caller's, and said once; a world that cannot be stepped is everybody's.
      if (what === 'step') stepFailure ??= error;
      else if (!toldFailures.has(what)) terminal.message(`${what}: ${unexpectedError(error).text}`);
      toldFailures.add(what);
      if (what === 'step') ended.abort();
    },
  });
  const isJson = terminal.json || !terminal.isInteractive;
  const say = (event: string, fields: Record<string, unknown>): void => {
    if (!isJson) return;
    terminal.object({ event, ...fields });
    terminal.flush();
  };
  const { ServedEgoCockpit } = await import('../../hil/cockpit/served-ego.js');
  const opened = await openCockpit(values, { scenario: scenario.id });
  const ego = opened === null ? null : new ServedEgoCockpit(opened.cockpit);
  let reached: string | null = null;
  server.stepped = ({ world }) => {
    ego?.step(world);
    if (stop === null || reached !== null) return;
    reached = stopReason(world, stop);
    if (reached === null) return;
    say('stop_reached', { reason: reached, t_s: seconds(world.tS) });
    if (!isJson)
      terminal.message(`the scenario has reached its stop (${reached}) at ${world.tS.toFixed(1)} s`);
    if (booleanOption(values, 'until-stop')) ended.abort();
  };
  const ports = await server.start().catch(async (error: unknown) => {
    await opened?.server.close();
    truth?.close();
    throw error;
  });
  if (isOpen)
    terminal.message(`warning: CARLA's protocol has no authentication: whoever reaches ${host} drives`);
  if (terminal.isInteractive)
    terminal.message(
      `${title}: CARLA ${profile.name} on ${host}:${ports.rpc}, streams on ${ports.streams}, ` +
        `${isSynchronous ? 'waits for ticks' : `${speed} × real time`}; simulated; Ctrl-C ends it`,
    );
  say('listening', {
    host,
    rpc_port: ports.rpc,
    stream_port: ports.streams,
    profile: profile.name,
    scenario: scenario.id,
    map: scenario.map,
    seed: scenario.seed,
    synchronous: isSynchronous,
    ...(opened === null ? {} : { cockpit_socket: opened.server.path }),
  });
  let before = { frame: server.episode.frame, atMs: performance.now() };
  const timer = setInterval(() => {
    const { frame, world } = server.episode;
    const nowMs = performance.now();
    const factor = ((frame - before.frame) * server.stepS * 1000) / (nowMs - before.atMs);
    before = { frame, atMs: nowMs };
    const [clients, streams] = [server.rpc.clients, server.streams.connections];
    terminal.progress(
      `frame ${frame}, ${world.tS.toFixed(1)} s, ${factor.toFixed(2)} × real time, ${clients} clients, ${streams} streams`,
    );
    say('status', {
      frame,
      t_s: seconds(world.tS),
      real_time_factor: Math.round(factor * 1000) / 1000,
      clients,
      streams,
      sensors: server.episode.sensors.size,
      dropped_messages: server.streams.counters.droppedMessages,
      cut_readers: server.streams.counters.cutReaders,
      refused: server.rpc.counters.refusedConnections + server.streams.counters.refusedReaders,
      ...(opened === null ? {} : { cockpit: opened.server.counters() }),
    });
  }, statusPeriodMs);
  await aborted(AbortSignal.any([signal, ended.signal]));
  clearInterval(timer);
  await opened?.server.close();
  await server.stop();
  truth?.close();
  const { frame, world } = server.episode;
  const { calls, badCalls, failedCalls, connections } = server.rpc.counters;
  say('ended', {
    frame,
    t_s: seconds(world.tS),
    stop: reached,
    connections,
    calls,
    bad_calls: badCalls,
    failed_calls: failedCalls,
    ...(truth === null ? {} : { ground_truth_lines: truth.lines }),
  });
  if (stepFailure !== undefined) throw stepFailure;
  if (!isJson)
    terminal.line(`${frame} frames, ${world.tS.toFixed(1)} s simulated, ${connections} connections`);
  return 0;
}

const seconds = (tS: number): number => Math.round(tS * 1e6) / 1e6;

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function readAddress(values: OptionValues): { host: string; port: number; isOpen: boolean } {
  const host = stringOption(values, 'host') ?? '127.0.0.1';
  const port = countOption(values, 'port') ?? 2000;
  if (port > 65_534) throw new DriveMcpError('USAGE', '--port takes 0 to 65534: the next one is for streams');
  const isOpen = !isLoopback(host);
  if (isOpen && !booleanOption(values, 'allow-remote'))
    throw new DriveMcpError('USAGE', `${host} can be reached by other machines`, {
      hint: "CARLA's protocol has no authentication; --allow-remote where the network is your own",
    });
  return { host, port, isOpen };
}

function readPacing(values: OptionValues): boolean {
  const pacing = stringOption(values, 'pacing');
  const isSync = booleanOption(values, 'sync');
  if (isSync && pacing === 'realtime') throw new DriveMcpError('USAGE', '--sync is --pacing lockstep');
  return isSync || pacing === 'lockstep';
}

function readSpeed(values: OptionValues, isSynchronous: boolean): number {
  const text = stringOption(values, 'speed');
  if (text === undefined) return 1;
  const speed = Number(text);
  if (text === '' || !(speed >= 0.01 && speed <= 100))
    throw new DriveMcpError('USAGE', `--speed takes 0.01 to 100, got '${text}'`);
  if (isSynchronous) throw new DriveMcpError('USAGE', 'in lockstep the clients make the speed: no --speed');
  return speed;
}
