/** A question that nobody wants any more stops being worked on, and keeps nobody else waiting meanwhile. */
import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { type AskMeans, answerQuestion } from '../../mcp/rules/ask/answer-question.js';
import { loadRulepacks } from '../../mcp/rules/format/load-pack.js';
import { HashedSubwordEncoder } from '../../mcp/rules/retrieval/hashed-subword-encoder.js';
import type { PassageEncoder } from '../../mcp/rules/retrieval/passage-encoder.js';
import { tuningCache } from '../../mcp/rules/retrieval/tuning-cache.js';
import type { RulepackSet } from '../../mcp/rules/rules-expert.js';
import { giveTurn } from '../../mcp/shared/give-turn.js';
import { SharedWork, sharedWork } from '../../mcp/shared/shared-work.js';
import { RawStdio } from './raw-stdio.js';

const builtIn = loadRulepacks(packageFile('rulepacks'));
/** A set that nothing is known of yet: its index, vectors and weights are made anew. */
const freshPacks = (): RulepackSet => new Map(builtIn);

const question = {
  query: 'Wie schnell darf ich mit Anhänger auf der Landstraße fahren?',
  jurisdiction: 'DEU',
  asOf: '2026-11-30',
  language: null,
  context: {},
  passageCount: 5,
} as const;

/** Counts what is encoded, and calls `at` before each text. */
class CountingEncoder implements PassageEncoder {
  readonly #inner = new HashedSubwordEncoder();
  readonly id = 'counting';
  readonly dimensions = this.#inner.dimensions;
  readonly randomCosine = this.#inner.randomCosine;
  encoded = 0;
  constructor(readonly at: (encoded: number) => void = () => {}) {}
  async encode(texts: readonly string[], _role?: string, signal?: AbortSignal): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const text of texts) {
      this.at(this.encoded++);
      await giveTurn(signal);
      vectors.push(...(await this.#inner.encode([text])));
    }
    return vectors;
  }
  async close(): Promise<void> {}
}

const meansOf = (encoder: PassageEncoder): AskMeans => ({
  encoder,
  vectors: null,
  tuning: tuningCache(null, () => {}).source,
});

t.test('withdrawn at any step, a question ends with the reason and its work with it', async (t) => {
  const whole = new CountingEncoder();
  await answerQuestion(freshPacks(), question, meansOf(whole));
  t.ok(whole.encoded > 100, `${whole.encoded} texts where nothing is known`);
  for (const share of [0, 0.1, 0.5, 0.9]) {
    const abort = new AbortController();
    const at = Math.floor(share * whole.encoded);
    const encoder = new CountingEncoder((encoded) => {
      if (encoded === at) abort.abort(new Error('not wanted'));
    });
    await t.rejects(answerQuestion(freshPacks(), question, meansOf(encoder), abort.signal), {
      message: 'not wanted',
    });
    for (let i = 0; i < 50; i++) await giveTurn();
    t.ok(encoder.encoded <= at + 2, `after text ${at} nothing more is encoded (${encoder.encoded})`);
  }
  const before = AbortSignal.abort(new Error('never wanted'));
  const idle = new CountingEncoder();
  await t.rejects(answerQuestion(freshPacks(), question, meansOf(idle), before), { message: 'never wanted' });
  t.equal(idle.encoded, 0);
});

t.test('who leaves does not take the work away from who stays', async (t) => {
  const packs = freshPacks();
  const abort = new AbortController();
  const encoder = new CountingEncoder((encoded) => {
    if (encoded === 20) abort.abort(new Error('not wanted'));
  });
  const means = meansOf(encoder);
  const leaves = answerQuestion(packs, question, means, abort.signal);
  const stays = answerQuestion(packs, question, means, new AbortController().signal);
  await t.rejects(leaves, { message: 'not wanted' });
  t.ok((await stays).passages.length > 0);
  t.ok((await answerQuestion(packs, question, means)).passages.length > 0, 'and what was made is kept');
});

t.test('shared work: begun anew after everybody left or it failed, joined otherwise', async (t) => {
  const works = new Map<string, SharedWork<number>>();
  let started = 0;
  const start = async (signal: AbortSignal): Promise<number> => {
    const own = ++started;
    for (let i = 0; i < 3; i++) await giveTurn(signal);
    if (own === 2) throw new Error('failed');
    return own;
  };
  const first = new AbortController();
  const leaving = sharedWork(works, 'k', start).wait(first.signal);
  first.abort(new Error('gone'));
  await t.rejects(leaving, { message: 'gone' });
  await t.rejects(sharedWork(works, 'k', start).wait(), { message: 'failed' });
  const joined = await Promise.all([
    sharedWork(works, 'k', start).wait(),
    sharedWork(works, 'k', start).wait(new AbortController().signal),
  ]);
  t.same(joined, [3, 3]);
  t.equal(await sharedWork(works, 'k', start).wait(), 3, 'kept');
  await t.rejects(sharedWork(works, 'k', start).wait(AbortSignal.abort(new Error('late'))), {
    message: 'late',
  });
  t.notOk(new SharedWork(async () => 1).isOver);
});

t.test(
  'a server at its first search answers others meanwhile; a withdrawn search has no answer',
  async (t) => {
    const client = new RawStdio(t, ['rules', '--state', t.testdir()]);
    await client.open();
    const { query, jurisdiction } = question;
    const search = { name: 'rules_search', arguments: { query, jurisdiction } };
    const searching = new Promise<void>((resolve) => {
      client.child.stdout.on('data', (chunk: Buffer) => {
        if (chunk.includes('"message":"searching"')) resolve();
      });
    });
    const first = client.send('tools/call', { ...search, _meta: { progressToken: 'p' } });
    await searching;
    t.notOk((await client.ask('tools/list', {})).error);
    t.notOk(client.answers.has(first), 'the list comes while the search is at work');
    client.write(
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: first } }),
    );
    t.notOk(
      (await client.call('rules_search', search.arguments)).result?.isError,
      'the next one is answered',
    );
    t.notOk(client.answers.has(first), 'the withdrawn one is not');
  },
);
