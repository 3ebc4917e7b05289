/** What a person is told about a code. */
import type { Urgency } from './codes-file.js';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** `standard` as the standard defines it · `varies` makers differ · `structure` only what the characters say. */
export type Certainty = 'standard' | 'varies' | 'structure';

export interface CodeExplanation {
  readonly title: string;
  /** key, e.g. `ignition` */
  readonly system: string;
  readonly systemName: string;
  readonly urgency: Urgency;
  readonly advice: string;
  readonly certainty: Certainty;
  /** what that certainty means, as a sentence */
  readonly note: string;
  /** VSS path of a signal that shows the same thing, or '' */
  readonly vss: string;
  /** failure type in words; '' where none was given */
  readonly failure: string;
}
