/** What changes for a driver between two versions of a pack: limits by road, vehicle and condition; rules; documents. */
import { isDeepStrictEqual } from 'node:util';
import { evaluateLimit } from '../evaluate/evaluate-limit.js';
import { parseFlatContext } from '../evaluate/flat-context.js';
import type { PackDocument, Rulepack } from '../format/rulepack.js';
import { type RulepackSet, rulesOf } from '../rules-expert.js';

const roads = [
  'urban',
  'rural',
  'dual_carriageway',
  'expressway',
  'motorway',
  'living_street',
  'cycle_street',
  'tunnel',
  'urban_ring',
];
const vehicles: Readonly<Record<string, object>> = {
  car: { vehicle: 'car' },
  'car+trailer': { vehicle: 'car_trailer' },
  motorhome: { vehicle: 'motorhome', mass_t: 3.5 },
  'hgv 7.5 t': { vehicle: 'hgv', mass_t: 7.5 },
  'hgv 40 t': { vehicle: 'hgv', mass_t: 40 },
  coach: { vehicle: 'coach', length_m: 12 },
};
const conditions: Readonly<Record<string, object>> = {
  dry: { wet: false, lit: true },
  'not lit': { wet: false, lit: false },
  wet: { wet: true, lit: true },
  'fog 40 m': { wet: true, lit: true, visibility_m: 40 },
  novice: { wet: false, lit: true, novice: true },
  chains: { wet: false, lit: true, chains: true },
};

export interface LimitChange {
  readonly road: string;
  readonly vehicle: string;
  readonly condition: string;
  /** `50`, `none (130 advised)` */
  readonly before: string;
  readonly after: string;
}

export interface NamedChange {
  readonly id: string;
  readonly change: 'added' | 'removed' | 'changed';
}

export interface PackDifference {
  readonly limits: readonly LimitChange[];
  readonly compared: number;
  readonly rules: readonly NamedChange[];
  readonly documents: readonly NamedChange[];
}

/** A pack among those that it is answered with, and the day for which it is asked. */
export interface PackSide {
  readonly pack: Rulepack;
  readonly packs: RulepackSet;
  readonly asOf: string;
}

export function diffPacks(before: PackSide, after: PackSide): PackDifference {
  const limits: LimitChange[] = [];
  let compared = 0;
  for (const road of roads) {
    for (const [vehicle, vehicleFacts] of Object.entries(vehicles)) {
      for (const [condition, facts] of Object.entries(conditions)) {
        const context = { road, ...vehicleFacts, ...facts };
        const [a, b] = [limitText(before, context), limitText(after, context)];
        compared++;
        if (a !== b) limits.push({ road, vehicle, condition, before: a, after: b });
      }
    }
  }
  return {
    limits,
    compared,
    rules: changes(
      new Map(before.pack.rules.map((rule) => [rule.id, rule])),
      new Map(after.pack.rules.map((rule) => [rule.id, rule])),
    ),
    documents: changes(documentsOf(before.pack), documentsOf(after.pack)),
  };
}

function limitText({ pack, packs, asOf }: PackSide, context: object): string {
  const rules = rulesOf(packs, pack.manifest.id, asOf);
  if (rules === null) return 'no pack';
  const { value, advisory } = evaluateLimit(rules, parseFlatContext(context));
  const advised = advisory === null ? '' : ` (${advisory} advised)`;
  return `${value === null ? 'none' : value}${advised}`;
}

function documentsOf({ documents }: Rulepack): ReadonlyMap<string, unknown> {
  const parts = ({ head, body }: PackDocument): unknown => ({ head, body });
  return new Map([...documents].map(([id, versions]) => [id, versions.map(parts)]));
}

function changes(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): NamedChange[] {
  const found: NamedChange[] = [];
  for (const id of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    if (!before.has(id)) found.push({ id, change: 'added' });
    else if (!after.has(id)) found.push({ id, change: 'removed' });
    else if (!isDeepStrictEqual(before.get(id), after.get(id))) found.push({ id, change: 'changed' });
  }
  return found;
}
