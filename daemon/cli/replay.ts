import { DriveMcpError } from '../core/errors.js';
import { systemClock } from '../runtime/clock.js';
import { findRecording } from '../runtime/find-recording.js';
import { Lateness } from '../runtime/lateness.js';
import { packageVersion } from '../runtime/package-root.js';
import { printable } from '../runtime/printable.js';
import { openRun, type ReplayResult, replayRun } from '../runtime/replay-run.js';
import { type RunSummary, tallySummary } from '../runtime/run-summary.js';
import { RunTally } from '../runtime/run-tally.js';
import { resolveStateDir } from '../runtime/state-dir.js';
import { DecisionLines } from '../sinks/decision-lines.js';
import { decisionObject } from '../sinks/decision-object.js';
import { type CommandSpec, type Invocation, stringOption } from './command.js';
import { commandName, shellWord } from './command-name.js';
import { DrivePlot } from './drive-plot/plot-replay.js';
import { NotableTick } from './notable-tick.js';
import { progressOf } from './run-progress.js';
import { reportNext, reportSummary } from './run-report.js';

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
    },
    details:
      'Without an argument: the latest run of the state directory. Exit code 1 where a tick is decided otherwise\nthan recorded; the first such tick is named. Lateness is that of the run as it was recorded.',
    examples: [
      ['drivemcp replay', 'the latest run'],
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
  const tally = new RunTally();
  const lateness = new Lateness();
  const lines = new DecisionLines(terminal);
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
          const object = decisionObject(outputs);
          if (object !== null) terminal.object(object);
        } else lines.watch(outputs);
        progress(outputs);
        return true;
      },
      { signal, withRecords: plot !== null },
    );
    plot?.write(result, signal.aborted ? 'interrupted' : verdictOf(result).text);
  } finally {
    plot?.close();
    await recording.close();
    terminal.clearProgress();
  }
  const head = result.recorded?.['audit_head'];
  const verdict = verdictOf(result);
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
    equal: verdict.isEqual,
    first_difference: result.firstDifference,
    truncated: result.isTruncated,
    recording: path,
    ...(plotPath === undefined ? {} : { plot: plotPath }),
  };
  if (terminal.json) terminal.object({ summary });
  else {
    reportSummary(terminal, summary);
    const colour = verdict.isEqual ? 'green' : 'red';
    terminal.line(`${terminal.style('replay'.padEnd(13), 'bold')}  ${terminal.style(verdict.text, colour)}`);
    if (plotPath !== undefined) {
      terminal.line(`${terminal.style('picture'.padEnd(13), 'bold')}  ${printable(plotPath)}`);
    }
    const tick = result.firstDifference ?? notable.tick;
    const run = `--run ${shellWord(path)}`;
    if (tick !== null)
      reportNext(terminal, [[`${commandName()} explain ${tick} ${run}`, "one tick's chain of reasons"]]);
  }
  if (verdict.isEqual || signal.aborted) return 0;
  if (result.firstDifference === null) return 1;
  throw new DriveMcpError('REPLAY_DIFFERS', verdict.text, {
    location: { file: path },
    context: { tick: result.firstDifference },
    hint: `drivemcp explain ${result.firstDifference} --run ${path} shows the tick`,
  });
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
