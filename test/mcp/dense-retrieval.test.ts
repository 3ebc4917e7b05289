/** The two encoders that come with the program, and which one a word chooses. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { loadRulepacks } from '../../mcp/rules/format/load-pack.js';
import { bundledModels, knownEncoders } from '../../mcp/rules/retrieval/bundled-encoders.js';
import { defaultEncoder } from '../../mcp/rules/retrieval/default-encoder.js';
import { HashedSubwordEncoder } from '../../mcp/rules/retrieval/hashed-subword-encoder.js';
import { readModelFolder } from '../../mcp/rules/retrieval/model-folder.js';
import { openEncoder } from '../../mcp/rules/retrieval/open-encoder.js';
import { passagesOf } from '../../mcp/rules/retrieval/passages.js';
import { cosine } from '../../mcp/rules/retrieval/unit-vector.js';
import { trainTable } from '../../scripts/encoder/train-table.js';
import { buildVocabulary, foldedWords, Segmenter } from '../../scripts/encoder/word-pieces.js';
import { drivemcp } from '../helpers/command.js';
import { noOnnxRuntime } from '../helpers/tiny-encoder.js';

const packs = loadRulepacks(packageFile('rulepacks'));

t.test('sub-words: length one or zero, the same again, alone and in a batch, any text', async (t) => {
  const encoder = new HashedSubwordEncoder();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { maxLength: 8 }), async (texts) => {
      const together = await encoder.encode(texts);
      for (const [at, vector] of together.entries()) {
        const [alone] = await encoder.encode([texts[at] ?? '']);
        if (vector.length !== encoder.dimensions || vector.some((value, i) => value !== alone?.[i]))
          return false;
        const length = cosine(vector, vector);
        if (length !== 0 && Math.abs(length - 1) > 1e-5) return false;
      }
      return true;
    }),
  );
  const [plural, singular, other] = await encoder.encode([
    'Winterreifen',
    'Winterreifenpflicht',
    'Rettungsgasse',
  ]);
  if (plural && singular && other) t.ok(cosine(plural, singular) > cosine(plural, other) + 0.3);
  await encoder.close();
  await t.rejects(encoder.encode(['x']), { code: 'ENCODER_UNAVAILABLE' });
});

t.test('c₀ of sub-words is what unrelated passages have', async (t) => {
  const encoder = new HashedSubwordEncoder();
  let sum = 0;
  let pairs = 0;
  const all = passagesOf([...packs.values()]);
  // Every seventh, of different documents: enough for two digits.
  const some = all.filter((_, at) => at % 7 === 0);
  const vectors = await encoder.encode(some.map(({ title, text }) => `${title}. ${text}`));
  for (const [i, a] of vectors.entries()) {
    for (const [j, b] of vectors.entries()) {
      if (i <= j || some[i]?.docId === some[j]?.docId) continue;
      sum += cosine(a, b);
      pairs++;
    }
  }
  const found = sum / pairs;
  t.ok(Math.abs(found - encoder.randomCosine) < 0.02, `${found.toFixed(3)} over ${pairs} pairs`);
});

t.test('road-words is the model of its card, small, and told as what it is', async (t) => {
  const folder = join(bundledModels, 'road-words');
  const { manifest, model, tokenizer } = readModelFolder(folder);
  const card = readFileSync(join(folder, 'CARD.md'), 'utf8');
  for (const digest of Object.values(manifest.files))
    t.ok(card.includes(digest), 'the card names the digest');
  t.ok(model.length + tokenizer.length <= 2 * 1024 * 1024);
  t.ok(existsSync(packageFile('scripts', 'encoder', 'make-encoder.ts')));
});

t.test(
  'road-words puts a question nearer to its provision, across languages',
  { skip: noOnnxRuntime },
  async (t) => {
    const encoder = await openEncoder('road-words', { stateDir: null });
    t.teardown(() => encoder.close());
    const triples = [
      [
        'Darf ich das Handy am Steuer benutzen?',
        'using a hand-held mobile phone while driving',
        'gap to the vehicle in front',
      ],
      ['pneus hiver en montagne', 'Winterreifen bei Glatteis', 'Vorfahrt an der Kreuzung'],
      ['Who goes first at a roundabout?', 'Im Kreisverkehr hat Vorfahrt', 'Abblendlicht bei Nebel'],
    ] as const;
    for (const [question, near, far] of triples) {
      const [q, a, b] = [
        (await encoder.encode([question], 'query'))[0],
        ...(await encoder.encode([near, far])),
      ];
      if (!q || !a || !b) throw new Error('no vectors');
      t.ok(
        cosine(q, a) > cosine(q, b) + 0.1,
        `${question}: ${cosine(q, a).toFixed(2)} over ${cosine(q, b).toFixed(2)}`,
      );
    }
  },
);

t.test('training is reproducible and brings pairs together', async (t) => {
  const pairs = [
    ['town limit', 'innerorts tempo'],
    ['rain', 'regen'],
    ['winter tyres', 'winterreifen'],
    ['phone', 'handy'],
  ] as const;
  const counts = new Map(
    pairs
      .flat()
      .flatMap(foldedWords)
      .map((word) => [word, 1]),
  );
  const vocabulary = buildVocabulary(counts, { wordsMaxCount: 50, sharedMinCount: 2, piecesMaxCount: 10 });
  const segmenter = new Segmenter(vocabulary);
  const bag = (text: string): number[] => foldedWords(text).flatMap((word) => segmenter.pieces(word));
  const train = (): Float32Array =>
    trainTable(
      vocabulary.length,
      (random) => {
        const [left, right] = pairs[Math.floor(random() * pairs.length)] ?? ['', ''];
        return { left: bag(left), right: bag(right), group: left };
      },
      { dimensions: 8, steps: 150, batch: 8, temperature: 0.2, rate: 0.02, seed: 1 },
    );
  const table = train();
  t.same(table, train());
  t.ok(
    table.slice(0, 8).every((value) => value === 0),
    'the unknown token means nothing',
  );
  const vector = (text: string): Float32Array => {
    const sum = new Float32Array(8);
    for (const id of bag(text)) for (let i = 0; i < 8; i++) sum[i]! += table[id * 8 + i]!;
    const length = Math.hypot(...sum);
    return sum.map((value) => value / length);
  };
  for (const [left, right] of pairs) {
    for (const [, other] of pairs.filter(([name]) => name !== left))
      t.ok(cosine(vector(left), vector(right)) > cosine(vector(left), vector(other)));
  }
  t.same(segmenter.pieces('w').length, 1, 'single letters are tokens');
  t.same(segmenter.pieces('☃'), [0]);
});

t.test('rules eval names the default encoder and why; the configuration can choose another', async (t) => {
  const state = t.testdir();
  const questions = packageFile('rulepacks', 'FRA', 'tests', 'queries.jsonl');
  const evaluate = () => drivemcp(['rules', 'eval', questions, '--state', state, '--json']);
  const summary = (await evaluate()).objects().at(-1)?.['summary'];
  t.match(summary, {
    encoder: /^subword-/,
    default_encoder: { name: defaultEncoder.name, reason: /held-out/ },
  });
  writeFileSync(join(state, 'drivemcp.toml'), '[rules]\nencoder = "none"\n');
  t.match((await evaluate()).objects().at(-1)?.['summary'], { encoder: null });
  writeFileSync(join(state, 'drivemcp.toml'), '[rules]\nencoder = "not-here"\n');
  const fallen = await evaluate();
  t.match(fallen.objects().at(-1)?.['summary'], { encoder: /^subword-/ });
  t.match(fallen.stderr, /no model 'not-here' here: sub-words are used instead/);
  const named = await drivemcp([
    'rules',
    'ask',
    'x',
    '--jurisdiction',
    'FRA',
    '--encoder',
    'not-here',
    '--state',
    state,
  ]);
  t.equal(named.code, 69, 'an encoder that was asked for by name is not replaced in silence');
});

t.test('known encoders say whose they are, and none of their files is here', async (t) => {
  for (const { name, licence, source } of knownEncoders().values()) {
    t.match(licence, /^(MIT|Apache-2\.0)$/, name);
    t.ok(source.length > 10);
    t.notOk(existsSync(join(bundledModels, name)));
  }
});
