import { DriveMcpError } from '../core/errors.js';
import type { VehicleProfile } from '../ports.js';
import type { Recording } from '../record/recording-reader.js';
import { systemClock } from '../runtime/clock.js';
import { findRecording } from '../runtime/find-recording.js';
import { FrameReplay } from '../runtime/frame-replay.js';
import { Lateness } from '../runtime/lateness.js';
import { packageVersion } from '../runtime/package-root.js';
import { printable } from '../runtime/printable.js';
import { recordedVehicle } from '../runtime/recorded-vehicle.js';
import { openRun, type ReplayResult, replayRun } from '../runtime/replay-run.js';
import { contextOf } from '../runtime/run-context.js';
import { type RunSummary, tallySummary } from '../runtime/run-summary.js';
import { RunTally } from '../runtime/run-tally.js';
import { resolveStateDir } from '../runtime/state-dir.js';
import { DecisionLines } from '../sinks/decision-lines.js';
import { DecisionObjects } from '../sinks/decision-object.js';
import { booleanOption, type CommandSpec, type Invocation, listOption, stringOption } from './command.js';
import { commandName, shellWord } from './command-name.js';
import { DrivePlot } from './drive-plot/plot-replay.js';
import { frameVerdict } from './frame-verdict.js';
import { NotableTick } from './notable-tick.js';
import { progressOf } from './run-progress.js';
import { reportNext, reportSummary } from './run-report.js';
import type { Terminal } from './terminal.js';

export const commands: readonly CommandSpec[] = [
  {
    path: ['replay'],
    summary: 'decides again on the recorded inputs of a run and compares every tick',
    positionals: '[RUN|FILE]',
    arity: [0, 1],
    options: {
      plot: {
        type: 'string',
        value: 'FILE.svg',
        help: 'draw the drive and what was decided on it: speed, gap, risk, modes, events, words',
      },
      frames: {
        type: 'boolean',
        help: 'decode the recorded frames again: they must give the recorded signals of every tick',
      },
      dbc: {
        type: 'string',
        multiple: true,
        value: 'FILE',
        help: 'with --frames: DBC files of the run, where they are no longer where they were',
      },
    },
    details: [
      'Without an argument: the latest run of the state directory. Exit code 1 where a tick is decided otherwise',
      'than recorded; the first such tick is named. Lateness is that of the run as it was recorded.',
      '',
      'With --frames the signals are not taken from the recording but decoded from its raw frames, through the',
      'vehicle profile that the recording carries; the first tick with another signal is named. Where frames are',
      'missing (the recorder could not keep up) nothing after them is compared, and that is said: exit code 1.',
    ].join('\n'),
    examples: [
      ['drivemcp replay', 'the latest run'],
      [
        'drivemcp replay --frames',
        'from the raw frames on: a run on interfaces, or one with --record-frames',
      ],
      ['drivemcp replay run.drec --json', 'a recording from anywhere; ends with {"summary":…}'],
      ['drivemcp replay --plot drive.svg', 'the same, and a picture of the whole drive'],
    ],
    run: replay,
  },
];

async function replay({ values, positionals, terminal, signal }: Invocation): Promise<number> {
  const stateDir = resolveStateDir(stringOption(values, 'state'));
  const plotPath = stringOption(values, 'plot');
  const path = findRecording(positionals[0], stateDir);
  const recording = await openRun(path);
  const { header } = recording;
  if (header.productVersion !== packageVersion) {
    terminal.message(`drivemcp: recorded by version ${header.productVersion}, replayed by ${packageVersion}`);
  }
  const frames = booleanOption(values, 'frames')
    ? new FrameReplay(await vehicleOf(recording, listOption(values, 'dbc')))
    : null;
  const tally = new RunTally(contextOf(header.context, recording.path).settings.startJurisdiction);
  const lateness = new Lateness();
  const lines = new DecisionLines(terminal);
  const objects = new DecisionObjects();
  const notable = new NotableTick();
  const progress = progressOf(terminal, systemClock);
  const beganUs = systemClock.monoUs();
  let result: ReplayResult;
  let plot: DrivePlot | null = null;
  try {
    if (plotPath !== undefined) plot = new DrivePlot(plotPath, recording);
    result = await replayRun(
      recording,
      ({ inputs, outputs, record }) => {
        tally.add(inputs, outputs);
        lateness.record(inputs.lateUs);
        notable.see(outputs);
        if (record !== null) plot?.add(outputs, record);
        if (terminal.json) {
          for (const object of objects.of(outputs)) terminal.object(object);
        } else lines.watch(outputs);
        progress(outputs);
        return true;
      },
      { signal, withRecords: plot !== null, frames },
    );
    plot?.write(result, signal.aborted ? 'interrupted' : verdictOf(result).text);
  } finally {
    plot?.close();
    await recording.close();
    terminal.clearProgress();
  }
  const head = result.recorded?.['audit_head'];
  const verdict = verdictOf(result);
  const decoded = frames === null ? null : frameVerdict(frames.result());
  const summary: RunSummary = {
    run: header.runId,
    source: header.description,
    simulated: header.isSimulated,
    preset: header.preset ?? '',
    period_ms: (header.tickPeriodUs ?? 0) / 1000,
    ...tallySummary(tally),
    wall_s: (systemClock.monoUs() - beganUs) / 1e6,
    late_us: lateness.summary(),
    decision_hash: result.decisionHash,
    audit_head: typeof head === 'string' ? head : null,
    compared: result.compared,
    equal: verdict.isEqual && decoded?.isEqual !== false,
    first_difference: result.firstDifference,
    ...(decoded === null ? {} : { frames: decoded.object }),
    truncated: result.isTruncated,
    recording: path,
    ...(plotPath === undefined ? {} : { plot: plotPath }),
  };
  if (terminal.json) terminal.object({ summary });
  else {
    reportSummary(terminal, summary, summary.late_us.max > 0);
    if (plotPath !== undefined) {
      terminal.line(`${terminal.style('picture'.padEnd(13), 'bold')}  ${printable(plotPath)}`);
    }
    if (decoded !== null) reportVerdict(terminal, 'frames', decoded);
    reportVerdict(terminal, 'replay', verdict);
    const tick = result.firstDifference ?? notable.tick;
    const run = `--run ${shellWord(path)}`;
    if (tick !== null)
      reportNext(terminal, [[`${commandName()} explain ${tick} ${run}`, "one tick's chain of reasons"]]);
  }
  if (signal.aborted) return 0;
  if (decoded?.difference) {
    throw new DriveMcpError('REPLAY_DIFFERS', decoded.text, {
      location: { file: path },
      context: { ...decoded.difference },
      hint: 'the frames are as they were recorded; what decodes them has changed since',
    });
  }
  if (verdict.isEqual) return decoded?.isEqual === false ? 1 : 0;
  if (result.firstDifference === null) return 1;
  throw new DriveMcpError('REPLAY_DIFFERS', verdict.text, {
    location: { file: path },
    context: { tick: result.firstDifference },
    hint: `drivemcp explain ${result.firstDifference} --run ${path} shows the tick`,
  });
}

/** @throws DriveMcpError what `recordedVehicle` throws; the recording is closed then */
async function vehicleOf(recording: Recording, dbc: readonly string[]): Promise<VehicleProfile> {
  try {
    return recordedVehicle(recording.header, recording.path, dbc).profile;
  } catch (error) {
    await recording.close();
    throw error;
  }
}

function reportVerdict(
  terminal: Terminal,
  name: string,
  { isEqual, text }: { readonly isEqual: boolean; readonly text: string },
): void {
  terminal.line(
    `${terminal.style(name.padEnd(13), 'bold')}  ${terminal.style(text, isEqual ? 'green' : 'red')}`,
  );
}

function verdictOf(result: ReplayResult): { isEqual: boolean; text: string } {
  const { firstDifference, compared, ticks, recorded } = result;
  if (firstDifference !== null) {
    return { isEqual: false, text: `tick ${firstDifference} is decided otherwise than recorded` };
  }
  if (result.break !== null) {
    const { afterTick, reason } = result.break;
    return {
      isEqual: false,
      text: `equal up to tick ${afterTick}; beyond it nothing can be compared: ${reason}`,
    };
  }
  const hash = recorded?.['decision_hash'];
  if (typeof hash === 'string' && hash !== result.decisionHash) {
    return { isEqual: false, text: 'the recorded summary has another decision hash: ticks are missing' };
  }
  if (compared < ticks - 1 || (compared < ticks && !result.isTruncated)) {
    return { isEqual: false, text: `only ${compared} of ${ticks} ticks have a recorded hash` };
  }
  const cut = result.isTruncated ? '; the recording was not closed, what came after is not in it' : '';
  return { isEqual: true, text: `equal: ${compared} ticks decided as recorded${cut}` };
}
