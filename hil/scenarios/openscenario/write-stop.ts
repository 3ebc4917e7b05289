import { isDriving } from '../../opendrive/lane-network.js';
import type { OpenDriveMap } from '../../opendrive/map.js';
import { sectionAt } from '../../opendrive/road-line.js';
import type { Trigger } from '../../sim/world/trigger.js';
import type { StopRule } from '../stop-rule.js';
import { egoName } from './entity-names.js';
import { type EntityOf, writeTrigger } from './write-trigger.js';
import { type XmlNode, xml } from './xml-text.js';

/** What ends the scenario. */
export function writeStop(
  { atS, onCollision, egoAt, egoTravelledM }: StopRule,
  map: OpenDriveMap,
  entityOf: EntityOf,
): XmlNode {
  const time: Trigger = [[{ kind: 'time', rule: 'above', valueS: atS }]];
  const travelled: Trigger =
    egoTravelledM === undefined
      ? []
      : [[{ kind: 'travelled', of: 'ego', rule: 'above', valueM: egoTravelledM }]];
  const written = writeTrigger('StopTrigger', [...time, ...travelled], entityOf);
  const more: XmlNode[] = [];
  const byEgo = (condition: XmlNode): XmlNode =>
    xml(
      'ConditionGroup',
      {},
      xml(
        'Condition',
        { name: condition.name, delay: 0, conditionEdge: 'none' },
        xml(
          'ByEntityCondition',
          {},
          xml(
            'TriggeringEntities',
            { triggeringEntitiesRule: 'any' },
            xml('EntityRef', { entityRef: egoName }),
          ),
          xml('EntityCondition', {}, condition),
        ),
      ),
    );
  if (onCollision) more.push(byEgo(xml('CollisionCondition', {}, xml('ByType', { type: 'vehicle' }))));
  if (egoAt !== null)
    more.push(
      byEgo(
        xml(
          'ReachPositionCondition',
          { tolerance: 5 },
          xml(
            'Position',
            {},
            xml('LanePosition', {
              roadId: egoAt.road,
              laneId: drivingLane(map, egoAt),
              offset: 0,
              s: egoAt.sM,
            }),
          ),
        ),
      ),
    );
  return { ...written, children: [...written.children, ...more] };
}

/** A place of ours is across the whole road, one of OpenSCENARIO on a lane: any that is driven on. */
function drivingLane(map: OpenDriveMap, { road, sM }: NonNullable<StopRule['egoAt']>): number {
  const found = map.roads.get(road);
  return (found === undefined ? undefined : sectionAt(found, sM).lanes.find(isDriving)?.id) ?? -1;
}
