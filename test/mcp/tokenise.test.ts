/** Terms: umlauts both ways, codes whole, and no text that the tokeniser cannot take. */
import fc from 'fast-check';
import t from 'tap';
import { languages, stemWord } from '../../mcp/rules/retrieval/stem-word.js';
import { atomsOf, fold, termsOf, tokenise } from '../../mcp/rules/retrieval/tokenise.js';

const language = fc.constantFrom(...languages);

t.test('any text becomes terms of letters, digits and marks of codes', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), language, (text, of) => {
      for (const term of termsOf(text, of)) {
        if (term === '' || /[\s"*()]/.test(term)) return false;
      }
      return true;
    }),
  );
});

t.test('composed and decomposed letters, and any case, give the same terms', async () => {
  const word = fc.stringMatching(/^[a-zäöüéèñçąęłřšž]{3,12}$/);
  fc.assert(
    fc.property(word, language, (text, of) => {
      const forms = (one: string): string => JSON.stringify(tokenise(one, of).map(({ forms: all }) => all));
      return forms(text.normalize('NFD')) === forms(text) && forms(text.toUpperCase()) === forms(text);
    }),
  );
});

t.test('whoever writes umlauts out, or leaves them off, finds the same word', async () => {
  const bare: Readonly<Record<string, string>> = { ä: 'a', ö: 'o', ü: 'u' };
  const umlautWord = fc.stringMatching(/^[bcdfghklmnprstw]{1,3}[äöü][bcdfghklmnprstw]{1,3}[a-z]{1,4}$/);
  fc.assert(
    fc.property(umlautWord, (word) => {
      const stored = new Set(tokenise(word, 'de')[0]?.forms);
      const written = word.replace(/[äöü]/g, (letter) => `${bare[letter]}e`);
      return tokenise(written, 'de').some(({ forms }) => forms.some((form) => stored.has(form)));
    }),
  );
  for (const [typed, meant] of [
    ['ueberholen', 'überholen'],
    ['Naesse', 'Nässe'],
    ['Rettungsgassen', 'Rettungsgasse'],
    ['überholt', 'überholte'],
  ] as const) {
    const known = new Set(tokenise(meant, 'de')[0]?.forms);
    t.ok(
      tokenise(typed, 'de')[0]?.forms.some((form) => known.has(form)),
      `${typed} finds ${meant}`,
    );
  }
});

t.test('sign codes, section marks and speeds stay whole beside their parts', async (t) => {
  for (const [text, atom] of [
    ['Zeichen 274.1', '274.1'],
    ['Zusatzzeichen 1053-35 darunter', '1053-35'],
    ['article R413-2 du code', 'r413-2'],
    ['§ 3 StVO', '§3'],
    ['§§ 18a und 5', '§18a'],
    ['höchstens 80 km/h', '80km/h'],
    ['30 mph', '30mph'],
    ['panneau B14', 'b14'],
    ['señal R-301', 'r-301'],
  ] as const)
    t.ok(atomsOf(text).includes(atom), `${text} → ${atomsOf(text).join(' ')}`);
  t.notOk(atomsOf('1053-35').includes('1053-3'), 'never a part of a code');
});

t.test('inflected forms meet in every language', async (t) => {
  for (const [of, ...words] of [
    ['de', 'geschwindigkeit', 'geschwindigkeiten'],
    ['en', 'overtaking', 'overtake'],
    ['fr', 'dépasser', 'dépassé'],
    ['nl', 'bestuurder', 'bestuurders'],
    ['it', 'limite', 'limiti'],
    ['es', 'autopista', 'autopistas'],
    ['pl', 'przyczepa', 'przyczepą', 'przyczepy', 'przyczep'],
    ['pl', 'droga', 'drogi', 'drodze'],
    ['cs', 'rychlost', 'rychlosti', 'rychlostí'],
    ['cs', 'dálnice', 'dálnici', 'dálnic'],
  ] as const) {
    const stems = new Set(words.map((word) => fold(stemWord(word, of))));
    t.equal(stems.size, 1, `${of}: ${words.join(', ')} → ${[...stems].join(', ')}`);
  }
});
