import { eventTypes } from '../core/events/event-types.js';
import type { JsonObject, JsonValue } from '../core/tick.js';
import { printable } from '../runtime/printable.js';
import type { ExplainedTick } from '../runtime/replay-run.js';
import { outcomeOf } from '../runtime/run-tally.js';
import { memberName, memberUnit } from './record-words.js';
import { columns, wrapped } from './table.js';
import type { Terminal } from './terminal.js';

/** Safety numbers in the order in which they follow from each other: name in the record, words, unit. */
const safetyRows: readonly (readonly [string, string, string])[] = [
  ['v', 'own speed v', 'm/s'],
  ['d', 'gap d', 'm'],
  ['dv', 'closing speed Δv', 'm/s'],
  ['mu_used', 'friction μ used', ''],
  ['a_brake', 'braking possible', 'm/s²'],
  ['dmin', 'safe gap d_min', 'm'],
  ['rss_viol', 'gap violated', ''],
  ['ttc', 'time to collision', 's'],
  ['ttc_term', 'its term', ''],
  ['h_used', 'health risk h used', ''],
  ['r', 'risk r', ''],
  ['u_act', 'utility of ACT', ''],
  ['u_speak', 'utility of SPEAK', ''],
  ['score', 'score U_act − U_speak', ''],
  ['delta', 'must exceed Δ', ''],
  ['conf', 'confidence', ''],
  ['c_min', 'must reach C_min', ''],
];

/** The chain of reasons of one tick, from what was seen to what was said. */
export function reportTick(
  terminal: Terminal,
  tick: ExplainedTick,
  run: { readonly runId: string; readonly preset: string; readonly passages: readonly string[] },
): void {
  const { inputs, outputs, record, isAsRecorded } = tick;
  const section = (title: string, lines: readonly string[]) => {
    terminal.line();
    terminal.line(terminal.style(title, 'bold'));
    for (const line of lines.length === 0 ? ['none'] : lines) {
      for (const part of wrapped(`  ${printable(line)}`, terminal.tableWidth, 6)) terminal.line(part);
    }
  };
  terminal.line(
    `tick ${outputs.tick} at ${(outputs.tUs / 1e6).toFixed(2)} s of run ${printable(run.runId)}, mode ${outputs.mode}, preset ${printable(run.preset)}`,
  );
  terminal.line(`outcome ${outcomeOf(outputs)}${asRecorded(isAsRecorded)}`);
  section('seen in this tick', [
    ...columns(
      inputs.signals.map((one) => [one.path, one.value === null ? 'invalid' : short(one.value)]),
      ['left', 'right'],
    ),
    ...inputs.facts.map(
      (fact) => `${fact.kind} (provenance ${fact.provenance}, confidence ${short(fact.conf)})`,
    ),
  ]);
  section('held to be true', pairs(record['world_state']));
  section(
    'events',
    outputs.events.map(
      (event) => `${event.type}  score ${short(event.score)} ≥ ${event.eta}  ${inline(event.payload)}`,
    ),
  );
  section('experts', list(record['tools']).map(expertLine));
  section('fused', pairs(record['fused']));
  if (isObject(record['sign_explained'])) section('foreign sign', pairs(record['sign_explained']));
  section('passages', run.passages);
  const safety = outputs.safety as unknown as JsonObject;
  section(
    'numbers',
    columns(
      safetyRows.map(([key, words, unit]) => [words, valueText(safety[key]), unit]),
      ['left', 'right', 'left'],
    ).map((line) => line.trimEnd()),
  );
  section('arbitration', arbitrationLines(tick));
  const { utterance } = outputs;
  section(
    'driver hears',
    utterance === null
      ? list(record['suppressed']).map((one) => `nothing: ${inline(one)}`)
      : [`${utterance.l1}${utterance.urgent ? '  (urgent)' : ''}`, utterance.l2].filter(
          (line) => line !== '',
        ),
  );
  section('flags', list(record['degraded']).map(String));
}

function arbitrationLines({ outputs, record }: ExplainedTick): string[] {
  const { decision } = outputs;
  const body = record['arbitration'];
  const needed = isObject(body) ? body['confirm_ticks'] : undefined;
  const lines = [
    `decision ${decision.kind}${decision.held ? ' (held for its minimum time)' : ''}`,
    `condition of ACT true on ${decision.confirm} consecutive ticks of ${valueText(needed)} needed`,
  ];
  if (decision.blockedBy.length > 0) lines.push(`ACT blocked by ${decision.blockedBy.join(', ')}`);
  if (decision.intent !== null) {
    const { kind, decelMps2, maxMs } = decision.intent;
    lines.push(`intent ${kind}, ${decelMps2.toFixed(2)} m/s² for at most ${maxMs} ms; drives no vehicle`);
  }
  return lines;
}

function expertLine(value: JsonValue): string {
  if (!isObject(value)) return inline(value);
  const { server, tool, status, ms, reason, request } = value;
  const parts = [`${valueText(server)} ${valueText(tool)}: ${valueText(status)}`];
  if (typeof ms === 'number') parts.push(`after ${short(ms)} ms`);
  if (Array.isArray(reason) && reason.length > 0)
    parts.push(`because of ${reason.filter(isEvent).join(', ')}`);
  if (typeof request === 'string') parts.push(`(request ${request})`);
  return parts.join(' ');
}

function isEvent(value: JsonValue): boolean {
  return (eventTypes as readonly JsonValue[]).includes(value);
}

function asRecorded(isAsRecorded: boolean | null): string {
  if (isAsRecorded === null) return ' (no hash was recorded for this tick)';
  return isAsRecorded ? ', as recorded' : ': DECIDED OTHERWISE THAN RECORDED';
}

/** Members of an object as aligned lines; absent and empty ones are left out. */
function pairs(value: JsonValue | undefined): string[] {
  if (!isObject(value)) return [];
  const rows = Object.entries(value)
    .filter(
      ([, member]) =>
        member !== undefined && member !== null && !(Array.isArray(member) && member.length === 0),
    )
    .map(([key, member]) => [memberName(key), withUnit(key, member)]);
  return columns(rows, ['left', 'left']);
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'number') return short(value);
  if (typeof value === 'object') return inline(value);
  return String(value);
}

function withUnit(key: string, value: JsonValue | undefined): string {
  return `${valueText(value)}${typeof value === 'number' ? memberUnit(key) : ''}`;
}

function inline(value: JsonValue): string {
  if (Array.isArray(value)) return value.map((one: JsonValue) => inline(one)).join('; ');
  if (!isObject(value)) return valueText(value);
  return Object.entries(value)
    .filter(([, member]) => member !== undefined && member !== null)
    .map(
      ([key, member]) =>
        `${memberName(key)} ${isObject(member) ? `(${inline(member)})` : withUnit(key, member)}`,
    )
    .join(', ');
}

/** Four significant digits: enough to follow a reason; --json has every digit. */
function short(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}
