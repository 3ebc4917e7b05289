/** People on foot: stand, walk along their heading when something starts them, stand again after a way. */
import { absoluteSpeedMps } from './read-actions.js';
import type { Entity } from './read-entities.js';
import type { Begun } from './read-init.js';
import type { StoryEvent } from './read-story.js';
import { whenOf } from './when-of.js';
import type { XoscReader } from './xosc-reader.js';

/** Where nothing stops somebody, the way ends here. */
const longestWayM = 30;

export function readWalker(
  entity: Entity,
  { pose, speedMps: firstMps }: Begun,
  events: readonly StoryEvent[],
  reader: XoscReader,
): unknown {
  if (pose === null) {
    reader.leaveOut(entity.element, `${entity.name} has no place in Init: left out`);
    return null;
  }
  let speedMps = firstMps;
  let starts: StoryEvent | null = null;
  let wayM: number | null = null;
  for (const event of events) {
    const action = reader.child(event.action, 'SpeedAction');
    if (event.action.name !== 'LongitudinalAction' || action === undefined) {
      reader.leaveOut(event.action.children[0] ?? event.action, 'not supported as an action of a pedestrian');
      continue;
    }
    const toMps = absoluteSpeedMps(action, reader);
    if (toMps === null) continue;
    if (toMps > 0 && starts === null && firstMps === 0) {
      starts = event;
      speedMps = toMps;
      continue;
    }
    const gone = event.when.flat().find((one) => 'travelled_above_m' in one && one.of === entity.name);
    if (toMps === 0 && gone !== undefined && 'travelled_above_m' in gone) wayM = gone.travelled_above_m;
    else reader.leaveOut(action, 'people walk one way at one speed and stand again behind it');
  }
  if (speedMps <= 0) {
    reader.leaveOut(entity.element, `${entity.name} stands all the time: left out`);
    return null;
  }
  if (wayM === null)
    reader.leaveOut(entity.element, `nothing ends the way of ${entity.name}: it is ${longestWayM} m long`);
  const headingRad = pose.headingRad ?? 0;
  const lengthM = wayM ?? longestWayM;
  const { at_s, ...when } = starts === null ? { at_s: 0 } : whenOf(starts.when, entity.name);
  return {
    role: entity.name,
    from: { x_m: round(pose.x), y_m: round(pose.y) },
    to: {
      x_m: round(pose.x + lengthM * Math.cos(headingRad)),
      y_m: round(pose.y + lengthM * Math.sin(headingRad)),
    },
    speed_mps: Math.min(6, Math.max(0.1, speedMps)),
    not_before_s: at_s,
    ...when,
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
