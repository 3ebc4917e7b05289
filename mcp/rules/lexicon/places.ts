/** Places that a question names: parts of a country with a law of their own, and other countries. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { parseYaml } from '../format/located-yaml.js';
import { fold } from '../retrieval/tokenise.js';

const names = z.string().min(1).max(4_000);
const placesSchema = z.strictObject({
  countries: z.record(z.string(), names),
  parts: z.record(z.string(), z.record(z.string(), names)),
});

export interface NamedPlaces {
  /** ids of base packs, `FRA` */
  readonly countries: readonly string[];
  /** of the country that was asked for, `WLS` */
  readonly parts: readonly string[];
}

type Names = readonly (readonly [id: string, pattern: RegExp])[];
interface Places {
  readonly countries: Names;
  readonly parts: ReadonlyMap<string, Names>;
}

const file = fileURLToPath(new URL('../../../../rulepacks/lexicon/places.yaml', import.meta.url));
let kept: Places | undefined;

/**
 * @param text of a question, made plain
 * @param country id of the base pack whose parts are meant
 * @throws DriveMcpError RULEPACK_INVALID with file, line and key
 */
export function namedPlaces(text: string, country: string): NamedPlaces {
  const { countries, parts } = places();
  const found = (all: Names): string[] => all.filter(([, pattern]) => pattern.test(folded)).map(([id]) => id);
  const folded = fold(text.normalize('NFC').toLowerCase()).replace(/[^\p{L}\p{N}]+/gu, ' ');
  const own = found(parts.get(country) ?? []);
  // Northern Ireland is no Ireland, and whoever names a part of the country names no other one.
  return { countries: own.length > 0 ? [] : found(countries), parts: own };
}

function places(): Places {
  if (kept) return kept;
  const source = parseYaml(file, readFileSync(file, 'utf8'), placesSchema);
  const compiled = (of: Readonly<Record<string, string>>): Names =>
    Object.entries(of).map(([id, list]) => [id, patternOf(list)] as const);
  kept = {
    countries: compiled(source.countries),
    parts: new Map(Object.entries(source.parts).map(([id, of]) => [id, compiled(of)])),
  };
  return kept;
}

/** Where somebody comes from is not where he is. */
const notFrom = String.raw`(?<!(?<!\p{L})(?:from|aus|vanuit|depuis|desde|z|ze) )`;

function patternOf(list: string): RegExp {
  const words = list.split(',').map((name) => {
    const trimmed = fold(name.trim().toLowerCase());
    return trimmed.replace(/[^\p{L}\p{N}*]+/gu, ' ').replace(/\*/g, String.raw`\p{L}*`);
  });
  return new RegExp(String.raw`${notFrom}(?<![\p{L}\p{N}])(?:${words.join('|')})(?![\p{L}\p{N}])`, 'u');
}
