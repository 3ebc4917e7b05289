/** `profile draft`: a proposal as a table, as objects, and as a file. */
import { existsSync, writeFileSync } from 'node:fs';
import { causeText } from '../core/cause-text.js';
import { DriveMcpError } from '../core/errors.js';
import { printable } from '../runtime/printable.js';
import { openLog } from '../sources/logs/open-log.js';
import { type DbcFile, planOf, readDbcFile } from '../vehicles/profile/dbc-set.js';
import {
  type Draft,
  draftProfile,
  missingInputs,
  type Proposal,
} from '../vehicles/profile/draft/draft-profile.js';
import { LogSurvey } from '../vehicles/profile/draft/log-survey.js';
import { vssCatalogue } from '../vehicles/vss/catalogue.js';
import { booleanOption, type Invocation, listOption, stringOption } from './command.js';
import { columns, count } from './table.js';
import type { Terminal } from './terminal.js';

/** A proposal below this wants a person's look. */
const sureFrom = 0.8;

export async function draftFromFiles(invocation: Invocation): Promise<number> {
  const { values, positionals, terminal } = invocation;
  const paths = listOption(values, 'dbc');
  if (paths.length === 0) throw new DriveMcpError('DBC_NONE', 'no DBC file was given');
  const out = stringOption(values, 'out');
  if (out !== undefined && existsSync(out) && !booleanOption(values, 'force')) {
    throw new DriveMcpError('USAGE', 'the file is there already', {
      location: { file: out },
      hint: 'give another --out, or --force to write over it',
    });
  }
  const files = paths.map(readDbcFile);
  const { plan, warnings } = planOf(files);
  for (const warning of warnings) terminal.message(`drivemcp: ${printable(warning)}`);
  const log = positionals[0];
  const survey = log === undefined ? undefined : new LogSurvey(plan);
  if (survey && log !== undefined) await surveyLog(survey, log, invocation);
  const draft = draftProfile(plan, {
    name: profileName(stringOption(values, 'name'), files),
    files: files.map((file) => ({ file: file.name, sha256: file.sha256 })),
    ...(survey ? { survey } : {}),
  });
  const missing = missingInputs(draft);
  if (draft.profile !== null && out !== undefined) write(out, `${JSON.stringify(draft.profile, null, 2)}\n`);
  if (terminal.json) printObjects(draft, missing, terminal);
  else printTable(draft, missing, survey !== undefined, terminal);
  if (draft.profile === null) return 1;
  if (out !== undefined) {
    terminal.message(`drivemcp: written to ${out}; drivemcp profile check ${out} says what it delivers`);
  } else if (!terminal.json) {
    terminal.message('drivemcp: --out FILE writes the profile');
  }
  return 0;
}

async function surveyLog(survey: LogSurvey, path: string, { terminal, signal }: Invocation): Promise<void> {
  const log = await openLog(path);
  try {
    for (let batch = await log.next(); batch !== null && !signal.aborted; batch = await log.next()) {
      survey.add(batch);
      terminal.progress(`${count(survey.total, 'frame')} read`);
    }
  } finally {
    await log.close();
  }
  if (log.damaged > 0)
    terminal.message(`drivemcp: ${count(log.damaged, 'damaged part')} of the log left out`);
}

/** A name that the profile's schema takes, from the option or the first DBC file. */
function profileName(wish: string | undefined, files: readonly DbcFile[]): string {
  const name = wish ?? files[0]!.name.replace(/\.dbc$/i, '');
  const allowed = name
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64);
  if (wish !== undefined && allowed !== wish) {
    throw new DriveMcpError(
      'USAGE',
      `--name ${printable(wish)} must be letters, digits, dot, dash and underscore`,
    );
  }
  return allowed === '' ? 'vehicle' : allowed;
}

function printObjects(draft: Draft, missing: readonly string[], terminal: Terminal): void {
  for (const { path, key, confidence, reasons, spec, observed } of draft.proposals) {
    terminal.object({ path, signal: key, confidence, reasons, spec, observed });
  }
  terminal.object({
    profile: draft.profile,
    missing,
    rejected: draft.rejected.map(({ path, key, reason }) => ({ path, signal: key, reason })),
    alternatives: Object.fromEntries(
      [...draft.alternatives].map(([path, list]) => [
        path,
        list.map(({ key, confidence }) => ({ signal: key, confidence })),
      ]),
    ),
  });
}

function printTable(draft: Draft, missing: readonly string[], hasLog: boolean, terminal: Terminal): void {
  if (draft.proposals.length === 0) {
    terminal.line('No signal looks like one that this daemon uses.');
  } else {
    const head = ['sure', 'vss path', 'signal', ...(hasLog ? ['in the log'] : []), 'why'];
    const rows = draft.proposals.map((proposal) => [
      proposal.confidence.toFixed(2),
      proposal.path,
      printable(proposal.key),
      ...(hasLog ? [observedRange(proposal)] : []),
      printable(proposal.reasons.join(', ')),
    ]);
    const table = columns(
      [head, ...rows],
      ['right', ...head.slice(1).map(() => 'left' as const)],
      terminal.tableWidth,
    );
    for (const [i, line] of table.entries()) {
      const isUnsure = i > 0 && draft.proposals[i - 1]!.confidence < sureFrom;
      terminal.line(i === 0 ? terminal.style(line, 'dim') : isUnsure ? terminal.style(line, 'yellow') : line);
    }
  }
  const chosen = new Set(draft.proposals.map((proposal) => proposal.path));
  // Of what was refused, only what leaves a gap is worth a person's time.
  const gaps = draft.rejected.filter(({ path }) => !chosen.has(path)).slice(0, 12);
  if (gaps.length > 0) {
    terminal.line();
    terminal.line('Named alike, but not proposed:');
    const rows = gaps.map(({ path, key, reason }) => [`  ${printable(key)}`, path, reason]);
    for (const line of columns(rows, ['left', 'left', 'left'])) terminal.line(line);
  }
  if (missing.length > 0) {
    terminal.line();
    terminal.line(`Not found: ${missing.join(', ')}`);
    if (missing.includes('Vehicle.Speed')) {
      terminal.line('Without the vehicle speed no decision can be made; add a signal for it by hand.');
    }
  }
}

function observedRange({ path, observed }: Proposal): string {
  if (observed === null) return '';
  const unit = vssCatalogue.get(path)?.unit ?? '';
  const round = (value: number): string => String(Number(value.toPrecision(5)));
  const range =
    observed.min === observed.max ? round(observed.min) : `${round(observed.min)} … ${round(observed.max)}`;
  return `${range}${unit === '' ? '' : ` ${unit}`}`;
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (cause) {
    throw new DriveMcpError('FILE_UNREADABLE', `the profile cannot be written: ${causeText(cause)}`, {
      location: { file },
      cause,
      hint: 'check that the folder exists and may be written to',
    });
  }
}
