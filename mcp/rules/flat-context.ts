/**
 * The flat context: how callers describe the situation (`road`, `wet`, `sign: "274-80"`, `gantry: "100|80"`).
 * An absent key is unknown, never false. Unknown keys and wrong types are refused.
 */
import { z } from 'zod';
import { DriveMcpError } from '../../daemon/core/errors.js';
import type { FactKey } from './pack-format.js';

const roads = [
  'urban',
  'rural',
  'motorway',
  'expressway',
  'living_street',
  'cycle_street',
  'service',
  'dual_carriageway',
] as const;

export const flatContextSchema = z.strictObject({
  road: z.enum(roads).optional(),
  vehicle: z.enum(['car', 'car_trailer', 'car_ev', 'motorhome', 'hgv', 'coach']).optional(),
  mass_t: z.number().positive().optional(),
  chains: z.boolean().optional(),
  lit: z.boolean().optional(),
  wet: z.boolean().optional(),
  lanes_per_dir: z.number().int().positive().optional(),
  visibility_m: z.number().nonnegative().optional(),
  speed_kmh: z.number().nonnegative().optional(),
  lane_from_verge: z.number().int().positive().optional(),
  /** code with value (`274-80`), code alone (`282`), or a bare number as seen */
  sign: z.string().max(40).optional(),
  plate: z.string().max(40).optional(),
  /** faces from the verge, separated by `|` */
  gantry: z.string().max(120).optional(),
  /** limit of the map in the pack's unit; never beats a sign or a rule */
  map: z.number().positive().optional(),
});
export type FlatContext = z.infer<typeof flatContextSchema>;

/** @throws DriveMcpError RULES_BAD_CONTEXT naming the key */
export function parseFlatContext(value: unknown): FlatContext {
  const parsed = flatContextSchema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const key = issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue?.path.join('.');
  throw new DriveMcpError('RULES_BAD_CONTEXT', issue?.message ?? 'the context is not an object', {
    ...(key ? { location: { key } } : {}),
  });
}

export type FactValue = string | number | boolean;

/**
 * The facts that conditions test; what is not in the map is unknown.
 * @param nation the part of the country, where the jurisdiction path says it (`GBR/WLS`)
 */
export function factsOf(context: FlatContext, nation?: string): ReadonlyMap<FactKey, FactValue> {
  const facts = new Map<FactKey, FactValue>();
  const set = (key: FactKey, value: FactValue | undefined): void => {
    if (value !== undefined) facts.set(key, value);
  };
  set('road_class', context.road === 'dual_carriageway' ? 'rural' : context.road);
  if (context.road === 'dual_carriageway' || context.road === 'motorway') set('carriageway', 'separated');
  set('nation', nation);
  set('lanes_per_dir', context.lanes_per_dir);
  set('lit', context.lit);
  // The one key with a default: who does not name the vehicle drives a passenger car without a trailer. Taking an
  // unknown class for a lorry would answer every plain question with the lorry's limit.
  const vehicle = context.vehicle ?? 'car';
  set('vehicle.class', vehicle === 'car_trailer' || vehicle === 'car_ev' ? 'car' : vehicle);
  set('vehicle.trailer', vehicle === 'car_trailer');
  set('vehicle.mass_t', context.mass_t);
  set('visibility_m', context.visibility_m);
  if (context.wet !== undefined) set('road_surface', context.wet ? 'wet' : 'dry');
  set('chains', context.chains);
  if (context.plate !== undefined) set('plate.code', context.plate);
  return facts;
}
