/**
 * What signs, plates, gantry faces and words on them mean: a closed list, so that a sign of any country can be told in
 * the driver's language without translating anything that was read at the roadside.
 */

import type { SignMeaning } from '../../../daemon/core/signs/sign-meanings.js';
import type { WordMeaning } from '../../../daemon/core/signs/word-meanings.js';

export const plateMeanings = [
  'wet',
  'rain',
  'hours',
  'weekdays_hours',
  'length',
  'distance_ahead',
  'vehicle_class',
  'free_text',
  'reminder',
  'snow_explains',
  'when_lights_flash',
] as const;
export type PlateMeaning = (typeof plateMeanings)[number];

export const faceMeanings = [
  'mandatory_limit',
  'advisory_limit',
  'lane_closed',
  'change_lane',
  'limits_end',
  'nothing_shown',
] as const;
export type FaceMeaning = (typeof faceMeanings)[number];

/** Languages that signs are explained in. */
export const explainedLanguages = ['en', 'de', 'fr'] as const;
export type ExplainedLanguage = (typeof explainedLanguages)[number];

export interface MeaningTexts {
  /** `{value}` is the sign's number with its unit; left out where it has none. Names: `signNames` of the phrasebooks */
  readonly signs: Readonly<Record<SignMeaning, string>>;
  readonly plates: Readonly<Record<PlateMeaning, string>>;
  readonly faces: Readonly<Record<FaceMeaning, string>>;
  readonly words: Readonly<Record<WordMeaning, string>>;
}
