/** λ: the same on every machine, kept with what it was chosen by, chosen anew when a pack changes; vectors on disk. */
import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { lintPack } from '../../mcp/rules/authoring/lint-pack.js';
import { loadRulepack, loadRulepacks } from '../../mcp/rules/format/load-pack.js';
import type { Rulepack } from '../../mcp/rules/format/rulepack.js';
import { HashedSubwordEncoder } from '../../mcp/rules/retrieval/hashed-subword-encoder.js';
import { smallestEven, tuneFamily } from '../../mcp/rules/retrieval/tuning.js';
import { tuningCache } from '../../mcp/rules/retrieval/tuning-cache.js';
import { vectorCache } from '../../mcp/rules/retrieval/vector-cache.js';

const packs = loadRulepacks(packageFile('rulepacks'));
const encoder = new HashedSubwordEncoder();

function base(id: string, from: ReadonlyMap<string, Rulepack> = packs): Rulepack {
  const pack = from.get(id);
  if (!pack) throw new Error(`no pack ${id}`);
  return pack;
}

t.test('the same packs give the same λ, with the whole grid as evidence', async (t) => {
  const first = await tuneFamily(packs, base('FRA'), encoder);
  const again = await tuneFamily(new Map(packs), base('FRA'), encoder);
  t.strictSame(again, first);
  t.equal(first.grid.length, 21);
  t.equal(first.ndcg5, first.grid.find(({ lambda }) => lambda === first.lambda)?.ndcg5);
  t.ok(first.queries > 10 && first.scoreFloor > 0);
});

t.test('a larger λ has to be better by more than chance', async (t) => {
  const half = [1, 0, 1, 0, 1, 0, 1, 0];
  t.equal(smallestEven([half, half]), 0, 'a tie');
  t.equal(smallestEven([half, [1, 1, 1, 0, 1, 0, 1, 0]]), 0, 'one question of eight');
  t.equal(smallestEven([half, [1, 1, 1, 1, 1, 1, 1, 0]]), 1, 'three of eight');
  t.equal(
    smallestEven([half, [1, 1, 1, 1, 1, 1, 1, 0], [1, 1, 1, 1, 1, 1, 1, 1]]),
    1,
    'and one more is chance again',
  );
  t.equal(smallestEven([half, [0, 0, 0, 0, 0, 0, 0, 0]]), 0);
});

t.test(
  'it is kept in a file, and chosen anew when the pack, the words or the encoder are others',
  async (t) => {
    const folder = t.testdir({ packs: {}, cache: {} });
    const cache = join(folder, 'cache');
    const told: string[] = [];
    const open = () => tuningCache(cache, (message) => told.push(message));
    t.equal((await open().tuned(packs, base('POL'), encoder)).wasCached, false);
    const second = await open().tuned(packs, base('POL'), encoder);
    t.equal(second.wasCached, true);
    t.equal((await open().tuned(packs, base('POL'), encoder, true)).wasCached, false, 'forced');
    const [file = ''] = readdirSync(cache);
    const stored = JSON.parse(readFileSync(join(cache, file), 'utf8')) as Record<string, unknown>;
    t.match(stored, { pack: 'POL', encoder_id: encoder.id, lambda: second.evidence.lambda });
    t.equal((stored['grid'] as unknown[]).length, 21);

    const copy = join(folder, 'packs', 'POL');
    cpSync(packageFile('rulepacks', 'POL'), copy, { recursive: true });
    appendFileSync(join(copy, 'lex', readdirSync(join(copy, 'lex'))[0] ?? ''), '\n# changed\n');
    const changed = loadRulepack(copy);
    const others = new Map([['POL', changed]]);
    t.equal((await open().tuned(others, changed, encoder)).wasCached, false, 'a changed file');
    t.equal((await open().tuned(others, changed, encoder)).wasCached, true);
    t.equal((await open().tuned(packs, base('POL'), encoder)).wasCached, false, 'and back again');
    t.strictSame(told, []);

    writeFileSync(join(cache, file), '{"key":');
    t.equal((await open().tuned(packs, base('POL'), encoder)).wasCached, false);
    t.match(told, [/is damaged: tuned anew/]);
    t.equal((await open().tuned(packs, base('POL'), encoder)).wasCached, true, 'mended');
  },
);

t.test('where nothing can be written, tuning and vectors are still there', async (t) => {
  const file = join(t.testdir({ plain: 'a file' }), 'plain');
  const told: string[] = [];
  const tell = (message: string): void => void told.push(message);
  const { evidence } = await tuningCache(join(file, 'below'), tell).tuned(packs, base('FRA'), encoder);
  t.ok(evidence.queries > 0);
  vectorCache(join(file, 'below'), tell).write('hash', encoder, await encoder.encode(['a']));
  t.match(told, [/tuning is not kept/, /vectors are not kept/]);
});

t.test('vectors are read back as they were written, and only whole', async (t) => {
  const folder = t.testdir({});
  const told: string[] = [];
  const cache = vectorCache(folder, (message) => told.push(message));
  const vectors = await encoder.encode(['Rettungsgasse', 'Winterreifen', 'phone']);
  t.equal(cache.read('hash', encoder, 3), null, 'not made yet');
  cache.write('hash', encoder, vectors);
  t.strictSame(cache.read('hash', encoder, 3), vectors);
  t.equal(cache.read('other', encoder, 3), null);
  const [name = ''] = readdirSync(folder);
  const bytes = readFileSync(join(folder, name));
  for (const damage of [bytes.subarray(0, 40), Buffer.alloc(0), Buffer.concat([bytes, Buffer.from([0])])]) {
    writeFileSync(join(folder, name), damage);
    t.equal(cache.read('hash', encoder, 3), null);
  }
  const flipped = Buffer.from(bytes);
  flipped[100] = (flipped[100] ?? 0) ^ 1;
  writeFileSync(join(folder, name), flipped);
  t.equal(cache.read('hash', encoder, 3), null, 'one bit');
  t.equal(told.filter((message) => message.includes('is damaged')).length, 4);
});

t.test('a thesaurus that does not hold together is told with its place', async (t) => {
  const folder = join(t.testdir({}), 'POL');
  cpSync(packageFile('rulepacks', 'POL'), folder, { recursive: true });
  writeFileSync(join(folder, 'lex', 'thesaurus.xx-pl.yaml'), 'from: xx\nto: pl\nentries: []\n');
  const findings = lintPack(folder, new Map(), '2026-11-30');
  const [found] = findings.filter(({ severity }) => severity === 'error');
  t.match(found, { location: { file: /thesaurus\.xx-pl\.yaml$/, line: 1, key: 'from' } });
});
