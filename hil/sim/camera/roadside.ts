/**
 * What stands along a road for the eye alone: trees, houses, lamps, guide posts, guard rails, as fits the kind of road. No
 * map says so and nothing else in the simulator knows it: it is not collided with, and no LiDAR sees it.
 */
import type { RoadIndex } from '../../opendrive/locate.js';
import type { MapRoad } from '../../opendrive/map.js';
import { laneEdgesM, poseAside, recordAt, sectionAt } from '../../opendrive/road-line.js';
import { createPrng, type Prng } from '../prng.js';
import type { WorldPose } from '../world/actor.js';

export interface RoadsideThing {
  readonly kind: 'tree' | 'house' | 'lamp' | 'post' | 'rail';
  /** on the ground; heading along the road, its left being the road's */
  readonly pose: WorldPose;
  readonly lengthM: number;
  readonly widthM: number;
  readonly heightM: number;
  /** for its looks, 0–255 */
  readonly variant: number;
}

interface Plan {
  readonly kind: RoadsideThing['kind'];
  readonly everyM: number;
  /** from the outermost lane to its nearer side */
  readonly clearM: number;
  /** more, at random */
  readonly scatterM: number;
  /** of the places, how many are taken */
  readonly share: number;
  size(prng: Prng): Pick<RoadsideThing, 'lengthM' | 'widthM' | 'heightM'>;
}

const square = (sizeM: number, heightM: number) => ({ lengthM: sizeM, widthM: sizeM, heightM });
const tree = (lowM: number, highM: number) => (prng: Prng) => {
  const heightM = lowM + (highM - lowM) * prng.uniform();
  return square(heightM * 0.62, heightM);
};
const post: Plan = {
  kind: 'post',
  everyM: 50,
  clearM: 0.7,
  scatterM: 0,
  share: 1,
  size: () => square(0.12, 1),
};
const rail: Plan = {
  kind: 'rail',
  everyM: 16,
  clearM: 0.6,
  scatterM: 0,
  share: 1,
  size: () => ({ lengthM: 16, widthM: 0.1, heightM: 0.75 }),
};

const plans: Readonly<Record<string, readonly Plan[]>> = {
  town: [
    {
      kind: 'house',
      everyM: 15,
      clearM: 2.5,
      scatterM: 2,
      share: 0.9,
      size: (prng) => ({
        lengthM: 11 + 3.5 * prng.uniform(),
        widthM: 9 + 3 * prng.uniform(),
        heightM: 3 * Math.floor(2 + 3 * prng.uniform()) + 0.6,
      }),
    },
    { kind: 'lamp', everyM: 34, clearM: 0.3, scatterM: 0, share: 1, size: () => square(0.14, 7) },
    { kind: 'tree', everyM: 27, clearM: 0.2, scatterM: 0.4, share: 0.5, size: tree(4, 6.5) },
  ],
  rural: [
    post,
    { kind: 'tree', everyM: 19, clearM: 5, scatterM: 14, share: 0.62, size: tree(6, 13) },
    { kind: 'tree', everyM: 31, clearM: 30, scatterM: 60, share: 0.8, size: tree(8, 15) },
  ],
  motorway: [
    rail,
    { ...post, clearM: 1.2 },
    { kind: 'tree', everyM: 15, clearM: 12, scatterM: 16, share: 0.75, size: tree(6, 12) },
    { kind: 'tree', everyM: 28, clearM: 40, scatterM: 60, share: 0.8, size: tree(8, 14) },
  ],
};

/** Things along both sides of a road; none where another road runs. */
export function roadsideOf(road: MapRoad, index: RoadIndex): readonly RoadsideThing[] {
  if (road.junction !== null) return [];
  const things: RoadsideThing[] = [];
  for (const side of [1, -1] as const) {
    const prng = createPrng('roadside', `${road.id} ${side}`);
    const type = recordAt(road.types, 0)?.type ?? 'rural';
    for (const plan of plans[type === 'lowSpeed' ? 'rural' : type] ?? (plans['rural'] as readonly Plan[]))
      for (let sM = plan.everyM / 2; sM < road.lengthM; sM += plan.everyM) {
        // Every place draws the same numbers, taken or not: one thing less moves no other one.
        const size = plan.size(prng);
        const clearM = plan.clearM + plan.scatterM * prng.uniform();
        const variant = Math.floor(256 * prng.uniform());
        const isTaken = prng.uniform() < plan.share;
        const edgeM = outermostM(road, sM, side);
        const pose = poseAside(road, sM, edgeM + side * (clearM + size.widthM / 2));
        const thing = { kind: plan.kind, pose, variant, ...size };
        if (isTaken && !isOnRoad(thing, index)) things.push(thing);
      }
  }
  return things;
}

function outermostM(road: MapRoad, sM: number, side: 1 | -1): number {
  const section = sectionAt(road, sM);
  const ids = section.lanes.map(({ id }) => id * side);
  return laneEdgesM(road, section, side * Math.max(0, ...ids), sM)[1];
}

const marginM = 1;

function isOnRoad({ pose, lengthM, widthM, kind }: RoadsideThing, index: RoadIndex): boolean {
  // A rail stands as near to its road as it may.
  const [along, aside] = kind === 'rail' ? [lengthM / 2, 0.2] : [lengthM / 2 + marginM, widthM / 2 + 0.1];
  const [cos, sin] = [Math.cos(pose.headingRad), Math.sin(pose.headingRad)];
  for (const u of [-along, 0, along])
    for (const v of [-aside, 0, aside])
      if (index.locate(pose.x + u * cos - v * sin, pose.y + u * sin + v * cos) !== null) return true;
  return false;
}
