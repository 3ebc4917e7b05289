import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DriveMcpError } from '../core/errors.js';
import { runDaemon } from '../main.js';
import { systemClock } from '../runtime/clock.js';
import { loadConfig, parseConfig } from '../runtime/config.js';
import { createLog } from '../runtime/log.js';
import { readPreferences } from '../runtime/preferences-file.js';
import { printable } from '../runtime/printable.js';
import { vehicleRecord } from '../runtime/recorded-vehicle.js';
import { resolveStateDir } from '../runtime/state-dir.js';
import { DecisionLines } from '../sinks/decision-lines.js';
import { DecisionObjects } from '../sinks/decision-object.js';
import { HeardCodes } from '../vehicles/health/heard-codes.js';
import { bundledDrive } from './bundled-drive.js';
import { carlaOptions, carlaSource } from './carla-source.js';
import {
  booleanOption,
  type CommandSpec,
  type Invocation,
  type OptionValues,
  stringOption,
} from './command.js';
import { commandName, shellWord } from './command-name.js';
import { configFile } from './config-file.js';
import { openHilSink } from './hil-act-sink.js';
import { NotableTick } from './notable-tick.js';
import { checkPin } from './pin-check.js';
import { optionNames, overridesOf, runOptions, speedOf } from './run-options.js';
import { progressOf } from './run-progress.js';
import { reportNext, reportSummary } from './run-report.js';
import { fileSource, interfaceSource, refuseTwoSources } from './run-source.js';
import { serviceNotifier } from './service-notifier.js';

export const commands: readonly CommandSpec[] = [
  {
    path: ['run'],
    summary: 'plays a drive (or takes a live one), decides on every tick, audits and records it',
    arity: [0, 0],
    options: { ...runOptions, ...carlaOptions },
    details: [
      'Without --source the bundled drive of the simulated car is played into a temporary state directory, ACT goes',
      'to the log, and the decision hash is compared with the pinned one (exit code 1 where it differs).',
      '',
      'A recorded drive runs in lockstep: logic time is drive time, and between two ticks the loop waits for experts',
      'and for records that must be durable. So the same drive gives the same decisions at every --speed; lateness',
      'against the wall clock is reported and is not an input. With --speed max it is measured against real time.',
      'A log that holds no date is taken to have been made when its file was last changed.',
      'A pipe whose frames are being received now runs live, against the clock, waiting for nothing.',
      '',
      'With --json, one object a line, in the order of the ticks, with t in seconds:',
      '  {"tick","t","decision":"act"|"speak",…}             a tick that acts or speaks',
      '  {"t","tick","mode_change":{"from","to","causes"}}   from is null where the run starts in another mode',
      '  {"t","tick","act_end":{"seconds","reason"}}         an ACT in force ended: how long it was, and why',
      '  {"summary":{…}}                                     last; inputs_missing names what never came',
    ].join('\n'),
    examples: [
      ['drivemcp run', 'the bundled drive: decisions, summary, where to look next'],
      [
        'drivemcp run --source drive.log --dbc car.dbc',
        'a recording of a real car; a vehicle profile is drafted',
      ],
      [
        'candump -L can0 | drivemcp run --source - --profile ./my-car',
        'live, from a pipe; Ctrl-C ends it with a summary',
      ],
      [
        'drivemcp run --can can0 --profile ./my-car',
        'live, from an interface; the process cannot send on it',
      ],
      [
        'drivemcp run --carla 127.0.0.1:2000',
        'in CARLA or in drivemcp hil serve; Ctrl-C puts the server back as it was',
      ],
      ['drivemcp run --speed 10 --json', 'ten times real time, one JSON object a decision'],
    ],
    run,
  },
];

async function run({ values, terminal, signal }: Invocation): Promise<number> {
  const named = stringOption(values, 'source');
  const hasCanOption = stringOption(values, 'can') !== undefined;
  const hasCarla = stringOption(values, 'carla') !== undefined;
  const isBundled = named === undefined && !hasCanOption && !hasCarla && !hasConfiguredInterfaces(values);
  const bundled = isBundled ? bundledDrive() : null;
  const speed = speedOf(values);
  const pacing = stringOption(values, 'pacing') ?? 'lockstep';
  const stateDir = await stateDirOf(values, bundled !== null);
  const overrides = overridesOf(values, bundled ? { actSink: 'log' } : {});
  const remembered = readPreferences(stateDir);
  const loaded = loadConfig(
    configFile(values, stateDir),
    { ...overrides, driver: { ...remembered.preferences, ...overrides.driver } },
    optionNames,
  );
  const { config } = loaded;
  const notice = (text: string) => terminal.message(`drivemcp: ${printable(text)}`);

  if (remembered.notice !== null) notice(remembered.notice);
  refuseTwoSources(named, config.can.interfaces, hasCanOption);
  if (hasCarla && (named !== undefined || hasCanOption))
    throw new DriveMcpError('USAGE', '--carla is a way in of its own; name one of --carla, --source, --can');
  const wish = {
    path: bundled?.path ?? named ?? '-',
    isLiveForced: booleanOption(values, 'live'),
    config,
    notice,
    signal,
  };
  const isFile = bundled !== null || named !== undefined;
  if (pacing === 'realtime' && !hasCarla)
    throw new DriveMcpError(
      'USAGE',
      '--pacing realtime goes with --carla; elsewhere --speed 1 or --live',
      {},
    );
  if (config.act.sink === 'carla' && !hasCarla)
    throw new DriveMcpError('USAGE', 'ACT goes to carla only in run --carla', {
      hint: 'without --carla: --act none or --act log',
    });
  const hilSink = config.act.sink === 'hil' ? await openHilSink(config, notice) : null;
  const opened = hasCarla
    ? await carlaSource(values, wish)
    : isFile
      ? await fileSource(wish)
      : await interfaceSource(wish);
  const { source, vehicle, profile, goLive } = opened;
  if (hilSink !== null && goLive === null)
    throw new DriveMcpError('USAGE', '--act hil brakes a car that drives now, and this input is recorded', {
      hint: '--act log',
    });
  hilSink?.begin();
  const actSink = hilSink ?? opened.actSink;
  // The kernel leaves diagnostics out of what an interface delivers; files and pipes hold whatever was on the bus.
  const codes = isFile && config.signals.socket ? new HeardCodes() : null;
  if (codes !== null) profile.listen(codes);
  const hasFrames =
    config.record.frames === 'on' || (config.record.frames === 'auto' && !isFile && !hasCarla);

  const sayHeader = () => {
    if (terminal.json) return;
    terminal.line(`source   ${printable(source.description)}${source.isSimulated ? '  [simulated]' : ''}`);
    terminal.line(
      `vehicle  ${printable(`${profile.name} (${vehicle.origin})`)}, ${profile.paths.length} signals`,
    );
    terminal.line(
      `core     preset ${config.core.preset}, ${config.tick.period_ms} ms ticks, ${goLive === null ? `lockstep, speed ${speed}` : 'live'}, ACT ${config.act.sink === 'none' ? 'off' : `to the ${config.act.sink}`}`,
    );
    terminal.line();
  };
  const lines = new DecisionLines(terminal);
  const objects = new DecisionObjects();
  const notable = new NotableTick();
  const progress = progressOf(terminal, systemClock);
  const notifyService = goLive === null ? undefined : serviceNotifier(notice);
  const { summary, failure } = await runDaemon({
    loaded,
    stateDir,
    source,
    profile,
    frames: hasFrames ? { profile, vehicle: vehicleRecord(vehicle.loaded) } : null,
    goLive,
    speed,
    chargesLatency: pacing === 'charged',
    ...(opened.clock ? { clock: opened.clock } : {}),
    ...(actSink ? { actSink } : {}),
    ...(notifyService ? { notifyService } : {}),
    ...(codes ? { codes } : {}),
    watch: (_inputs, outputs) => {
      if (terminal.json) {
        for (const object of objects.of(outputs)) terminal.object(object);
      } else lines.watch(outputs);
      // What is decided on a live input is read now, not when a buffer is full.
      if (goLive !== null) terminal.flush();
      notable.see(outputs);
      progress(outputs);
    },
    notice,
    onOpened: sayHeader,
    log: createLog(config.log.level),
    signal,
  }).finally(async () => {
    opened.clock?.close();
    await hilSink?.close();
  });
  terminal.clearProgress();
  const pinned =
    bundled && !signal.aborted && failure === null
      ? checkPin(bundled.pin, config, parseConfig('', ''), {
          driveSha256: opened.fileDigest ?? '',
          decisionHash: summary.decision_hash,
          timeouts: timeoutsOf(summary['tools']),
        })
      : null;
  if (terminal.json)
    terminal.object({ summary: { ...summary, ...(pinned === null ? {} : { pinned: pinned.state }) } });
  else {
    reportSummary(terminal, summary, goLive !== null);
    if (pinned) terminal.line(`${terminal.style('pinned'.padEnd(13), 'bold')}  ${pinned.text}`);
    reportNext(terminal, nextCommands(summary['recording'] === null ? null : notable.tick, stateDir));
  }
  if (failure !== null) throw failure;
  return pinned?.state === 'differs' ? 1 : 0;
}

/** True where the configuration names interfaces: then that is what a run without options reads. */
function hasConfiguredInterfaces(values: OptionValues): boolean {
  const file = configFile(values, resolveStateDir(stringOption(values, 'state')));
  return loadConfig(file).config.can.interfaces.length > 0;
}

/** The bundled drive is a demonstration: it leaves the user's own state alone unless told otherwise. */
async function stateDirOf(values: OptionValues, isBundled: boolean): Promise<string> {
  const named = stringOption(values, 'state');
  return named === undefined && isBundled ? mkdtemp(join(tmpdir(), 'drivemcp-')) : resolveStateDir(named);
}

function timeoutsOf(tools: unknown): number {
  const counted = Object.values((tools ?? {}) as Record<string, { readonly timeouts?: number }>);
  return counted.reduce((sum, { timeouts = 0 }) => sum + timeouts, 0);
}

function nextCommands(tick: number | null, stateDir: string): [string, string][] {
  const name = commandName();
  const state = `--state ${shellWord(stateDir)}`;
  const verify: [string, string] = [`${name} audit verify ${state}`, 'the audit chain, record by record'];
  if (tick === null) return [verify];
  return [
    [`${name} explain ${tick} ${state}`, "one tick's chain of reasons"],
    verify,
    [`${name} replay ${state}`, 'decides again on the recorded inputs, compares every tick'],
  ];
}
