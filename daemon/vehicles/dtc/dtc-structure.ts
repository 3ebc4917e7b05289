/** What the characters of a code say by themselves, for codes that no table here holds (SAE J2012). */

export interface CodeStructure {
  readonly systemKey: string;
  /** who decides what the code means */
  readonly definedBy: 'standard' | 'manufacturer';
}

/** First three characters → area, as the standard divides the powertrain codes. */
const powertrainAreas: readonly (readonly [prefix: RegExp, system: string])[] = [
  [/^P0[012]/, 'air_fuel'],
  [/^P03/, 'ignition'],
  [/^P04/, 'emissions'],
  [/^P05/, 'speed_electrical'],
  [/^P06/, 'speed_electrical'],
  [/^P0[789]/, 'transmission'],
  [/^P0[ABC]/, 'hybrid'],
  [/^P2[012A]/, 'air_fuel'],
  [/^P23/, 'ignition'],
  [/^P24/, 'emissions'],
  [/^P2[56]/, 'speed_electrical'],
  [/^P2[789]/, 'transmission'],
  [/^P2B/, 'emissions'],
  [/^P34/, 'air_fuel'],
];

export function structureOf(code: string): CodeStructure {
  return { systemKey: systemOf(code), definedBy: isMakers(code) ? 'manufacturer' : 'standard' };
}

function systemOf(code: string): string {
  switch (code[0]) {
    case 'C':
      return 'brakes_steering';
    case 'B':
      return 'restraints_body';
    case 'U':
      return 'network';
    default:
      return powertrainAreas.find(([prefix]) => prefix.test(code))?.[1] ?? 'powertrain';
  }
}

/** P1, P30…P33, and digits 1 and 2 of the other letters are each maker's own. */
function isMakers(code: string): boolean {
  if (code[0] === 'P') return code[1] === '1' || /^P3[0-3]/.test(code);
  return code[1] === '1' || code[1] === '2';
}
