/** Where something is, in the map's axes: left-handed files (CARLA's, by the description of their header) are mirrored. */
import { isDriving } from '../../opendrive/lane-network.js';
import { indexRoads, type RoadIndex } from '../../opendrive/locate.js';
import type { OpenDriveMap } from '../../opendrive/map.js';
import { laneCentreM, lanePose, poseAside, sectionAt } from '../../opendrive/road-line.js';
import type { XmlElement } from '../../opendrive/xml-element.js';
import type { XoscReader } from './xosc-reader.js';

export interface PlainPose {
  readonly x: number;
  readonly y: number;
  /** null: as the lane runs */
  readonly headingRad: number | null;
}

export interface LaneAt {
  readonly road: string;
  readonly lane: number;
  readonly s_m: number;
}

/** A vehicle that is farther from the middle of its lane is not where the file has it. */
const asideM = 0.5;

export class PositionReader {
  readonly map: OpenDriveMap;
  readonly #reader: XoscReader;
  readonly #index: RoadIndex;
  readonly #mirror: 1 | -1;

  constructor(reader: XoscReader, map: OpenDriveMap, isLeftHanded: boolean) {
    this.#reader = reader;
    this.map = map;
    this.#index = indexRoads(map);
    this.#mirror = isLeftHanded ? -1 : 1;
  }

  /** Of a `<Position>`; null where its kind is not supported, which has been told. */
  pose(position: XmlElement): PlainPose | null {
    const reader = this.#reader;
    const world = reader.child(position, 'WorldPosition');
    if (world !== undefined)
      return {
        x: reader.number(world, 'x'),
        y: this.#mirror * reader.number(world, 'y'),
        headingRad: this.#mirror * reader.number(world, 'h', 0),
      };
    const lane = reader.child(position, 'LanePosition');
    if (lane !== undefined) {
      const road = this.#road(lane);
      const laneId = Number(reader.text(lane, 'laneId'));
      const sM = reader.number(lane, 's');
      // Lanes and roads are OpenDRIVE's also where the world is left-handed.
      const tM = laneCentreM(road, laneId, sM) + reader.number(lane, 'offset', 0);
      const { x, y } = poseAside(road, sM, tM);
      reader.only(lane, []);
      return { x, y, headingRad: lanePose(road, laneId, sM).headingRad };
    }
    const road = reader.child(position, 'RoadPosition');
    if (road !== undefined) {
      const { x, y } = poseAside(this.#road(road), reader.number(road, 's'), reader.number(road, 't'));
      return { x, y, headingRad: null };
    }
    const kind = position.children[0] ?? position;
    reader.leaveOut(kind, 'positions are read as WorldPosition, LanePosition and RoadPosition');
    return null;
  }

  /** The driving lane of a vehicle; null where there is none, which has been told. */
  lane(position: XmlElement): LaneAt | null {
    const reader = this.#reader;
    const direct = reader.child(position, 'LanePosition');
    if (direct !== undefined) {
      if (Math.abs(reader.number(direct, 'offset', 0)) > asideM)
        reader.leaveOut(direct, 'offset: vehicles begin in the middle of their lane');
      const road = this.#road(direct);
      return {
        road: road.id,
        lane: Number(reader.text(direct, 'laneId')),
        s_m: reader.number(direct, 's'),
      };
    }
    const pose = this.pose(position);
    if (pose === null) return null;
    const at = this.#index.locate(pose.x, pose.y);
    const lane = at === null ? undefined : sectionAt(at.road, at.sM).lanes.find(({ id }) => id === at.laneId);
    if (at === null || lane === undefined || !isDriving(lane)) {
      reader.leaveOut(position, `there is no driving lane at ${pose.x.toFixed(1)}, ${pose.y.toFixed(1)}`);
      return null;
    }
    if (Math.abs(at.tM - laneCentreM(at.road, at.laneId, at.sM)) > asideM)
      reader.leaveOut(position, 'vehicles begin in the middle of their lane');
    if (pose.headingRad !== null) {
      const along = lanePose(at.road, at.laneId, at.sM).headingRad;
      if (Math.cos(pose.headingRad - along) < 0)
        reader.leaveOut(position, 'it faces against its lane: vehicles begin along it');
    }
    return { road: at.road.id, lane: at.laneId, s_m: Math.round(at.sM * 1000) / 1000 };
  }

  #road(element: XmlElement) {
    const id = this.#reader.text(element, 'roadId');
    const road = this.map.roads.get(id);
    if (road === undefined) throw this.#reader.fault(element, `the map has no road ${id}`);
    return road;
  }
}
