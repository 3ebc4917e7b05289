import { DriveMcpError } from '../core/errors.js';
import { printable } from '../runtime/printable.js';
import { openLog } from '../sources/logs/open-log.js';
import { LogMatch, type MatchResult } from '../vehicles/dbc/log-match.js';
import { planOf, readDbcFile } from '../vehicles/profile/dbc-set.js';
import type { CommandSpec, Invocation } from './command.js';
import { reportError } from './error-report.js';
import { columns, count } from './table.js';
import type { Terminal } from './terminal.js';

export const matchCommand: CommandSpec = {
  path: ['dbc', 'match'],
  summary: 'which of these DBC files fits a log',
  positionals: 'LOG DBC…',
  arity: [2, Number.POSITIVE_INFINITY],
  options: {},
  details:
    'Ranks the files by score = known · length · (3 + plausible) / 4: the share of data frames whose identifier the\nDBC defines, the share of those as long as it says, and the share of decoded values within its ranges (signals\nwhose range cannot be left do not count). A score is evidence, not proof: makers use identifiers again.\n\nExit codes: 0 at least one file knows a frame; 1 none does; 78 a file has no usable message (the others are ranked).',
  examples: [
    ['drivemcp dbc match drive.log *.dbc', 'a table, the best first'],
    ['drivemcp dbc match drive.log a.dbc b.dbc --json', 'one object'],
  ],
  run: match,
};

interface Candidate {
  readonly path: string;
  readonly match: LogMatch;
  readonly messages: number;
  /** identifiers that the file defines more than once */
  readonly duplicates: number;
}

async function match({ positionals, terminal, signal }: Invocation): Promise<number> {
  const [logPath, ...dbcPaths] = positionals;
  const candidates: Candidate[] = [];
  let worst = 0;
  for (const path of new Set(dbcPaths)) {
    try {
      const file = readDbcFile(path);
      const { plan } = planOf([file]);
      const duplicates = plan.collisions.length;
      candidates.push({ path, match: new LogMatch(plan), messages: plan.messageCount, duplicates });
    } catch (error) {
      if (!(error instanceof DriveMcpError)) throw error;
      worst = Math.max(worst, reportError(error, terminal));
    }
  }
  if (candidates.length === 0) return worst;
  const log = await openLog(logPath!);
  try {
    for (let batch = await log.next(); batch !== null && !signal.aborted; batch = await log.next()) {
      for (const candidate of candidates) candidate.match.consume(batch);
      terminal.progress(`${count(log.frames, 'frame')} read`);
    }
  } finally {
    await log.close();
    terminal.clearProgress();
  }
  const ranked = candidates
    .map((candidate) => ({ ...candidate, result: candidate.match.result() }))
    .sort((a, b) => b.result.score - a.result.score || (a.path < b.path ? -1 : 1));
  if (terminal.json) {
    terminal.object({ log: logPath, damaged: log.damaged, ranking: ranked.map(rankedObject) });
  } else show(log.description, ranked, terminal);
  if (worst > 0) return worst;
  return (ranked[0]?.result.known ?? 0) > 0 ? 0 : 1;
}

type Ranked = Candidate & { readonly result: MatchResult };

function rankedObject({ path, messages, duplicates, result }: Ranked) {
  return {
    dbc: path,
    score: result.score,
    frames: result.frames,
    known: result.known,
    known_ratio: result.knownRatio,
    length_ratio: result.lengthRatio,
    plausible_ratio: result.plausibleRatio,
    ids: result.ids,
    ids_known: result.idsKnown,
    messages,
    duplicate_ids: duplicates,
  };
}

function show(description: string, ranked: readonly Ranked[], terminal: Terminal): void {
  terminal.line(terminal.style(printable(description), 'bold'));
  const rows = ranked.map(({ path, messages, duplicates, result }) => [
    result.score.toFixed(3),
    percent(result.knownRatio),
    percent(result.lengthRatio),
    percent(result.plausibleRatio),
    `${result.idsKnown}/${result.ids}`,
    String(messages),
    String(duplicates),
    printable(path),
  ]);
  const table = columns(
    [['score', 'known', 'length', 'plausible', 'ids', 'messages', 'twice', 'dbc'], ...rows],
    ['right', 'right', 'right', 'right', 'right', 'right', 'right', 'left'],
  );
  for (const [i, line] of table.entries()) terminal.line(i === 0 ? terminal.style(line, 'dim') : line);
  const [best, second] = ranked;
  if (!best || best.result.known === 0) terminal.line('none of them knows a frame of this log');
  else if (second && second.result.score > 0.9 * best.result.score) {
    terminal.line('the first two fit about alike: compare values with can decode before you trust one');
  }
}

function percent(share: number | null): string {
  return share === null ? '-' : `${(share * 100).toFixed(1)} %`;
}
