/** The words of drivers: every file loads, longer phrases go first, and a question is understood in each language. */
import fc from 'fast-check';
import t from 'tap';
import { readQuestion } from '../../mcp/rules/ask/read-question.js';
import { conductTopics } from '../../mcp/rules/format/vocabulary.js';
import type { Concept } from '../../mcp/rules/lexicon/concepts.js';
import { detectLanguage } from '../../mcp/rules/lexicon/detect-language.js';
import { findConcepts } from '../../mcp/rules/lexicon/find-concepts.js';
import { compileLexicon, languageOf, lexiconOf } from '../../mcp/rules/lexicon/load-lexicons.js';
import { type Language, languages } from '../../mcp/rules/retrieval/stem-word.js';
import { tokenise } from '../../mcp/rules/retrieval/tokenise.js';

t.test('every language has words for everything that a question may be about', async (t) => {
  // A rule about rain or fog goes with the limit: no question is about conduct because of the weather.
  const none = new Set(['topic.rain', 'topic.fog']);
  const needed = [
    'ask.limit',
    'ask.meaning',
    'ask.negation',
    'road.urban',
    'road.rural',
    'road.motorway',
    'vehicle.car_trailer',
    'vehicle.hgv',
    'vehicle.coach',
    'vehicle.motorhome',
    'fact.wet',
    'fact.fog',
    'fact.novice',
    'fact.chains',
    ...conductTopics.map((topic) => `topic.${topic}`),
  ].filter((concept) => !none.has(concept));
  for (const language of languages) {
    const lexicon = lexiconOf(language);
    const has = new Set<string>(lexicon.phrases.map(({ concept }) => concept));
    t.strictSame(
      needed.filter((concept) => !has.has(concept)),
      [],
      language,
    );
    t.ok(lexicon.functionWords.size > 40, language);
  }
});

t.test('phrases: rows, wildcards, gaps, both somewhere; a longer one takes its words away', async (t) => {
  const lexicon = compileLexicon({
    lang: 'en',
    function_words: 'the a',
    concepts: {
      'vehicle.coach': 'bus',
      'topic.school_bus': 'school bus',
      'topic.undertaking': 'pass ~ left',
      'topic.winter_tyres': 'winter*',
      'topic.tunnel_lights': 'tunnel + lights',
    },
  });
  const found = (text: string): Concept[] => [...findConcepts(tokenise(text, 'en'), lexicon).keys()].sort();
  t.strictSame(found('the school bus stops'), ['topic.school_bus']);
  t.strictSame(found('a bus stops at the school'), ['vehicle.coach']);
  t.strictSame(found('may I pass slower cars on the left'), ['topic.undertaking']);
  t.strictSame(found('pass one two three four five left'), [], 'too far apart');
  t.strictSame(found('WINTERTIME'), ['topic.winter_tyres']);
  t.strictSame(found('lights on in the tunnel'), ['topic.tunnel_lights']);
  t.strictSame(found(''), []);
});

const questions: readonly (readonly [Language, string, string | null])[] = [
  ['de', 'Wie viel Platz lasse ich einem Radler beim Überholen?', 'cyclist_gap'],
  ['de', 'Kreisverkehr in Polen, wer hat Vorrang?', 'roundabout'],
  ['de', 'Wie schnell darf ich mit Wohnwagen auf die Autobahn?', null],
  ['en', 'Can I hold my phone at a red light?', 'phone'],
  ['en', 'Two lanes become one, who goes first?', 'zip_merge'],
  ['en', '55 or 65 on a two lane undivided road?', null],
  ['fr', 'Dépasser par la droite dans un bouchon ?', 'undertaking'],
  ['fr', 'Feux de brouillard sous la pluie ?', 'rear_fog_lamp'],
  ['fr', 'Camping-car de 4 tonnes sur autoroute', null],
  ['nl', 'Moet ik ritsen bij een versmalling?', 'zip_merge'],
  ['nl', 'Hoe hard in een woonerf?', null],
  ['it', 'Devo tenere le luci accese di giorno?', 'daytime_lights'],
  ['it', 'Neopatentato in autostrada, limite?', null],
  ['es', '¿Puedo girar a la derecha con el semáforo en rojo?', 'turn_on_red'],
  ['es', 'Coche con remolque en autovía', null],
  ['pl', 'Korytarz życia na autostradzie', 'emergency_corridor'],
  ['pl', 'Ile mogę jechać autostradą?', null],
  ['cs', 'Kdo má přednost na křižovatce bez značek?', 'unmarked_junction'],
  ['cs', 'Karavan za autem mimo město', null],
];

t.test('questions are read in the language they are asked in', async (t) => {
  for (const [language, text, topic] of questions) {
    t.equal(readQuestion(text, language, {}).topics[0] ?? null, topic, text);
    t.equal(detectLanguage(text, 'en'), language, text);
  }
  t.equal(languageOf('de-AT'), 'de');
  t.equal(languageOf('xx'), null);
});

t.test('reading never fails, and the same text is always read the same way', async () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.constantFrom(...languages),
      (text, language) => {
        const read = (): string => JSON.stringify(readQuestion(text, language, {}).topics);
        const first = read();
        return read() === first;
      },
    ),
    { numRuns: 200 },
  );
});
