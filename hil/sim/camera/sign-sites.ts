/** Where the signs of a map stand: posts, and portals over the carriageway for signs that hang above it. */

import { isDriving } from '../../opendrive/lane-network.js';
import type { MapRoad, MapSignal, OpenDriveMap } from '../../opendrive/map.js';
import { laneEdgesM, poseAside, runsWithS, sectionAt } from '../../opendrive/road-line.js';
import type { WorldPose } from '../world/actor.js';
import { lightType } from '../world/traffic-lights.js';

/** higher than this nothing stands on a post beside the road */
const overheadM = 3.5;
/** of the portal beyond the outermost lanes */
const besideM = 1.8;

export interface SignSite {
  readonly signal: MapSignal;
  /** of the ground below it */
  readonly groundZ: number;
  /** hangs on a portal */
  readonly isOverhead: boolean;
}

export interface Portal {
  /** middle of the beam, on the ground, heading where its signs look */
  readonly pose: WorldPose;
  readonly spanM: number;
  readonly beamM: number;
}

export interface SignSites {
  /** by signal id */
  readonly sites: ReadonlyMap<string, SignSite>;
  readonly portals: readonly Portal[];
}

export function signSitesOf(map: OpenDriveMap): SignSites {
  const sites = new Map<string, SignSite>();
  const portals: Portal[] = [];
  for (const road of map.roads.values()) {
    const overhead = new Map<string, MapSignal>();
    for (const signal of road.signals) {
      const { z } = poseAside(road, signal.sM, signal.tM);
      const isOverhead = signal.type !== lightType && signal.isDynamic && signal.zOffsetM > overheadM;
      sites.set(signal.id, { signal, groundZ: z, isOverhead });
      if (isOverhead) overhead.set(`${signal.sM} ${signal.orientation}`, signal);
    }
    for (const signal of overhead.values()) portals.push(portalAt(road, signal));
  }
  return { sites, portals };
}

/** Over all lanes that run the way of the signal. */
function portalAt(road: MapRoad, { sM, orientation, zOffsetM, heightM }: MapSignal): Portal {
  const section = sectionAt(road, sM);
  const isWithS = orientation !== '-';
  const edges = section.lanes
    .filter((lane) => lane.id !== 0 && isDriving(lane) && runsWithS(road, lane.id) === isWithS)
    .flatMap(({ id }) => laneEdgesM(road, section, id, sM));
  const [low, high] = edges.length === 0 ? [-4, 4] : [Math.min(...edges), Math.max(...edges)];
  const { x, y, z, headingRad } = poseAside(road, sM, (low + high) / 2);
  return {
    pose: { x, y, z, headingRad: headingRad + (isWithS ? Math.PI : 0) },
    spanM: high - low + 2 * besideM,
    beamM: zOffsetM + heightM / 2,
  };
}
