/** Reads the answer to "in which country is this?": cues of roads and signs, never the plates of other vehicles. */
import { cleanText } from './clean-text.js';
import { type CountryCue, type CountryFacts, countryCues, countryFacts } from './country-cues.js';
import type { ParsedJurisdiction } from './parsed-answer.js';
import { instruction } from './phrases.js';
import { kmhWord, mphWord } from './speed-unit.js';

/** Log-odds that the best country must be ahead of the next, and must have at all. */
const margin = 0.7;
const leastEvidence = 1;

/** What others drive says where they come from, not where we are. */
const foreignPlate =
  /(?:licen[cs]e|number|registration)\s+plates?\s+(?:of|on)\s+(?:the|a|an)\s+(?:\w+\s+)?(?:cars?|trucks?|lorr(?:y|ies)|vehicles?|bus|van)[^.;,]*|(?:cars?|trucks?|lorr(?:y|ies)|vehicles?|van|bus)\s+(?:\w+\s+){0,3}(?:has|have|with|carries|bears)\s+(?:an?\s+)?(?:\w+\s+)?(?:licen[cs]e|number|registration)?\s*plates?[^.;,]*|kennzeichen[^.;,]*|plaques?\s+d'immatriculation[^.;,]*|\b\w+\s+(?:licen[cs]e|registration)\s+plates?[^.;,]*/giu;

export function readJurisdictionAnswer(raw: string): ParsedJurisdiction {
  const { text: clean } = cleanText(raw);
  if (instruction.test(clean)) return { ...nowhere, status: 'reject', reason: 'instruction_like' };
  const text = clean.replace(foreignPlate, ' ');
  const scores = new Map<string, number>();
  // In the order of the text, so that of equally likely countries the one named first comes first.
  const found = countryCues
    .map((cue) => ({ cue, at: text.search(cue.pattern) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ cue }) => cue);
  for (const cue of found) {
    for (const [country, odds] of Object.entries(cue.odds))
      scores.set(country, (scores.get(country) ?? 0) + odds);
  }
  const isMph = mphWord.test(text);
  const isKmh = !isMph && kmhWord.test(text);
  const isLeft = saysLeft.test(text);
  const isRight = !isLeft && saysRight.test(text);
  for (const [country, facts] of Object.entries(countryFacts)) {
    if (isMph && facts.unit === 'km/h') scores.set(country, (scores.get(country) ?? 0) - 3);
    if (isKmh && facts.unit === 'mph') scores.set(country, (scores.get(country) ?? 0) - 3);
    if (isLeft && facts.side === 'right') scores.set(country, (scores.get(country) ?? 0) - 3);
    if (isRight && facts.side === 'left') scores.set(country, (scores.get(country) ?? 0) - 3);
    if (isMph && facts.unit === 'mph') scores.set(country, (scores.get(country) ?? 0) + 1);
    if (isLeft && facts.side === 'left') scores.set(country, (scores.get(country) ?? 0) + 1);
  }
  const ranked = [...scores].filter(([, odds]) => odds >= leastEvidence).sort((a, b) => b[1] - a[1]);
  const best = ranked[0];
  const side = isLeft ? 'left' : isRight ? 'right' : null;
  const unit = isMph ? 'mph' : isKmh ? 'km/h' : null;
  if (!best) return side === null && unit === null ? nowhere : { ...nowhere, side, unit };
  const close = ranked.filter(([, odds]) => odds > best[1] - margin).map(([country]) => country);
  return {
    status: 'ok',
    countries: close,
    side: side ?? common(close, 'side', found),
    unit: unit ?? common(close, 'unit', found),
    confidence_max: close.length > 1 ? 0.4 : found.length > 1 ? 0.8 : 0.6,
  };
}

const nowhere: ParsedJurisdiction = {
  status: 'none',
  countries: [],
  side: null,
  unit: null,
  confidence_max: 0,
};
const saysLeft =
  /(?:drives?|driving|keeps?|traffic|on)\s+(?:\w+\s+){0,3}(?:the\s+)?left|left-hand\s+traffic|linksverkehr|roule\s+à\s+gauche|à\s+gauche/i;
const saysRight =
  /(?:drives?|driving|keeps?|traffic|on)\s+(?:\w+\s+){0,3}(?:the\s+)?right|right-hand\s+traffic|rechtsverkehr|roule\s+à\s+droite/i;

/**
 * What the countries left have in common. The side of the road follows only from things that stand at the road:
 * words can be quoted, and a language is spoken on both sides of a border.
 */
function common<K extends 'side' | 'unit'>(
  countries: readonly string[],
  fact: K,
  found: readonly CountryCue[],
): CountryFacts[K] | null {
  if (fact === 'side' && !found.some((cue) => cue.standsAtTheRoad)) return null;
  const values = new Set(countries.map((country) => countryFacts[country]?.[fact] ?? null));
  const [only] = values;
  return values.size === 1 && only !== undefined ? only : null;
}
