/**
 * Words by which a question is known, by language. A stem counts at the beginning of a word; the number is how much it
 * says about the intent. Added up, the largest sum wins.
 */

export const askIntents = ['why', 'sign', 'car', 'road', 'law'] as const;
/** In this order where two are equally likely. */
export type AskIntent = (typeof askIntents)[number];

export const askLanguages = ['en', 'de', 'fr'] as const;
export type AskLanguage = (typeof askLanguages)[number];

type Stems = readonly (readonly [stem: string, weight: number])[];

export interface IntentLexicon {
  /** small words by which the language is known */
  readonly small: readonly string[];
  readonly stems: Readonly<Record<AskIntent, Stems>>;
}
