/** Limits over roads, vehicles and conditions: how two bodies of law differ for a driver. */
import { evaluateLimit } from './evaluate-limit.js';
import { parseFlatContext } from './flat-context.js';
import type { RulesInForce } from './rules-in-force.js';

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

export interface LimitComparison {
  readonly limits: readonly LimitChange[];
  readonly compared: number;
}

/** Null = no pack there: every limit is unknown. */
export function compareLimits(before: RulesInForce | null, after: RulesInForce | null): LimitComparison {
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
  return { limits, compared };
}

function limitText(rules: RulesInForce | null, context: object): string {
  if (rules === null) return 'no pack';
  const { value, advisory } = evaluateLimit(rules, parseFlatContext(context));
  const advised = advisory === null ? '' : ` (${advisory} advised)`;
  return `${value === null ? 'none' : value}${advised}`;
}
