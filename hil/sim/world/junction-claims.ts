/**
 * Who may enter a junction: a way through is claimed before it is driven, and a claim is granted when no conflicting way
 * is claimed by somebody who came first. Ways conflict where their lanes come nearer than two cars side by side; two ways
 * out of one lane do not, because there one car follows the other.
 */
import type { MapJunction, MapRoad, OpenDriveMap } from '../../opendrive/map.js';
import { lanePose, sectionAt } from '../../opendrive/road-line.js';
import type { VehicleActor } from './actor.js';
import { leftOnRoadM } from './lane-track.js';

const besideM = 2.6;
const sampleM = 1;
/** nearer than this to the line one waits for one's turn in the order of arrival */
const waitingM = 8;

interface Claim {
  readonly actor: VehicleActor;
  readonly way: string;
  isGranted: boolean;
  hasEntered: boolean;
}

export class JunctionClaims {
  readonly #conflicts = new Map<string, ReadonlySet<string>>();
  readonly #claims = new Map<string, Claim[]>();

  constructor(map: OpenDriveMap) {
    for (const junction of map.junctions.values()) this.#compare(map, junction);
  }

  /** Whether `actor`, whose next road is a way through a junction, may drive on; asks for the way if it has not yet. */
  mayEnter(actor: VehicleActor, isTakenByOthers: (way: string) => boolean): boolean {
    const way = actor.track?.next?.road;
    if (way === undefined || way.junction === null) return true;
    const claims = this.#of(way.junction);
    let claim = claims.find((other) => other.actor === actor);
    if (claim === undefined || claim.way !== way.id) {
      if (claim !== undefined) claims.splice(claims.indexOf(claim), 1);
      claim = { actor, way: way.id, isGranted: false, hasEntered: false };
      claims.push(claim);
    }
    if (claim.isGranted) return true;
    const conflicts = this.#conflicts.get(way.id) ?? new Set();
    for (const other of claims) {
      if (other === claim) break;
      if (conflicts.has(other.way) && (other.isGranted || isWaiting(other))) return false;
    }
    if (claims.some((other) => other !== claim && other.isGranted && conflicts.has(other.way))) return false;
    for (const other of conflicts) if (isTakenByOthers(other)) return false;
    claim.isGranted = true;
    return true;
  }

  /** Whether a vehicle holds a claim: it was seen here already. */
  holds(actor: VehicleActor): boolean {
    for (const claims of this.#claims.values())
      if (claims.some((claim) => claim.actor === actor)) return true;
    return false;
  }

  /** Gives claims back: of those who are through with their whole length, who turned off, or who are gone. */
  release(isThere: (actor: VehicleActor) => boolean): void {
    for (const claims of this.#claims.values()) {
      for (let i = claims.length - 1; i >= 0; i--) {
        const claim = claims[i] as Claim;
        const { track, size } = claim.actor;
        const isOnWay = track?.road.id === claim.way;
        if (isOnWay) claim.hasEntered = true;
        const drivenM = track === null ? Infinity : track.road.lengthM - leftOnRoadM(track);
        const isThrough = claim.hasEntered && !isOnWay && drivenM > size.lengthM / 2 + 1;
        const isElsewhere = !claim.hasEntered && track?.next?.road.id !== claim.way;
        if (!isThere(claim.actor) || isThrough || isElsewhere) claims.splice(i, 1);
      }
    }
  }

  #of(junction: string): Claim[] {
    let claims = this.#claims.get(junction);
    if (claims === undefined) {
      claims = [];
      this.#claims.set(junction, claims);
    }
    return claims;
  }

  #compare(map: OpenDriveMap, junction: MapJunction): void {
    const ways = junction.connections.flatMap(({ connectingRoad, incomingRoad }) => {
      const road = map.roads.get(connectingRoad);
      return road === undefined ? [] : [{ road, incomingRoad, points: pointsOf(road) }];
    });
    for (const one of ways) {
      const conflicts = new Set<string>();
      for (const other of ways)
        if (
          other.road !== one.road &&
          other.incomingRoad !== one.incomingRoad &&
          areNear(one.points, other.points)
        )
          conflicts.add(other.road.id);
      this.#conflicts.set(one.road.id, conflicts);
    }
  }
}

function isWaiting({ actor }: Claim): boolean {
  return actor.track !== null && leftOnRoadM(actor.track) - actor.size.lengthM / 2 < waitingM;
}

function pointsOf(road: MapRoad): readonly (readonly [number, number])[] {
  const points: [number, number][] = [];
  for (let sM = 0; sM <= road.lengthM; sM += sampleM)
    for (const { id, type } of sectionAt(road, sM).lanes)
      if (id !== 0 && type === 'driving') {
        const { x, y } = lanePose(road, id, sM);
        points.push([x, y]);
      }
  return points;
}

function areNear(
  one: readonly (readonly [number, number])[],
  other: readonly (readonly [number, number])[],
): boolean {
  return one.some(([x, y]) => other.some(([u, v]) => (x - u) ** 2 + (y - v) ** 2 < besideM * besideM));
}
