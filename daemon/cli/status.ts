import { DriveMcpError } from '../core/errors.js';
import type { JsonObject, JsonValue } from '../core/tick.js';
import { systemClock } from '../runtime/clock.js';
import { readDaemonStatus } from '../runtime/daemon-status.js';
import { printable } from '../runtime/printable.js';
import { resolveStateDir } from '../runtime/state-dir.js';
import { modeCauseWords } from '../sinks/mode-cause-words.js';
import { type CommandSpec, type Invocation, stringOption } from './command.js';
import { columns } from './table.js';
import type { Terminal } from './terminal.js';

export const commands: readonly CommandSpec[] = [
  {
    path: ['status'],
    summary: 'what the daemon of a state directory is doing',
    arity: [0, 0],
    options: {},
    details:
      'Reads status.json, which a running daemon replaces once a second. Exit codes: 0 it runs, 69 there is none, it has\nended, or its last status is older than five seconds (it hangs, or was killed).',
    examples: [
      ['drivemcp status', 'mode with its causes, interfaces with advice, counters'],
      ['drivemcp status --state /var/lib/drivemcp --json', 'one object, for programs'],
    ],
    run: status,
  },
];

async function status({ values, terminal }: Invocation): Promise<number> {
  const stateDir = resolveStateDir(stringOption(values, 'state'));
  const { state, why, ageMs, isAlive, status: found } = readDaemonStatus(stateDir, systemClock.wallMs());
  const isRunning = state === 'running';
  if (found !== null) {
    if (terminal.json) terminal.object({ ...found, age_ms: ageMs, alive: isAlive, running: isRunning });
    else show(found, terminal);
  }
  if (isRunning) return 0;
  throw new DriveMcpError('DAEMON_ABSENT', why ?? 'no daemon runs', { location: { file: stateDir } });
}

function show(found: JsonObject, terminal: Terminal): void {
  const late = record(found['lateness_us']);
  const decisions = record(found['decisions']);
  const store = record(found['store']);
  const last = record(found['last_decision']);
  const causes = Array.isArray(found['mode_causes']) ? found['mode_causes'].map(String) : [];
  const rows: [string, string][] = [
    ['run', `${text(found['run'])}, process ${text(found['pid'])}, ${text(found['state'])}`],
    ['source', `${text(found['source'])}${found['simulated'] === true ? '  [simulated]' : ''}`],
    [
      'mode',
      `${text(found['mode'])}${found['mode'] === 'NORMAL' || causes.length === 0 ? '' : `: ${causes.map(modeCauseWords).join(', ')}`}`,
    ],
    [
      'tick',
      `${text(found['tick'])} (${Number(found['t_s'] ?? 0).toFixed(1)} s), ${text(found['missed_ticks'])} missed`,
    ],
    ['lateness', `p50 ${ms(late['p50'])}, p99 ${ms(late['p99'])}, max ${ms(late['max'])}`],
    [
      'decisions',
      Object.entries(decisions)
        .map(([name, count]) => `${name} ${text(count)}`)
        .join(', '),
    ],
    [
      'store',
      `${store['healthy'] === true ? 'healthy' : 'NOT HEALTHY'}, ${text(store['queued'])} records waiting`,
    ],
    ['frames', `${text(found['frames'])}${trouble(record(found['decode']))}`],
  ];
  if (last['decision'] !== undefined) {
    rows.push(['last', `tick ${text(last['tick'])}: ${text(last['decision'])} ${text(last['l1'] ?? '')}`]);
  }
  rows.push(['act', actWords(record(found['act']))]);
  const signals = record(found['signals']);
  rows.push(['signals', signalWords(signals)]);
  for (const [name, value] of rows) {
    terminal.line(`${terminal.style(name.padEnd(10), 'bold')}  ${printable(value)}`);
  }
  const bad = list(found['sources']).filter((source) => source['state'] !== 'fresh');
  for (const source of bad) {
    const { name, state, detail } = source;
    terminal.line(
      `${terminal.style('source'.padEnd(10), 'bold')}  ${printable(`${text(name)} ${text(detail ?? state)}`)}`,
    );
  }
  showExperts(list(found['experts']), terminal);
  const interfaces = list(found['interfaces']);
  if (interfaces.length === 0) return;
  terminal.line();
  const table = columns(
    [
      ['interface', 'state', 'for', 'frames', 'errors', 'lost', 'outages', 'advice'],
      ...interfaces.map((one) => [
        printable(text(one['name'])),
        text(one['state']),
        `${Number(one['state_s'] ?? 0).toFixed(0)} s`,
        text(one['frames']),
        text(one['error_frames']),
        String(Number(one['kernel_drops'] ?? 0) + Number(one['ring_drops'] ?? 0)),
        text(one['outages']),
        printable(text(one['advice'])),
      ]),
    ],
    ['left', 'left', 'right', 'right', 'right', 'right', 'right', 'left'],
  );
  for (const [i, line] of table.entries()) terminal.line(i === 0 ? terminal.style(line, 'dim') : line);
}

function actWords(act: JsonObject): string {
  if (act['sink'] === undefined || act['sink'] === 'none') return 'off';
  const monitor = record(act['monitor']);
  const watched =
    monitor['mode'] === undefined
      ? 'no monitor'
      : `monitor ${text(monitor['mode'])}, ${monitor['connected'] === true ? 'connected' : 'NOT CONNECTED'}`;
  return `${text(act['sink'])}, ${act['authorised'] === true ? 'authorised' : 'not authorised'}, ${watched}`;
}

function showExperts(experts: readonly JsonObject[], terminal: Terminal): void {
  if (experts.length === 0) return;
  terminal.line();
  const table = columns(
    [
      ['expert', 'state', 'breaker', 'answered', 'p50', 'p99', 'restarts', 'tools', 'last end'],
      ...experts.map((one) => {
        const latency = record(one['latency_us']);
        return [
          text(one['expert']),
          `${text(one['state'])}${one['isolation'] === 'process' ? `, process ${text(one['pid'] ?? 'none')}` : ', inline'}`,
          text(one['breaker']),
          `${text(one['ok'])} of ${text(one['requests'])}`,
          ms(latency['p50']),
          ms(latency['p99']),
          text(one['restarts']),
          one['tools_sha256'] === null ? '-' : text(one['tools_sha256']).slice(0, 12),
          printable(text(one['last_end'] ?? '-')),
        ];
      }),
    ],
    ['left', 'left', 'left', 'right', 'right', 'right', 'right', 'left', 'left'],
  );
  for (const [i, line] of table.entries()) terminal.line(i === 0 ? terminal.style(line, 'dim') : line);
}

function trouble(decode: JsonObject): string {
  const parts = Object.entries(decode)
    .filter(([name, count]) => name !== 'frames' && name !== 'unmapped' && Number(count) > 0)
    .map(([name, count]) => `${name.replaceAll('_', ' ')} ${text(count)}`);
  return parts.length === 0 ? '' : `; not believed: ${parts.join(', ')}`;
}

function signalWords(signals: JsonObject): string {
  if (signals['socket'] === undefined) return 'not offered';
  const troubles = ['malformed', 'throttled', 'turned_away', 'dropped_slow']
    .filter((name) => Number(signals[name] ?? 0) > 0)
    .map((name) => `, ${name.replaceAll('_', ' ')} ${text(signals[name])}`);
  return `${text(signals['socket'])}, ${text(signals['clients'])} clients, ${text(signals['requests'])} requests${troubles.join('')}`;
}

function record(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function list(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.map((item: JsonValue) => record(item)) : [];
}

function text(value: JsonValue | undefined): string {
  return value === undefined || value === null ? 'unknown' : String(value);
}

function ms(value: JsonValue | undefined): string {
  return `${(Number(value ?? 0) / 1000).toFixed(1)} ms`;
}
