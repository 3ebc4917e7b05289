/** Who is where on the lanes, so that the next one ahead is found without looking at everybody. */
import type { MapRoad } from '../../opendrive/map.js';
import { runsWithS } from '../../opendrive/road-line.js';
import type { VehicleActor, WorldActor } from './actor.js';
import { type LaneTrack, leftOnRoadM } from './lane-track.js';

export interface Occupant {
  readonly actor: WorldActor;
  /** metres from where the lane is entered to the actor's middle */
  readonly alongM: number;
  readonly halfLengthM: number;
  readonly vMps: number;
}

export interface Ahead {
  /** bumper to bumper; negative: they overlap */
  readonly gapM: number;
  readonly vMps: number;
  readonly actor: WorldActor | null;
}

export class LaneOccupancy {
  readonly #lanes = new Map<string, Occupant[]>();

  clear(): void {
    this.#lanes.clear();
  }

  add(road: MapRoad, laneId: number, sM: number, occupant: Omit<Occupant, 'alongM'>): void {
    const key = `${road.id}/${laneId}`;
    const alongM = runsWithS(road, laneId) ? sM : road.lengthM - sM;
    const entry = { ...occupant, alongM };
    const lane = this.#lanes.get(key);
    if (lane === undefined) this.#lanes.set(key, [entry]);
    else lane.push(entry);
  }

  /** The next one ahead of `self` within `rangeM` on its way, looking over one change of road. */
  ahead(track: LaneTrack, self: WorldActor, rangeM: number): Ahead | null {
    const { road, laneId } = track;
    const ownM = runsWithS(road, laneId) ? track.sM : road.lengthM - track.sM;
    const here = this.#nearest(`${road.id}/${laneId}`, ownM, 0, self);
    if (here !== null) return here.gapM <= rangeM ? here : null;
    const leftM = leftOnRoadM(track);
    if (track.next === null || leftM > rangeM) return null;
    const { road: nextRoad, laneId: nextLane } = track.next;
    const there = this.#nearest(`${nextRoad.id}/${nextLane}`, -Infinity, leftM, self);
    return there !== null && there.gapM <= rangeM ? there : null;
  }

  /** Vehicles on any lane of a road. */
  on(road: MapRoad): readonly VehicleActor[] {
    const found: VehicleActor[] = [];
    for (const [key, occupants] of this.#lanes)
      if (key.startsWith(`${road.id}/`))
        for (const { actor } of occupants) if (actor.kind === 'vehicle') found.push(actor);
    return found;
  }

  #nearest(key: string, ownM: number, offsetM: number, self: WorldActor): Ahead | null {
    let found: Ahead | null = null;
    for (const { actor, alongM, halfLengthM, vMps } of this.#lanes.get(key) ?? []) {
      if (
        actor === self ||
        (ownM !== -Infinity && (alongM < ownM || (alongM === ownM && actor.id < self.id)))
      )
        continue;
      const distanceM = offsetM + alongM - (ownM === -Infinity ? 0 : ownM);
      const gapM = distanceM - halfLengthM - self.size.lengthM / 2;
      if (found === null || gapM < found.gapM) found = { gapM, vMps, actor };
    }
    return found;
  }
}
