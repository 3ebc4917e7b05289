/**
 * A sign that is foreign to the driver, in the driver's language: its unit, the words of it that the glossary has, what
 * kind of sign it is. Its text is never spoken; what is not in the glossary is said to be unknown.
 */
import type { Situation } from '../fuse/situation.js';
import type { JsonObject } from '../tick.js';
import { fromMps, toMps } from '../world/speed-units.js';
import type { Choice } from './choice.js';
import type { Phrasebook, PhraseName, PhraseValues, ReasonName } from './phrasebook.js';

export function foreignSign(
  payload: JsonObject,
  situation: Situation,
  book: Phrasebook,
  lawReason: ReasonName,
): Choice {
  const { value, unit: signUnit, sign, meaning, form } = payload;
  const { unit } = situation.advice;
  if (typeof value === 'number' && (signUnit === 'km/h' || signUnit === 'mph') && signUnit !== unit) {
    const converted = Math.floor(fromMps(toMps(value, signUnit), unit) + 1e-9);
    const extra = { value, sign_unit: signUnit, converted, unit };
    return { ...choice('foreign_limit', `${value}:${signUnit}`, []), extra };
  }
  const reasons: readonly ReasonName[] = hasAdvice(situation)
    ? [lawReason, 'numbers_speed', 'advice_gap']
    : ['advice_gap'];
  const says = typeof meaning === 'string' ? wordOf(book.plateWords, meaning) : null;
  if (says !== null && typeof form === 'string') {
    const extra = { plate: form, plate_says: says };
    return advised('foreign_words', `${String(meaning)}`, extra, ['words_known', ...reasons], situation);
  }
  const isText = payload['reason'] === 'language' || payload['reason'] === 'driver_language';
  const unknown: readonly ReasonName[] = payload['has_text'] === true ? ['words_unknown'] : [];
  if (isText) return choice('foreign_text', String(sign), unknown);
  const category = wordOf(book.categories, String(payload['category']));
  if (typeof value === 'number' && payload['category'] === 'speed_limit') {
    const extra = { value, sign_unit: typeof signUnit === 'string' ? signUnit : unit };
    return advised('foreign_number', String(value), extra, [...unknown, ...reasons], situation);
  }
  if (category === null) return choice('foreign_sign', String(sign), unknown);
  const content = `${String(payload['category'])}:${String(sign)}`;
  return advised('foreign_category', content, { category }, [...unknown, ...reasons], situation);
}

/** With the advised speed where one is known for certain. */
function advised(
  phrase: 'foreign_words' | 'foreign_category' | 'foreign_number',
  content: string,
  extra: PhraseValues,
  reasons: readonly ReasonName[],
  situation: Situation,
): Choice {
  const name: PhraseName = hasAdvice(situation) ? `${phrase}_advice` : phrase;
  const { speed, unit } = situation.advice;
  return { ...choice(name, `${content}:${speed ?? '-'}:${unit}`, reasons), extra };
}

function hasAdvice({ advice }: Situation): boolean {
  return advice.speed !== null && !advice.isConservative;
}

/** A word that no list has is somebody's own: it is not spoken. */
function wordOf(words: Readonly<Record<string, string | null>>, name: string): string | null {
  return Object.hasOwn(words, name) ? (words[name] ?? null) : null;
}

function choice(phrase: PhraseName, content: string, reasons: readonly ReasonName[]): Choice {
  return { messageClass: 'law', phrase, content, reasons };
}
