/** What can be said, by name; the words are data of a language (`phrases-en.ts`, `phrases-de.ts`). */
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
  readonly decimalSeparator: '.' | ',';
}
