/**
 * What the rules expert is asked about a foreign sign. It is told the code of the sign, a form of the glossary or a kind
 * of sign of a closed list: never what was read on it.
 */
import { isoDate } from '../civil-date.js';
import type { SeenForeignSign } from '../signs/seen-foreign-sign.js';
import type { SignMeaning } from '../signs/sign-meanings.js';
import type { SignCategory } from '../world/facts.js';
import type { Question } from './route.js';

/** Null where nothing of the sign is known that a table could have. The date is no part of the key. */
export function signQuestion(seen: SeenForeignSign, wallMs: number): Question | null {
  const sign = askedText(seen);
  if (sign === null) return null;
  return {
    key: `sign|${seen.country}|${sign}`,
    args: { sign, jurisdiction: seen.country, as_of: isoDate(wallMs) },
  };
}

/** Kinds of signs that mean one thing wherever they stand; the others are many signs each. */
const meaningOfCategory: Readonly<Partial<Record<SignCategory, SignMeaning>>> = {
  speed_limit: 'max_speed',
  end_limit: 'end_max_speed',
  stop: 'stop',
  yield: 'give_way',
  no_overtake: 'no_overtaking',
  zone: 'zone_start',
  town_entry: 'town_start',
  town_exit: 'town_end',
};

/** Its words first, because they say what the sign alone does not; a number in another unit before them. */
function askedText({ fact, reason, word }: SeenForeignSign): string | null {
  const { code, value, category } = fact.value;
  if (word !== null && reason !== 'unit') return word.form;
  const number = value === undefined ? '' : `-${value}`;
  const named = code ?? meaningOfCategory[category];
  return named === undefined ? (word?.form ?? null) : `${named}${number}`;
}
