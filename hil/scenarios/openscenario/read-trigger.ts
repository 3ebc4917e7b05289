/** Triggers: alternatives of conditions that hold together, as OpenSCENARIO groups them, as scenario files write them. */
import type { XmlElement } from '../../opendrive/xml-element.js';
import type { ConditionData } from '../trigger-schema.js';
import type { PositionReader } from './read-position.js';
import type { XoscReader } from './xosc-reader.js';

/** The conditions of one of the alternatives hold together; one without conditions always holds. */
export type Alternatives = readonly (readonly ConditionData[])[];

export const always: Alternatives = [[]];

/** Both of two triggers: each alternative of the one with each of the other. */
export function both(one: Alternatives, other: Alternatives): Alternatives {
  return one.flatMap((first) => other.map((second) => [...first, ...second]));
}

export class TriggerReader {
  readonly #reader: XoscReader;
  readonly #positions: PositionReader;
  readonly #nameOf: (entityRef: string, at: XmlElement) => string;

  /** `nameOf` gives an entity's name in the scenario file; throws where there is none. */
  constructor(
    reader: XoscReader,
    positions: PositionReader,
    nameOf: (entityRef: string, at: XmlElement) => string,
  ) {
    this.#reader = reader;
    this.#positions = positions;
    this.#nameOf = nameOf;
  }

  /** Of a StartTrigger or StopTrigger. A condition that is not supported is told and counts as one that never holds. */
  read(trigger: XmlElement | undefined): Alternatives {
    const groups = this.#reader.children(trigger, 'ConditionGroup');
    if (trigger === undefined || groups.length === 0) return always;
    return groups.flatMap((group) => {
      let all: Alternatives = always;
      for (const condition of this.#reader.children(group, 'Condition')) {
        const one = this.#condition(condition);
        if (one === null) return [];
        all = both(all, one);
      }
      return all;
    });
  }

  #condition(condition: XmlElement): Alternatives | null {
    const reader = this.#reader;
    if (reader.number(condition, 'delay', 0) > 0)
      return this.#none(condition, 'delay: a condition counts at once');
    const edge = reader.text(condition, 'conditionEdge', 'none');
    // What has begun does not begin again, so that a rising edge is the first moment at which it holds.
    if (edge !== 'none' && edge !== 'rising') return this.#none(condition, `conditionEdge ${edge}`);
    const byValue = reader.child(condition, 'ByValueCondition');
    if (byValue !== undefined) return this.#byValue(byValue);
    const byEntity = reader.child(condition, 'ByEntityCondition');
    return byEntity === undefined ? this.#none(condition, 'no condition in it') : this.#byEntity(byEntity);
  }

  #byValue(element: XmlElement): Alternatives | null {
    const reader = this.#reader;
    const time = reader.child(element, 'SimulationTimeCondition');
    if (time === undefined) return this.#none(element.children[0] ?? element, 'not supported');
    const value = reader.number(time, 'value');
    // Time passes every value once: equal and greater begin together.
    if (this.#rule(time) === 'below') return [[{ until_s: value }]];
    return value <= 0 ? always : [[{ from_s: value }]];
  }

  #byEntity(element: XmlElement): Alternatives | null {
    const reader = this.#reader;
    const triggering = reader.must(element, 'TriggeringEntities');
    const names = reader
      .children(triggering, 'EntityRef')
      .map((one) => this.#nameOf(reader.text(one, 'entityRef'), one));
    const kind = reader.must(element, 'EntityCondition').children[0];
    if (kind === undefined) return this.#none(element, 'no condition in it');
    const each: (readonly ConditionData[])[] = [];
    for (const of of names) {
      const one = this.#entityCondition(kind, of);
      if (one === null) return null;
      each.push([one]);
    }
    const isAll = reader.text(triggering, 'triggeringEntitiesRule', 'any') === 'all';
    return isAll ? [each.flat()] : each;
  }

  #entityCondition(kind: XmlElement, of: string): ConditionData | null {
    const reader = this.#reader;
    const value = (): number => reader.number(kind, 'value');
    const freespace = reader.flag(kind, 'freespace', false);
    const to = (): string => this.#nameOf(reader.text(kind, 'entityRef'), kind);
    switch (kind.name) {
      case 'RelativeDistanceCondition': {
        const along = distanceKinds[reader.text(kind, 'relativeDistanceType')];
        if (along === undefined)
          return this.#none(kind, `relativeDistanceType ${reader.text(kind, 'relativeDistanceType')}`);
        const pair = { of, to: to(), freespace, along };
        return this.#rule(kind) === 'below'
          ? { ...pair, distance_below_m: value() }
          : { ...pair, distance_above_m: value() };
      }
      case 'TimeHeadwayCondition': {
        const pair = { of, to: to(), freespace };
        return this.#rule(kind) === 'below'
          ? { ...pair, headway_below_s: value() }
          : { ...pair, headway_above_s: value() };
      }
      case 'TimeToCollisionCondition': {
        const target = this.#target(reader.must(kind, 'TimeToCollisionConditionTarget'));
        if (target === null) return null;
        const pair = { of, to: target, freespace };
        return this.#rule(kind) === 'below'
          ? { ...pair, ttc_below_s: value() }
          : { ...pair, ttc_above_s: value() };
      }
      case 'ReachPositionCondition': {
        const pose = this.#positions.pose(reader.must(kind, 'Position'));
        if (pose === null) return null;
        const reaches = { x_m: round(pose.x), y_m: round(pose.y) };
        return { of, reaches, within_m: reader.number(kind, 'tolerance') };
      }
      case 'TraveledDistanceCondition':
        return { of, travelled_above_m: value() };
      case 'SpeedCondition':
        return this.#rule(kind) === 'below'
          ? { of, speed_below_mps: value() }
          : { of, speed_above_mps: value() };
      case 'StandStillCondition':
        return { of, stands_s: reader.number(kind, 'duration') };
      default:
        return this.#none(kind, 'not supported as a condition');
    }
  }

  #target(element: XmlElement): string | { x_m: number; y_m: number } | null {
    const reader = this.#reader;
    const entity = reader.child(element, 'EntityRef');
    if (entity !== undefined) return this.#nameOf(reader.text(entity, 'entityRef'), entity);
    const pose = this.#positions.pose(reader.must(element, 'Position'));
    return pose === null ? null : { x_m: round(pose.x), y_m: round(pose.y) };
  }

  #rule(element: XmlElement): 'below' | 'above' {
    const rule = this.#reader.text(element, 'rule');
    if (rule === 'lessThan' || rule === 'lessOrEqual') return 'below';
    if (rule === 'equalTo' && element.name !== 'SimulationTimeCondition')
      this.#reader.leaveOut(element, 'rule equalTo: read as at least');
    return 'above';
  }

  #none(element: XmlElement, message: string): null {
    this.#reader.leaveOut(element, `${message}: what waits for it never begins`);
    return null;
  }
}

const distanceKinds: Readonly<Record<string, 'straight' | 'along' | 'across'>> = {
  cartesianDistance: 'straight',
  euclidianDistance: 'straight',
  longitudinal: 'along',
  lateral: 'across',
};

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
