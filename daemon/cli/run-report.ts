import { printable } from '../runtime/printable.js';
import type { RunSummary } from '../runtime/run-summary.js';
import { inputWords, notSeen, whySilent } from './run-words.js';
import { count } from './table.js';
import type { Terminal } from './terminal.js';

/** The summary of a run or replay for people: one aligned line each. */
export function reportSummary(terminal: Terminal, summary: RunSummary, isLive = false): void {
  const { decisions, late_us: late } = summary;
  const rows: [string, string][] = [
    ['run', `${summary.run}${summary.simulated ? '  (simulated: nothing here comes from a car)' : ''}`],
    [
      'drive',
      `${summary.ticks} ticks of ${summary.period_ms} ms, ${duration(summary.drive_s)}${faster(summary)}`,
    ],
    [
      'decisions',
      `of ${count(summary.ticks, 'tick')}: ${decisions.act} with an ACT in force, ${decisions.speak} with words alone, ${decisions.none} with neither`,
    ],
    ['modes', listed(summary.modes)],
    ['events', listed(summary.events)],
    [
      'lateness',
      isLive
        ? `p50 ${ms(late.p50)}, p99 ${ms(late.p99)}, max ${ms(late.max)}`
        : `behind real time: ${late.max < 1000 ? 'never' : `${ms(late.max)} at most, no input of a recorded drive`}`,
    ],
  ];
  const silent = whySilent(summary);
  if (silent !== '') rows.push(['said', silent]);
  const unseen = notSeen(summary.inputs_missing);
  if (unseen !== '') rows.push(['not seen', unseen]);
  const experts = expertsLine(summary['tools']);
  if (experts !== '') rows.push(['experts', experts]);
  const act = summary['act'];
  if (isRecord(act)) rows.push(['ACT', actLine(act)]);
  if (summary.missed_ticks > 0) rows.push(['missed', `${summary.missed_ticks} ticks`]);
  const input = isRecord(summary['input']) ? inputWords(summary['input']) : '';
  if (input !== '') rows.push(['input', input]);
  const refused = refusedLine(summary['decode']);
  if (refused !== '') rows.push(['not believed', refused]);
  const trouble = recordingTrouble(summary);
  if (trouble !== '') rows.push(['recording', trouble]);
  rows.push(['decision hash', summary.decision_hash]);
  rows.push(['audit head', summary.audit_head ?? 'none']);
  terminal.line();
  for (const [name, text] of rows) {
    terminal.line(`${terminal.style(name.padEnd(13), 'bold')}  ${printable(text)}`);
  }
}

/** Commands that work as printed. */
export function reportNext(terminal: Terminal, commands: readonly (readonly [string, string])[]): void {
  terminal.line();
  terminal.line(terminal.style('where to look next', 'bold'));
  const width = Math.max(...commands.map(([command]) => command.length));
  for (const [command, says] of commands)
    terminal.line(`  ${command.padEnd(width)}  ${terminal.style(says, 'dim')}`);
}

function duration(s: number): string {
  return s < 120 ? `${s.toFixed(1)} s` : `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`;
}

function faster({ drive_s: driveS, wall_s: wallS }: RunSummary): string {
  if (!(wallS > 0) || driveS < 1) return '';
  const factor = driveS / wallS;
  return ` in ${wallS.toFixed(1)} s${factor >= 2 ? ` (${Math.round(factor)} × real time)` : ''}`;
}

function listed(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).sort(([, a], [, b]) => b - a);
  return entries.length === 0 ? 'none' : entries.map(([name, number]) => `${name} ${number}`).join(', ');
}

function ms(us: number): string {
  return `${(us / 1000).toFixed(us < 10_000 ? 2 : 0)} ms`;
}

function expertsLine(tools: unknown): string {
  if (!isRecord(tools)) return '';
  const parts: string[] = [];
  for (const [tool, counters] of Object.entries(tools)) {
    if (!isRecord(counters)) continue;
    const trouble = ['errors', 'timeouts', 'late', 'discarded', 'refused']
      .filter((name) => Number(counters[name]) > 0)
      .map((name) => `${counters[name]} ${name}`);
    if (Number(counters['requests']) === 0) {
      parts.push(`${tool} not asked`);
      continue;
    }
    parts.push(
      `${tool} answered ${counters['ok']} of ${counters['requests']}${trouble.length > 0 ? ` (${trouble.join(', ')})` : ''}`,
    );
  }
  return parts.join(', ');
}

function actLine(act: Readonly<Record<string, unknown>>): string {
  if (act['sink'] === 'none') return 'off (default)';
  const refused = ['refused_not_durable', 'refused_expired', 'refused_unauthorised'].reduce(
    (sum, key) => sum + Number(act[key] ?? 0),
    0,
  );
  return `${act['released']} ticks released to the ${act['sink']}, ${refused} refused; no sink drives a vehicle; to read them: audit show --run latest --kind act`;
}

function recordingTrouble(summary: RunSummary): string {
  const { recording_dropped: dropped, recording_trouble: trouble } = summary;
  const parts: string[] = [];
  if (Number(dropped) > 0) parts.push(`${dropped} records missing`);
  if (typeof trouble === 'string') parts.push(trouble);
  return parts.length === 0 ? '' : `INCOMPLETE: ${parts.join(', ')}`;
}

/** Frames and values that were received and not used. Frames of messages nobody asked for are no trouble. */
function refusedLine(decode: unknown): string {
  if (!isRecord(decode)) return '';
  return Object.entries(decode)
    .filter(([name, number]) => name !== 'frames' && name !== 'unmapped' && Number(number) > 0)
    .map(([name, number]) => `${name.replaceAll('_', ' ')} ${number}`)
    .join(', ');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
