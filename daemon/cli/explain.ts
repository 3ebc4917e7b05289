import { DriveMcpError } from '../core/errors.js';
import type { JsonValue } from '../core/tick.js';
import { findRecording } from '../runtime/find-recording.js';
import { explainTick, openRun } from '../runtime/replay-run.js';
import { resolveStateDir } from '../runtime/state-dir.js';
import { citedPassages } from './cited-passages.js';
import { type CommandSpec, type Invocation, stringOption } from './command.js';
import { reportTick } from './explain-report.js';

export const commands: readonly CommandSpec[] = [
  {
    path: ['explain'],
    summary: "one tick's chain of reasons: events, experts, what was fused, numbers, decision, words",
    positionals: 'TICK',
    arity: [1, 1],
    options: {
      run: {
        type: 'string',
        value: 'ID',
        help: 'run of the state directory, or a recording; default: the latest',
      },
    },
    details:
      'Decides again on the recorded inputs up to this tick, so every tick can be explained, also one that left\nno audit record. Says whether the tick is decided as it was recorded.',
    examples: [
      ['drivemcp explain 812', 'tick 812 of the latest run'],
      ['drivemcp explain 812 --run 20260518T101500-1a2b --json', 'the same as one JSON object'],
    ],
    run: explain,
  },
];

async function explain({ values, positionals, terminal }: Invocation): Promise<number> {
  const word = positionals[0] ?? '';
  if (!/^\d{1,9}$/.test(word)) {
    throw new DriveMcpError('USAGE', `TICK is a whole number, got '${word}'`);
  }
  const stateDir = resolveStateDir(stringOption(values, 'state'));
  const recording = await openRun(findRecording(stringOption(values, 'run'), stateDir));
  try {
    const tick = await explainTick(recording, Number(word));
    const { header } = recording;
    if (terminal.json) {
      const { inputs, outputs, record, isAsRecorded } = tick;
      terminal.object({
        run: header.runId,
        tick: outputs.tick,
        t: outputs.tUs / 1e6,
        mode: outputs.mode,
        decision: outputs.decision.kind,
        as_recorded: isAsRecorded,
        signals: inputs.signals.map(({ path, value, observedAtUs }) => ({
          path,
          value,
          t: observedAtUs / 1e6,
        })),
        facts: inputs.facts.map(({ kind, conf, provenance }) => ({ kind, conf, provenance })),
        answers: inputs.answers.map(({ requestId, tool, status, latencyUs, error }) => ({
          request: requestId,
          tool,
          status,
          ms: latencyUs / 1000,
          ...(error === undefined ? {} : { error }),
        })),
        record,
      });
    } else {
      const cited = tick.record['passages'];
      const passages = await citedPassages(
        Array.isArray(cited) ? (cited as readonly JsonValue[]) : [],
        values,
      );
      reportTick(terminal, tick, { runId: header.runId, preset: header.preset ?? '', passages });
    }
    return tick.isAsRecorded === false ? 1 : 0;
  } finally {
    await recording.close();
  }
}
