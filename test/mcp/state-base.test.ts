/** A base pack of a part of a country: where the states make the law, no state's limit is told in another. */
import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { loadRulepacks } from '../../mcp/rules/format/load-pack.js';
import { lookupLimit } from '../../mcp/rules/rules-expert.js';
import { drivemcp } from '../helpers/command.js';

const packs = loadRulepacks(packageFile('rulepacks'));
const ask = (jurisdiction: string, context: object) =>
  lookupLimit(packs, { jurisdiction, as_of: '2026-11-30', context });

t.test('California answers by every spelling of its name', async (t) => {
  for (const name of ['USA-CA', 'US-CA', 'USA/CA', 'us/ca', 'USA-CA-v1'])
    t.match(ask(name, { road: 'freeway' }), { limit: { value: 65, unit: 'mph' } }, name);
  t.match(ask('US-CA-LA', { road: 'residential' }), {
    limit: { value: 25 },
    nature: 'prima_facie',
  });
});

t.test('another state, or none, has no pack: no limit is invented', async (t) => {
  for (const name of ['US', 'USA', 'US-TX', 'USA/NV', 'CA', 'USA-CALIFORNIA'])
    t.match(
      ask(name, { road: 'freeway', sign: 'R2-1-65' }),
      { limit: null, legal_action: 'unknown_conservative', degraded: ['missing'] },
      name,
    );
});

t.test('what is posted says whether it is absolute or presumed', async (t) => {
  t.match(ask('US-CA', { road: 'freeway', sign: 'R2-1-70' }), { nature: 'absolute', limit: { value: 70 } });
  t.match(ask('US-CA', { road: 'urban', sign: 'R2-1-40' }), { nature: 'prima_facie', limit: { value: 40 } });
  t.match(ask('DEU', { road: 'urban', sign: '274-30' }), { nature: 'absolute' });
});

t.test(
  'rules packs: how many rules of each pack were read where, for people and for the README',
  async (t) => {
    const env = { DRIVEMCP_STATE: t.testdir() };
    const rows = (await drivemcp(['rules', 'packs', '--json'], { env })).objects();
    t.equal(rows.length, packs.size);
    const { stdout } = await drivemcp(['rules', 'packs', '--markdown'], { env });
    for (const { id, rules, certainty, driving_side, unit, text } of rows as unknown as {
      id: string;
      rules: number;
      certainty: Record<string, number>;
      driving_side: string;
      unit: string;
      text: { official: number; paraphrase: number };
    }[]) {
      t.equal((certainty['A'] ?? 0) + (certainty['B'] ?? 0) + (certainty['C'] ?? 0), rules, id);
      const row = stdout.split('\n').find((line) => line.startsWith(`| \`${id}\` |`));
      t.match(
        row,
        `${driving_side}, ${unit} | ${rules} | ${certainty['A']} | ${certainty['B']} | ${certainty['C']} |`,
      );
      t.match(row, text.official + text.paraphrase === 0 ? 'cites its base' : 'own words', id);
    }
  },
);
