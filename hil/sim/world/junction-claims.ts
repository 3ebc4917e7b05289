/**
 * Who may enter a junction: a way through is claimed before it is driven, and a claim is granted when no conflicting way
 * is claimed by somebody who came first.
 */
import type { MapRoad, OpenDriveMap } from '../../opendrive/map.js';
import type { VehicleActor } from './actor.js';
import { leftOnRoadM } from './lane-track.js';
import { wayConflicts } from './way-conflicts.js';

/** nearer than this to the line one waits for one's turn in the order of arrival */
const waitingM = 8;

interface Claim {
  readonly actor: VehicleActor;
  readonly way: string;
  isGranted: boolean;
  hasEntered: boolean;
}

export class JunctionClaims {
  readonly #map: OpenDriveMap;
  /** by junction; found when somebody first comes to it */
  readonly #conflicts = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();
  readonly #claims = new Map<string, Claim[]>();

  constructor(map: OpenDriveMap) {
    this.#map = map;
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
    const conflicts = this.#conflictsOf(way);
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

  #conflictsOf(way: MapRoad): ReadonlySet<string> {
    const junction = this.#map.junctions.get(way.junction ?? '');
    if (junction === undefined) return none;
    let conflicts = this.#conflicts.get(junction.id);
    if (conflicts === undefined) {
      conflicts = wayConflicts(this.#map, junction);
      this.#conflicts.set(junction.id, conflicts);
    }
    return conflicts.get(way.id) ?? none;
  }
}

const none: ReadonlySet<string> = new Set();

function isWaiting({ actor }: Claim): boolean {
  return actor.track !== null && leftOnRoadM(actor.track) - actor.size.lengthM / 2 < waitingM;
}
