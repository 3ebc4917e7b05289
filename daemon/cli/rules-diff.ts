/** `rules diff`: how limits differ between two days, or between two places. */
import { DriveMcpError } from '../core/errors.js';
import { type CommandSpec, type Invocation, listOption } from './command.js';
import { printLimitChanges } from './limit-changes.js';
import { rulepackOptions, rulepacksOf } from './rulepack-options.js';
import { dateOption } from './rules-limit.js';
import { count } from './table.js';

export const rulesDiffCommand: CommandSpec = {
  path: ['rules', 'diff'],
  summary: 'how limits differ between two days or two places',
  positionals: 'PLACE [PLACE]',
  arity: [1, 2],
  options: {
    at: {
      type: 'string',
      multiple: true,
      value: 'DATE',
      help: 'law of this day; twice for two days; default today',
    },
    ...rulepackOptions,
  },
  details:
    'Roads by vehicles by conditions; only what differs is listed, in the unit of each place. Exit code 0, also where they differ.',
  examples: [
    ['drivemcp rules diff GBR/WLS --at 2023-09-16 --at 2023-09-17', 'what one day changed'],
    ['drivemcp rules diff DEU FRA', 'what changes at the border'],
  ],
  run: diff,
};

async function diff(invocation: Invocation): Promise<number> {
  const { values, positionals, terminal } = invocation;
  const days = listOption(values, 'at').map((day) => dateOption(day));
  if (days.length > 2 || (positionals.length === 1 && days.length !== 2)) {
    throw new DriveMcpError('USAGE', 'two sides are compared: two places, or one place on two days', {
      hint: 'drivemcp rules diff DEU --at 2023-01-01 --at 2026-01-01',
    });
  }
  const { rulesOf } = await import('../../mcp/rules/rules-expert.js');
  const { compareLimits } = await import('../../mcp/rules/evaluate/limit-matrix.js');
  const packs = await rulepacksOf(invocation);
  const today = dateOption(undefined);
  const [from = '', to = from] = positionals;
  const sides = [
    { place: from, day: days[0] ?? today },
    { place: to, day: days[1] ?? days[0] ?? today },
  ] as const;
  const [before, after] = sides.map(({ place, day }) => rulesOf(packs, place, day));
  for (const [i, rules] of [before, after].entries()) {
    if (!rules) terminal.message(`drivemcp: no rulepack for ${sides[i]?.place}: no limit is known there`);
  }
  const { limits, compared } = compareLimits(before ?? null, after ?? null);
  if (terminal.json) {
    for (const change of limits) terminal.object(change);
    terminal.object({ summary: { compared, limits: limits.length } });
    return 0;
  }
  const heads = sides.map(({ place, day }) => (from === to ? day : `${place} ${day}`));
  printLimitChanges(limits, heads, terminal);
  terminal.line(`${count(limits.length, 'different limit')} of ${compared}; not legal advice`);
  return 0;
}
