/** `rules limit`: which limit holds here, by which rule, how sure, and what would change it. */
import { DriveMcpError } from '../core/errors.js';
import type { JsonObject } from '../core/tick.js';
import { readBounded } from '../runtime/read-bounded.js';
import { parseLocatedJson } from '../vehicles/profile/located-json.js';
import { type CommandSpec, type Invocation, stringOption } from './command.js';
import { rulepackOptions, rulepacksOf } from './rulepack-options.js';
import { wrapped } from './table.js';
import type { Terminal } from './terminal.js';

export const limitCommand: CommandSpec = {
  path: ['rules', 'limit'],
  summary: 'which speed limit holds, by which rule',
  arity: [0, 0],
  options: {
    jurisdiction: { type: 'string', value: 'PATH', help: 'whose law: DEU, DE, GBR/WLS, FRA-75056, DEU-v1 …' },
    'as-of': { type: 'string', value: 'DATE', help: 'law of this day, YYYY-MM-DD; default today' },
    context: { type: 'string', value: 'JSON', help: 'the situation, or @FILE; - reads standard input' },
    topic: {
      type: 'string',
      value: 'TOPIC',
      help: 'ask for a rule of conduct instead: gap, emergency_corridor …',
    },
    ...rulepackOptions,
  },
  details:
    'The situation in flat names; what is left out is unknown, not false:\n' +
    '  road      urban rural motorway expressway dual_carriageway living_street tunnel urban_ring …\n' +
    '  vehicle   car car_trailer car_ev motorhome hgv coach; mass_t, unladen_t, length_m, trailer, novice, chains\n' +
    '  sign      274-80, 282, 670-50, B14-110, or a bare number; plate 1053-35\n' +
    '  gantry    faces from the verge: 100|80, 50ring, 40amber, redx, end, blank; lane_from_verge\n' +
    '  wet, lit, lanes_per_dir, visibility_m, traffic, time (Sat-10:00), speed_kmh\n' +
    'A sign goes before the default of the road, caps of vehicle and weather before both, an advisory value stays apart.\n' +
    'Not legal advice. Research software beside certified functions, never in their place.',
  examples: [
    [
      'drivemcp rules limit --jurisdiction DEU --context \'{"road":"rural","vehicle":"car_trailer"}\'',
      'a car with a trailer',
    ],
    [
      'drivemcp rules limit --jurisdiction GBR/WLS --as-of 2023-09-16 --context \'{"road":"urban"}\'',
      'the day before a change',
    ],
    [
      'drivemcp rules limit --jurisdiction DEU --topic emergency_corridor --context \'{"road":"motorway","traffic":"jam"}\'',
      'a rule of conduct',
    ],
  ],
  run: limit,
};

async function limit(invocation: Invocation): Promise<number> {
  const { values, terminal } = invocation;
  const jurisdiction = stringOption(values, 'jurisdiction');
  if (jurisdiction === undefined)
    throw new DriveMcpError('USAGE', '--jurisdiction says whose law is meant', {
      hint: '--jurisdiction DEU',
    });
  const asOf = dateOption(stringOption(values, 'as-of'));
  const context = contextOf(stringOption(values, 'context'));
  const topic = stringOption(values, 'topic');
  const packs = await rulepacksOf(invocation);
  const expert = await import('../../mcp/rules/rules-expert.js');
  const args = { jurisdiction, as_of: asOf, context };
  const answer =
    topic === undefined ? expert.lookupLimit(packs, args) : expert.lookupConduct(packs, { ...args, topic });
  if (terminal.json) terminal.object(answer);
  else printAnswer(answer, jurisdiction, terminal);
  return 0;
}

/** @throws DriveMcpError USAGE */
export function dateOption(text: string | undefined): string {
  if (text === undefined) return new Date().toISOString().slice(0, 10);
  const time = Date.parse(`${text}T00:00:00Z`);
  if (
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(time) &&
    new Date(time).toISOString().startsWith(text)
  )
    return text;
  throw new DriveMcpError('USAGE', `'${text}' is no date`, { hint: '--as-of 2026-11-30' });
}

const maxContextBytes = 64 * 1024;

/** @throws DriveMcpError RULES_BAD_CONTEXT with line and column where it is no JSON */
export function contextOf(text: string | undefined): unknown {
  if (text === undefined) return {};
  const isFile = text === '-' || text.startsWith('@');
  const file = text === '-' ? 'standard input' : isFile ? text.slice(1) : '--context';
  const bound = {
    maxBytes: maxContextBytes,
    name: file,
    tooLarge: 'RULES_BAD_CONTEXT',
    what: 'a context',
  } as const;
  const json = isFile ? readBounded(text === '-' ? 0 : file, bound).toString('utf8') : text;
  try {
    return JSON.parse(json);
  } catch (cause) {
    parseLocatedJson(json, file, 'RULES_BAD_CONTEXT');
    throw new DriveMcpError('RULES_BAD_CONTEXT', `not JSON: ${(cause as Error).message}`, {
      location: { file },
      cause,
    });
  }
}

interface Speed {
  readonly value: number;
  readonly unit: string;
}

/** The answer of an evaluator for people: the number or the action first, then what it rests on. */
export function printAnswer(answer: JsonObject, jurisdiction: string, terminal: Terminal): void {
  const limit = answer['limit'] as Speed | null | undefined;
  const advisory = answer['advisory'] as Speed | null | undefined;
  const qualifier = answer['qualifier'];
  const say = (name: string, text: string): void => {
    if (text === '') return;
    for (const line of wrapped(`${name.padEnd(13)} ${text}`, terminal.tableWidth, 14)) terminal.line(line);
  };
  const title = limit
    ? `${limit.value} ${limit.unit}`
    : advisory
      ? `no limit; ${advisory.value} ${advisory.unit} advised`
      : 'no limit known';
  terminal.line(
    terminal.style(answer['topic'] === undefined ? title : String(answer['legal_action']), 'bold'),
  );
  say(
    'action',
    `${String(answer['legal_action'])}${qualifier === undefined ? '' : ` (${String(qualifier)})`}`,
  );
  if (limit && advisory) say('advised', `${advisory.value} ${advisory.unit}`);
  say(
    'values',
    Object.entries((answer['values'] ?? {}) as JsonObject)
      .map(([key, value]) => `${key} ${String(value)}`)
      .join(', '),
  );
  for (const one of answer['citations'] as { cite: string; quote: string; doc_id: string; rule: string }[]) {
    say('because', `“${one.quote.replace(/\s+/g, ' ')}” ${one.cite} (${one.doc_id}, rule ${one.rule})`);
  }
  say('confidence', String(answer['confidence']));
  say('degraded', (answer['degraded'] as string[]).join(', '));
  say(
    'also posted',
    (answer['alternatives'] as unknown as Speed[]).map(({ value, unit }) => `${value} ${unit}`).join(', '),
  );
  say(
    'law',
    `${(answer['jurisdiction_path'] as string[]).join(' › ') || jurisdiction} on ${String(answer['as_of'])}`,
  );
  say(
    'rulepack',
    answer['rulepack_version'] === null
      ? 'none installed: no limit is invented'
      : String(answer['rulepack_version']),
  );
  if (answer['note'] !== undefined) say('note', String(answer['note']));
  say('', 'not legal advice');
}
