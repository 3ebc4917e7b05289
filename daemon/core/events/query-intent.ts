/**
 * What a driver's question is about, by the words in it. The text is untrusted: it selects one of three
 * experts and goes nowhere else.
 */
export type QueryIntent = 'law' | 'road' | 'car';

/** Stems by language; the first group that matches in this order wins, the law where none does. */
const stems: readonly (readonly [QueryIntent, readonly string[]])[] = [
  [
    'car',
    ['tyre', 'tire', 'brake', 'engine', 'oil', 'battery', 'coolant', 'warning light', 'my car', 'health'],
  ],
  [
    'car',
    ['reifen', 'bremse', 'motor', 'öl', 'batterie', 'kühlwasser', 'warnleuchte', 'mein auto', 'zustand'],
  ],
  ['road', ['slippery', 'grip', 'ice', 'icy', 'wet', 'rain', 'snow', 'weather', 'road condition']],
  ['road', ['glatt', 'rutschig', 'eis', 'nass', 'regen', 'schnee', 'wetter', 'straßenzustand']],
  ['law', ['limit', 'allowed', 'how fast', 'speed', 'overtake', 'lane', 'law', 'rule']],
  ['law', ['tempo', 'erlaubt', 'wie schnell', 'darf', 'überholen', 'spur', 'regel']],
];

export function queryIntent(text: string): QueryIntent {
  // toLowerCase (not toLocaleLowerCase) follows the Unicode default mapping everywhere.
  const words = text.toLowerCase();
  for (const [intent, candidates] of stems) {
    for (const stem of candidates) if (hasWord(words, stem)) return intent;
  }
  return 'law';
}

/** A stem counts at the start of a word, so that "price" is not ice. */
function hasWord(text: string, stem: string): boolean {
  for (let at = text.indexOf(stem); at >= 0; at = text.indexOf(stem, at + 1)) {
    if (at === 0 || !isLetter(text[at - 1] as string)) return true;
  }
  return false;
}

function isLetter(char: string): boolean {
  return char.toLowerCase() !== char.toUpperCase();
}
