/** Units of speed as people and models write them, and the unit of a country. */
import type { SpeedUnit } from './parsed-answer.js';

const kmh =
  'km\\s*\\/\\s*(?:h|std|u|hr|hour)\\b|km\\s*[.·]\\s*h\\s*(?:\\^?-?\\s*1|⁻¹)?|km\\s*h\\s*-\\s*1|kmh\\b|kmph\\b|kph\\b|km\\s+p(?:er|ro)\\s+(?:hour|h|stunde)|km\\s+par\\s+h(?:eure)?\\b|km\\s+h\\b' +
  "|kilom(?:et(?:er|re)s?|ètres?|etri|etros|eter)[-\\s]*(?:(?:per|an|pro|je|par|por|all'|alla|à\\s+l'|a\\s+la)\\s*[-\\s]*)?(?:hours?|h|stunde|heures?|hora|ora|uur)\\b|stundenkilometer|chilometri\\s*(?:orari|all'ora|\\/h)|km\\s+all'ora|kil[óo]metros\\s+por\\s+hora|公里(?:\\s*\\/\\s*小?时|每小时)?|千米(?:\\s*\\/\\s*小?时|每小时)?|キロ";
const mph =
  'mph\\b|m\\.p\\.h\\.?|mi\\s*\\/\\s*h(?:r|our)?\\b|miles?\\s*(?:per|an|a|\\/)\\s*h(?:ou)?r?\\b|英里';

export const unitPattern = `(?:(?<kmh>${kmh})|(?<mph>${mph}))`;
export const kmhWord = new RegExp(`(?<![\\p{L}])(?:${kmh})`, 'iu');
export const mphWord = new RegExp(`(?<![\\p{L}])(?:${mph})`, 'iu');

/** Countries that post limits in miles per hour (the others of this list of signs use km/h). */
const milesCountries = new Set(['GB', 'UK', 'GBR', 'US', 'USA', 'IM', 'JE', 'GG', 'LR', 'MM']);

/** @param hint a jurisdiction such as `DE`, `GB-WLS`, `US-CA`; null where it is unknown */
export function unitOf(hint: string | null): SpeedUnit | null {
  if (hint === null || hint.trim() === '') return null;
  const country = hint.trim().toUpperCase().split(/[-/]/)[0] ?? '';
  if (!/^[A-Z]{2,3}$/.test(country)) return null;
  return milesCountries.has(country) ? 'mph' : 'km/h';
}

/** 1 mph = 1.609344 km/h, exactly. */
export function inMps(value: number, unit: SpeedUnit): number {
  return unit === 'mph' ? value * 0.44704 : value / 3.6;
}

/** Values above which no sign exists: 150 km/h (motorways of IT and CZ by signs), 85 mph (Texas SH 130). */
export const highestSign: Readonly<Record<SpeedUnit, number>> = { 'km/h': 150, mph: 85 };
