/** Spelt numbers of a speed sign (5 to 150) in English, German, French, Italian and Chinese, turned into digits. */

/** Stands before digits that were words, so that later steps know that the sign's own digits were not seen. */
export const wordMark = '\u0001';

const english = [
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  ),
  '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' '),
] as const;
const german = [
  'null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn'.split(
    ' ',
  ),
  '- - zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(' '),
] as const;
const french = [
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf'.split(
    ' ',
  ),
  '- - vingt trente quarante cinquante soixante - - -'.split(' '),
] as const;
const italian = [
  'zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove'.split(
    ' ',
  ),
  '- - venti trenta quaranta cinquanta sessanta settanta ottanta novanta'.split(' '),
] as const;
const chinese = '〇一二三四五六七八九'.split('');

type Vocabulary = readonly [readonly string[], readonly string[]];
const unit = (words: Vocabulary, n: number): string => words[0][n] ?? '';
const ten = (words: Vocabulary, n: number): string => words[1][n] ?? '';

function spellEnglish(n: number): string[] {
  if (n >= 100) {
    const rest = n - 100;
    if (rest === 0) return ['one hundred', 'a hundred', 'hundred'];
    return spellEnglish(rest).flatMap((tail) => [
      `one hundred and ${tail}`,
      `one hundred ${tail}`,
      `a hundred and ${tail}`,
      `hundred and ${tail}`,
      `one ${tail}`,
    ]);
  }
  if (n < 20) return [unit(english, n)];
  const head = ten(english, Math.floor(n / 10));
  return n % 10 === 0 ? [head] : [`${head} ${unit(english, n % 10)}`, `${head}${unit(english, n % 10)}`];
}

function spellGerman(n: number): string[] {
  if (n >= 100) {
    const heads = ['einhundert', 'hundert'];
    if (n === 100) return heads;
    return spellGerman(n - 100).flatMap((tail) =>
      heads.flatMap((head) => [head + tail, `${head}und${tail}`, `${head} ${tail}`]),
    );
  }
  if (n < 20) return [unit(german, n)];
  const head = ten(german, Math.floor(n / 10));
  return n % 10 === 0 ? [head] : [`${unit(german, n % 10)}und${head}`, `${unit(german, n % 10)} und ${head}`];
}

function spellFrench(n: number): string[] {
  if (n >= 100) return n === 100 ? ['cent'] : spellFrench(n - 100).map((tail) => `cent ${tail}`);
  if (n < 20) return [unit(french, n)];
  if (n < 70) {
    const head = ten(french, Math.floor(n / 10));
    if (n % 10 === 0) return [head];
    return n % 10 === 1 ? [`${head} et un`] : [`${head} ${unit(french, n % 10)}`];
  }
  const swiss = n < 80 ? ['septante'] : n < 90 ? ['huitante', 'octante'] : ['nonante'];
  const belgian = swiss.map((head) => (n % 10 === 0 ? head : `${head} ${unit(french, n % 10)}`));
  if (n < 80) return [`soixante ${unit(french, n - 60)}`, ...belgian];
  if (n === 80) return ['quatre vingts', 'quatre vingt', ...belgian];
  return [`quatre vingt ${unit(french, n - 80)}`, ...belgian];
}

function spellItalian(n: number): string[] {
  if (n >= 100) return n === 100 ? ['cento'] : spellItalian(n - 100).map((tail) => `cento${tail}`);
  if (n < 20) return [unit(italian, n)];
  const head = ten(italian, Math.floor(n / 10));
  if (n % 10 === 0) return [head];
  const isElided = n % 10 === 1 || n % 10 === 8;
  return [(isElided ? head.slice(0, -1) : head) + unit(italian, n % 10)];
}

function spellChinese(n: number): string[] {
  if (n >= 100) {
    const rest = n - 100;
    return rest === 0 ? ['一百'] : spellChinese(rest).map((tail) => `一百${tail}`);
  }
  const units = n % 10 === 0 ? '' : (chinese[n % 10] ?? '');
  const tens = Math.floor(n / 10);
  if (tens === 0) return [units];
  return tens === 1 ? [`十${units}`, `一十${units}`] : [`${chinese[tens] ?? ''}十${units}`];
}

const plain = (words: string): string =>
  words
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .replace(/[-\s]+/g, ' ');

interface SpeltNumbers {
  readonly latin: ReadonlyMap<string, number>;
  readonly latinPattern: RegExp;
  readonly chinese: ReadonlyMap<string, number>;
  readonly chinesePattern: RegExp;
}

let table: SpeltNumbers | undefined;

/** Built on first use: 146 numbers in five languages. */
function speltNumbers(): SpeltNumbers {
  if (table) return table;
  const latin = new Map<string, number>();
  const han = new Map<string, number>();
  for (let n = 150; n >= 5; n--) {
    for (const spell of [spellEnglish, spellGerman, spellFrench, spellItalian]) {
      // "ein", "six", "otto" and the like are ordinary words; only from ten on is a word alone a number
      for (const word of spell(n)) if (n >= 10 || word.length >= 4) latin.set(plain(word), n);
    }
    for (const word of spellChinese(n)) if (n >= 10) han.set(word, n);
  }
  // German umlauts are also typed as two letters.
  for (const [word, n] of [...latin]) {
    if (word.includes('funf')) latin.set(word.replace('funf', 'fuenf'), n);
    if (word.includes('zwolf')) latin.set(word.replace('zwolf', 'zwoelf'), n);
  }
  const alternation = (words: Iterable<string>): string =>
    [...words]
      .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
      // "dreissig" also stands for "dreißig"
      .map((word) => word.replace(/ /g, '[-\\s]+').replace(/ss/g, '(?:ss|ß)'))
      .join('|');
  table = {
    latin,
    latinPattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternation(latin.keys())})(?![\\p{L}\\p{N}])`, 'giu'),
    chinese: han,
    chinesePattern: new RegExp(alternation(han.keys()), 'gu'),
  };
  return table;
}

/** Numbers below ten are taken for numbers only before a unit ("five mph"), never as "five signs". */
const unitFollows = /^\s*(?:km|kilom|mph|miles?\s+(?:per|an)|mi\/h|chilom|公里)/i;

/** The text with spelt numbers as digits, each behind {@link wordMark}. */
export function digitsForWords(text: string): string {
  const { latin, latinPattern, chinese: han, chinesePattern } = speltNumbers();
  // Accents are folded letter by letter, so that positions stay those of the text.
  const folded = Array.from(text, (letter) => {
    const base = letter.normalize('NFD').replace(/\p{M}/gu, '');
    return base.length === letter.length ? base : letter;
  }).join('');
  const source = folded.length === text.length ? folded : text;
  let result = '';
  let at = 0;
  for (const match of source.matchAll(latinPattern)) {
    const n = latin.get(plain(match[0].toLowerCase()));
    if (n === undefined || match.index < at) continue;
    const end = match.index + match[0].length;
    if (n < 10 && !unitFollows.test(text.slice(end))) continue;
    result += text.slice(at, match.index) + wordMark + String(n);
    at = end;
  }
  result += text.slice(at);
  return result.replace(chinesePattern, (word) => wordMark + String(han.get(word) ?? word));
}
