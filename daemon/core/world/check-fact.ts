/**
 * Facts come from detectors, language models, maps and recordings: nothing about their shape is certain.
 * Each check returns a value of the declared type made of known fields only, or null; what does not fit is
 * dropped by the caller with a flag, never repaired by a guess.
 */
import {
  type Actor,
  type FactKind,
  type FactValues,
  type GantryFact,
  type RoadFact,
  roadClasses,
  roadSurfaces,
  type SignFact,
  type SpeedUnit,
  signCategories,
  type WeatherFact,
} from './facts.js';

type Fields = { readonly [key: string]: unknown };

const maxActors = 64;
const maxIdChars = 64;
const maxTextChars = 120;
const actorClasses = ['car', 'truck', 'bus', 'motorcycle', 'bicycle', 'pedestrian', 'other'] as const;
const conditions = ['none', 'wet', 'time', 'truck'] as const;

/** ISO 3166-1 alpha-3, then sub-national parts as rulepacks name them. */
const jurisdictionPattern = /^[A-Z]{3}(\/[A-Z0-9]{1,8}){0,3}$/;
const countryPattern = /^[A-Z]{3}$/;
/** Codes of sign catalogues: `274`, `274.1`, `B14`, `R2-1`. */
const signCodePattern = /^[A-Za-z0-9][A-Za-z0-9.-]{0,11}$/;
const languagePattern = /^[a-z]{2,3}$/;
/** Identifiers go into cache keys and records, so they hold no quotes, separators or control characters. */
const idPattern = /^[A-Za-z0-9_.:#+/-]+$/;

export function checkFact<K extends FactKind>(kind: K, value: unknown): FactValues[K] | null;
export function checkFact(kind: FactKind, value: unknown): FactValues[FactKind] | null {
  switch (kind) {
    case 'actors':
      return checkActors(value);
    case 'weather':
      return checkWeather(value);
    case 'road':
      return checkRoad(value);
    case 'sign':
      return checkSign(value);
    case 'gantry':
      return checkGantry(value);
    case 'jurisdiction':
      return typeof value === 'string' && jurisdictionPattern.test(value) ? value : null;
    case 'units':
      return isUnit(value) ? value : null;
    case 'drive_side':
      return value === 'left' || value === 'right' ? value : null;
    case 'driver_query':
      return typeof value === 'string' && value.trim() !== '' ? value.slice(0, maxTextChars) : null;
    default:
      return null;
  }
}

/** Actors with NaN numbers stay in: the tracker flags them and lets the track coast. */
function checkActors(value: unknown): readonly Actor[] | null {
  if (!Array.isArray(value)) return null;
  const actors: Actor[] = [];
  for (const item of value as readonly unknown[]) {
    const fields = fieldsOf(item);
    if (fields === null || !isId(fields['id'])) continue;
    const inPath = fields['inPath'];
    actors.push({
      id: fields['id'],
      cls: oneOf(actorClasses, fields['cls']) ?? 'other',
      gapM: numberOrNaN(fields['gapM']),
      closingMps: numberOrNaN(fields['closingMps']),
      // Unknown place in the lane: taken as in our path, which warns rather than stays silent.
      inPath: typeof inPath === 'number' && Number.isFinite(inPath) ? clamp01(inPath) : 0.5,
    });
  }
  if (actors.length > maxActors) {
    actors.sort((a, b) => a.gapM - b.gapM || (a.id < b.id ? -1 : 1));
    actors.length = maxActors;
  }
  return actors;
}

function checkWeather(value: unknown): WeatherFact | null {
  const fields = fieldsOf(value);
  if (fields === null) return null;
  const weather: { -readonly [K in keyof WeatherFact]: number } = {};
  for (const key of ['precipitation', 'precipitationDeposits', 'wetness', 'fogDensity'] as const) {
    const percent = fields[key];
    if (typeof percent === 'number' && percent >= 0 && percent <= 100) weather[key] = percent;
  }
  return Object.keys(weather).length > 0 ? weather : null;
}

function checkRoad(value: unknown): RoadFact | null {
  const fields = fieldsOf(value);
  if (fields === null) return null;
  const roadClass = oneOf(roadClasses, fields['roadClass']);
  const carriageway = oneOf(['single', 'separated'] as const, fields['carriageway']);
  const surface = oneOf(roadSurfaces, fields['surface']);
  const lanes = fields['lanesPerDir'];
  const road: RoadFact = {
    ...(roadClass === null ? {} : { roadClass }),
    ...(carriageway === null ? {} : { carriageway }),
    ...(surface === null ? {} : { surface }),
    ...(isId(fields['segment']) ? { segment: fields['segment'] } : {}),
    ...(isWholeNumber(lanes, 1, 12) ? { lanesPerDir: lanes } : {}),
    ...(typeof fields['lit'] === 'boolean' ? { lit: fields['lit'] } : {}),
  };
  return Object.keys(road).length > 0 ? road : null;
}

function checkSign(value: unknown): SignFact | null {
  const fields = fieldsOf(value);
  if (fields === null || !isId(fields['id'])) return null;
  const category = oneOf(signCategories, fields['category']);
  if (category === null) return null;
  const condition = oneOf(conditions, fields['condition']);
  const { code, country, language, value: number, unit, text } = fields;
  return {
    id: fields['id'],
    category,
    ...(typeof code === 'string' && signCodePattern.test(code) ? { code } : {}),
    ...(isWholeNumber(number, 1, 200) ? { value: number } : {}),
    ...(isUnit(unit) ? { unit } : {}),
    ...(typeof country === 'string' && countryPattern.test(country) ? { country } : {}),
    ...(typeof language === 'string' && languagePattern.test(language) ? { language } : {}),
    ...(condition === null ? {} : { condition }),
    ...(typeof text === 'string' ? { text: text.slice(0, maxTextChars) } : {}),
  };
}

function checkGantry(value: unknown): GantryFact | null {
  const fields = fieldsOf(value);
  if (fields === null || !isId(fields['id']) || !isUnit(fields['unit'])) return null;
  const shown = fields['value'];
  if (shown !== null && !isWholeNumber(shown, 1, 200)) return null;
  const country = fields['country'];
  return {
    id: fields['id'],
    value: shown,
    unit: fields['unit'],
    ...(typeof country === 'string' && countryPattern.test(country) ? { country } : {}),
    ...(typeof fields['wetPlate'] === 'boolean' ? { wetPlate: fields['wetPlate'] } : {}),
  };
}

export function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

export function oneOf<T extends string>(words: readonly T[], value: unknown): T | null {
  for (const word of words) if (word === value) return word;
  return null;
}

export function clamp01(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxIdChars && idPattern.test(value);
}

function isUnit(value: unknown): value is SpeedUnit {
  return value === 'km/h' || value === 'mph';
}

function isWholeNumber(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}

function numberOrNaN(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}
