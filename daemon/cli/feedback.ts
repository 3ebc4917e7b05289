import { noteMaxChars } from '../core/arbiter/given-feedback.js';
import { DriveMcpError } from '../core/errors.js';
import type { JsonObject } from '../core/tick.js';
import { systemClock } from '../runtime/clock.js';
import { readFeedback } from '../runtime/feedback-log.js';
import { type Letter, leaveLetter } from '../runtime/inbox-letter.js';
import { createStateDir, resolveStateDir } from '../runtime/state-dir.js';
import { type CommandSpec, type Invocation, stringOption } from './command.js';
import { nearestWord } from './nearest-word.js';

const kinds: Readonly<Record<string, Letter['kind']>> = {
  late: 'late_warning',
  false: 'false_positive',
  cancel: 'cancel',
};

export const commands: readonly CommandSpec[] = [
  {
    path: ['feedback'],
    summary: 'tells the running daemon what the driver thought of its last warning or action',
    positionals: 'late|false|cancel',
    arity: [1, 1],
    options: {
      note: {
        type: 'string',
        value: 'TEXT',
        help: `words for the record, at most ${noteMaxChars} characters`,
      },
    },
    details: [
      'late     the last warning came too late: the next one escalates a little earlier (Δ −0.01, Cmin −0.02)',
      'false    it was not needed: a little later (Δ +0.01, Cmin +0.02)',
      'cancel   ends an ACT that is in force; no substitute for the brake pedal',
      '',
      'At most one step of a kind a minute, within bounds; frozen with --preset paper-literal. Feedback is put into the',
      "inbox of the state directory: who may write that folder may give feedback. It is recorded as the daemon's input, so a",
      'replay of the run decides alike. Without a daemon it waits; older than a minute it changes nothing and is only kept.',
      'Research software beside certified functions, never in their place.',
    ].join('\n'),
    examples: [
      ['drivemcp feedback late', 'the warning just now came too late'],
      ['drivemcp feedback false --note "the lorry was on the other lane"', 'it was not needed, and why'],
    ],
    run: feedback,
  },
];

/** The daemon looks five times a second, and writes its log at once. */
const waitMaxMs = 3000;
const lookEveryMs = 50;

async function feedback({ values, positionals, terminal, signal }: Invocation): Promise<number> {
  const [word = ''] = positionals;
  const kind = Object.hasOwn(kinds, word) ? kinds[word] : undefined;
  if (kind === undefined) {
    const near = nearestWord(word, Object.keys(kinds));
    throw new DriveMcpError('USAGE', `feedback is late, false or cancel, got '${word}'`, {
      hint: near === undefined ? 'drivemcp feedback --help says what each means' : `did you mean ${near}?`,
    });
  }
  const note = stringOption(values, 'note');
  if (note !== undefined && (note === '' || note.length > noteMaxChars)) {
    throw new DriveMcpError('USAGE', `--note takes 1 to ${noteMaxChars} characters, got ${note.length}`);
  }
  const stateDir = resolveStateDir(stringOption(values, 'state'));
  createStateDir(stateDir);
  const id = leaveLetter(stateDir, {
    wall_ms: systemClock.wallMs(),
    kind,
    ...(note === undefined ? {} : { note: note.replace(/\p{Surrogate}/gu, '\ufffd') }),
  });
  const line = await answerTo(id, stateDir, signal);
  const outcome = line === null ? null : outcomeOf(line, id);
  if (terminal.json) {
    terminal.object({
      id,
      kind,
      taken: line !== null,
      tick: line?.['tick'] ?? null,
      outcome,
      delta: line?.['delta'] ?? null,
      c_min: line?.['c_min'] ?? null,
    });
  } else if (line === null) {
    terminal.line('waits in the inbox: no daemon has taken it yet');
  } else {
    terminal.line(`taken on tick ${String(line['tick'])}: ${outcomeWords(outcome)}`);
    terminal.line(`Δ ${String(line['delta'])}, Cmin ${String(line['c_min'])}`);
  }
  return 0;
}

async function answerTo(id: string, stateDir: string, signal: AbortSignal): Promise<JsonObject | null> {
  for (let waitedMs = 0; waitedMs < waitMaxMs && !signal.aborted; waitedMs += lookEveryMs) {
    const line = readFeedback(stateDir).lines.findLast(
      ({ command_ids: ids }) => Array.isArray(ids) && ids.includes(id),
    );
    if (line !== undefined) return line;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
  return null;
}

function outcomeOf(line: JsonObject, id: string): string | null {
  const given = line['given'];
  if (!Array.isArray(given)) return null;
  const own = (given as readonly JsonObject[]).find((item) => item['id'] === id);
  return own === undefined ? null : String(own['outcome']);
}

function outcomeWords(outcome: string | null): string {
  const words: Readonly<Record<string, string>> = {
    late_warning: 'the next warning comes a little earlier',
    false_positive: 'the next one needs a little more',
    'none:rate': 'kept; there was a step of this kind within the last minute',
    'none:conflict': 'kept; late and false at the same time change nothing',
    'none:stale': 'kept; it is older than a minute and changes nothing',
    'none:frozen': 'kept; this preset does not learn',
  };
  return outcome === null ? 'done' : (words[outcome] ?? outcome);
}
