import fc from 'fast-check';
import t from 'tap';
import { askTexts, fillText, levelOneMaxChars } from '../../mcp/drivemcp/ask/ask-texts.js';
import { type AskIntent, askLanguages } from '../../mcp/drivemcp/ask/lexicon/intents.js';
import { readIntent } from '../../mcp/drivemcp/ask/question-intent.js';
import { askPhraseNames } from '../../mcp/drivemcp/ask/texts/schema.js';
import { legalActions } from '../../mcp/rules/format/vocabulary.js';

const questions: Readonly<
  Record<(typeof askLanguages)[number], Readonly<Record<AskIntent, readonly string[]>>>
> = {
  en: {
    law: [
      'How fast may I drive here?',
      'What is the speed limit?',
      'Can I turn right on red?',
      'Who has the right of way at this junction?',
      'May I overtake on the right?',
      'What gap must I keep?',
      'Do I have to use my lights?',
      'Is it legal to park here?',
    ],
    road: [
      'Is it slippery?',
      'Is there ice on the road?',
      'How is the grip?',
      'What is the weather like?',
      'Is the road surface wet?',
      'Could I be aquaplaning?',
    ],
    car: [
      'Why is the engine light on?',
      'Is my car ok?',
      'What is wrong with the car?',
      'Are my tyres low?',
      'What does the oil lamp mean?',
      'Can I drive on with this fault?',
      'Which trouble codes are there?',
    ],
    sign: ['What does this sign mean?', 'What does that sign say?', 'What is the meaning of this sign?'],
    why: [
      'Why did you warn me?',
      'Why did you brake?',
      'What did you say?',
      'What was the last warning about?',
    ],
  },
  de: {
    law: [
      'Wie schnell darf ich hier?',
      'Welches Tempolimit gilt hier?',
      'Darf ich hier überholen?',
      'Wer hat Vorfahrt?',
      'Welcher Abstand?',
      'Muss ich Winterreifen haben?',
      'Ist Parken hier erlaubt?',
      'Wie schnell mit Anhänger?',
    ],
    road: [
      'Ist es glatt?',
      'Wie ist die Straße, rutschig?',
      'Wie wird das Wetter?',
      'Ist Eis auf der Straße?',
      'Wie lang ist mein Bremsweg?',
      'Wie gut ist die Haftung?',
    ],
    car: [
      'Warum leuchtet die Motorlampe?',
      'Ist mein Auto in Ordnung?',
      'Ist der Reifendruck gut?',
      'Welche Fehlercodes gibt es?',
      'Ist die Batterie leer?',
      'Warum blinkt die Kontrollleuchte?',
      'Muss ich in die Werkstatt?',
    ],
    sign: ['Was bedeutet dieses Schild?', 'Was heißt das Schild da?', 'Was bedeutet das Zusatzschild?'],
    why: [
      'Warum hast du mich gewarnt?',
      'Warum hast du gebremst?',
      'Was hast du gesagt?',
      'Wieso hast du das gesagt?',
    ],
  },
  fr: {
    law: [
      'À quelle vitesse puis-je rouler ici ?',
      'Quelle est la limitation ?',
      'Ai-je le droit de dépasser ?',
      'Qui a la priorité ?',
      'Quelle distance de sécurité ?',
      'Dois-je allumer les feux ?',
      'Puis-je stationner ici ?',
      'Quelle limite avec une remorque ?',
    ],
    road: [
      'Est-ce que ça glisse ?',
      'La route est-elle glissante ?',
      'Y a-t-il du verglas ?',
      'Quelle est l’adhérence ?',
      'Quelle est la météo ?',
      'Quel est l’état de la route ?',
    ],
    car: [
      'Pourquoi le voyant moteur est-il allumé ?',
      'Ma voiture va bien ?',
      'La pression des pneus est-elle bonne ?',
      'Y a-t-il un code défaut ?',
      'La batterie est-elle vide ?',
      'Y a-t-il une panne ?',
    ],
    sign: ['Que signifie ce panneau ?', 'Que veut dire ce panneau ?', 'Que signifie le panonceau ?'],
    why: [
      'Pourquoi m’as-tu averti ?',
      'Pourquoi tu m’as averti ?',
      'Pourquoi as-tu freiné ?',
      'Quel était le dernier avertissement ?',
    ],
  },
};

t.test('questions of drivers are read by intent and language', async (t) => {
  for (const language of askLanguages) {
    for (const [intent, texts] of Object.entries(questions[language])) {
      for (const text of texts) {
        const read = readIntent(text, null);
        t.same([read.intent, read.language], [intent, language], text);
        t.equal(readIntent(text.toUpperCase(), null).intent, intent, text.toUpperCase());
        t.equal(readIntent(text.normalize('NFD'), null).intent, intent, 'decomposed');
      }
    }
  }
});

t.test('any text is read as something, always the same', async (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
      const read = readIntent(text, null);
      return JSON.stringify(read) === JSON.stringify(readIntent(text, null));
    }),
  );
  t.same(readIntent('', null), { intent: 'law', language: 'en', matched: [] });
  t.same(readIntent('price', null).matched, [], 'a stem counts at the beginning of a word');
});

t.test('texts of answers: every word of the lists, the same values, first sentences that fit', async (t) => {
  const names = (text: string): string[] => (text.match(/\{[a-z0-9_]+\}/g) ?? []).sort();
  for (const language of askLanguages) {
    const texts = askTexts[language];
    for (const name of askPhraseNames) {
      t.same(names(texts.phrases[name]), names(askTexts.en.phrases[name]), `${language} ${name}`);
    }
    t.same(Object.keys(texts.actions).sort(), [...legalActions].sort());
    for (const action of legalActions) {
      const text = fillText(texts.actions[action] as string, { limit: 130, unit: 'km/h' }, texts);
      t.ok(text.length <= levelOneMaxChars, `${language} ${action}: ${text.length}`);
    }
    t.equal(fillText('{a}', { a: 1.5 }, texts), language === 'en' ? '1.5' : '1,5');
    t.equal(fillText('{l1}', { l1: '$&' }, texts), '$&', 'a value is put in as it is');
    t.throws(() => fillText('{b}', { a: 1 }, texts), /no value for \{b\}/);
  }
});
