/**
 * Looks through a pack and tells everything that is wrong with it, not only what comes first: what keeps it from being
 * built (errors) and what a reviewer should look at (warnings).
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { DriveMcpError, type ErrorLocation } from '../../../daemon/core/errors.js';
import { checkCitations } from '../format/citations.js';
import type { DocumentHead } from '../format/document-schema.js';
import { loadRulepack, parseDocumentFile, withAncestors } from '../format/load-pack.js';
import { parseYaml, refuse } from '../format/located-yaml.js';
import { manifestSchema } from '../format/manifest-schema.js';
import { packFiles, readPackFile } from '../format/pack-files.js';
import { type Rule, rulesFileSchema } from '../format/rule-schema.js';
import type { PackDocument, Rulepack } from '../format/rulepack.js';
import { readThesaurus } from '../retrieval/pack-thesaurus.js';
import type { RulepackSet } from '../rules-expert.js';
import { type PackTests, readPackTests } from './pack-tests.js';

export interface LintFinding {
  readonly severity: 'error' | 'warning';
  readonly location: ErrorLocation;
  readonly message: string;
}

/**
 * @param today as YYYY-MM-DD
 * @throws DriveMcpError FILE_MISSING where there is no pack
 */
export function lintPack(folder: string, others: RulepackSet, today: string): LintFinding[] {
  if (!existsSync(join(folder, 'pack.yaml'))) {
    throw new DriveMcpError('FILE_MISSING', 'no rulepack: it begins with this file', {
      location: { file: join(folder, 'pack.yaml') },
      hint: 'drivemcp rulepack init DIR begins one',
    });
  }
  const findings: LintFinding[] = [];
  const report = (severity: LintFinding['severity'], location: ErrorLocation, message: string): void => {
    findings.push({ severity, location, message });
  };
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof DriveMcpError)) throw error;
      report('error', error.location, error.message);
      return undefined;
    }
  };
  const paths = attempt(() => packFiles(folder)) ?? [];
  const read = (path: string): string => readPackFile(folder, path);

  // Each file by itself.
  const manifestFile = join(folder, 'pack.yaml');
  const manifest = attempt(() => parseYaml(manifestFile, read('pack.yaml'), manifestSchema));
  const documents: PackDocument[] = [];
  for (const path of paths.filter((one) => /^docs\/.*\.md$/.test(one))) {
    const document = attempt(() => parseDocumentFile(join(folder, path), read(path)));
    if (document) documents.push(document);
  }
  const rules: PlacedRule[] = [];
  for (const path of paths.filter((one) => /^rules\/.*\.ya?ml$/.test(one))) {
    const file = join(folder, path);
    const parsed = attempt(() => parseYaml(file, read(path), rulesFileSchema));
    const lines = attempt(() => linesOfRules(read(path))) ?? [];
    for (const [i, rule] of (parsed ?? []).entries()) {
      const location = { file, ...(lines[i] === undefined ? {} : { line: lines[i] }), key: rule.id };
      if (rules.some((other) => other.rule.id === rule.id))
        report('error', location, 'this rule id stands twice');
      rules.push({ rule, location });
    }
  }
  if (!manifest) return findings;

  // What only shows where everything is seen together.
  for (const document of documents) lintDocument(document, report);
  const pack: Rulepack = {
    manifest,
    folder,
    version: `${manifest.id}@${manifest.version}`,
    documents: byId(documents),
    rules: rules.map(({ rule }) => rule),
  };
  attempt(() => readThesaurus(pack));
  const world = new Map([...others, [manifest.id, pack]]);
  const line = attempt(() => withAncestors(pack, world)) ?? [pack];
  for (const { rule, location } of rules) {
    attempt(() => {
      try {
        checkCitations(rule, line, location.file ?? folder);
      } catch (error) {
        if (!(error instanceof DriveMcpError)) throw error;
        throw new DriveMcpError(error.code, error.message, { location });
      }
    });
    const day = impossibleDate([rule.valid.from, rule.valid.until]);
    if (day) report('error', { ...location, key: `${rule.id}.valid` }, `${day} is no day of the calendar`);
  }
  if (findings.length === 0) attempt(() => loadRulepack(folder, others));
  for (const source of manifest.sources) {
    if (!source.licence)
      report(
        'error',
        { file: manifestFile, key: `sources.${source.id}` },
        'no licence: nobody may pass it on',
      );
    if (!documents.some(({ head }) => head.source === source.id) && manifest.kind === 'base')
      report(
        'warning',
        { file: manifestFile, key: `sources.${source.id}` },
        'no document comes from this source',
      );
  }
  const isCited = (id: string): boolean => rules.some(({ rule }) => rule.cite.some(({ doc }) => doc === id));
  for (const { head, file } of documents) {
    if (!isCited(head.doc_id)) report('warning', { file, key: head.doc_id }, 'no rule cites this document');
  }
  const own = documents.filter(({ head }) => head.text === 'paraphrase');
  if (own.length > 0)
    report(
      'warning',
      { file: join(folder, 'docs') },
      `${own.length} of ${documents.length} documents are own words: what rests on them is at most 0.8 sure`,
    );
  const day = impossibleDate([
    manifest.valid.from,
    manifest.valid.until,
    manifest.law_as_of,
    manifest.review?.date,
  ]);
  if (day) report('error', { file: manifestFile }, `${day} is no day of the calendar`);
  if (manifest.valid.until <= manifest.valid.from)
    report('error', { file: manifestFile, key: 'valid.until' }, 'not after valid.from');
  if (manifest.valid.until <= today)
    report(
      'warning',
      { file: manifestFile, key: 'valid.until' },
      `the review was due on ${manifest.valid.until}`,
    );
  if (manifest.law_as_of > today)
    report('error', { file: manifestFile, key: 'law_as_of' }, `is in the future (today is ${today})`);
  if (!manifest.review)
    report('warning', { file: manifestFile, key: 'review' }, 'nobody has reviewed this pack yet');
  const tests = attempt(() => readPackTests(pack));
  if (tests) lintTests(rules, tests, folder, report);
  if (!existsSync(join(folder, 'ATTRIBUTION.md')))
    report('warning', { file: folder }, 'no ATTRIBUTION.md: drivemcp rulepack build writes it');
  return findings;
}

interface PlacedRule {
  readonly rule: Rule;
  readonly location: ErrorLocation;
}

type Report = (severity: LintFinding['severity'], location: ErrorLocation, message: string) => void;

/** Spans of siblings must not share text; one may lie in another whose name it continues (`3` and `3.1`), or in `text`, the whole. */
function lintDocument({ head, body, file }: PackDocument, report: Report): void {
  const spans = Object.entries(head.spans).sort(([, a], [, b]) => a[0] - b[0] || b[1] - a[1]);
  for (const [i, [name, [, end]]] of spans.entries()) {
    for (const [other, [start, otherEnd]] of spans.slice(i + 1)) {
      if (start >= end) break;
      const isPart = otherEnd <= end && (name === 'text' || other.startsWith(name));
      if (!isPart) report('error', { file, key: `spans.${other}` }, `shares text with span ${name}`);
    }
  }
  const isInWord = (at: number): boolean => /^[\p{L}\p{N}]{2}$/u.test(body.slice(at - 1, at + 1));
  for (const [name, [start, end]] of spans) {
    if (isInWord(start) || isInWord(end))
      report(
        'error',
        { file, key: `spans.${name}` },
        'cuts a word: drivemcp rulepack build --fix-spans counts anew',
      );
  }
  if (head.sha256 !== undefined && head.sha256 !== createHash('sha256').update(body).digest('hex'))
    report('error', { file, key: 'sha256' }, 'the text has changed since this was written');
  const day = impossibleDate([head.valid_from, head.valid_until]);
  if (day) report('error', { file, key: 'valid_from' }, `${day} is no day of the calendar`);
}

function lintTests(rules: readonly PlacedRule[], tests: PackTests, folder: string, report: Report): void {
  const situations = [...tests.limits, ...tests.conduct];
  for (const { rule, location } of rules) {
    const own = situations.filter((test) => test.rule === rule.id);
    if (!own.some(({ holds }) => holds)) report('warning', location, 'no test where this rule holds');
    if (rule.kind !== 'conduct' && !own.some(({ holds }) => !holds))
      report('warning', location, 'no test where this rule does not hold');
  }
  for (const { rule } of [...situations, ...tests.cites]) {
    if (!rules.some((known) => known.rule.id === rule))
      report(
        'error',
        { file: join(folder, 'tests'), key: rule },
        'a test names this rule, which the pack does not have',
      );
  }
}

function byId(documents: readonly PackDocument[]): ReadonlyMap<string, readonly PackDocument[]> {
  const groups = new Map<string, PackDocument[]>();
  for (const document of documents) {
    const versions = groups.get(document.head.doc_id) ?? [];
    const endOf = (head: DocumentHead): string => head.valid_until ?? '9999-12-31';
    const clash = versions.find(
      ({ head }) => head.valid_from < endOf(document.head) && document.head.valid_from < endOf(head),
    );
    if (clash)
      throw refuse(document.file, `this id is taken by ${clash.file} at the same time`, undefined, 'doc_id');
    groups.set(
      document.head.doc_id,
      [...versions, document].sort((a, b) => (a.head.valid_from > b.head.valid_from ? -1 : 1)),
    );
  }
  return groups;
}

/** The line on which each rule of a file begins. */
function linesOfRules(text: string): number[] {
  const lines = new LineCounter();
  const root = parseDocument(text, { lineCounter: lines }).contents;
  if (!isSeq(root)) return [];
  return root.items.map((item) => {
    const key = isMap(item) ? item.items[0]?.key : item;
    const offset = isScalar(key) ? key.range?.[0] : undefined;
    return lines.linePos(offset ?? 0).line;
  });
}

/** The first of the dates that no calendar has (2026-02-30). */
function impossibleDate(dates: readonly (string | undefined)[]): string | undefined {
  return dates.find((date) => date !== undefined && !isDay(date));
}

function isDay(date: string): boolean {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day <= (days[month - 1] ?? 0);
}
