/**
 * What road signs of a country look like to a driver: the unit of speed, the side driven on, the languages on
 * signs. Used to notice that something seen does not belong here (a mile sign in a kilometre country), never
 * to answer a question of law: that is the rulepacks' matter.
 *
 * Units: everywhere km/h but in the countries listed by the Vienna Convention's non-metric parties. Sides and
 * languages as the countries' road authorities publish them.
 */
import type { DriveSide, SpeedUnit } from './facts.js';

export interface JurisdictionProfile {
  readonly unit: SpeedUnit;
  readonly side: DriveSide;
  readonly languages: readonly string[];
}

const kmhRight = (...languages: string[]): JurisdictionProfile => ({
  unit: 'km/h',
  side: 'right',
  languages,
});
const kmhLeft = (...languages: string[]): JurisdictionProfile => ({ unit: 'km/h', side: 'left', languages });

const profiles: ReadonlyMap<string, JurisdictionProfile> = new Map([
  ['AUT', kmhRight('de')],
  ['BEL', kmhRight('nl', 'fr', 'de')],
  ['BGR', kmhRight('bg')],
  ['CHE', kmhRight('de', 'fr', 'it', 'rm')],
  ['CYP', kmhLeft('el', 'tr', 'en')],
  ['CZE', kmhRight('cs')],
  ['DEU', kmhRight('de')],
  ['DNK', kmhRight('da')],
  ['ESP', kmhRight('es', 'ca', 'eu', 'gl')],
  ['EST', kmhRight('et')],
  ['FIN', kmhRight('fi', 'sv', 'se')],
  ['FRA', kmhRight('fr')],
  ['GBR', { unit: 'mph', side: 'left', languages: ['en', 'cy', 'gd'] }],
  ['GRC', kmhRight('el')],
  ['HRV', kmhRight('hr')],
  ['HUN', kmhRight('hu')],
  ['IRL', kmhLeft('en', 'ga')],
  ['ISL', kmhRight('is')],
  ['ITA', kmhRight('it', 'de')],
  ['JPN', kmhLeft('ja', 'en')],
  ['LIE', kmhRight('de')],
  ['LTU', kmhRight('lt')],
  ['LUX', kmhRight('fr', 'de', 'lb')],
  ['LVA', kmhRight('lv')],
  ['MLT', kmhLeft('mt', 'en')],
  ['NLD', kmhRight('nl')],
  ['NOR', kmhRight('no', 'nb', 'nn', 'se')],
  ['POL', kmhRight('pl')],
  ['PRT', kmhRight('pt')],
  ['ROU', kmhRight('ro')],
  ['SVK', kmhRight('sk')],
  ['SVN', kmhRight('sl')],
  ['SWE', kmhRight('sv')],
  ['TUR', kmhRight('tr')],
  ['USA', { unit: 'mph', side: 'right', languages: ['en', 'es'] }],
]);

/** Profile of a jurisdiction path (`GBR/WLS` has that of `GBR`), or null where we know none. */
export function jurisdictionProfile(path: string): JurisdictionProfile | null {
  return profiles.get(countryOf(path)) ?? null;
}

/** Unit to speak in: the driver's choice, else that of the jurisdiction; km/h where we do not know it. */
export function displayUnitOf(choice: 'auto' | SpeedUnit, jurisdiction: string | null): SpeedUnit {
  if (choice !== 'auto') return choice;
  return (jurisdiction === null ? null : jurisdictionProfile(jurisdiction))?.unit ?? 'km/h';
}

/** First part of a jurisdiction path. */
export function countryOf(path: string): string {
  return path.slice(0, 3);
}

/**
 * Whether a number can be a posted limit at all: 5 … 130 in fives for km/h (to 140 or 150 where a country has them),
 * 5 … 70 in fives for mph, of which Britain posts only whole tens besides 5 and 15. A misread digit mostly falls outside.
 */
export function isPostableLimit(value: number, unit: SpeedUnit, country: string | null): boolean {
  if (!Number.isInteger(value) || value % 5 !== 0 || value < 5) return false;
  if (unit === 'km/h') {
    if (country === 'CZE') return value <= 150; // motorway stretches since 2024-01-01
    return value <= 130 || (value === 140 && (country === 'POL' || country === 'BGR'));
  }
  if (country === 'GBR') return value <= 70 && (value % 10 === 0 || value === 5 || value === 15);
  return value <= 85;
}
