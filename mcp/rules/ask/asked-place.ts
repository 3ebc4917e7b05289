/** Whose law a question is about: the place that the caller names, or the part of it that the question names. */
import { resolveJurisdiction } from '../evaluate/jurisdiction.js';
import { namedPlaces } from '../lexicon/places.js';
import type { RulepackSet } from '../rules-expert.js';

export interface AskedPlace {
  readonly jurisdiction: string;
  /** for people: another place is answered for than they may think */
  readonly notes: readonly string[];
}

/**
 * A caller who names a country leaves its parts open; "in Wales" closes that. A caller who names a part means it, and no
 * question leads to another country: where it names one, that is told.
 */
export function askedPlace(text: string, jurisdiction: string, packs: RulepackSet, asOf: string): AskedPlace {
  const place = resolveJurisdiction(jurisdiction, packs, asOf);
  const base = place?.packs[0]?.manifest;
  if (!place || !base) return { jurisdiction, notes: [] };
  const { countries, parts } = namedPlaces(text, base.id);
  const [part] = parts;
  if (part !== undefined && parts.length === 1 && place.nation === null)
    return { jurisdiction: `${jurisdiction.trim()}/${part}`, notes: [] };
  const [other] = countries;
  if (other === undefined || countries.includes(base.id)) return { jurisdiction, notes: [] };
  return {
    jurisdiction,
    notes: [`the question names another country (${other}); this is the law of ${base.id}`],
  };
}
