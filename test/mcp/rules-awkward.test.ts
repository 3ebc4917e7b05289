/** The awkward cases of law, one by one, on small packs made for them and on the shipped ones. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { roads } from '../../mcp/rules/evaluate/flat-context.js';
import { loadRulepacks } from '../../mcp/rules/format/load-pack.js';
import { lookupLimit, type RulepackSet } from '../../mcp/rules/rules-expert.js';

const shipped = loadRulepacks(packageFile('rulepacks'));
const today = '2026-11-30';

interface Answer {
  readonly legal_action: string;
  readonly limit: { readonly value: number; readonly unit: string; readonly mps: number } | null;
  readonly advisory: { readonly value: number } | null;
  readonly confidence: number;
  readonly degraded: readonly string[];
  readonly qualifier?: string;
  readonly note?: string;
  readonly rulepack_version: string | null;
  readonly jurisdiction_path: readonly string[];
  readonly alternatives: readonly { readonly value: number }[];
}
const ask = (packs: RulepackSet, jurisdiction: string, context: object, asOf = today): Answer =>
  lookupLimit(packs, { jurisdiction, as_of: asOf, context }) as unknown as Answer;

interface TestRule {
  readonly id: string;
  readonly limit: string;
  readonly when?: string;
  readonly kind?: string;
  readonly more?: string;
  readonly from?: string;
  readonly status?: string;
}

/** A pack of Testland (country code ZZ): each rule cites a line of one document. */
function writePack(root: string, id: string, head: string, rules: readonly TestRule[]): void {
  const folder = join(root, id);
  for (const part of ['docs', 'rules']) mkdirSync(join(folder, part), { recursive: true });
  const lines = rules.map((rule) => `${rule.id}: ${/\d+/.exec(rule.limit)?.[0] ?? 'no'} km/h.`);
  const spans: string[] = [];
  let at = 0;
  for (const [i, line] of lines.entries()) {
    spans.push(`  "${i}": [${at}, ${at + line.length}]`);
    at += line.length + 1;
  }
  const doc = `zz${id === 'ZZZ' ? '' : `-${id.slice(4).toLowerCase()}`}:act`;
  writeFileSync(
    join(folder, 'pack.yaml'),
    `id: ${id}\nschema: rulepack/1\nlanguage: [en]\nunits: { speed: km/h, distance: m }\ndriving_side: right\nlaw_as_of: 2026-01-01\nlegal_speeds: [30, 50]\nsources: [{ id: act, title: Act, tier: statute, licence: { id: test, attribution: null } }]\n${head}\n`,
  );
  writeFileSync(
    join(folder, 'docs', 'act.md'),
    `---\ndoc_id: ${doc}\nsource: act\ntitle: Act\ncite: Act\nlang: en\nvalid_from: 2000-01-01\ntext: paraphrase\nspans:\n${spans.join('\n')}\n---\n${lines.join('\n')}\n`,
  );
  const text = rules.map(
    (rule, i) =>
      `- id: ${rule.id}\n  kind: ${rule.kind ?? 'default_limit'}\n  when: ${rule.when ?? '{ road_class: urban }'}\n  then: { limit: ${rule.limit} }\n  unknown_condition: assume_false\n  cite: [{ doc: "${doc}", span: "${i}" }]\n  status: ${rule.status ?? 'commenced'}\n  valid: { from: ${rule.from ?? '2000-01-01'} }\n  certainty: A\n${rule.more ?? ''}`,
  );
  writeFileSync(join(folder, 'rules', 'speed.yaml'), text.join(''));
}

const base =
  'version: 1.0.0\nkind: base\njurisdiction: { country: ZZ, path: [ZZ] }\nvalid: { from: 2020-01-01, until: 2030-01-01 }';
const overlay = (path: string, range = '>=1.0.0 <2.0.0') =>
  `version: 1.0.0\nkind: overlay\nextends: { id: ZZZ, range: "${range}" }\njurisdiction: { country: ZZ, path: [${path}] }\nvalid: { from: 2020-01-01, until: 2030-01-01 }`;
const kmh = (value: number): string => `{ value: ${value}, unit: km/h, nature: absolute }`;

function testland(
  t: Test,
  packs: Readonly<Record<string, readonly [head: string, rules: readonly TestRule[]]>>,
): RulepackSet {
  const root = t.testdir();
  for (const [id, [head, rules]] of Object.entries(packs)) writePack(root, id, head, rules);
  return loadRulepacks(root);
}

const town: TestRule = { id: 'zz.town', limit: kmh(50) };

t.test('expired pack: answers stay, less and less sure, never silent', async (t) => {
  const day = (asOf: string) => ask(shipped, 'DEU', { road: 'urban' }, asOf);
  t.match(day('2027-11-30'), { legal_action: 'obey_limit', degraded: [] }, 'on the last day it is fresh');
  t.match(day('2027-12-01'), {
    legal_action: 'obey_limit_degraded',
    limit: { value: 50 },
    degraded: ['expired'],
  });
  t.ok(day('2027-12-01').confidence <= 0.6);
  t.ok(day('2028-12-01').confidence < day('2027-12-10').confidence);
  t.ok(day('2040-01-01').confidence >= 0.3 * 0.8 - 1e-9, 'the floor of the factor is 0.3');
});

t.test('no pack: nothing is invented', async (t) => {
  t.match(ask(shipped, 'XYZ', { road: 'urban', sign: '50' }), {
    limit: null,
    degraded: ['missing'],
    legal_action: 'unknown_conservative',
  });
  t.ok(ask(shipped, 'XYZ', {}).confidence <= 0.2);
});

t.test('overlay without its base, or of another range: not used, and told', async (t) => {
  const root = t.testdir();
  writePack(root, 'ZZZ-A', overlay('ZZ, ZZ-A'), [{ id: 'zz-a.town', limit: kmh(30) }]);
  t.throws(() => loadRulepacks(root), { code: 'RULEPACK_INVALID', message: /ZZZ, which is not there/ });
  writePack(root, 'ZZZ', base, [town]);
  t.match(ask(loadRulepacks(root), 'ZZZ-A', { road: 'urban' }), { limit: { value: 30 } });
  writePack(root, 'ZZZ-A', overlay('ZZ, ZZ-A', '>=2.0.0'), [{ id: 'zz-a.town', limit: kmh(30) }]);
  t.throws(() => loadRulepacks(root), { message: />=2\.0\.0, there is 1\.0\.0/ });
});

t.test('packs that extend each other in a circle do not load', async (t) => {
  const root = t.testdir();
  const in_ = (id: string) =>
    `version: 1.0.0\nkind: overlay\nextends: { id: ${id}, range: ">=1.0.0" }\njurisdiction: { country: ZZ, path: [ZZ, ZZ-A] }\nvalid: { from: 2020-01-01, until: 2030-01-01 }`;
  writePack(root, 'ZZZ-A', in_('ZZZ-B'), [{ id: 'zz-a.town', limit: kmh(30) }]);
  writePack(root, 'ZZZ-B', in_('ZZZ-A'), [{ id: 'zz-b.town', limit: kmh(30) }]);
  t.throws(() => loadRulepacks(root), { code: 'RULEPACK_INVALID', message: /extends it in turn/ });
});

t.test('temporary order: holds in its days and is gone after them', async (t) => {
  const smog =
    'version: 1.0.0\nkind: temporary\nextends: { id: ZZZ, range: ">=1.0.0" }\njurisdiction: { country: ZZ, path: [ZZ] }\nvalid: { from: 2026-11-01, until: 2026-12-01 }';
  const packs = testland(t, { ZZZ: [base, [town]], 'ZZZ-SMOG': [smog, [{ id: 'zz.smog', limit: kmh(30) }]] });
  for (const [asOf, value] of [
    ['2026-10-31', 50],
    ['2026-11-01', 30],
    ['2026-11-30', 30],
    ['2026-12-01', 50],
  ] as const)
    t.match(ask(packs, 'ZZZ', { road: 'urban' }, asOf), { limit: { value } }, asOf);
});

t.test('a temporary order of one town is no law elsewhere in the country', async (t) => {
  const roadworks =
    'version: 1.0.0\nkind: temporary\nextends: { id: ZZZ, range: ">=1.0.0" }\njurisdiction: { country: ZZ, path: [ZZ, ZZ-A, ZZ-A1] }\nvalid: { from: 2026-11-01, until: 2026-12-01 }';
  const packs = testland(t, {
    ZZZ: [base, [town]],
    'ZZZ-A': [overlay('ZZ, ZZ-A'), [{ id: 'zz-a.town', limit: kmh(50) }]],
    'ZZZ-A1': [overlay('ZZ, ZZ-A, ZZ-A1'), [{ id: 'zz-a1.town', limit: kmh(50) }]],
    'ZZZ-WORKS': [roadworks, [{ id: 'zz-works.town', limit: kmh(30) }]],
  });
  for (const [place, value] of [
    ['ZZZ', 50],
    ['ZZZ-B', 50],
    ['ZZZ-A', 30],
    ['ZZZ-A1', 30],
    ['ZZZ-A2', 50],
  ] as const)
    t.match(ask(packs, place, { road: 'urban' }), { limit: { value } }, place);
});

t.test('past, future and announced rules', async (t) => {
  const packs = testland(t, {
    ZZZ: [
      base,
      [
        town,
        { id: 'zz.town.new', limit: kmh(40), from: '2027-01-01' },
        { id: 'zz.town.promised', limit: kmh(30), from: '2020-01-01', status: 'announced' },
      ],
    ],
  });
  t.match(
    ask(packs, 'ZZZ', { road: 'urban' }),
    { limit: { value: 50 } },
    'what is only announced binds nobody',
  );
  t.match(ask(packs, 'ZZZ', { road: 'urban' }, '2026-12-31'), { limit: { value: 50 } });
  t.match(ask(packs, 'ZZZ', { road: 'urban' }, '2027-01-01'), { limit: { value: 40 } });
  t.match(
    ask(packs, 'ZZZ', { road: 'urban' }, '1999-12-31'),
    { limit: null, legal_action: 'unknown_conservative' },
    'before any law',
  );
});

t.test('repeal without a successor: no limit, not the old one', async (t) => {
  const root = t.testdir();
  writePack(root, 'ZZZ', base, [town]);
  const file = join(root, 'ZZZ', 'rules', 'speed.yaml');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(
      'valid: { from: 2000-01-01 }',
      'valid: { from: 2000-01-01, until: 2026-06-01 }',
    ),
  );
  const packs = loadRulepacks(root);
  t.match(ask(packs, 'ZZZ', { road: 'urban' }, '2026-05-31'), { limit: { value: 50 } });
  t.match(ask(packs, 'ZZZ', { road: 'urban' }, '2026-06-01'), { limit: null });
});

t.test('an overlay tightens; it raises only what says that it may, and no further', async (t) => {
  const raised = (more: string, value: number) =>
    testland(t, {
      ZZZ: [base, [{ ...town, more }]],
      'ZZZ-A': [overlay('ZZ, ZZ-A'), [{ id: 'zz-a.town', limit: kmh(value) }]],
    });
  t.match(ask(raised('', 70), 'ZZZ-A', { road: 'urban' }), { limit: { value: 50 } });
  const may = '  raisable: { max: 70, by: order }\n';
  t.match(ask(raised(may, 70), 'ZZZ-A', { road: 'urban' }), { limit: { value: 70 } });
  t.match(ask(raised(may, 80), 'ZZZ-A', { road: 'urban' }), { limit: { value: 50 } });
  t.match(
    ask(raised(may, 70), 'ZZZ', { road: 'urban' }),
    { limit: { value: 50 } },
    'part unknown: the lowest',
  );
});

t.test(
  'part of the country unknown: the lowest of the parts, with a note; a town’s order is not the country’s',
  async (t) => {
    const lit = { road: 'urban', lit: true };
    t.match(ask(shipped, 'GBR', lit), {
      limit: { value: 20, unit: 'mph' },
      note: /part of the country/,
      degraded: ['unknown_condition'],
    });
    t.match(ask(shipped, 'GBR/ENG', lit), { limit: { value: 30 } });
    for (const name of ['GBR/WLS', 'GBR-WLS', 'GB-WLS', 'gb/wls'])
      t.match(ask(shipped, name, lit), { limit: { value: 20 }, jurisdiction_path: ['GB', 'GB-WLS'] }, name);
    for (const name of ['FRA-75056', 'FR/75056', 'FR-75'])
      t.match(ask(shipped, name, { road: 'urban_ring' }), { limit: { value: 50 } }, name);
  },
);

t.test('a law marked local binds where its place is named and nowhere else', async (t) => {
  const own = overlay('ZZ, ZZ-TOWN').replace('ZZ-TOWN]', 'ZZ-TOWN], local: true');
  const packs = testland(t, {
    ZZZ: [base, [town]],
    'ZZZ-TOWN': [own, [{ id: 'zz-town.town', limit: kmh(20) }]],
  });
  t.match(ask(packs, 'ZZZ', { road: 'urban' }), { limit: { value: 50 }, degraded: [] });
  t.match(ask(packs, 'ZZZ-TOWN', { road: 'urban' }), { limit: { value: 20 } });
});

t.test('major versions and companions by name', async (t) => {
  for (const name of ['DEU-v1', 'DEU-v1-VSL', 'DEU-VSL'])
    t.match(ask(shipped, name, { road: 'urban' }), { limit: { value: 50 } }, name);
  t.match(ask(shipped, 'DEU-v9', { road: 'urban' }), { degraded: ['missing'] });
  t.match(ask(shipped, 'DEU', { road: 'motorway', gantry: '80' }).rulepack_version, /DEU-VSL@/);
});

t.test('unit unknown: both readings, the slower one answers', async (t) => {
  const foreign = ask(shipped, 'GBR/ENG', { road: 'motorway', sign: '274-80' });
  t.match(
    foreign,
    {
      limit: { value: 49, unit: 'mph' },
      qualifier: 'conservative_unit',
      legal_action: 'unknown_conservative',
    },
    '80 km/h are 49.7 mph',
  );
  t.ok(foreign.degraded.includes('unit') && foreign.confidence <= 0.3);
  t.match(ask(shipped, 'DEU', { road: 'rural', sign: '670-50' }), {
    limit: { value: 50, unit: 'km/h' },
    qualifier: 'conservative_unit',
  });
});

t.test('lane unknown on a gantry: the lowest over the lanes; known: its own', async (t) => {
  const road = { road: 'motorway', gantry: '80|100|redx' };
  t.match(ask(shipped, 'DEU', road), { limit: { value: 80 } });
  t.match(ask(shipped, 'DEU', { ...road, lane_from_verge: 2 }), { limit: { value: 100 } });
  t.match(ask(shipped, 'DEU', { ...road, lane_from_verge: 3 }), { limit: null, legal_action: 'leave_lane' });
  t.match(ask(shipped, 'DEU', { ...road, lane_from_verge: 9 }), { limit: { value: 80 } }, 'no such lane');
});

t.test('pack state as told: expired and unsigned degrade', async (t) => {
  t.match(ask(shipped, 'DEU', { road: 'urban', pack_state: 'expired' }), {
    degraded: ['expired'],
    legal_action: 'obey_limit_degraded',
  });
  t.match(ask(shipped, 'DEU', { road: 'urban', pack_state: 'unsigned' }), {
    degraded: ['unsigned'],
    limit: { value: 50 },
  });
});

t.test(
  'a pack read from its files is the one that was compiled; changed files are never answered from it',
  async (t) => {
    const root = t.testdir();
    cpSync(packageFile('rulepacks'), root, { recursive: true });
    for (const id of shipped.keys()) {
      const file = join(root, id, 'pack.yaml');
      writeFileSync(file, `${readFileSync(file, 'utf8')}\n# other bytes, the same law\n`);
    }
    for (const [id, read] of loadRulepacks(root)) {
      t.same(read.rules, shipped.get(id)?.rules, id);
      t.same([...read.documents.keys()], [...(shipped.get(id)?.documents.keys() ?? [])], id);
    }
    const rules = join(root, 'DEU', 'rules', 'speed.yaml');
    writeFileSync(rules, readFileSync(rules, 'utf8').replace('value: 50,', 'value: 60,'));
    t.throws(() => loadRulepacks(root), { code: 'RULEPACK_INVALID', message: /60/ });
  },
);

t.test('one pack changed beside the others changes its version and nothing else', async (t) => {
  const root = t.testdir();
  cpSync(packageFile('rulepacks'), root, { recursive: true });
  const file = join(root, 'FRA', 'pack.yaml');
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n# a note\n`);
  const changed = loadRulepacks(root);
  t.equal(changed.get('DEU')?.version, shipped.get('DEU')?.version);
  t.not(changed.get('FRA')?.version, shipped.get('FRA')?.version);
});

const contexts = fc.record(
  {
    road: fc.constantFrom(...roads),
    vehicle: fc.constantFrom('car', 'car_trailer', 'motorhome', 'hgv', 'coach'),
    mass_t: fc.constantFrom(2, 3.5, 3.501, 7.5, 7.501, 12, 40),
    wet: fc.boolean(),
    lit: fc.boolean(),
    novice: fc.boolean(),
    chains: fc.boolean(),
    visibility_m: fc.constantFrom(0, 49, 50, 500),
    lanes_per_dir: fc.constantFrom(1, 2, 3),
    sign: fc.constantFrom('274-80', '670-50', 'B14-110', '282', '30', 'nonsense'),
    gantry: fc.constantFrom('100', '100|80', '60ring', '40amber', 'redx', 'end', 'blank'),
  },
  { requiredKeys: ['road'] },
);
const places = fc.constantFrom('DEU', 'GBR', 'GBR/SCT', 'GBR/WLS', 'FRA', 'FRA-75056');

t.test(
  'properties: caps never raise, order of packs is nothing, every answer is cited or says that it knows none',
  async (t) => {
    const reversed = new Map([...shipped].reverse());
    fc.assert(
      fc.property(places, contexts, (place, context) => {
        const answer = ask(shipped, place, context);
        const again = ask(reversed, place, context);
        const { chains: _, ...without } = { ...context, chains: undefined };
        const chained = ask(shipped, place, { ...without, chains: true });
        const plain = ask(shipped, place, { ...without, chains: false });
        const isCapped =
          chained.limit === null
            ? plain.limit === null
            : plain.limit === null || chained.limit.mps <= plain.limit.mps;
        return (
          isCapped &&
          again.limit?.value === answer.limit?.value &&
          again.legal_action === answer.legal_action &&
          answer.confidence <= 0.95
        );
      }),
      { numRuns: 1500 },
    );
    t.end();
  },
);

t.test(
  'a number that no sign can show is no limit, and a part that nobody knows excludes no other',
  async (t) => {
    const number = (jurisdiction: string, context: object): unknown =>
      ask(shipped, jurisdiction, context).limit?.value;
    for (const sign of ['274-999', '274-0', '274-161', '999'])
      t.equal(number('DEU', { road: 'urban', sign }), 50, sign);
    t.equal(number('GBR/ENG', { road: 'motorway', sign: '670-120' }), 70, 'km/h read as mph');
    t.equal(number('GBR/ENG', { road: 'motorway', gantry: '120ring' }), 70);
    t.equal(number('GBR/CARDIFF', { road: 'urban', lit: true }), 20);
    t.equal(number('GBR/WLS/CARDIFF', { road: 'urban', lit: true }), 20);
    t.equal(number('GBR/ENG', { road: 'urban', lit: true }), 30);
  },
);
