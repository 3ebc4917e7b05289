/** The situation as the rules expert is told it: flat names, only what is known, and the key of that question. */
import type { RunSettings } from '../settings.js';
import type { JsonObject } from '../tick.js';
import type { RoadSurface } from '../world/facts.js';
import { countryOf, jurisdictionProfile } from '../world/jurisdiction-profiles.js';
import type { PostedLimits, PostedSign, ShownGantry } from '../world/posted-limits.js';
import type { WorldView } from '../world/world-view.js';

export interface LawContext {
  readonly jurisdiction: string;
  readonly segment: string | null;
  readonly road: string | null;
  /** where we are and what is posted: another place has another limit */
  readonly place: string;
  /** the whole question: place and conditions */
  readonly key: string;
  readonly context: JsonObject;
  readonly hasPosted: boolean;
}

/** Null where the jurisdiction is unknown: there is nobody to ask. */
export function lawContext(
  view: WorldView,
  surface: RoadSurface,
  posted: PostedLimits,
  settings: RunSettings,
): LawContext | null {
  const { jurisdiction } = view;
  if (jurisdiction === null) return null;
  const country = countryOf(jurisdiction);
  const road = roadOf(view);
  const wet = wetOf(surface);
  const sign = posted.sign === null ? null : signText(posted.sign, country);
  const gantry = posted.gantry === null ? null : gantryText(posted.gantry, country);
  const plate = sign !== null && posted.sign?.fact.value.condition === 'wet' ? wetPlate(country) : null;
  const lit = view.road?.lit;
  const lanesPerDir = view.road?.lanesPerDir;
  const context: JsonObject = {
    vehicle: settings.vehicleClass,
    ...(road === null ? {} : { road }),
    ...(wet === null ? {} : { wet }),
    ...(lit === undefined ? {} : { lit }),
    ...(lanesPerDir === undefined ? {} : { lanes_per_dir: lanesPerDir }),
    ...(sign === null ? {} : { sign }),
    ...(plate === null ? {} : { plate }),
    ...(gantry === null ? {} : { gantry }),
  };
  const segment = view.road?.segment ?? null;
  const place = keyOf([jurisdiction, segment, road, sign, plate, gantry]);
  return {
    jurisdiction,
    segment,
    road,
    place,
    key: `rules|${place}|${keyOf([wet, lit, lanesPerDir])}`,
    context,
    hasPosted: sign !== null || gantry !== null,
  };
}

function keyOf(words: readonly (string | number | boolean | null | undefined)[]): string {
  return words.map((word) => word ?? '-').join('|');
}

function roadOf(view: WorldView): string | null {
  const road = view.road;
  if (road?.roadClass === undefined) return null;
  return road.roadClass === 'rural' && road.carriageway === 'separated' ? 'dual_carriageway' : road.roadClass;
}

/** Wet means a closed film of water (the condition on wet-road plates), not merely a damp surface. */
function wetOf(surface: RoadSurface): boolean | null {
  switch (surface) {
    case 'wet':
    case 'heavy_rain':
    case 'standing_water':
      return true;
    case 'dry':
    case 'damp':
      return false;
    default:
      return null;
  }
}

/** `274-80`; a bare number where the code is unknown or from another country's catalogue. */
function signText(sign: PostedSign, country: string): string | null {
  const { code, value, country: family } = sign.fact.value;
  const isOwnCode = code !== undefined && (family === undefined || family === country);
  if (isOwnCode) return value === undefined ? code : `${code}-${value}`;
  if (value === undefined || sign.unit !== jurisdictionProfile(country)?.unit) return null;
  return String(value);
}

function gantryText(gantry: ShownGantry, country: string): string | null {
  const { value, unit } = gantry.fact.value;
  if (value === null) return 'blank';
  return unit === jurisdictionProfile(country)?.unit ? String(value) : null;
}

/** Code of the plate "when wet" where the country has one. */
function wetPlate(country: string): string | null {
  return country === 'DEU' ? '1053-35' : null;
}
