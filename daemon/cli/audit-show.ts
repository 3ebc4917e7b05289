import { printable } from '../runtime/printable.js';
import { resolveStateDir } from '../runtime/state-dir.js';
import { exportLine, type StoredRecord } from '../store/chain.js';
import { type AuditReader, type AuditRun, openAuditReader } from '../store/reader.js';
import { type Invocation, stringOption } from './command.js';
import { countOption } from './count-option.js';
import { columns } from './table.js';
import type { Terminal } from './terminal.js';

const defaultLimit = 200;
const runColumns = [
  'left',
  'left',
  'left',
  'right',
  'right',
  'right',
  'right',
  'right',
  'left',
  'left',
] as const;
const recordColumns = ['right', 'right', 'right', 'left', 'left'] as const;

export async function showAudit({ values, terminal }: Invocation): Promise<number> {
  const reader = openAuditReader(resolveStateDir(stringOption(values, 'state')));
  try {
    const runId = stringOption(values, 'run');
    const kind = stringOption(values, 'kind');
    const fromTick = countOption(values, 'from-tick');
    const toTick = countOption(values, 'to-tick');
    const limit = countOption(values, 'limit') ?? defaultLimit;
    if (runId === undefined && kind === undefined && fromTick === undefined && toTick === undefined) {
      showRuns(reader, limit, terminal);
      return 0;
    }
    const run = reader.run(runId === 'latest' ? undefined : runId);
    const records = reader.records({
      run,
      ...(kind === undefined ? {} : { kind }),
      ...(fromTick === undefined ? {} : { fromTick }),
      ...(toTick === undefined ? {} : { toTick }),
    });
    showRecords(run, records, limit, terminal);
    return 0;
  } finally {
    reader.close();
  }
}

function showRuns(reader: AuditReader, limit: number, terminal: Terminal): void {
  const all = reader.runs();
  const runs = limit === 0 ? all : all.slice(-limit);
  if (terminal.json) {
    for (const run of runs) terminal.object(run);
    return;
  }
  if (all.length === 0) {
    terminal.line('no run is recorded here');
    return;
  }
  const head = [
    'run',
    'started (UTC)',
    'state',
    'ticks',
    'act',
    'speak',
    'none',
    'records',
    'preset',
    'source',
  ];
  const rows = runs.map((run) => {
    const decisions = run.summary?.['decisions'] as Record<string, unknown> | undefined;
    return [
      run.run_id,
      timeText(run.start_ms),
      run.end_ms !== null ? 'ended' : 'open',
      cell(run.summary?.['ticks']),
      cell(decisions?.['act']),
      cell(decisions?.['speak']),
      cell(decisions?.['none']),
      String(run.last_seq - run.first_seq + 1),
      run.preset,
      run.simulated ? `${run.source} (simulated)` : run.source,
    ];
  });
  for (const line of columns([head, ...rows], runColumns, terminal.tableWidth))
    terminal.line(printable(line));
  if (runs.length < all.length)
    terminal.line(`… and ${all.length - runs.length} earlier ones (--limit 0 shows all)`);
  if (runs.some((run) => run.end_ms === null)) {
    terminal.line(
      "'open' runs are running, or were cut short: their records are complete up to their last commit",
    );
  }
}

function showRecords(
  run: AuditRun,
  records: Iterable<StoredRecord>,
  limit: number,
  terminal: Terminal,
): void {
  const rows: string[][] = [];
  let hasMore = false;
  let shown = 0;
  for (const record of records) {
    hasMore = limit > 0 && shown === limit;
    if (hasMore) break;
    shown++;
    if (terminal.json) terminal.verbatimLine(exportLine(record));
    else rows.push(recordRow(record));
  }
  const more = 'more records (--limit 0 shows all)';
  if (terminal.json) {
    if (hasMore) terminal.message(`drivemcp: there are ${more}`);
    return;
  }
  const origin = `${run.source}${run.simulated ? ' (simulated)' : ''}`;
  terminal.line(printable(`run ${run.run_id}: ${origin}, preset ${run.preset}`));
  for (const row of columns([['seq', 'tick', 't (s)', 'kind', 'what'], ...rows], recordColumns)) {
    const line = printable(row);
    terminal.line(
      line.length > terminal.columns && terminal.isInteractive
        ? `${line.slice(0, terminal.columns - 1)}…`
        : line,
    );
  }
  if (hasMore) terminal.line(`… ${more}`);
}

function recordRow(record: StoredRecord): string[] {
  const isOfTick = record.tick >= 0;
  return [
    String(record.seq),
    isOfTick ? String(record.tick) : '',
    isOfTick ? (record.mono_us / 1e6).toFixed(2) : '',
    record.kind,
    gist(JSON.parse(record.body) as Record<string, unknown>),
  ];
}

type Members = Readonly<Record<string, unknown>>;

/** What a person wants to know of a record: decision, why, what was said; else the small members of its body. */
function gist(body: Members): string {
  const arbitration = members(body['arbitration']);
  if (arbitration === null) return smallMembers(body);
  const events = Array.isArray(body['events']) ? body['events'].map((event) => members(event)?.['type']) : [];
  const safety = members(body['safety']);
  const said = members(body['utterance'])?.['l1'];
  return [
    String(arbitration['decision']).toUpperCase(),
    body['mode'] === 'NORMAL' ? '' : String(body['mode']),
    measure('v', safety?.['v'], 'm/s'),
    measure('TTC', safety?.['ttc'], 's'),
    measure('risk', safety?.['r'], ''),
    events.join(', '),
    typeof said === 'string' ? JSON.stringify(said) : '',
  ]
    .filter((part) => part !== '')
    .join('  ');
}

function measure(name: string, value: unknown, unit: string): string {
  return typeof value === 'number' ? `${name} ${value.toFixed(2)}${unit === '' ? '' : ` ${unit}`}` : '';
}

function smallMembers(body: Members): string {
  const parts: string[] = [];
  for (const [key, value] of Object.entries(body)) {
    if (value !== null && typeof value !== 'object' && value !== '') parts.push(`${key}=${String(value)}`);
  }
  return parts.slice(0, 6).join(' ');
}

function members(value: unknown): Members | null {
  return typeof value === 'object' && value !== null ? (value as Members) : null;
}

function cell(value: unknown): string {
  return typeof value === 'number' ? String(value) : '';
}

function timeText(wallMs: number): string {
  const date = new Date(wallMs);
  return Number.isNaN(date.getTime()) ? String(wallMs) : date.toISOString().slice(0, 19).replace('T', ' ');
}
