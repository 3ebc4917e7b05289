/** What somebody does: speeds and lane changes as steps of a script. */
import type { OpenDriveMap } from '../../opendrive/map.js';
import { laneEdgesM, runsWithS, sectionAt } from '../../opendrive/road-line.js';
import type { XmlElement } from '../../opendrive/xml-element.js';
import type { LaneAt } from './read-position.js';
import type { XoscReader } from './xosc-reader.js';

/** The hardest that a script asks for; the road gives less. */
const hardestMps2 = 12;
const gentlestMps2 = 0.1;

export type StepData =
  | { readonly do: 'speed'; readonly to_mps: number; readonly accel_mps2: number }
  | { readonly do: 'brake_to'; readonly to_mps: number; readonly decel_mps2: number }
  | {
      readonly do: 'cut_in';
      readonly to: 'left' | 'right';
      readonly by_m: number;
      readonly duration_s: number;
    }
  | { readonly do: 'follow' };

/** A vehicle as far as its actions have come: what it drives with then, and where it began. */
export interface Moving {
  speedMps: number;
  lane: number;
  readonly place: LaneAt;
}

/** Target of a SpeedAction; null where it is relative, which has been told. */
export function absoluteSpeedMps(action: XmlElement, reader: XoscReader): number | null {
  const target = reader.must(action, 'SpeedActionTarget');
  const absolute = reader.child(target, 'AbsoluteTargetSpeed');
  if (absolute !== undefined) return reader.number(absolute, 'value');
  reader.leaveOut(target.children[0] ?? target, 'speeds are absolute here');
  return null;
}

export function speedStep(action: XmlElement, moving: Moving, reader: XoscReader): StepData | null {
  const toMps = absoluteSpeedMps(action, reader);
  if (toMps === null) return null;
  const before = moving.speedMps;
  moving.speedMps = toMps;
  const dynamics = reader.must(action, 'SpeedActionDynamics');
  const rate = rateMps2(dynamics, before, toMps, reader);
  return toMps < before
    ? { do: 'brake_to', to_mps: toMps, decel_mps2: rate }
    : { do: 'speed', to_mps: toMps, accel_mps2: rate };
}

function rateMps2(dynamics: XmlElement, fromMps: number, toMps: number, reader: XoscReader): number {
  const shape = reader.text(dynamics, 'dynamicsShape');
  if (shape === 'step') return hardestMps2;
  if (shape !== 'linear') reader.leaveOut(dynamics, `dynamicsShape ${shape}: speeds change linearly`);
  const value = reader.number(dynamics, 'value');
  const dimension = reader.text(dynamics, 'dynamicsDimension');
  const changeMps = Math.abs(toMps - fromMps);
  const rate =
    dimension === 'rate'
      ? value
      : dimension === 'time'
        ? changeMps / Math.max(0.01, value)
        : Math.abs(toMps * toMps - fromMps * fromMps) / (2 * Math.max(0.01, value));
  const held = Math.min(hardestMps2, Math.max(gentlestMps2, Math.abs(rate)));
  return Math.round(held * 1000) / 1000;
}

export function laneChangeStep(
  action: XmlElement,
  moving: Moving,
  map: OpenDriveMap,
  reader: XoscReader,
): StepData | null {
  const target = reader.must(action, 'LaneChangeTarget');
  const relative = reader.child(target, 'RelativeTargetLane');
  const absolute = reader.child(target, 'AbsoluteTargetLane');
  const road = map.roads.get(moving.place.road);
  if (road === undefined || (relative === undefined && absolute === undefined)) {
    reader.leaveOut(action, 'no lane to change to');
    return null;
  }
  // Lanes are counted from right to left across the road; whoever drives against s has left and right the other way round.
  const isWithS = runsWithS(road, moving.place.lane);
  const toLeft =
    relative !== undefined
      ? reader.number(relative, 'value')
      : lanesToLeft(moving.lane, Number(reader.text(absolute as XmlElement, 'value')), isWithS);
  if (!Number.isInteger(toLeft) || toLeft === 0) {
    reader.leaveOut(action, `a change by ${toLeft} lanes`);
    return null;
  }
  const [inner, outer] = laneEdgesM(
    road,
    sectionAt(road, moving.place.s_m),
    moving.place.lane,
    moving.place.s_m,
  );
  const offsetM = reader.number(action, 'targetLaneOffset', 0) * Math.sign(toLeft);
  const byM = Math.abs(toLeft) * Math.abs(outer - inner) + offsetM;
  moving.lane += (isWithS ? 1 : -1) * toLeft;
  if (byM <= 0 || byM > 20) {
    reader.leaveOut(action, `a change by ${byM.toFixed(1)} m`);
    return null;
  }
  return {
    do: 'cut_in',
    to: toLeft > 0 ? 'left' : 'right',
    by_m: Math.round(byM * 1000) / 1000,
    duration_s: durationS(reader.must(action, 'LaneChangeActionDynamics'), moving.speedMps, byM, reader),
  };
}

/** Lane 0 has no width: from −1 to 1 is one lane. */
function lanesToLeft(from: number, to: number, isWithS: boolean): number {
  const index = (lane: number): number => (lane > 0 ? lane - 1 : lane);
  return (index(to) - index(from)) * (isWithS ? 1 : -1);
}

function durationS(dynamics: XmlElement, vMps: number, byM: number, reader: XoscReader): number {
  const value = reader.number(dynamics, 'value', 0);
  const dimension = reader.text(dynamics, 'dynamicsDimension', 'time');
  const shape = reader.text(dynamics, 'dynamicsShape');
  if (shape === 'step') reader.leaveOut(dynamics, 'dynamicsShape step: half a second is the shortest change');
  const seconds =
    shape === 'step'
      ? 0.5
      : dimension === 'time'
        ? value
        : dimension === 'distance'
          ? value / Math.max(1, vMps)
          : byM / Math.max(0.1, value);
  return Math.round(Math.min(20, Math.max(0.5, seconds)) * 1000) / 1000;
}
