/**
 * The flat context: how callers describe the situation (`road`, `wet`, `sign: "274-80"`, `gantry: "100|80"`).
 * An absent key is unknown, never false. Unknown keys and wrong types are refused.
 */
import { z } from 'zod';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import {
  type FactKey,
  type Facts,
  type FactValue,
  roadClasses,
  roadSubclasses,
  type TimeOfWeek,
} from '../format/vocabulary.js';
import { facesForLane, readGantry, readSign } from './posted.js';

export const roads = [...roadClasses, ...roadSubclasses] as const;
const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

export const flatContextSchema = z.strictObject({
  road: z.enum(roads).optional(),
  vehicle: z.enum(['car', 'car_trailer', 'car_ev', 'motorhome', 'hgv', 'coach']).optional(),
  mass_t: z.number().positive().max(1000).optional(),
  unladen_t: z.number().positive().max(1000).optional(),
  length_m: z.number().positive().max(200).optional(),
  /** towing, for other vehicles than cars */
  trailer: z.boolean().optional(),
  articulated: z.boolean().optional(),
  standees: z.boolean().optional(),
  /** coach approved for 100 km/h */
  coach100: z.boolean().optional(),
  /** car and trailer approved for 100 km/h */
  tempo100: z.boolean().optional(),
  dangerous_goods: z.boolean().optional(),
  novice: z.boolean().optional(),
  chains: z.boolean().optional(),
  lit: z.boolean().optional(),
  wet: z.boolean().optional(),
  priority_road: z.boolean().optional(),
  lanes_per_dir: z.number().int().positive().max(20).optional(),
  visibility_m: z.number().nonnegative().optional(),
  speed_kmh: z.number().nonnegative().max(1000).optional(),
  lane_from_verge: z.number().int().positive().max(20).optional(),
  /** code with value (`274-80`), code alone (`282`), or a bare number as seen */
  sign: z.string().max(40).optional(),
  plate: z.string().max(40).optional(),
  /** faces from the verge, separated by `|` */
  gantry: z.string().max(120).optional(),
  /** limit of the map in the pack's unit; never beats a sign or a rule */
  map: z.number().positive().max(300).optional(),
  /** local time, `HH:MM` or `Ddd-HH:MM` */
  time: z
    .string()
    .regex(/^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)-)?(?:[01]\d|2[0-3]):[0-5]\d$/, 'HH:MM or Ddd-HH:MM')
    .optional(),
  traffic: z.enum(['free', 'dense', 'jam']).optional(),
  /** evaluate as if the pack were in this state */
  pack_state: z.enum(['ok', 'expired', 'unsigned']).optional(),
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

/** Class and carriageway of the roads whose name says more than a class; a tunnel may be of either class. */
const roadFacts: Readonly<Record<(typeof roads)[number], readonly [FactKey, FactValue][]>> = {
  urban: [['road_class', 'urban']],
  rural: [['road_class', 'rural']],
  motorway: [
    ['road_class', 'motorway'],
    ['carriageway', 'separated'],
  ],
  expressway: [['road_class', 'expressway']],
  living_street: [['road_class', 'living_street']],
  cycle_street: [['road_class', 'cycle_street']],
  service: [['road_class', 'service']],
  dual_carriageway: [
    ['road_class', 'rural'],
    ['carriageway', 'separated'],
  ],
  tunnel: [],
  urban_ring: [['road_class', 'urban']],
  urban_through: [['road_class', 'urban']],
  urban_shared: [['road_class', 'urban']],
  residential: [['road_class', 'urban']],
  rural_local: [['road_class', 'rural']],
  rural_regional: [['road_class', 'rural']],
  rural_national: [['road_class', 'rural']],
  freeway: [
    ['road_class', 'motorway'],
    ['carriageway', 'separated'],
  ],
  two_lane_undivided: [
    ['road_class', 'rural'],
    ['carriageway', 'single'],
  ],
};
const plainRoads: ReadonlySet<string> = new Set(roadClasses);

/**
 * The facts that conditions test; what is not in the map is unknown.
 * @param nation the part of the country, where the jurisdiction says it (`GBR/WLS`)
 * @param knownSigns codes of signs that the country's rules know
 */
export function factsOf(
  context: FlatContext,
  nation?: string | null,
  knownSigns?: ReadonlySet<string>,
): Map<FactKey, FactValue> {
  const facts = new Map<FactKey, FactValue>();
  const set = (key: FactKey, value: FactValue | null | undefined): void => {
    if (value !== undefined && value !== null) facts.set(key, value);
  };
  const { road } = context;
  if (road !== undefined) {
    for (const [key, value] of roadFacts[road]) facts.set(key, value);
    facts.set('road_subclass', plainRoads.has(road) ? 'none' : road);
  }
  set('nation', nation);
  set('lanes_per_dir', context.lanes_per_dir);
  set('lane_from_verge', context.lane_from_verge);
  set('lit', context.lit);
  set('priority_road', context.priority_road);
  // The one key with a default: who does not name the vehicle drives a passenger car without a trailer. Taking an
  // unknown class for a lorry would answer every plain question with the lorry's limit. So with a trailer that is not
  // named: the names of vehicles say it for cars, and `trailer` for the others.
  const vehicle = context.vehicle ?? 'car';
  set('vehicle.class', vehicle === 'car_trailer' || vehicle === 'car_ev' ? 'car' : vehicle);
  set('vehicle.trailer', vehicle === 'car_trailer' || (context.trailer ?? false));
  set('vehicle.electric', vehicle === 'car_ev' ? true : vehicle === 'car' ? undefined : false);
  set('vehicle.mass_t', context.mass_t);
  set('vehicle.unladen_t', context.unladen_t);
  set('vehicle.length_m', context.length_m);
  set('vehicle.articulated', context.articulated ?? false);
  set('vehicle.standees', context.standees ?? false);
  set('vehicle.coach100', context.coach100);
  set('vehicle.tempo100', context.tempo100);
  set('vehicle.dangerous_goods', context.dangerous_goods ?? false);
  set('driver.novice', context.novice);
  set('visibility_m', context.visibility_m);
  if (context.wet !== undefined) {
    // German case law wants a film of water, French and Italian law count falling rain: each pack tests its own fact.
    set('road_surface', context.wet ? 'wet' : 'dry');
    set('precipitation', context.wet);
  }
  set('chains', context.chains);
  set('speed_kmh', context.speed_kmh);
  set('traffic', context.traffic);
  set('time', context.time === undefined ? undefined : timeOf(context.time));
  set('plate.code', context.plate);
  setPosted(context, knownSigns, set);
  return facts;
}

/** What is posted, as facts: caps and conduct ask for it as well. A gantry counts where one face is known to be ours. */
function setPosted(
  context: FlatContext,
  knownSigns: ReadonlySet<string> | undefined,
  set: (key: FactKey, value: FactValue | null | undefined) => void,
): void {
  const sign = context.sign === undefined ? null : readSign(context.sign, knownSigns);
  set('sign.code', sign?.code);
  set('sign.value', sign?.value);
  if (context.gantry === undefined) return;
  const faces = facesForLane(readGantry(context.gantry), context.lane_from_verge);
  if (faces.length === 1) set('gantry.face', faces[0]?.kind);
}

function timeOf(text: string): TimeOfWeek {
  const clock = text.slice(-5);
  const day = text.length > 5 ? days.indexOf(text.slice(0, 3).toLowerCase()) : -1;
  return { minute: Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3)), day: day < 0 ? null : day };
}

export function isKnownRoad(facts: Facts): boolean {
  return facts.has('road_class');
}
