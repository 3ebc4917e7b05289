/**
 * What can be said, by name, and what a language has to give: the schema of `locales/`, one file a language. A new
 * language is a file of this shape and a line in `locales.ts`; tests hold every one to lengths and placeholders.
 */

import type { SignMeaning } from '../signs/sign-meanings.js';
import type { WordMeaning } from '../signs/word-meanings.js';
import type { SignCategory } from '../world/facts.js';

export const phraseNames = [
  'act_brake',
  'hazard_brake',
  'hazard_slow',
  'following',
  'slippery',
  'slippery_advice',
  'slippery_abs',
  'slippery_cold',
  'jurisdiction',
  'jurisdiction_limit',
  'jurisdiction_both',
  'border_hint',
  'gantry_limit',
  'gantry_both',
  'gantry_ended',
  'gantry_ended_limit',
  'foreign_limit',
  'foreign_sign',
  'foreign_text',
  'foreign_words',
  'foreign_words_advice',
  'foreign_category',
  'foreign_category_advice',
  'foreign_number',
  'foreign_number_advice',
  'uncertain',
  'uncertain_advice',
  'overspeed',
  'overspeed_both',
  'fault_abs',
  'fault_esc',
  'fault_brakes',
  'fault_tyre',
  'fault_engine',
  'fault_electric',
  'fault_other',
  'answer_law',
  'answer_law_none',
  'answer_road',
  'answer_car',
  'answer_car_unknown',
  'status_monitor',
  'status_resumed',
] as const;
export type PhraseName = (typeof phraseNames)[number];

/** Sentences of the second level, in the order in which they may appear. */
export const reasonNames = [
  'seen_lead',
  'seen_surface',
  'seen_limit',
  'seen_fault',
  'seen_border',
  'rule_pack',
  'rule_posted',
  'rule_remembered',
  'rule_envelope',
  'numbers_hazard',
  'numbers_grip',
  'numbers_speed',
  'numbers_health',
  'sign_table',
  'sign_table_bare',
  'words_known',
  'words_unknown',
  'advice_gap',
] as const;
export type ReasonName = (typeof reasonNames)[number];

/** Numbers and closed words that a phrase may hold. */
export type PhraseValues = { readonly [name: string]: string | number };

export interface Phrasebook {
  /** first level: at most 90 characters with every value filled in, imperative */
  readonly phrases: Readonly<Record<PhraseName, string>>;
  readonly reasons: Readonly<Record<ReasonName, string>>;
  readonly countries: Readonly<Record<string, string>>;
  readonly surfaces: Readonly<Record<string, string>>;
  readonly sides: Readonly<Record<string, string>>;
  readonly indicators: Readonly<Record<string, string>>;
  /** what a sign of another family is about, short; null: nothing better to say than that it is unusual */
  readonly categories: Readonly<Record<SignCategory, string | null>>;
  /** what the sign tables call a sign, as words inside a sentence */
  readonly signNames: Readonly<Record<SignMeaning, string>>;
  /** what words on a plate mean, short, as the end of a sentence */
  readonly plateWords: Readonly<Record<WordMeaning, string>>;
  readonly distances: Readonly<Record<'m' | 'yd', string>>;
  /** which numbers take the first of two forms in `{name|form|form}` */
  readonly singular: 'one' | 'below_two';
  readonly decimalSeparator: '.' | ',';
}
