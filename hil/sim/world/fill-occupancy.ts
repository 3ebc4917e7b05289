import type { RoadIndex } from '../../opendrive/locate.js';
import type { VehicleActor } from './actor.js';
import type { LaneOccupancy } from './lane-occupancy.js';

/** further from the middle of its lane than this, a vehicle may be in the way of the next lane too */
const besideM = 0.8;

/** Writes down which vehicle is on which lane: by its track where it keeps to one, else by where it is. */
export function fillOccupancy(
  occupancy: LaneOccupancy,
  vehicles: Iterable<VehicleActor>,
  index: RoadIndex,
): void {
  occupancy.clear();
  for (const actor of vehicles) {
    const { track, pose, size } = actor;
    const isOnRails = track !== null && actor.brain === 'traffic';
    const on = isOnRails ? track : (index.locate(pose.x, pose.y) ?? track);
    if (on === null) continue;
    const occupant = { actor, halfLengthM: size.lengthM / 2, vMps: Math.abs(actor.vMps) };
    occupancy.add(on.road, on.laneId, on.sM, occupant);
    // A cut-in is seen as soon as its body reaches over: where its edge is, not yet its middle.
    if (!isOnRails || Math.abs(track.asideM) <= besideM) continue;
    const edgeM = (Math.sign(track.asideM) * size.widthM) / 2;
    const { x, y, headingRad } = pose;
    const beside = index.locate(x - edgeM * Math.sin(headingRad), y + edgeM * Math.cos(headingRad));
    if (beside !== null && (beside.road !== on.road || beside.laneId !== on.laneId))
      occupancy.add(beside.road, beside.laneId, beside.sM, occupant);
  }
}
