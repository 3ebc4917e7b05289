import { DriveMcpError } from '../core/errors.js';
import { hexByte, stateOf } from '../vehicles/diagnostics/trouble-code.js';
import type { Language } from '../vehicles/dtc/code-explanation.js';
import { type DtcCode, dtcText, parseDtc } from '../vehicles/dtc/dtc-code.js';
import { explainCode } from '../vehicles/dtc/dtc-knowledge.js';
import { statusBitsOf } from '../vehicles/dtc/dtc-status.js';
import { type CommandSpec, type Invocation, type OptionValues, stringOption } from './command.js';
import { wrapped } from './table.js';
import type { Terminal } from './terminal.js';

export const commands: readonly CommandSpec[] = [
  {
    path: ['dtc', 'explain'],
    summary: 'what a trouble code means and what to do',
    positionals: 'CODE…',
    arity: [1, 200],
    options: {
      lang: { type: 'string', value: 'LANG', help: 'language of the answer', choices: ['en', 'de'] },
      status: { type: 'string', value: 'HH', help: 'status byte of UDS service 19, hexadecimal' },
      mask: {
        type: 'string',
        value: 'HH',
        help: 'availability mask that came with it: other bits say nothing',
      },
    },
    details: [
      'Spellings: P0A80, p0a80, P0A80-1C and U0100:87 (with failure type), 16 or 24 bits in hexadecimal (0x0A80,',
      '0A801C), and for heavy vehicles "SPN 100 FMI 3" or 100/3. Titles and advice are in our own words; the',
      "answer says whether the standard fixes the meaning, makers differ, or only the code's structure is known.",
    ].join('\n'),
    examples: [
      ['drivemcp dtc explain P0301', 'misfire of one cylinder'],
      ['drivemcp dtc explain U0100-87 C0049 --lang de', 'two codes, in German'],
      ['drivemcp dtc explain P0A80 --status 2F --mask 7F', 'with its status bits'],
      ['drivemcp dtc explain "SPN 110 FMI 0" --json', 'a truck’s code'],
    ],
    run: explain,
  },
];

const urgencyWords: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    stop: 'stop where it is safe',
    soon: 'workshop within days',
    check: 'have it checked at the next chance',
    info: 'comfort only',
  },
  de: {
    stop: 'sicher anhalten',
    soon: 'in wenigen Tagen in die Werkstatt',
    check: 'bei Gelegenheit prüfen lassen',
    info: 'nur Komfort',
  },
};
const urgencyStyle = { stop: 'red', soon: 'yellow', check: 'cyan', info: 'dim' } as const;

const labels: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    system: 'system',
    class: 'urgency',
    failure: 'failure',
    status: 'status',
    signal: 'signal',
    note: 'certainty',
  },
  de: {
    system: 'System',
    class: 'Eile',
    failure: 'Fehlerart',
    status: 'Status',
    signal: 'Signal',
    note: 'Gewissheit',
  },
};

async function explain({ values, positionals, terminal }: Invocation): Promise<number> {
  // All are read before the first is explained, so that a mistyped one is told at once.
  const codes = positionals.map(parseDtc);
  const language: Language = stringOption(values, 'lang') === 'de' ? 'de' : 'en';
  const status = byteOption(values, 'status');
  const mask = byteOption(values, 'mask');
  if (mask !== undefined && status === undefined) {
    throw new DriveMcpError('USAGE', '--mask says which bits of a status count, and there is no --status');
  }
  for (const [index, code] of codes.entries()) {
    if (index > 0 && !terminal.json) terminal.line();
    show(code, language, terminal, status === undefined ? undefined : { status, mask: mask ?? 0xff });
  }
  return 0;
}

function show(
  code: DtcCode,
  language: Language,
  terminal: Terminal,
  given: { readonly status: number; readonly mask: number } | undefined,
): void {
  const told = explainCode(code, language);
  const bits = given === undefined ? [] : statusBitsOf(given.status, given.mask);
  const state = given === undefined ? undefined : stateOf(given.status & given.mask);
  if (terminal.json) {
    terminal.object({
      code: code.kind === 'obd' ? code.code : dtcText(code),
      ...(code.kind === 'obd' && code.ftb !== null ? { ftb: hexByte(code.ftb) } : {}),
      ...(code.kind === 'j1939' ? { spn: code.spn, fmi: code.fmi } : {}),
      title: told.title,
      ...(told.failure === '' ? {} : { failure: told.failure }),
      system: told.system,
      severity_class: told.urgency,
      advice: told.advice,
      certainty: told.certainty,
      note: told.note,
      ...(told.vss === '' ? {} : { vss: told.vss }),
      ...(state === undefined ? {} : { state, status_bits: bits }),
      lang: language,
    });
    return;
  }
  const label = labels[language];
  const urgency = urgencyWords[language][told.urgency] ?? told.urgency;
  terminal.line(`${terminal.style(dtcText(code), 'bold')}  ${told.title}`);
  const row = (name: string, text: string): void =>
    terminal.line(`  ${(label[name] ?? name).padEnd(10)}  ${text}`);
  row('system', told.systemName);
  row('class', terminal.style(urgency, urgencyStyle[told.urgency]));
  if (told.failure !== '' && code.kind === 'obd') row('failure', told.failure);
  if (state !== undefined)
    row('status', `${state.replace('_', ' ')} (${bits.join(', ').replaceAll('_', ' ') || '-'})`);
  if (told.vss !== '') row('signal', told.vss);
  row('note', told.note);
  for (const line of wrapped(`  ${told.advice}`, Math.min(terminal.columns, 100), 2)) terminal.line(line);
}

function byteOption(values: OptionValues, name: string): number | undefined {
  const text = stringOption(values, name);
  if (text === undefined) return undefined;
  if (!/^(0x)?[0-9a-f]{1,2}$/i.test(text)) {
    throw new DriveMcpError('USAGE', `--${name} takes a byte in hexadecimal, got '${text}'`);
  }
  return Number.parseInt(text.replace(/^0x/i, ''), 16);
}
