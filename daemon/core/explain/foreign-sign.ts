/**
 * A sign that is foreign to the driver, in the driver's language: its unit, the words of it that the glossary has, what
 * the sign table calls it and by which provision, then speed and gap. Its text is never spoken; what neither glossary nor
 * table has is said to be unknown.
 */
import type { ForeignSignInView, Situation } from '../fuse/situation.js';
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
  const table = tableEntry(payload, situation.foreignSign, book);
  const say = (
    phrase: PhraseName,
    content: string,
    extra: PhraseValues,
    reason: ReasonName | null,
  ): Choice => {
    // Two sentences say what it is and by which law, the third is always the gap.
    const reasons = [table?.reason, reason, hasAdvice(situation) ? lawReason : undefined]
      .filter((one) => one !== undefined && one !== null)
      .slice(0, 2);
    return {
      messageClass: 'law',
      phrase,
      content,
      reasons: [...reasons, 'advice_gap'],
      extra: { ...table?.values, ...extra },
    };
  };
  if (typeof value === 'number' && (signUnit === 'km/h' || signUnit === 'mph') && signUnit !== unit) {
    const converted = Math.floor(fromMps(toMps(value, signUnit), unit) + 1e-9);
    const extra = { value, sign_unit: signUnit, converted, unit };
    return say('foreign_limit', `${value}:${signUnit}`, extra, hasAdvice(situation) ? 'numbers_speed' : null);
  }
  const says = typeof meaning === 'string' ? wordOf(book.plateWords, meaning) : null;
  if (says !== null && typeof form === 'string') {
    const extra = { plate: form, plate_says: says };
    return say(advised('foreign_words', situation), keyed(String(meaning), situation), extra, 'words_known');
  }
  const isText = payload['reason'] === 'language' || payload['reason'] === 'driver_language';
  const unknown: ReasonName | null = payload['has_text'] === true ? 'words_unknown' : null;
  if (typeof value === 'number' && payload['category'] === 'speed_limit' && !isText) {
    const extra = { value, sign_unit: typeof signUnit === 'string' ? signUnit : unit };
    return say(advised('foreign_number', situation), keyed(String(value), situation), extra, unknown);
  }
  const category = table?.name ?? (isText ? null : wordOf(book.categories, String(payload['category'])));
  if (category === null) return say(isText ? 'foreign_text' : 'foreign_sign', String(sign), {}, unknown);
  const content = keyed(`${String(payload['category'])}:${String(sign)}`, situation);
  return say(advised('foreign_category', situation), content, { category }, unknown);
}

interface TableEntry {
  /** null for words, which the glossary tells */
  readonly name: string | null;
  readonly reason: ReasonName;
  readonly values: PhraseValues;
}

/** The row of the sign table, if the expert answered about the sign that is to be told and it is one we have words for. */
function tableEntry(
  payload: JsonObject,
  inView: ForeignSignInView | null,
  book: Phrasebook,
): TableEntry | null {
  const row = inView?.answer?.row;
  if (!inView || !row || inView.seen.fact.value.id !== payload['sign']) return null;
  const name = row.kind === 'sign' ? wordOf(book.signNames, row.meaning) : null;
  const says = name ?? (row.kind === 'words' ? wordOf(book.plateWords, row.meaning) : null);
  const country = wordOf(book.countries, inView.seen.country);
  if (says === null || country === null) return null;
  const values = { sign_country: country, sign_says: says };
  if (row.provision === null) return { name, reason: 'sign_table_bare', values };
  return { name, reason: 'sign_table', values: { ...values, provision: row.provision.cite } };
}

/** With the advised speed where one is known for certain. */
function advised(
  phrase: 'foreign_words' | 'foreign_category' | 'foreign_number',
  situation: Situation,
): PhraseName {
  return hasAdvice(situation) ? `${phrase}_advice` : phrase;
}

function keyed(content: string, { advice }: Situation): string {
  return `${content}:${advice.speed ?? '-'}:${advice.unit}`;
}

function hasAdvice({ advice }: Situation): boolean {
  return advice.speed !== null && !advice.isConservative;
}

/** A word that no list has is somebody's own: it is not spoken. */
function wordOf(words: Readonly<Record<string, string | null>>, name: string): string | null {
  return Object.hasOwn(words, name) ? (words[name] ?? null) : null;
}
