/** Signs that a question names, as codes of the country's own table: "Schild zeigt 80 mit Zusatz bei Nässe". */

import type { SignMeaning } from '../../../daemon/core/signs/sign-meanings.js';
import type { FlatContext } from '../evaluate/flat-context.js';
import type { Concept } from '../lexicon/concepts.js';
import { plainText } from '../retrieval/tokenise.js';
import type { PlateMeaning } from '../signs/meanings.js';
import type { SignTable } from '../signs/sign-table.js';
import { isDenied } from './denial.js';
import type { Question } from './read-question.js';

/** The first that is named counts; with a number where the sign carries one. */
const signsByName: readonly (readonly [Concept, SignMeaning, boolean])[] = [
  ['sign.zone', 'zone_start', true],
  ['sign.max_speed', 'max_speed', true],
  ['sign.town', 'town_start', false],
  ['sign.town_end', 'town_end', false],
  ['topic.stop_sign', 'stop', false],
  ['topic.give_way_sign', 'give_way', false],
  ['sign.green_arrow', 'turn_on_red', false],
  ['topic.roundabout', 'roundabout', false],
];
const plates: readonly (readonly [Concept, readonly PlateMeaning[]])[] = [
  ['sign.plate_wet', ['wet', 'rain']],
];

export function statedSigns(question: Question, table: SignTable | null, given: FlatContext): FlatContext {
  if (table === null || given.sign !== undefined || given.gantry !== undefined) return {};
  const gantry = gantryOf(question);
  if (gantry !== null) return { gantry };
  if (says(question, 'sign.gantry')) return {};
  const codeOf = (meaning: SignMeaning): string | undefined =>
    table.signs.find((row) => row.meaning === meaning)?.code;
  for (const [concept, meaning, isValued] of signsByName) {
    if (!says(question, concept)) continue;
    const value = isValued ? valueNear(question, concept) : null;
    const code = codeOf(meaning);
    if (code === undefined || (isValued && value === null)) continue;
    const sign = isValued ? `${code}-${value}` : code;
    if (meaning !== 'max_speed') return { sign };
    return { sign, ...plateOf(question, table, given) };
  }
  return {};
}

function says(question: Question, concept: Concept): boolean {
  const found = question.concepts.get(concept);
  return found !== undefined && !isDenied(question, found);
}

/** Faces over the lanes in words; which number is over the own lane is not read, so the lowest will hold. */
function gantryOf(question: Question): string | null {
  if (says(question, 'sign.red_x')) return 'redx';
  if (says(question, 'sign.lane_arrow') && !says(question, 'topic.turn_on_red')) return 'yellow_arrow';
  if (!says(question, 'sign.gantry')) return null;
  const kind = says(question, 'sign.mandatory_ring') ? 'ring' : '';
  const faces = postedValues(plainText(question.text)).map(({ value }) => `${value}${kind}`);
  return faces.length === 0 ? null : faces.slice(0, mostFaces).join('|');
}

const mostFaces = 8;

function plateOf(question: Question, table: SignTable, given: FlatContext): { plate?: string } {
  if (given.plate !== undefined) return {};
  for (const [concept, meanings] of plates) {
    if (!says(question, concept)) continue;
    const row = table.plates.find(({ meaning }) => (meanings as readonly string[]).includes(meaning));
    if (row) return { plate: row.code };
  }
  return {};
}

/**
 * Numbers that a limit sign can show: 5 to 150 in steps of five, with no other unit than a speed's behind them. `30er`,
 * `Tempo-30-Zone` and `zone-30` name one too; `22-6` is a span.
 */
function postedValues(text: string): PostedValue[] {
  const pattern =
    /(?<![\p{L}\p{N}.,:])(?<!\d\s?[–-]\s?)(\d{1,3})(?:'?er(?!\p{L}))?(?![\d.,:]\d|[\p{L}\p{N}]|\s?[–-]\s?\d)(?:\s?(km\/?h|mph|kph))?/giu;
  const values: PostedValue[] = [];
  for (const match of text.matchAll(pattern)) {
    const value = Number(match[1]);
    const end = match.index + match[0].length;
    const isOther =
      /^\s?(?:t|to|tonn\p{L}*|kg|m|met\p{L}*|mètres?|uhr|h|uur|%|cm|jahr\p{L}*|years?)(?!\p{L})/iu.test(
        text.slice(end),
      );
    if (value >= 5 && value <= 150 && value % 5 === 0 && !isOther)
      values.push({ value, start: match.index, end });
  }
  return values;
}

interface PostedValue {
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

/** As many letters may stand between a sign and its number: "das Schild am Ortsausgang zeigt jetzt 70". */
const farthest = 40;

/** The number that stands by the words of the sign: "I do 120 and the sign says 80" is about 80, "is 110 allowed" none. */
function valueNear({ concepts, tokens, text }: Question, concept: Concept): number | null {
  const places = concepts.get(concept)?.at ?? [];
  const words = places.flatMap((place) => tokens[place] ?? []);
  if (words.length === 0) return null;
  const from = Math.min(...words.map(({ start }) => start));
  const to = Math.max(...words.map(({ end }) => end));
  const plain = plainText(text);
  const values = postedValues(plain);
  const isOneSentence = (a: number, b: number): boolean => !/[.!?;]\s/.test(plain.slice(a, b));
  const inside = values.find(({ start, end }) => end >= from && start <= to);
  const after = values.find(({ start }) => start >= to && start - to <= farthest && isOneSentence(to, start));
  const before = values.findLast(
    ({ end }) => end <= from && from - end <= farthest && isOneSentence(end, from),
  );
  return (inside ?? after ?? before)?.value ?? null;
}
