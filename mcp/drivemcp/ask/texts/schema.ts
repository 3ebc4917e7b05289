/** Sentences besides those of legal actions; `{name}` is a number or word of the answer's record. */
export const askPhraseNames = [
  'limit_both',
  'no_place',
  'rests_on',
  'observed',
  'confidence',
  'over',
  'fact_jurisdiction',
  'fact_road',
  'fact_speed',
  'fact_surface',
  'fact_sign',
  'road_known',
  'road_slippery',
  'road_unknown',
  'road_gap',
  'road_share',
  'car_codes',
  'car_code_short',
  'car_title',
  'car_clean',
  'car_worst',
  'car_unknown',
  'car_lamp',
  'car_coverage',
  'no_codes',
  'why_said',
  'why_none',
  'why_event',
  'why_simulated',
  'sign_known',
  'sign_words',
  'sign_unknown',
  'sign_which',
  'sign_home',
  'sign_limit_now',
] as const;
export type AskPhraseName = (typeof askPhraseNames)[number];

export interface AskTexts {
  readonly phrases: Readonly<Record<AskPhraseName, string>>;
  /** what the law asks for, as the first sentence; by the closed list of the rules expert */
  readonly actions: Readonly<Record<string, string>>;
  readonly urgencies: Readonly<Record<'stop' | 'soon' | 'check' | 'info', string>>;
  /** roads by their name in the flat context */
  readonly roads: Readonly<Record<string, string>>;
  readonly decimalSeparator: '.' | ',';
}
