/**
 * Where a pack and OpenStreetMap's table of default speed limits do not agree. The table is older than the law in places
 * and knows no sign, no hour and no day; it is a hint where somebody should look again, never a source of a limit.
 */
import { evaluateLimit } from '../evaluate/evaluate-limit.js';
import { parseFlatContext } from '../evaluate/flat-context.js';
import type { RulesInForce } from '../evaluate/rules-in-force.js';
import { citationsOf } from '../rules-expert.js';
import type { OsmSpeedRow } from './osm-speed-table.js';
import { osmLimit, type TaggedLimit, type TaggedVehicle } from './osm-tag-limit.js';

export interface Disagreement {
  /** name of the row in the table; `rural` where it has none */
  readonly road: string;
  readonly vehicle: string;
  /** `80 km/h`, `walking pace`, `none` */
  readonly osm: string;
  readonly ours: string;
  /** as a lawyer writes it; empty where no rule answers */
  readonly cite: string;
  readonly docId: string;
  readonly rule: string;
}

export interface Crosscheck {
  readonly disagreements: readonly Disagreement[];
  readonly compared: number;
  /** roads of the table that the context has no word for */
  readonly unmapped: readonly string[];
  /** situations whose tags cannot be read */
  readonly undecided: number;
}

/** Names of rows of the table, and the situation that they mean here. */
const roads: ReadonlyMap<string, object> = new Map<string, object>([
  ['urban', { road: 'urban', lit: true }],
  ['United Kingdom: restricted road', { road: 'urban', lit: true }],
  ['urban road with 2 or more lanes in each direction', { road: 'urban', lanes_per_dir: 2 }],
  ['urban road without sidewalk', { road: 'urban_shared' }],
  ['Spain: Travesía', { road: 'urban_through' }],
  ['residential district', { road: 'residential' }],
  ['living street', { road: 'living_street' }],
  ['cycle street', { road: 'cycle_street' }],
  ['rural', { road: 'rural' }],
  ['Italy: Strada extraurbana local', { road: 'rural' }],
  ['Italy: Strada extraurbana secondaria', { road: 'rural' }],
  ['rural road with 1 lane in each direction', { road: 'two_lane_undivided' }],
  ['rural road with 2 or more lanes in each direction', { road: 'rural', lanes_per_dir: 2 }],
  ['rural single carriageway with 2 or more lanes in each direction', { road: 'rural', lanes_per_dir: 2 }],
  ['dual carriageway', { road: 'dual_carriageway' }],
  ['rural dual carriageway', { road: 'dual_carriageway' }],
  [
    'rural dual carriageway with 2 or more lanes in each direction',
    { road: 'dual_carriageway', lanes_per_dir: 2 },
  ],
  ['motorroad', { road: 'expressway' }],
  ['rural motorroad', { road: 'expressway' }],
  ['Italy: Strada extraurbana principale', { road: 'expressway' }],
  ['motorroad with single carriageway', { road: 'expressway', lanes_per_dir: 1 }],
  ['rural motorroad with single carriageway', { road: 'expressway', lanes_per_dir: 1 }],
  ['motorroad with dual carriageway', { road: 'expressway', lanes_per_dir: 2 }],
  ['motorway', { road: 'motorway' }],
  ['rural motorway', { road: 'motorway' }],
  ['Italy: Autostrada', { road: 'motorway' }],
]);

interface Situation {
  readonly name: string;
  readonly context: object;
  readonly tagged: TaggedVehicle;
}

function situation(
  name: string,
  context: object,
  kinds: readonly string[],
  tagged: Partial<TaggedVehicle> = {},
): Situation {
  const plain = { kinds, weightTonnes: 2, lengthM: 5, hasTrailer: false, isWet: false };
  return { name, context: { wet: false, ...context }, tagged: { ...plain, ...tagged } };
}

/** A coach with and without the approval for 100 km/h: `maxspeed:coach` means the former, `maxspeed:bus` any bus. */
const situations: readonly Situation[] = [
  situation('car', { vehicle: 'car', mass_t: 2 }, []),
  situation('car, wet', { vehicle: 'car', mass_t: 2, wet: true }, [], { isWet: true }),
  situation('car+trailer 3.5 t', { vehicle: 'car_trailer', mass_t: 3.5 }, [], {
    weightTonnes: 3.5,
    hasTrailer: true,
  }),
  situation('motorhome 5 t', { vehicle: 'motorhome', mass_t: 5 }, ['motorhome'], { weightTonnes: 5 }),
  situation('hgv 7.5 t', { vehicle: 'hgv', mass_t: 7.5 }, ['goods', 'hgv'], {
    weightTonnes: 7.5,
    lengthM: 8,
  }),
  situation('hgv 18 t', { vehicle: 'hgv', mass_t: 18 }, ['goods', 'hgv'], { weightTonnes: 18, lengthM: 10 }),
  situation('coach', { vehicle: 'coach', mass_t: 18, length_m: 12, coach100: false }, ['bus'], {
    weightTonnes: 18,
    lengthM: 12,
  }),
  situation('coach 100', { vehicle: 'coach', mass_t: 18, length_m: 12, coach100: true }, ['bus', 'coach'], {
    weightTonnes: 18,
    lengthM: 12,
  }),
];

export function crosscheckPack(rules: RulesInForce, rows: readonly OsmSpeedRow[]): Crosscheck {
  const unit = rules.jurisdiction.packs[0]?.manifest.units.speed ?? 'km/h';
  const disagreements: Disagreement[] = [];
  const unmapped: string[] = [];
  let compared = 0;
  let undecided = 0;
  for (const { name, tags } of rows) {
    if (name === undefined && rows.some((row) => row.name === 'rural')) continue; // the same again under its name
    const road = name ?? 'rural';
    const facts = roads.get(road);
    if (facts === undefined) {
      unmapped.push(road);
      continue;
    }
    for (const { name: vehicle, context, tagged } of situations) {
      const osm = osmLimit(tags, tagged);
      if (osm === null) {
        undecided++;
        continue;
      }
      compared++;
      const answer = evaluateLimit(rules, parseFlatContext({ ...facts, ...context }));
      const ours: TaggedLimit =
        answer.value === null
          ? { kind: 'none' }
          : answer.qualifier === 'walking_pace'
            ? { kind: 'walk' }
            : { kind: 'limit', value: answer.value, unit };
      if (limitText(ours) === limitText(osm)) continue;
      const [citation] = citationsOf(rules, answer.rules) as {
        cite: string;
        doc_id: string;
        rule: string;
      }[];
      disagreements.push({
        road,
        vehicle,
        osm: limitText(osm),
        ours: limitText(ours),
        cite: citation?.cite ?? '',
        docId: citation?.doc_id ?? '',
        rule: citation?.rule ?? '',
      });
    }
  }
  return { disagreements, compared, unmapped, undecided };
}

function limitText(limit: TaggedLimit): string {
  if (limit.kind === 'limit') return `${limit.value} ${limit.unit}`;
  return limit.kind === 'walk' ? 'walking pace' : 'none';
}
