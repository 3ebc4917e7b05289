/** `rules ask`: a driver's question in words, answered by the rulepacks, with the provisions it is found in. */
import { DriveMcpError } from '../core/errors.js';
import type { JsonObject } from '../core/tick.js';
import { printable } from '../runtime/printable.js';
import { booleanOption, type CommandSpec, type Invocation, stringOption } from './command.js';
import { encoderOptions, retrievalMeans } from './retrieval-means.js';
import { rulepackOptions, rulepacksOf } from './rulepack-options.js';
import { contextOf, dateOption, printAnswer } from './rules-limit.js';
import { wrapped } from './table.js';
import type { Terminal } from './terminal.js';

const languages = ['de', 'en', 'fr', 'nl', 'it', 'es', 'pl', 'cs'] as const;
const mostPassages = 50;

export const askCommand: CommandSpec = {
  path: ['rules', 'ask'],
  summary: "answer a driver's question, with the provisions it rests on",
  positionals: 'QUESTION',
  arity: [1, 1],
  options: {
    jurisdiction: { type: 'string', value: 'PATH', help: 'whose law: DEU, GBR/WLS, FRA-75056 …' },
    lang: {
      type: 'string',
      value: 'CODE',
      choices: languages,
      help: 'language of the question; default: told by its words',
    },
    'as-of': { type: 'string', value: 'DATE', help: 'law of this day, YYYY-MM-DD; default today' },
    context: {
      type: 'string',
      value: 'JSON',
      help: 'the situation as for rules limit, or @FILE; wins over what the question says',
    },
    k: { type: 'string', value: 'N', help: `passages, 1 to ${mostPassages}; default 5` },
    full: {
      type: 'boolean',
      help: 'with --json: also what was read from the question, λ, and words and ids of passages',
    },
    ...encoderOptions,
    ...rulepackOptions,
  },
  details:
    'The limit and the rule of conduct come from the evaluator of rules limit; what the question states (a lorry of 7.5 t,\n' +
    'rain, a sign with 80) is read from it by a word list, never guessed. Search finds the provisions and decides no number.\n' +
    'The order is by S = (1 − λ)·BM25 + λ·cosine, both 0 to 1, with 0.05 more for a statute, 0.03 for a table of signs, and up\n' +
    'to 1 for what the answer rests on; score is that over its largest value, 2.05. The question may be in de, en, fr, nl, it,\n' +
    'es, pl or cs, whatever the language of the law.\n' +
    'Not legal advice. Research software beside certified functions, never in their place.',
  examples: [
    ['drivemcp rules ask "Wie schnell mit Wohnwagen auf der Landstraße?" --jurisdiction DEU', 'a limit'],
    [
      'drivemcp rules ask "Can I turn right on red?" --jurisdiction FRA',
      'a rule of conduct, in another language',
    ],
    [
      'drivemcp rules ask "Es regnet und das Schild zeigt 80 mit Zusatz bei Nässe" --jurisdiction DEU --json',
      'facts in the question, one JSON object',
    ],
  ],
  run: ask,
};

async function ask(invocation: Invocation): Promise<number> {
  const { values, positionals, terminal } = invocation;
  const jurisdiction = stringOption(values, 'jurisdiction');
  if (jurisdiction === undefined)
    throw new DriveMcpError('USAGE', '--jurisdiction says whose law is meant', {
      hint: '--jurisdiction DEU',
    });
  const passageCount = countOption(stringOption(values, 'k'));
  const asOf = dateOption(stringOption(values, 'as-of'));
  const context = contextOf(stringOption(values, 'context'));
  const language = languages.find((one) => one === stringOption(values, 'lang')) ?? null;
  const packs = await rulepacksOf(invocation);
  const { answerQuestion } = await import('../../mcp/rules/ask/answer-question.js');
  const means = await retrievalMeans(invocation);
  try {
    const request = { query: positionals[0] ?? '', jurisdiction, asOf, language, context, passageCount };
    const found = await answerQuestion(
      packs,
      request,
      { ...means, tuning: means.tuning.source },
      invocation.signal,
    );
    for (const note of found.notes) terminal.message(`drivemcp: ${note}`);
    const isFull = booleanOption(values, 'full');
    if (terminal.json) {
      const reading = {
        lang: found.language,
        stated: { ...found.stated },
        encoder: means.encoder?.id ?? null,
        lambda: found.lambda,
        notes: [...found.notes],
      };
      terminal.object({
        ...found.answer,
        ...(isFull ? reading : {}),
        passages: found.passages.map((one) => ({ ...passageObject(one), ...(isFull ? wordsOf(one) : {}) })),
      });
    } else {
      printAnswer(found.answer, jurisdiction, terminal);
      printPassages(found.passages, terminal);
    }
    return 0;
  } finally {
    await means.close();
  }
}

type Found = Awaited<
  ReturnType<Awaited<typeof import('../../mcp/rules/ask/answer-question.js')>['answerQuestion']>
>['passages'];

function passageObject({ passage, score, bm25, cos }: Found[number]): JsonObject {
  const round = (value: number): number => Math.round(value * 1e4) / 1e4;
  return {
    doc_id: passage.docId,
    score: round(score),
    bm25: round(bm25),
    cos: round(cos),
    span: [...passage.span],
  };
}

function wordsOf({ passage }: Found[number]): JsonObject {
  const { id, cite, text, language, packId } = passage;
  return { id, cite, quote: text, lang: language, pack: packId };
}

function printPassages(passages: Found, terminal: Terminal): void {
  terminal.line('');
  terminal.line(
    terminal.style(passages.length === 0 ? 'No provision of the installed packs fits' : 'Provisions', 'bold'),
  );
  for (const { passage, score } of passages) {
    const quote = printable(passage.text.replace(/\s+/g, ' '));
    const line = `${score.toFixed(2)}  ${passage.cite} (${passage.id}): “${quote}”`;
    for (const part of wrapped(line, terminal.tableWidth, 6)) terminal.line(part);
  }
}

function countOption(text: string | undefined): number {
  if (text === undefined) return 5;
  const count = Number(text);
  if (/^\d{1,3}$/.test(text) && count >= 1 && count <= mostPassages) return count;
  throw new DriveMcpError('USAGE', `--k takes a number from 1 to ${mostPassages}, not '${text}'`);
}
