/** What the speed tags of OpenStreetMap say for one vehicle: the lowest of all that apply to it. */
import type { OsmSpeedRow } from './osm-speed-table.js';

/** The vehicle as the tags see it. */
export interface TaggedVehicle {
  /** tags of its kind, the most exact last: `bus`, `coach` */
  readonly kinds: readonly string[];
  readonly weightTonnes: number;
  readonly lengthM: number;
  readonly hasTrailer: boolean;
  readonly isWet: boolean;
}

export type TaggedLimit =
  | { readonly kind: 'limit'; readonly value: number; readonly unit: 'km/h' | 'mph' }
  | { readonly kind: 'walk' }
  | { readonly kind: 'none' };

/**
 * `maxspeed:hgv` caps a vehicle; it does not raise the limit of the road: the table gives Austrian lorries 70 in towns
 * where everybody has 50. A value of the own kind stands before conditions that are meant for all kinds. Null where a
 * condition cannot be decided or a value cannot be read.
 */
export function osmLimit(tags: OsmSpeedRow['tags'], vehicle: TaggedVehicle): TaggedLimit | null {
  const own = vehicle.kinds.filter(
    (kind) => `maxspeed:${kind}` in tags || `maxspeed:${kind}:conditional` in tags,
  );
  const exact = own.at(-1);
  const texts = [tags['maxspeed'], exact === undefined ? undefined : tags[`maxspeed:${exact}`]];
  const conditional = tags[exact === undefined ? 'maxspeed:conditional' : `maxspeed:${exact}:conditional`];
  for (const part of conditional?.split(';') ?? []) {
    const [value, condition] = part.split('@');
    const holds = condition === undefined ? null : conditionHolds(condition, vehicle);
    if (holds === null) return null;
    if (holds) texts.push(value?.trim());
  }
  const limits = texts.filter((text) => text !== undefined).map(parseSpeed);
  if (limits.some((limit) => limit === null)) return null;
  return limits.reduce<TaggedLimit>(
    (lowest, limit) => (limit !== null && rank(limit) < rank(lowest) ? limit : lowest),
    { kind: 'none' },
  );
}

const metresPerSecond = { 'km/h': 1 / 3.6, mph: 0.44704 } as const;

function rank(limit: TaggedLimit): number {
  if (limit.kind === 'none') return Number.POSITIVE_INFINITY;
  return limit.kind === 'walk' ? 0 : limit.value * metresPerSecond[limit.unit];
}

/** `50`, `30 mph`, `walk`, `none` */
function parseSpeed(text: string): TaggedLimit | null {
  if (text === 'walk') return { kind: 'walk' };
  if (text === 'none') return { kind: 'none' };
  const parts = /^(\d{1,3})( mph)?$/.exec(text);
  if (!parts) return null;
  return { kind: 'limit', value: Number(parts[1]), unit: parts[2] === undefined ? 'km/h' : 'mph' };
}

/** `(weightrating>3.5 AND trailer)`; null = not decidable here. */
function conditionHolds(text: string, vehicle: TaggedVehicle): boolean | null {
  const words = text
    .trim()
    .replace(/^\((.*)\)$/, '$1')
    .split(' AND ')
    .map((word) => wordHolds(word.trim(), vehicle));
  if (words.includes(false)) return false;
  return words.includes(null) ? null : true;
}

function wordHolds(word: string, vehicle: TaggedVehicle): boolean | null {
  const bound = /^(weightrating|length)(>=?)(\d+(?:\.\d+)?)$/.exec(word);
  if (bound) {
    const value = bound[1] === 'length' ? vehicle.lengthM : vehicle.weightTonnes;
    return bound[2] === '>' ? value > Number(bound[3]) : value >= Number(bound[3]);
  }
  if (word === 'trailer') return vehicle.hasTrailer;
  if (word === 'wet') return vehicle.isWet;
  // None of the vehicles that are compared is one of these.
  if (word === 'articulated' || word === 'agricultural' || /^trailers>=2$/.test(word)) return false;
  return null;
}
