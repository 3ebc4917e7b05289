import { countryCode } from '../../shared/country-code.js';
import type { AskLanguage } from './lexicon/intents.js';

/** Parts of a country with a law of their own: ISO 3166-2 where it has them, INSEE for a French commune. */
const parts: Readonly<Record<string, Readonly<Record<AskLanguage, string>>>> = {
  'GB/ENG': { en: 'England', de: 'England', fr: 'Angleterre' },
  'GB/WLS': { en: 'Wales', de: 'Wales', fr: 'pays de Galles' },
  'GB/SCT': { en: 'Scotland', de: 'Schottland', fr: 'Écosse' },
  'GB/NIR': { en: 'Northern Ireland', de: 'Nordirland', fr: 'Irlande du Nord' },
  'BE/VLG': { en: 'Flanders', de: 'Flandern', fr: 'Flandre' },
  'BE/BRU': { en: 'Brussels', de: 'Brüssel', fr: 'Bruxelles' },
  'BE/WAL': { en: 'Wallonia', de: 'Wallonien', fr: 'Wallonie' },
  'US/CA': { en: 'California', de: 'Kalifornien', fr: 'Californie' },
  'FR/75056': { en: 'Paris', de: 'Paris', fr: 'Paris' },
};

/** `DEU` → Deutschland, `GBR/WLS` → Wales; a place without a name here stays as it is written. */
export function placeName(jurisdiction: string, language: AskLanguage): string {
  const [, part] = jurisdiction.split(/[/-]/);
  const country = countryCode(jurisdiction);
  const named = part === undefined ? undefined : parts[`${country}/${part}`];
  if (named !== undefined) return named[language];
  if (!/^[A-Z]{2}$/.test(country)) return jurisdiction;
  const name = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }).of(country);
  return name === undefined ? jurisdiction : part === undefined ? name : `${name}, ${part}`;
}
