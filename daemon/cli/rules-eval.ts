/** `rules eval`: how well questions with known answers are answered; `rules tune`: the weight of the dense half. */
import { DriveMcpError } from '../core/errors.js';
import type { JsonObject } from '../core/tick.js';
import { readBounded } from '../runtime/read-bounded.js';
import { booleanOption, type CommandSpec, type Invocation } from './command.js';
import { encoderOptions, retrievalMeans } from './retrieval-means.js';
import { rulepackOptions, rulepacksOf } from './rulepack-options.js';
import { columns } from './table.js';
import type { Terminal } from './terminal.js';

const maxBytes = 16 * 1024 * 1024;

export const evalCommand: CommandSpec = {
  path: ['rules', 'eval'],
  summary: 'answer questions with known answers and say how many are right',
  positionals: 'GOLD',
  arity: [1, 1],
  options: {
    ablation: { type: 'boolean', help: 'again with each part of the search left out: what it is worth' },
    ...encoderOptions,
    ...rulepackOptions,
  },
  details:
    'GOLD has a JSON object a line: {"id","jurisdiction","pack","lang","as_of","q","context","relevant":[{"id","grade"}],\n' +
    '"expected_limit","legal_action","tags"}; - reads standard input. A coarser provision id fits a finer one. ndcg5 has gains\n' +
    '2^grade − 1. unsafe_errors counts answers above the expected limit. An advisory value is a limit of kind advisory here.',
  examples: [
    ['drivemcp rules eval rulepacks/DEU/tests/queries.jsonl', 'the questions that a pack comes with'],
    ['drivemcp rules eval gold.jsonl --json --ablation', 'a line a question, then the summary'],
  ],
  run: evaluate,
};

async function evaluate(invocation: Invocation): Promise<number> {
  const { values, positionals, terminal, signal } = invocation;
  const { parseGold } = await import('../../mcp/rules/quality/gold-queries.js');
  const { evaluateGold } = await import('../../mcp/rules/quality/evaluate-gold.js');
  const { byGroup, figures } = await import('../../mcp/rules/quality/summarise.js');
  const path = positionals[0] ?? '';
  const file = path === '-' ? 'standard input' : path;
  const bytes = readBounded(path === '-' ? 0 : path, {
    maxBytes,
    name: file,
    tooLarge: 'CASES_INVALID',
    what: 'questions',
  });
  const gold = parseGold(bytes.toString('utf8'), file);
  const { defaultEncoder } = await import('../../mcp/rules/retrieval/default-encoder.js');
  const packs = await rulepacksOf(invocation);
  const means = await retrievalMeans(invocation);
  try {
    const asked = { ...means, tuning: means.tuning.source };
    const rows = await evaluateGold(packs, gold, asked, signal);
    if (terminal.json)
      for (const { query, ranked, limit, legalAction } of rows)
        terminal.object({
          id: query.id,
          ranked: [...ranked],
          limit: limit === null ? null : { ...limit },
          legal_action: legalAction,
        });
    const { ablation } = await import('../../mcp/rules/quality/ablation.js');
    const summary: JsonObject = {
      ...figures(rows),
      encoder: means.encoder?.id ?? null,
      default_encoder: { ...defaultEncoder },
      lambda: Object.fromEntries(rows.map(({ query, lambda }) => [query.pack ?? query.jurisdiction, lambda])),
      by: byGroup(rows),
      ...(booleanOption(values, 'ablation') ? { ablation: await ablation(packs, gold, asked, signal) } : {}),
    };
    if (terminal.json) terminal.object({ summary });
    else {
      printSummary(summary, terminal);
      if (rows.length > 0 && rows.every(({ lambda }) => lambda === 0))
        terminal.message(
          "λ 0 everywhere: on the packs' own questions no weight of the dense half is better than words alone by more than chance",
        );
      terminal.message(`default encoder ${defaultEncoder.name}: ${defaultEncoder.reason}`);
    }
    return signal.aborted ? 1 : 0;
  } finally {
    await means.close();
  }
}

/** Counts, not means. */
const counted: ReadonlySet<string> = new Set(['queries', 'unsafe_errors']);
const shown = ['queries', 'ndcg5', 'mrr5', 'recall5', 'limit_accuracy', 'action_accuracy', 'unsafe_errors'];

function printSummary(summary: JsonObject, terminal: Terminal): void {
  const row = (name: string, values: JsonObject): string[] => [
    name,
    ...shown.map((key) => {
      const value = values[key];
      return typeof value !== 'number' ? '-' : counted.has(key) ? String(value) : value.toFixed(3);
    }),
  ];
  const groups = Object.entries((summary['by'] ?? {}) as Record<string, JsonObject>);
  const without = Object.entries((summary['ablation'] ?? {}) as Record<string, JsonObject>);
  const table = [
    ['', ...shown],
    row('all', summary),
    ...groups.map(([name, values]) => row(name, values)),
    ...without.map(([name, values]) => row(name, values)),
  ];
  const align = ['left', ...shown.map(() => 'right')] as ('left' | 'right')[];
  for (const line of columns(table, align, terminal.tableWidth)) terminal.line(line);
  terminal.message(`encoder ${String(summary['encoder'] ?? 'none')}`);
}

export const tuneCommand: CommandSpec = {
  path: ['rules', 'tune'],
  summary: 'choose the weight of the dense half of the search for each country',
  positionals: '[PACK…]',
  arity: [0, 64],
  options: {
    force: { type: 'boolean', help: 'anew, even where packs, words and encoder are those of last time' },
    ...encoderOptions,
    ...rulepackOptions,
  },
  details:
    'λ from 0 to 1 in steps of 0.05 by nDCG@5 on tests/queries.jsonl of the packs: the smallest that no other one betters by more\n' +
    'than chance on these questions (one-sided 5 %, paired). 0 = words alone. Kept in the\n' +
    'state directory with what it was chosen by; chosen anew when any file of the packs changes. ask and eval do it by themselves.',
  examples: [
    ['drivemcp rules tune', 'all countries'],
    ['drivemcp rules tune DEU --json', 'one, with the whole grid'],
  ],
  run: tune,
};

async function tune(invocation: Invocation): Promise<number> {
  const { values, positionals, terminal } = invocation;
  const packs = await rulepacksOf(invocation);
  const bases = [...packs.values()].filter(({ manifest }) => manifest.kind === 'base');
  const unknown = positionals.find((id) => !bases.some(({ manifest }) => manifest.id === id));
  if (unknown !== undefined)
    throw new DriveMcpError('USAGE', `there is no base pack '${unknown}'`, {
      hint: `one of ${bases.map(({ manifest }) => manifest.id).join(', ')}`,
    });
  const means = await retrievalMeans(invocation);
  const { encoder } = means;
  if (encoder === null)
    throw new DriveMcpError('USAGE', 'without an encoder there is nothing to weigh', {
      hint: 'leave out --encoder none',
    });
  try {
    const table = [['pack', 'lambda', 'ndcg5', 'questions', 'score floor', '']];
    for (const base of bases) {
      if (positionals.length > 0 && !positionals.includes(base.manifest.id)) continue;
      const { evidence, wasCached } = await means.tuning.tuned(
        packs,
        base,
        encoder,
        booleanOption(values, 'force'),
        invocation.signal,
      );
      const { pack, lambda, ndcg5, queries, scoreFloor, encoderId, randomCosine, grid } = evidence;
      if (terminal.json)
        terminal.object({
          pack,
          lambda,
          ndcg5,
          queries,
          score_floor: scoreFloor,
          random_cosine: randomCosine,
          encoder: encoderId,
          cached: wasCached,
          grid: grid.map((one) => ({ ...one })),
        });
      table.push([
        pack,
        lambda.toFixed(2),
        ndcg5.toFixed(3),
        String(queries),
        scoreFloor.toFixed(2),
        queries === 0 ? 'no questions: the default' : wasCached ? 'as last time' : 'new',
      ]);
    }
    if (!terminal.json)
      for (const line of columns(
        table,
        ['left', 'right', 'right', 'right', 'right', 'left'],
        terminal.tableWidth,
      ))
        terminal.line(line);
    return 0;
  } finally {
    await means.close();
  }
}
