/** What ends a scenario: the storyboard's StopTrigger and those of its acts. */
import type { XmlElement } from '../../opendrive/xml-element.js';
import type { Entity } from './read-entities.js';
import type { PositionReader } from './read-position.js';
import type { XoscReader } from './xosc-reader.js';

/** A scenario that nothing ends is over then. */
const longestS = 300;

export interface StopData {
  at_s: number;
  on_collision?: boolean;
  ego_at?: { road: string; s_m: number };
  ego_travelled_m?: number;
}

export function readStop(
  stop: XmlElement | undefined,
  ofActs: readonly XmlElement[],
  entities: ReadonlyMap<string, Entity>,
  positions: PositionReader,
  reader: XoscReader,
): StopData {
  const data: StopData = { at_s: longestS };
  let hasTime = false;
  for (const trigger of [...(stop === undefined ? [] : [stop]), ...ofActs])
    for (const group of reader.children(trigger, 'ConditionGroup')) {
      const conditions = reader.children(group, 'Condition');
      if (conditions.length > 1) {
        reader.leaveOut(group, 'each of these alone ends the scenario');
      }
      for (const condition of conditions) readCondition(condition);
    }
  if (!hasTime && stop !== undefined)
    reader.leaveOut(stop, `no SimulationTimeCondition: it ends after ${longestS} s at the latest`);
  return data;

  function readCondition(condition: XmlElement): void {
    const time = reader.child(reader.child(condition, 'ByValueCondition'), 'SimulationTimeCondition');
    if (time !== undefined) {
      const value = reader.number(time, 'value');
      data.at_s = hasTime ? Math.min(data.at_s, value) : value;
      hasTime = true;
      return;
    }
    const byEntity = reader.child(condition, 'ByEntityCondition');
    const kind = reader.child(byEntity, 'EntityCondition')?.children[0];
    const refs = reader.children(reader.child(byEntity, 'TriggeringEntities'), 'EntityRef');
    const isEgo = refs.some((one) => entities.get(reader.text(one, 'entityRef'))?.kind === 'ego');
    if (kind === undefined || !isEgo) {
      reader.leaveOut(condition, 'a scenario ends by time, or by what the ego does');
      return;
    }
    if (kind.name === 'CollisionCondition') data.on_collision = true;
    else if (kind.name === 'TraveledDistanceCondition') data.ego_travelled_m = reader.number(kind, 'value');
    else if (kind.name === 'ReachPositionCondition') {
      const lane = positions.lane(reader.must(kind, 'Position'));
      if (lane !== null) data.ego_at = { road: lane.road, s_m: lane.s_m };
    } else reader.leaveOut(kind, 'does not end a scenario here');
  }
}
