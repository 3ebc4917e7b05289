/** The index and the fused score: filters before scoring, quoting, normalisation. */
import fc from 'fast-check';
import t from 'tap';
import { densePart, fused, lexicalPart } from '../../mcp/rules/retrieval/fused-score.js';
import { buildPassageIndex, matchExpression } from '../../mcp/rules/retrieval/passage-index.js';
import type { Passage } from '../../mcp/rules/retrieval/passages.js';
import { provisionId } from '../../mcp/rules/retrieval/passages.js';
import { plainQuestion } from '../../mcp/rules/retrieval/question-text.js';
import { termsOf } from '../../mcp/rules/retrieval/tokenise.js';

function passage(id: string, text: string, more: Partial<Passage> = {}): Passage {
  return {
    id,
    docId: id,
    span: [0, text.length],
    packId: 'DEU',
    language: 'de',
    tier: 'statute',
    title: '',
    cite: id,
    text,
    validFrom: '2013-04-01',
    validUntil: '9999-12-31',
    concepts: [],
    codes: [],
    ...more,
  };
}

const passages = [
  passage('de:stvo:p1', 'Anhänger dürfen außerorts 80 km/h fahren'),
  passage('de:stvo:p2', 'Anhänger Anhänger Anhänger', { packId: 'DEU-TEST' }),
  passage('de:stvo:p3', 'Anhänger nach altem Recht', { validUntil: '2020-01-01' }),
  passage('de:stvo:p4', 'Trailers and caravans, Anhänger', { language: 'en' }),
  passage('de:stvo:p5', 'Rettungsgasse bilden'),
];
const filter = { packIds: ['DEU'], asOf: '2026-11-30', language: null };

t.test('what does not hold there, then or in that language is never scored', async (t) => {
  const index = await buildPassageIndex(passages);
  t.teardown(() => index.close());
  const numbers = (more: Partial<typeof filter> | { language: string }): number[] =>
    [...index.scores(termsOf('Anhänger', 'de'), { ...filter, ...more }).keys()].sort();
  t.strictSame(numbers({}), [0, 3]);
  t.strictSame(numbers({ packIds: ['DEU', 'DEU-TEST'] }), [0, 1, 3]);
  t.strictSame(numbers({ asOf: '2019-12-31' }), [0, 2, 3]);
  t.strictSame(numbers({ asOf: '2020-01-01' }), [0, 3], 'valid_until is the first day without it');
  t.strictSame(numbers({ asOf: '2013-03-31' }), []);
  t.strictSame(numbers({ language: 'en' }), [3]);
  t.strictSame(numbers({ packIds: [] }), []);
  t.strictSame([...index.scores([], filter)], []);
});

t.test('nothing in a question is an operator of the index', async (t) => {
  const index = await buildPassageIndex(passages);
  t.teardown(() => index.close());
  const hostile = [
    'NEAR(',
    'a AND b',
    '"',
    '""',
    '*',
    'a*',
    '-a',
    'title:a',
    '^a',
    "'; DROP TABLE terms; --",
    '😀',
    '\0',
  ];
  for (const term of hostile) t.doesNotThrow(() => index.scores([term], filter), term);
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { maxLength: 12 }), (terms) => {
      index.scores(terms, filter);
      return true;
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      index.scores(termsOf(plainQuestion(text).text, 'de'), filter);
      return /^("[\p{L}\p{N}_]+"( OR )?)*$/u.test(matchExpression(termsOf(text, 'de')));
    }),
  );
  t.equal(index.scores(['rettungsgass'], filter).size, 1, 'and the index is whole afterwards');
});

t.test('a score is in [0, 1], no hit is 0, one weak hit stays weak, noise is not blown up', async (t) => {
  t.equal(lexicalPart(0, 0, 4), 0);
  t.equal(lexicalPart(0, 10, 4), 0);
  t.equal(lexicalPart(10, 10, 4), 1);
  t.equal(lexicalPart(1, 1, 4), 0.25, 'the only hit, far below what a question reaches');
  t.equal(densePart(0.75, 0.75), 0, 'as near as unrelated texts are');
  t.equal(densePart(-0.4, 0.06), 0);
  t.equal(densePart(1, 0.75), 1);
  t.equal(densePart(0.9, 1), 0, 'an encoder to which all texts are the same says nothing');
  const number = fc.double({ min: -1, max: 50, noNaN: true });
  fc.assert(
    fc.property(number, number, fc.double({ min: 0.01, max: 20, noNaN: true }), (score, best, floor) => {
      const part = lexicalPart(score, Math.max(score, best), floor);
      return part >= 0 && part <= 1;
    }),
  );
  const unit = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(unit, unit, unit, (b, c, lambda) => {
      const sum = fused(b, c, lambda);
      return sum >= Math.min(b, c) - 1e-12 && sum <= Math.max(b, c) + 1e-12;
    }),
  );
});

t.test('provision ids are units of the law, not names within the pack', async (t) => {
  t.equal(provisionId('de:stvo:p3', '3.2.c', 8), 'de:stvo:p3.3.2.c');
  t.equal(provisionId('gb:hc:r163', 'cyclists', 2), 'gb:hc:r163');
  t.equal(provisionId('de:stvo:anl2.53', 'n1', 1), 'de:stvo:anl2.53');
  t.equal(provisionId('de:stvo:p26', '1', 1), 'de:stvo:p26', 'the only span is the document');
  t.equal(provisionId('fr-75:arr-bp50-2024', '1', 2), 'fr-75:arr-bp50-2024', 'an act without units');
});

t.test('a question is made plain, and what is dropped is told', async (t) => {
  t.strictSame(plainQuestion('Wie schnell?'), { text: 'Wie schnell?', dropped: [] });
  const steered = plainQuestion('limit\u202e txet \u200bhere\u0007\ud800');
  t.equal(steered.text, 'limit txet here');
  t.equal(steered.dropped.length, 3, steered.dropped.join('; '));
  t.match(plainQuestion('x'.repeat(10_240)).dropped[0], /first 2000 characters \(of 10240\)/);
  for (const empty of ['', '   ', '😀🚗', '???']) t.equal(plainQuestion(empty).dropped.length, 1, empty);
});
