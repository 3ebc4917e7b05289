/** Which of the signs in view is foreign to the place or to the driver, and why. */

import type { Fact, SignFact } from '../world/facts.js';
import { countryOf, jurisdictionProfile } from '../world/jurisdiction-profiles.js';
import type { WorldState } from '../world/world-state.js';
import { type PlateWord, plateWordIn } from './plate-words.js';

export type Foreignness = 'unit' | 'design' | 'language' | 'driver_language';

export interface SeenForeignSign {
  readonly fact: Fact<SignFact>;
  readonly reason: Foreignness;
  /** of its text the entry of the glossary, if it has one; the text goes no further */
  readonly word: PlateWord | null;
  /** ISO 3166-1 alpha-3 of the country whose sign it is */
  readonly country: string;
}

/** The surest foreign sign in view; null where every sign is one of this place, in the driver's language. */
export function seenForeignSign(world: WorldState, driverLanguage: string): SeenForeignSign | null {
  const jurisdiction = world.jurisdiction.committed;
  if (jurisdiction === null) return null;
  let best: { readonly fact: Fact<SignFact>; readonly reason: Foreignness } | null = null;
  for (const fact of world.posted.recent) {
    const reason = foreignness(fact.value, jurisdiction, driverLanguage);
    if (reason === null) continue;
    const isSurer =
      best === null ||
      fact.conf > best.fact.conf ||
      (fact.conf === best.fact.conf && fact.value.id < best.fact.value.id);
    if (isSurer) best = { fact, reason };
  }
  if (best === null) return null;
  const { language, text, country } = best.fact.value;
  const languages =
    language === undefined ? (jurisdictionProfile(jurisdiction)?.languages ?? []) : [language];
  return {
    ...best,
    word: text === undefined ? null : plateWordIn(text, languages),
    country: country ?? countryOf(jurisdiction),
  };
}

function foreignness(sign: SignFact, jurisdiction: string, driverLanguage: string): Foreignness | null {
  const home = countryOf(jurisdiction);
  const profile = jurisdictionProfile(jurisdiction);
  if (sign.unit !== undefined && profile !== null && sign.unit !== profile.unit) return 'unit';
  if (sign.country !== undefined && sign.country !== home) return 'design';
  if (sign.language === undefined) return null;
  if (profile !== null && !profile.languages.includes(sign.language)) return 'language';
  return sign.language === driverLanguage ? null : 'driver_language';
}
