/**
 * Whose law: from a name to the packs that hold there. All spellings are read here and nowhere else:
 * `DEU`, `DE`, `DEU-v1`, `DEU-v1-VSL`, `GBR/WLS`, `GBR-WLS`, `GB-WLS`, `FRA-75056`, `FR/75056`.
 */

import { isInRange } from '../format/manifest-schema.js';
import type { Rulepack } from '../format/rulepack.js';

export interface Jurisdiction {
  /** base, then overlays from the country down, then companions and temporary packs */
  readonly packs: readonly Rulepack[];
  readonly path: readonly string[];
  /** those that hold in a part right below `path`, where we may or may not be: they tighten, they never raise */
  readonly perhaps: ReadonlySet<Rulepack>;
  /** part of the country, `WLS`; null = not said */
  readonly nation: string | null;
  /** the country has parts with a law of their own and it is not known in which one we are: the lowest of them counts */
  readonly isPartUnknown: boolean;
  /** what was left out and why, for people */
  readonly notes: readonly string[];
}

/** @returns null where no base pack is installed for that country or major version */
export function resolveJurisdiction(
  name: string,
  packs: ReadonlyMap<string, Rulepack>,
  asOf: string,
): Jurisdiction | null {
  const parts = name
    .trim()
    .toUpperCase()
    .split(/[/\s-]+/)
    .filter(Boolean);
  const major = parts.map((part) => /^V(\d+)$/.exec(part)?.[1]).find((version) => version !== undefined);
  const [country = '', ...inside] = parts.filter((part) => !/^V\d+$/.test(part));
  const base = baseOf(country, inside, packs);
  if (!base) return null;
  const rest = inside.slice(partsOf(base).length);
  if (major !== undefined && base.manifest.version.split('.')[0] !== major) return null;
  const notes: string[] = [];
  const family = [...packs.values()].filter(
    (pack) => pack !== base && rootOf(pack, packs) === base && isUsable(pack, packs, notes),
  );
  const companions = family.filter(({ manifest }) => manifest.kind === 'companion');
  const temporary = family.filter(
    ({ manifest: { kind, valid } }) => kind === 'temporary' && valid.from <= asOf && asOf < valid.until,
  );
  const overlays = family.filter(({ manifest }) => manifest.kind === 'overlay');
  const words = rest.filter(
    (word) => !companions.some(({ manifest }) => manifest.id === `${base.manifest.id}-${word}`),
  );
  const part = knownPart(words, base, family);
  if (part.split('-').length < words.length)
    notes.push(
      `${words.join('/')} is not known in ${base.manifest.id}: ${part === '' ? 'left out' : `read as ${part}`}`,
    );
  const named =
    part === '' ? null : overlays.find(({ manifest }) => manifest.id === `${base.manifest.id}-${part}`);
  const top = base.manifest.jurisdiction;
  const path = named?.manifest.jurisdiction.path ?? [
    ...top.path,
    ...(part === '' ? [] : [`${top.country}-${part}`]),
  ];
  const chain = overlays
    .filter(({ manifest }) => isPrefix(manifest.jurisdiction.path, path))
    .sort((a, b) => a.manifest.jurisdiction.path.length - b.manifest.jurisdiction.path.length);
  // Parts right below where we are have laws for everybody in them; a town's order does not concern the whole country.
  const isHere = ({ manifest }: Rulepack): boolean => isPrefix(manifest.jurisdiction.path, path);
  const isRightBelow = ({ manifest: { jurisdiction } }: Rulepack): boolean =>
    jurisdiction.local !== true &&
    jurisdiction.path.length === path.length + 1 &&
    isPrefix(path, jurisdiction.path);
  const below = overlays.filter(isRightBelow);
  const joined = [...companions, ...temporary].filter((pack) => isHere(pack) || isRightBelow(pack));
  const perhaps = new Set([...below, ...joined.filter(isRightBelow)]);
  const isPartUnknown = perhaps.size > 0;
  return {
    packs: [base, ...chain, ...below, ...joined],
    perhaps,
    path,
    nation: part === '' ? null : part,
    isPartUnknown,
    notes,
  };
}

/**
 * As much of a part's name as somebody knows: a pack that holds there, or the country's own list of its parts. In a part
 * that nobody knows (`GBR/CARDIFF`) it is open which part's law holds, so none of them is excluded.
 */
function knownPart(words: readonly string[], base: Rulepack, family: readonly Rulepack[]): string {
  const { country, parts = [] } = base.manifest.jurisdiction;
  const known = new Set([
    ...parts.map((one) => `${country}-${one}`),
    ...family.flatMap(({ manifest }) => manifest.jurisdiction.path),
  ]);
  const ids = new Set(family.map(({ manifest }) => manifest.id));
  for (let count = words.length; count > 0; count--) {
    const part = words.slice(0, count).join('-');
    if (known.has(`${country}-${part}`) || ids.has(`${base.manifest.id}-${part}`)) return part;
  }
  return '';
}

/**
 * The base pack of a place. Where law is made by the parts and not by the country (the states of the USA) a part has a
 * base of its own: it answers where that part is named and nowhere else, so that no state's limit is told in another.
 */
function baseOf(
  country: string,
  inside: readonly string[],
  packs: ReadonlyMap<string, Rulepack>,
): Rulepack | undefined {
  return [...packs.values()]
    .filter(({ manifest }) => manifest.kind === 'base')
    .filter((pack) => [pack.manifest.id.slice(0, 3), pack.manifest.jurisdiction.country].includes(country))
    .filter((pack) => isPrefix(partsOf(pack), inside))
    .sort((a, b) => partsOf(b).length - partsOf(a).length)[0];
}

/** Words of an id below the country: `USA-CA` → `CA`. */
function partsOf({ manifest }: Rulepack): readonly string[] {
  return manifest.id.split('-').slice(1);
}

function rootOf(pack: Rulepack, packs: ReadonlyMap<string, Rulepack>): Rulepack | null {
  let at: Rulepack | undefined = pack;
  for (let depth = 0; at?.manifest.extends && depth < 5; depth++) at = packs.get(at.manifest.extends.id);
  return at && at.manifest.extends === null ? at : null;
}

function isUsable(pack: Rulepack, packs: ReadonlyMap<string, Rulepack>, notes: string[]): boolean {
  const { extends: parent, id } = pack.manifest;
  const found = parent === null ? undefined : packs.get(parent.id);
  if (parent === null || (found && isInRange(found.manifest.version, parent.range))) return true;
  notes.push(
    `${id} needs ${parent.id} ${parent.range}, there is ${found?.manifest.version ?? 'none'}: left out`,
  );
  return false;
}

function isPrefix(a: readonly string[], b: readonly string[]): boolean {
  return a.length <= b.length && a.every((part, i) => part === b[i]);
}
