/** Triggers of the simulated world in OpenSCENARIO's words. */
import type { Point, Trigger, TriggerCondition } from '../../sim/world/trigger.js';
import { type XmlNode, xml } from './xml-text.js';

/** Entity of the file for a name in a trigger. */
export type EntityOf = (name: string) => string;

/** Alternatives of conditions that hold together; without conditions it holds at once. */
export function writeTrigger(
  tag: 'StartTrigger' | 'StopTrigger',
  trigger: Trigger,
  entityOf: EntityOf,
): XmlNode {
  return xml(
    tag,
    {},
    ...trigger.map((together) =>
      xml(
        'ConditionGroup',
        {},
        ...(together.length === 0 ? [from0] : together).map((one, i) => writeCondition(one, i, entityOf)),
      ),
    ),
  );
}

const from0: TriggerCondition = { kind: 'time', rule: 'above', valueS: 0 };
const rules = { below: 'lessThan', above: 'greaterThan' } as const;
const distances = { straight: 'cartesianDistance', along: 'longitudinal', across: 'lateral' } as const;

function writeCondition(condition: TriggerCondition, i: number, entityOf: EntityOf): XmlNode {
  const wrapped = (inner: XmlNode): XmlNode =>
    xml('Condition', { name: `${condition.kind} ${i + 1}`, delay: 0, conditionEdge: 'none' }, inner);
  if (condition.kind === 'time')
    return wrapped(
      xml(
        'ByValueCondition',
        {},
        xml('SimulationTimeCondition', { value: condition.valueS, rule: rules[condition.rule] }),
      ),
    );
  return wrapped(
    xml(
      'ByEntityCondition',
      {},
      xml(
        'TriggeringEntities',
        { triggeringEntitiesRule: 'any' },
        xml('EntityRef', { entityRef: entityOf(condition.of) }),
      ),
      xml('EntityCondition', {}, entityCondition(condition, entityOf)),
    ),
  );
}

function entityCondition(
  condition: Exclude<TriggerCondition, { kind: 'time' }>,
  entityOf: EntityOf,
): XmlNode {
  switch (condition.kind) {
    case 'distance':
      return xml('RelativeDistanceCondition', {
        entityRef: entityOf(condition.to),
        relativeDistanceType: distances[condition.along],
        value: condition.valueM,
        freespace: condition.isFree,
        rule: rules[condition.rule],
      });
    case 'headway':
      return xml('TimeHeadwayCondition', {
        entityRef: entityOf(condition.to),
        value: condition.valueS,
        freespace: condition.isFree,
        alongRoute: false,
        rule: rules[condition.rule],
      });
    case 'ttc':
      return xml(
        'TimeToCollisionCondition',
        {
          value: condition.valueS,
          freespace: condition.isFree,
          alongRoute: false,
          rule: rules[condition.rule],
        },
        xml(
          'TimeToCollisionConditionTarget',
          {},
          typeof condition.to === 'string'
            ? xml('EntityRef', { entityRef: entityOf(condition.to) })
            : worldPosition(condition.to),
        ),
      );
    case 'reach':
      return xml('ReachPositionCondition', { tolerance: condition.withinM }, worldPosition(condition.at));
    case 'travelled':
      return xml('TraveledDistanceCondition', { value: condition.valueM });
    case 'speed':
      return xml('SpeedCondition', { value: condition.valueMps, rule: rules[condition.rule] });
    case 'standing':
      return xml('StandStillCondition', { duration: condition.forS });
  }
}

/** Left-handed, as CARLA's files are: y and headings have the other sign. */
export function worldPosition({ x, y }: Point, headingRad = 0): XmlNode {
  return xml(
    'Position',
    {},
    xml('WorldPosition', { x: plain(x), y: plain(-y), z: 0, h: plain(-headingRad), p: 0, r: 0 }),
  );
}

/** Micrometres: what is read back is where it was. */
function plain(value: number): number {
  const rounded = Math.round(value * 1e6) / 1e6;
  return rounded === 0 ? 0 : rounded;
}
