/**
 * What signs, plates, gantry faces and words on them mean: a closed list, so that a sign of any country can be told in
 * the driver's language without translating anything that was read at the roadside.
 */

import type { WordMeaning } from '../../../daemon/core/signs/word-meanings.js';

export const signMeanings = [
  'max_speed',
  'end_max_speed',
  'end_all_restrictions',
  'national_limit',
  'zone_start',
  'zone_end',
  'min_speed',
  'end_min_speed',
  'advisory_speed',
  'end_advisory_speed',
  'town_start',
  'town_end',
  'motorway_start',
  'motorway_end',
  'expressway_start',
  'expressway_end',
  'living_street_start',
  'living_street_end',
  'no_overtaking',
  'no_overtaking_hgv',
  'end_no_overtaking',
  'end_no_overtaking_hgv',
  'stop',
  'give_way',
  'turn_on_red',
  'roundabout',
  'rural_default_limit',
  'school_zone_start',
  'school_zone_end',
] as const;
export type SignMeaning = (typeof signMeanings)[number];

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
  /** `{value}` is the sign's number with its unit; left out where it has none */
  readonly signs: Readonly<Record<SignMeaning, readonly [name: string, says: string]>>;
  readonly plates: Readonly<Record<PlateMeaning, string>>;
  readonly faces: Readonly<Record<FaceMeaning, string>>;
  readonly words: Readonly<Record<WordMeaning, string>>;
}
