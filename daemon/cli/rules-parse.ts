/** `rules parse`: what a free text about a sign, a gantry or the country says, as the daemon reads it. */
import { DriveMcpError } from '../core/errors.js';
import { printable } from '../runtime/printable.js';
import { readBounded } from '../runtime/read-bounded.js';
import { type CommandSpec, type Invocation, stringOption } from './command.js';
import { columns, count } from './table.js';

const questions = ['speed_sign', 'gantry', 'jurisdiction'] as const;
type Question = (typeof questions)[number];
const maxBytes = 16 * 1024 * 1024;
const longestLine = 65_536;

export const parseCommand: CommandSpec = {
  path: ['rules', 'parse'],
  summary: 'read texts about signs as the daemon reads the answers of a camera model',
  positionals: '[TEXT]',
  arity: [0, 1],
  options: {
    file: { type: 'string', value: 'CASES', help: 'cases, a JSON object a line; - for standard input' },
    question: {
      type: 'string',
      value: 'Q',
      choices: questions,
      help: 'what TEXT answers; default speed_sign',
    },
    jurisdiction: { type: 'string', value: 'CODE', help: 'where the vehicle is, e.g. DE, GB-WLS, US-CA' },
  },
  details:
    'A case is {"id", "question", "answer", "jurisdiction_hint"}. Only enumerated words and numbers come out; what is doubtful is\n' +
    'ambiguous with the slowest reading beside it ("conservative"), and a text that gives orders is rejected.\n' +
    '"confidence_max" is the most confidence that anybody may have in the reading.',
  examples: [
    ['drivemcp rules parse "Schild 80, darunter bei Nässe" --jurisdiction DE', 'one text'],
    ['drivemcp rules parse --file cases.jsonl --json', 'a line a case'],
  ],
  run: parse,
};

interface Case {
  readonly id: string;
  readonly question: Question;
  readonly answer: string;
  readonly hint: string | null;
}

async function parse({ values, positionals, terminal }: Invocation): Promise<number> {
  const { parseAnswer } = await import('../../mcp/rules/parse/parse-answer.js');
  const file = stringOption(values, 'file');
  const text = positionals[0];
  if ((file === undefined) === (text === undefined)) {
    throw new DriveMcpError('USAGE', 'drivemcp rules parse takes either a TEXT or --file CASES');
  }
  const question = (stringOption(values, 'question') ?? 'speed_sign') as Question;
  const hint = stringOption(values, 'jurisdiction') ?? null;
  const cases = file === undefined ? [{ id: 'text', question, answer: text ?? '', hint }] : readCases(file);
  const read = cases.map((one) => ({ one, parsed: parseAnswer(one.question, one.answer, one.hint) }));
  if (terminal.json) {
    for (const { one, parsed } of read) terminal.object({ id: one.id, ...parsed });
    return 0;
  }
  const rows = read.map(({ one, parsed }) => {
    const { status, ...rest } = parsed;
    return [one.id, status, wordsOf(rest), printable(one.answer)];
  });
  for (const line of columns(
    [['id', 'status', 'reading', 'text'], ...rows],
    ['left', 'left', 'left', 'left'],
    terminal.tableWidth,
  ))
    terminal.line(line);
  if (file !== undefined) terminal.message(`${count(read.length, 'text')} read`);
  return 0;
}

/** `kind max, value 80, …` without what is empty. */
function wordsOf(reading: object): string {
  return Object.entries(reading)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([key, value]) => `${key} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ');
}

/** @throws DriveMcpError CASES_INVALID with line and key */
function readCases(file: string): Case[] {
  const name = file === '-' ? 'standard input' : file;
  const bytes = readBounded(file === '-' ? 0 : file, {
    maxBytes,
    name,
    tooLarge: 'CASES_INVALID',
    what: 'cases',
  });
  const cases: Case[] = [];
  for (const [i, line] of bytes.toString('utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    cases.push(readCase(line, { file: name, line: i + 1 }));
  }
  if (cases.length === 0)
    throw new DriveMcpError('CASES_INVALID', 'there is no case in it', { location: { file: name } });
  return cases;
}

function readCase(line: string, location: { readonly file: string; readonly line: number }): Case {
  const refuse = (key: string, message: string): DriveMcpError =>
    new DriveMcpError('CASES_INVALID', message, { location: { ...location, key } });
  if (line.length > longestLine) throw refuse('', `the line is longer than ${longestLine} characters`);
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new DriveMcpError('CASES_INVALID', `not JSON: ${(cause as Error).message}`, { location, cause });
  }
  const fields = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const { id, question, answer, jurisdiction_hint: hint = null } = fields;
  if (typeof id !== 'string') throw refuse('id', 'a text is needed');
  if (typeof answer !== 'string') throw refuse('answer', 'a text is needed');
  if (hint !== null && typeof hint !== 'string')
    throw refuse('jurisdiction_hint', 'a text or null is needed');
  const known = questions.find((one) => one === question);
  if (known === undefined) throw refuse('question', `one of ${questions.join(', ')} is needed`);
  return { id, question: known, answer, hint };
}
