/** Runs the tests that ship with a pack, through the same evaluator that answers in a car. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { evaluateConduct } from '../evaluate/evaluate-conduct.js';
import { evaluateLimit } from '../evaluate/evaluate-limit.js';
import { parseFlatContext } from '../evaluate/flat-context.js';
import { documentOn } from '../format/citations.js';
import { withAncestors } from '../format/load-pack.js';
import { parseYaml, refuse } from '../format/located-yaml.js';
import { readPackFile } from '../format/pack-files.js';
import type { Rulepack } from '../format/rulepack.js';
import {
  type ConductTest,
  citeTestsSchema,
  conductTestsSchema,
  type LimitTest,
  limitTestsSchema,
  querySchema,
} from '../format/test-schema.js';
import { type RulepackSet, rulesOf } from '../rules-expert.js';

export interface PackTests {
  readonly limits: readonly LimitTest[];
  readonly conduct: readonly ConductTest[];
  readonly cites: readonly { rule: string; doc: string; span: string; must_contain: readonly string[] }[];
  readonly queryCount: number;
}

export interface TestResult {
  readonly file: 'limits' | 'conduct' | 'cites';
  /** place in the file, from 1 */
  readonly number: number;
  readonly rule: string;
  readonly isGreen: boolean;
  /** what was asked, in short */
  readonly situation: string;
  readonly expected: string;
  readonly got: string;
}

/** @throws DriveMcpError RULEPACK_INVALID with file, line and key */
export function readPackTests({ folder }: Rulepack): PackTests {
  const text = (name: string): string =>
    existsSync(join(folder, 'tests', name)) ? readPackFile(folder, `tests/${name}`) : '';
  const yaml = <T>(name: string, schema: Parameters<typeof parseYaml<T[]>>[2]): T[] => {
    const source = text(name);
    return source === '' ? [] : parseYaml(join(folder, 'tests', name), source, schema);
  };
  return {
    limits: yaml('limits.yaml', limitTestsSchema),
    conduct: yaml('conduct.yaml', conductTestsSchema),
    cites: yaml('cites.yaml', citeTestsSchema),
    queryCount: checkQueries(join(folder, 'tests', 'queries.jsonl'), text('queries.jsonl')),
  };
}

/** @param packs all packs, among them this one */
export function runPackTests(pack: Rulepack, packs: RulepackSet, tests: PackTests): TestResult[] {
  return [
    ...tests.limits.map((test, i) => runLimitTest(pack, packs, test, i + 1)),
    ...tests.conduct.map((test, i) => runConductTest(pack, packs, test, i + 1)),
    ...tests.cites.map((test, i): TestResult => {
      const rule = pack.rules.find(({ id }) => id === test.rule);
      const document = documentOn(
        withAncestors(pack, packs),
        test.doc,
        rule?.valid.from ?? pack.manifest.law_as_of,
      );
      const span = document?.head.spans[test.span];
      const quote = span ? (document?.body.slice(span[0], span[1]) ?? '') : null;
      const missing = test.must_contain.filter((words) => !quote?.includes(words));
      return {
        file: 'cites',
        number: i + 1,
        rule: test.rule,
        isGreen: rule !== undefined && quote !== null && missing.length === 0,
        situation: `${test.doc} ${test.span}`,
        expected: test.must_contain.join(', '),
        got:
          rule === undefined
            ? 'no such rule'
            : quote === null
              ? 'no such span'
              : missing.length === 0
                ? 'all there'
                : `lacks ${missing.join(', ')}`,
      };
    }),
  ];
}

export function runLimitTest(
  pack: Rulepack,
  packs: RulepackSet,
  test: LimitTest,
  number: number,
): TestResult {
  const result = (isGreen: boolean, got: string): TestResult => ({
    file: 'limits',
    number,
    rule: test.rule,
    isGreen,
    situation: situationOf(pack, test),
    expected: answerText(test.limit, test.advisory, test.legal_action, test.qualifier, test.nature),
    got,
  });
  try {
    const rules = rulesOf(
      packs,
      test.jurisdiction ?? pack.manifest.id,
      test.as_of ?? pack.manifest.law_as_of,
    );
    if (rules === null) return result(false, 'no pack for this jurisdiction');
    const answer = evaluateLimit(rules, parseFlatContext(test.context));
    const isGreen =
      answer.value === test.limit &&
      (test.advisory === undefined || answer.advisory === test.advisory) &&
      (test.legal_action === undefined || answer.legalAction === test.legal_action) &&
      (test.qualifier === undefined || answer.qualifier === test.qualifier) &&
      (test.nature === undefined || answer.nature === test.nature);
    return result(
      isGreen,
      answerText(
        answer.value,
        answer.advisory,
        answer.legalAction,
        answer.qualifier ?? undefined,
        test.nature === undefined ? undefined : answer.nature,
      ),
    );
  } catch (error) {
    return result(false, failureText(error));
  }
}

export function runConductTest(
  pack: Rulepack,
  packs: RulepackSet,
  test: ConductTest,
  number: number,
): TestResult {
  const result = (isGreen: boolean, got: string): TestResult => ({
    file: 'conduct',
    number,
    rule: test.rule,
    isGreen,
    situation: `${test.topic} ${situationOf(pack, test)}`,
    expected: `${test.legal_action ?? 'nothing'}${test.values ? ` ${JSON.stringify(test.values)}` : ''}`,
    got,
  });
  try {
    const rules = rulesOf(
      packs,
      test.jurisdiction ?? pack.manifest.id,
      test.as_of ?? pack.manifest.law_as_of,
    );
    if (rules === null) return result(false, 'no pack for this jurisdiction');
    const answer = evaluateConduct(rules, test.topic, parseFlatContext(test.context));
    const rule = answer?.rule.rule;
    const action = rule?.then.legal_action ?? null;
    const isSame = Object.entries(test.values ?? {}).every(
      ([name, value]) => rule?.then.values?.[name] === value,
    );
    const isGreen = action === test.legal_action && isSame && (rule?.id === test.rule) === test.holds;
    const values = rule?.then.values ? ` ${JSON.stringify(rule.then.values)}` : '';
    return result(isGreen, `${action ?? 'nothing'}${values}${rule ? ` (${rule.id})` : ''}`);
  } catch (error) {
    return result(false, failureText(error));
  }
}

function situationOf(pack: Rulepack, test: LimitTest | ConductTest): string {
  const words = Object.entries(test.context).map(([key, value]) => `${key}=${String(value)}`);
  return [test.jurisdiction ?? pack.manifest.id, ...(test.as_of ? [test.as_of] : []), ...words].join(' ');
}

function answerText(
  limit: number | null,
  advisory: number | null | undefined,
  action: string | undefined,
  qualifier: string | undefined,
  nature?: string,
): string {
  const words = [
    limit === null ? 'no limit' : String(limit),
    advisory ? `advised ${advisory}` : '',
    qualifier ?? '',
    action ?? '',
    nature ?? '',
  ];
  return words.filter(Boolean).join(', ');
}

function failureText(error: unknown): string {
  if (error instanceof DriveMcpError) return `${error.code} ${error.message}`;
  throw error;
}

function checkQueries(file: string, text: string): number {
  const ids = new Set<string>();
  for (const [i, line] of text.split('\n').entries()) {
    if (line === '') continue;
    const place = { line: i + 1, column: 1 };
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (cause) {
      throw refuse(file, 'not a line of JSON', place, undefined, cause);
    }
    const parsed = querySchema.safeParse(value);
    const issue = parsed.error?.issues[0];
    if (issue) throw refuse(file, issue.message, place, issue.path.map(String).join('.'));
    const { id } = parsed.data ?? { id: '' };
    if (ids.has(id)) throw refuse(file, `the id ${id} stands twice`, place, 'id');
    ids.add(id);
  }
  return ids.size;
}
