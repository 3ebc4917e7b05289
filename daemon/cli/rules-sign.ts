/** `rules sign`: what a sign, a plate, a gantry face or words on a sign mean, in the driver's language. */
import { DriveMcpError } from '../core/errors.js';
import { packageFile } from '../runtime/package-root.js';
import { printable } from '../runtime/printable.js';
import { type CommandSpec, type Invocation, stringOption } from './command.js';
import { columns } from './table.js';
import type { Terminal } from './terminal.js';

const languages = ['en', 'de', 'fr'] as const;

export const signCommand: CommandSpec = {
  path: ['rules', 'sign'],
  summary: 'explain a sign, a plate, a gantry face or words on a sign in your language',
  positionals: '[SIGN]',
  arity: [0, 1],
  options: {
    jurisdiction: { type: 'string', value: 'CODE', help: 'country the sign stands in, e.g. DE, DEU, GB-WLS' },
    lang: {
      type: 'string',
      value: 'TAG',
      choices: languages,
      help: 'language of the explanation; default en',
    },
    home: {
      type: 'string',
      value: 'CODE',
      help: 'country the driver knows: its code for the same sign is told',
    },
  },
  details:
    'SIGN is a code of that country, with its value where it has one (274-80, B14-110, 670-50), a plate (1053-35), a gantry\n' +
    'face (redx, 50ring, 40amber, blank) or words ("Rappel", "ARAF"). Without SIGN the table of the country is listed.\n' +
    'Certainty: A read in the official text, B in a secondary source, C common knowledge. Not legal advice.',
  examples: [
    ['drivemcp rules sign 274-80 --jurisdiction DE', 'a limit of 80 km/h'],
    ['drivemcp rules sign B14-110 --jurisdiction FR --lang de --home DE', 'told to a German in France'],
    ['drivemcp rules sign "ARAF" --jurisdiction GB-WLS --lang fr', 'a word on the road'],
  ],
  run: sign,
};

async function sign({ values, positionals, terminal }: Invocation): Promise<number> {
  const { loadSignTables } = await import('../../mcp/rules/signs/load-sign-tables.js');
  const { explainSign } = await import('../../mcp/rules/signs/explain-sign.js');
  const { countryCode } = await import('../../mcp/shared/country-code.js');
  const tables = loadSignTables(packageFile('rulepacks'));
  const tableOf = (name: string, option: string) => {
    const table = tables.get(countryCode(name));
    if (table) return table;
    throw new DriveMcpError('USAGE', `--${option}: no sign table for '${name}'`, {
      hint: `there are ${[...tables.keys()].sort().join(', ')}`,
    });
  };
  const jurisdiction = stringOption(values, 'jurisdiction');
  if (jurisdiction === undefined) {
    throw new DriveMcpError('USAGE', 'a sign means something in a country: name it', {
      hint: '--jurisdiction DE',
    });
  }
  const table = tableOf(jurisdiction, 'jurisdiction');
  const text = positionals[0];
  const language = languages.find((one) => one === stringOption(values, 'lang')) ?? 'en';
  const home = stringOption(values, 'home');
  const question = { language, home: home === undefined ? undefined : tableOf(home, 'home') };
  const wanted =
    text === undefined
      ? [
          ...table.signs.map(({ code }) => code),
          ...table.plates.map(({ code }) => code),
          ...table.words.map((row) => row.text),
        ]
      : [text];
  const found = wanted.flatMap((one) => explainSign(table, { text: one, ...question }));
  if (terminal.json) {
    for (const one of found) terminal.object(one);
    if (found.length === 0) terminal.object({ kind: 'unknown', code: text, country: table.country });
  } else if (text === undefined) printTable(found, terminal);
  else if (found.length === 0) terminal.line(`unknown in ${table.country}: "${printable(text)}"`);
  else for (const one of found) printCard(one, terminal);
  return found.length === 0 ? 1 : 0;
}

type Explanation = ReturnType<typeof import('../../mcp/rules/signs/explain-sign.js')['explainSign']>[number];

function printTable(found: readonly Explanation[], terminal: Terminal): void {
  const rows = found.map(({ kind, code, name, says, certainty }) => [
    kind,
    code,
    name === code ? '' : name,
    says,
    certainty,
  ]);
  const align = ['left', 'left', 'left', 'left', 'left'] as const;
  for (const line of columns([['kind', 'code', 'name', 'says', 'sure'], ...rows], align, terminal.tableWidth))
    terminal.line(line);
}

function printCard(one: Explanation, terminal: Terminal): void {
  const { kind, country, code, value, unit, name, says, provision, certainty, note, home } = one;
  const speed = value === null ? '' : `  ${value} ${unit}`;
  terminal.line(terminal.style(`${name}${speed}`, 'bold'));
  terminal.line(`  ${says}`);
  if (note !== null) terminal.line(`  ${note}`);
  terminal.line(`  ${kind} ${code} in ${country}${home === null ? '' : `; at home: ${home}`}`);
  const where =
    provision === null
      ? 'no provision was read'
      : `${provision.doc}${provision.span ? ` ${provision.span}` : ''}`;
  terminal.line(`  ${where}; certainty ${certainty}; not legal advice`);
}
