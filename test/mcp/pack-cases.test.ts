/** The cases that ship with the packs: every rule where it holds and where it does not, and no number that could be another. */
import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { parse } from 'yaml';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { evaluateConduct } from '../../mcp/rules/evaluate/evaluate-conduct.js';
import { evaluateLimit } from '../../mcp/rules/evaluate/evaluate-limit.js';
import { parseFlatContext } from '../../mcp/rules/evaluate/flat-context.js';
import { resolveJurisdiction } from '../../mcp/rules/evaluate/jurisdiction.js';
import { rulesInForce } from '../../mcp/rules/evaluate/rules-in-force.js';
import { loadRulepacks } from '../../mcp/rules/format/load-pack.js';
import type { Rulepack } from '../../mcp/rules/format/rulepack.js';
import type { ConductTopic } from '../../mcp/rules/format/vocabulary.js';

const packs = loadRulepacks(packageFile('rulepacks'));

interface PackCase {
  readonly rule: string;
  readonly holds: boolean;
  readonly jurisdiction?: string;
  readonly topic?: ConductTopic;
  readonly context: unknown;
  readonly as_of?: string;
  readonly limit?: number | null;
  readonly advisory?: number | null;
  readonly legal_action?: string | null;
  readonly nature?: string;
  readonly values?: Readonly<Record<string, number>>;
}

function casesOf(pack: Rulepack): PackCase[] {
  return ['limits.yaml', 'conduct.yaml'].flatMap((name) => {
    const file = packageFile('rulepacks', pack.manifest.id, 'tests', name);
    return existsSync(file) ? (parse(readFileSync(file, 'utf8')) as PackCase[]) : [];
  });
}

/** What is wrong with the answer to a case; null where it is the expected one. */
function complaint(pack: Rulepack, one: PackCase): string | null {
  const asOf = one.as_of ?? pack.manifest.law_as_of;
  const jurisdiction = resolveJurisdiction(one.jurisdiction ?? pack.manifest.id, packs, asOf);
  if (!jurisdiction) return 'no such jurisdiction';
  const rules = rulesInForce(jurisdiction, asOf);
  const context = parseFlatContext(one.context);
  if (one.topic !== undefined) {
    const answer = evaluateConduct(rules, one.topic, context)?.rule.rule;
    if ((answer?.then.legal_action ?? null) !== one.legal_action)
      return `action ${answer?.then.legal_action}`;
    if (one.values && JSON.stringify(answer?.then.values) !== JSON.stringify(one.values)) return 'values';
    return (answer?.id === one.rule) === one.holds ? null : `answered by ${answer?.id}`;
  }
  const answer = evaluateLimit(rules, context);
  const cited = answer.rules.map(({ rule }) => rule.id);
  if (answer.value !== one.limit) return `limit ${answer.value}`;
  if (one.advisory !== undefined && answer.advisory !== one.advisory) return `advisory ${answer.advisory}`;
  if (one.legal_action !== undefined && answer.legalAction !== one.legal_action)
    return `action ${answer.legalAction}`;
  if (one.nature !== undefined && answer.nature !== one.nature) return `nature ${answer.nature}`;
  if (one.holds && !cited.includes(one.rule)) return `rests on ${cited.join(', ')}`;
  return !one.holds && cited[0] === one.rule && answer.value !== null ? 'the rule decides' : null;
}

t.test('every case gives its answer, every rule has one for and one against', async (t) => {
  for (const pack of packs.values()) {
    const cases = casesOf(pack);
    t.same(
      cases.flatMap((one) => {
        const wrong = complaint(pack, one);
        return wrong === null ? [] : [{ ...one, wrong }];
      }),
      [],
      `${pack.manifest.id}: ${cases.length} cases`,
    );
    for (const { id } of pack.rules) {
      const sides = new Set(cases.filter(({ rule }) => rule === id).map(({ holds }) => holds));
      t.equal(sides.size, 2, `${id} is tried where it holds and where it does not`);
    }
  }
});

/** Every place of a number in a tree. */
function* numbersIn(tree: object): Generator<[Record<string, unknown>, string, number]> {
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'number') yield [tree as Record<string, unknown>, key, value];
    else if (typeof value === 'object' && value !== null) yield* numbersIn(value);
  }
}

t.test('each number of a rule, ten more or ten less, fails a case', async (t) => {
  for (const pack of packs.values()) {
    const cases = casesOf(pack);
    const survivors: string[] = [];
    for (const rule of pack.rules) {
      // First the cases about the rule itself: most mutants die there.
      const order = [...cases].sort((a, b) => Number(b.rule === rule.id) - Number(a.rule === rule.id));
      for (const [place, key, value] of [...numbersIn(rule.when), ...numbersIn(rule.then)]) {
        for (const change of [10, -10]) {
          place[key] = value + change;
          if (order.every((one) => complaint(pack, one) === null))
            survivors.push(`${rule.id} ${key} ${value} → ${value + change}`);
        }
        place[key] = value;
      }
    }
    t.same(survivors, [], pack.manifest.id);
  }
});

interface PackQuery {
  readonly id: string;
  readonly jurisdiction: string;
  readonly as_of: string;
  readonly context: unknown;
  readonly relevant: readonly { readonly id: string; readonly grade: number }[];
  readonly expected_limit: { readonly value: number } | null;
  readonly legal_action: string;
}

t.test('questions about limits: the number, what to do, and the provision that says so', async (t) => {
  for (const { manifest } of packs.values()) {
    const lines = readFileSync(packageFile('rulepacks', manifest.id, 'tests', 'queries.jsonl'), 'utf8');
    for (const query of lines
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as PackQuery)) {
      if (query.expected_limit === null) continue;
      const jurisdiction = resolveJurisdiction(query.jurisdiction, packs, query.as_of);
      if (!jurisdiction) throw new Error(query.jurisdiction);
      const answer = evaluateLimit(rulesInForce(jurisdiction, query.as_of), parseFlatContext(query.context));
      t.equal(answer.value ?? answer.advisory, query.expected_limit.value, query.id);
      // That the law has no number for rain is a rule beside the limit, which stays.
      const isWeather = query.legal_action === 'no_statutory_wet_limit';
      t.equal(answer.legalAction, isWeather ? 'obey_limit' : query.legal_action, query.id);
      const cited = answer.rules.flatMap(({ rule }) => rule.cite.map(({ doc, span }) => `${doc}.${span}`));
      t.ok(
        query.relevant.some(
          ({ id, grade }) => grade === 3 && cited.some((one) => `${one}.`.startsWith(`${id}.`)),
        ),
        `${query.id} cites ${cited.join(', ')}`,
      );
    }
  }
});
