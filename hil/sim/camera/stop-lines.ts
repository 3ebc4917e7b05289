/** Lines at which one stops or waits: no map of ours has them, so they follow from lights, stop and yield signs. */

import { isDriving } from '../../opendrive/lane-network.js';
import type { MapRoad, MapSignal } from '../../opendrive/map.js';
import { laneEdgesM, poseAside, runsWithS, sectionAt } from '../../opendrive/road-line.js';
import { fixedFace } from '../signs/face-catalogue.js';
import { lightType } from '../world/traffic-lights.js';
import { groundLabel } from './label.js';
import { markColor } from './lane-markings.js';
import { layers, type Patch, patch, quads } from './patch.js';

/** width of a stop line (StVO sign 294), blocks and gaps of a waiting line (sign 341) */
const barM = 0.5;
const blockM = 0.5;
const gapM = 0.25;

export function stopLinesOf(road: MapRoad): readonly Patch[] {
  return road.signals.flatMap((signal) => {
    const kind = lineAt(signal);
    if (kind === null || signal.orientation === 'none') return [];
    const isWithS = signal.orientation === '+';
    const section = sectionAt(road, signal.sM);
    const edges = section.lanes
      .filter((lane) => lane.id !== 0 && isDriving(lane) && runsWithS(road, lane.id) === isWithS)
      .flatMap(({ id }) => laneEdgesM(road, section, id, signal.sM));
    if (edges.length === 0) return [];
    const [low, high] = [Math.min(...edges), Math.max(...edges)];
    const surface = { color: markColor('standard'), label: groundLabel.roadLine, layer: layers.marking };
    // In front of the sign, as its traffic comes.
    const [fromM, toM] = isWithS ? [signal.sM - barM, signal.sM] : [signal.sM, signal.sM + barM];
    const bar = (fromT: number, toT: number): Float64Array =>
      quads([fromM, toM].map((sM) => [poseAside(road, sM, toT), poseAside(road, sM, fromT)] as const));
    if (kind === 'stop') return [patch(surface, barM, bar(low + 0.1, high - 0.1))];
    const blocks: Patch[] = [];
    for (let tM = low + 0.1; tM + blockM < high; tM += blockM + gapM)
      blocks.push(patch(surface, barM, bar(tM, tM + blockM)));
    return blocks;
  });
}

function lineAt(signal: MapSignal): 'stop' | 'yield' | null {
  if (signal.type === lightType) return 'stop';
  const face = fixedFace(signal, () => true).class;
  return face === 'stop' || face === 'yield' ? face : null;
}
