/** `ask`: a driver's question in words, answered by the experts and the state of a running daemon. */
import { DriveMcpError } from '../core/errors.js';
import { displayUnits } from '../core/preferences.js';
import type { JsonObject } from '../core/tick.js';
import { loadConfig } from '../runtime/config.js';
import { packageFile, packageVersion } from '../runtime/package-root.js';
import { readPreferences } from '../runtime/preferences-file.js';
import { printable } from '../runtime/printable.js';
import { resolveStateDir } from '../runtime/state-dir.js';
import { type CommandSpec, type Invocation, stringOption } from './command.js';
import { configFile } from './config-file.js';
import { daemonView } from './daemon-view.js';
import { lazyOpenLog } from './lazy-open-log.js';
import { rephraseSettings } from './rephrase-settings.js';
import { contextOf, dateOption } from './rules-limit.js';
import { wrapped } from './table.js';
import type { Terminal } from './terminal.js';

const languages = ['en', 'de', 'fr'] as const;

export const commands: readonly CommandSpec[] = [
  {
    path: ['ask'],
    summary: "a driver's question in words: law, road, car, a sign, the last warning",
    positionals: 'QUESTION',
    arity: [1, 1],
    options: {
      lang: {
        type: 'string',
        value: 'CODE',
        choices: languages,
        help: 'of the answer; default: told by the words of the question',
      },
      jurisdiction: {
        type: 'string',
        value: 'PATH',
        help: 'whose law: DEU, GBR/WLS …; default: where the running daemon is',
      },
      context: {
        type: 'string',
        value: 'JSON',
        help: 'the situation as for rules limit, or @FILE; wins over what the daemon knows',
      },
      codes: { type: 'string', value: 'CODE[,CODE]', help: 'trouble codes that the question is about' },
      units: { type: 'string', value: 'UNIT', choices: displayUnits, help: 'auto, km/h or mph' },
      'as-of': { type: 'string', value: 'DATE', help: 'law of this day, YYYY-MM-DD; default today' },
    },
    details:
      'The question is read by word lists (en, de, fr), never by a language model, and answered by the experts for law, road and\n' +
      'car. Where a daemon runs with this state directory, its place, signs, speed, weather, health and trouble codes count; it is\n' +
      'only read. The first line is what would be said; then why, with what it rests on.\n' +
      'With ask.endpoint in the configuration a local language model may say the reasons in other words; what names another number,\n' +
      'unit or provision is refused, and that is told.\n' +
      'Not legal advice. Research software beside certified functions, never in their place.',
    examples: [
      [
        'drivemcp ask "Wie schnell darf ich hier?" --jurisdiction DEU --context \'{"road":"rural"}\'',
        'the law',
      ],
      ['drivemcp ask "Is it slippery?"', 'the road, as the running daemon knows it'],
      ['drivemcp ask "Warum leuchtet die Motorlampe?" --codes P0301', 'the car'],
      ['drivemcp ask "Que signifie « bei Nässe » sur ce panneau ?" --jurisdiction DEU', 'a sign'],
      ['drivemcp ask "Why did you warn me?"', 'the last decision with words'],
    ],
    run: ask,
  },
];

async function ask({ values, positionals, terminal, signal }: Invocation): Promise<number> {
  const stateDir = resolveStateDir(stringOption(values, 'state'));
  const { config } = loadConfig(configFile(values, stateDir));
  const { preferences } = readPreferences(stateDir);
  const codes = stringOption(values, 'codes')?.split(',') ?? [];
  const jurisdiction = stringOption(values, 'jurisdiction');
  const language = stringOption(values, 'lang');
  const { openServer } = await import('../../mcp/open-server.js');
  const server = await openServer('drivemcp', {
    version: packageVersion,
    builtInPacks: packageFile('rulepacks'),
    daemon: daemonView(stateDir),
    openLog: lazyOpenLog,
    folders: [],
    encoder: config.rules.encoder,
    rephrase: rephraseSettings(config),
    tell: (message) => terminal.message(`drivemcp: ${message}`),
  });
  try {
    const tool = server.tools.find(({ name }) => name === 'drivemcp_ask');
    if (tool === undefined) throw new DriveMcpError('INVARIANT', 'there is no tool for questions');
    const answer = await tool.call(
      {
        question: positionals[0] ?? '',
        ...(language === undefined ? {} : { language }),
        ...(jurisdiction === undefined ? {} : { jurisdiction }),
        context: contextOf(stringOption(values, 'context')),
        codes,
        units: stringOption(values, 'units') ?? preferences.units ?? config.driver.units,
        as_of: dateOption(stringOption(values, 'as-of')),
      },
      { signal, nowWallMs: Date.now() },
    );
    if (terminal.json) terminal.object(answer);
    else report(answer, terminal);
    return 0;
  } finally {
    await server.close?.();
  }
}

function report(answer: JsonObject, terminal: Terminal): void {
  const { level1, level2, citations, state, rephrase_note: note, rephrased, notes } = answer;
  terminal.line(terminal.style(printable(String(level1)), 'bold'));
  const say = (text: string, indent = 0): void => {
    for (const part of wrapped(printable(text), terminal.tableWidth, indent)) terminal.line(part);
  };
  for (const sentence of level2 as readonly string[]) say(sentence);
  for (const { cite, quote, doc_id } of citations as readonly Record<'cite' | 'quote' | 'doc_id', string>[]) {
    say(`  “${quote.replace(/\s+/g, ' ')}” ${cite} (${doc_id})`, 4);
  }
  const { source, simulated, tick } = state as JsonObject;
  const from =
    source === 'daemon'
      ? `a running daemon, tick ${String(tick)}${simulated === true ? ', simulated' : ''}`
      : source === 'given'
        ? 'what was given; no daemon was asked'
        : 'nothing: no daemon runs here and no place was given';
  terminal.line(
    terminal.style(`state: ${from}; read as ${String(answer['intent'])}; not legal advice`, 'dim'),
  );
  if (rephrased === 'used')
    terminal.line(terminal.style('the reasons are in the words of a language model', 'dim'));
  if (typeof note === 'string') terminal.message(`drivemcp: ${note}; the text of the templates stands`);
  for (const one of notes as readonly string[]) terminal.message(`drivemcp: ${one}`);
}
