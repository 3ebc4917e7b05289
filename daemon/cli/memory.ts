import { createParams } from '../core/params.js';
import type { JsonObject } from '../core/tick.js';
import { loadAdaptation } from '../runtime/adaptation-file.js';
import { loadConfig } from '../runtime/config.js';
import { readFeedback } from '../runtime/feedback-log.js';
import { readPreferences } from '../runtime/preferences-file.js';
import { printable } from '../runtime/printable.js';
import { readRulepackHistory } from '../runtime/rulepack-history.js';
import { resolveStateDir } from '../runtime/state-dir.js';
import { type CommandSpec, type Invocation, stringOption } from './command.js';
import { configFile } from './config-file.js';
import { count } from './table.js';

export const commands: readonly CommandSpec[] = [
  {
    path: ['memory'],
    summary: 'what a state directory remembers over restarts',
    arity: [0, 0],
    options: {},
    details:
      'Learned thresholds (Δ, Cmin), preferences, the log of feedback and the versions of the rulepacks that decided. A file\n' +
      'that is damaged costs what it held: defaults count then, and it is said.',
    examples: [
      ['drivemcp memory', 'thresholds, preferences, the last feedback, rulepack versions'],
      ['drivemcp memory --json', 'everything, as one object'],
    ],
    run: memory,
  },
];

const shownCount = 5;

async function memory({ values, terminal }: Invocation): Promise<number> {
  const stateDir = resolveStateDir(stringOption(values, 'state'));
  const { config } = loadConfig(configFile(values));
  const params = createParams(config.core.preset);
  const learned = loadAdaptation(stateDir, params);
  const { preferences, notice } = readPreferences(stateDir);
  const feedback = readFeedback(stateDir);
  const packs = readRulepackHistory(stateDir);
  for (const text of [learned.notice, notice]) if (text !== null) terminal.message(`drivemcp: ${text}`);
  const thresholds = {
    delta: learned.state.marginRatio,
    c_min: learned.state.confidenceMinRatio,
    frozen: params.adaptationFrozen,
  };
  if (terminal.json) {
    terminal.object({
      thresholds,
      preferences,
      feedback: feedback.lines,
      feedback_damaged_lines: feedback.damaged,
      rulepack_history: packs.lines,
      rulepack_history_damaged_lines: packs.damaged,
    });
    return 0;
  }
  const row = (name: string, text: string) =>
    terminal.line(`${terminal.style(name.padEnd(12), 'bold')}  ${printable(text)}`);
  row('thresholds', `Δ ${thresholds.delta}, Cmin ${thresholds.c_min}${thresholds.frozen ? ' (frozen)' : ''}`);
  const preferred = Object.entries(preferences).map(([key, value]) => `${key} ${String(value) || 'nothing'}`);
  row('preferences', preferred.length === 0 ? 'those of the configuration' : preferred.join(', '));
  row('feedback', `${count(feedback.lines.length, 'line')}${damagedWords(feedback.damaged)}`);
  for (const line of feedback.lines.slice(-shownCount)) row('', feedbackWords(line));
  row('rulepacks', `${count(packs.lines.length, 'change')}${damagedWords(packs.damaged)}`);
  const last = packs.lines.at(-1)?.['packs'];
  if (typeof last === 'object' && last !== null) row('', Object.values(last).join(' '));
  return 0;
}

function damagedWords(damaged: number): string {
  return damaged === 0 ? '' : `, ${count(damaged, 'damaged line')} left out`;
}

function feedbackWords(line: JsonObject): string {
  const given = Array.isArray(line['given']) ? (line['given'] as readonly JsonObject[]) : [];
  const what = given.map(
    ({ kind, origin, outcome, note }) =>
      `${String(kind)} by ${String(origin)}: ${String(outcome)}${note === undefined ? '' : ` "${String(note)}"`}`,
  );
  const when = new Date(Number(line['wall_ms'])).toISOString();
  const shown =
    line['feedback'] === undefined ? 'command' : `shown by the drive: ${String(line['feedback'])}`;
  return `${when}  tick ${String(line['tick'])}  ${what.length === 0 ? shown : what.join('; ')}  Δ ${String(line['delta'])}`;
}
