/**
 * When something of a scenario begins: alternatives of conditions that hold together, as ASAM OpenSCENARIO's triggers are.
 * Pure: a function of the actors, the time, and how far they have come.
 */
import type { VehicleActor, WalkerActor } from './actor.js';

/** `ego`, `self` (whose script it is), or a role name */
export type EntityName = string;

export type Rule = 'below' | 'above';

/** Straight between the middles of two actors, or along or across the heading of the first. */
export type DistanceKind = 'straight' | 'along' | 'across';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export type TriggerCondition =
  | { readonly kind: 'time'; readonly rule: Rule; readonly valueS: number }
  | {
      readonly kind: 'distance';
      readonly of: EntityName;
      readonly to: EntityName;
      readonly rule: Rule;
      readonly valueM: number;
      readonly along: DistanceKind;
      /** between the boxes instead of their middles */
      readonly isFree: boolean;
    }
  /** seconds in which `of` comes to where `to` is */
  | {
      readonly kind: 'headway';
      readonly of: EntityName;
      readonly to: EntityName;
      readonly rule: Rule;
      readonly valueS: number;
      readonly isFree: boolean;
    }
  /** seconds in which both meet at their present velocities */
  | {
      readonly kind: 'ttc';
      readonly of: EntityName;
      readonly to: EntityName | Point;
      readonly rule: Rule;
      readonly valueS: number;
      readonly isFree: boolean;
    }
  | { readonly kind: 'reach'; readonly of: EntityName; readonly at: Point; readonly withinM: number }
  | { readonly kind: 'travelled'; readonly of: EntityName; readonly rule: Rule; readonly valueM: number }
  | { readonly kind: 'speed'; readonly of: EntityName; readonly rule: Rule; readonly valueMps: number }
  | { readonly kind: 'standing'; readonly of: EntityName; readonly forS: number };

/** The conditions of one of the alternatives hold together. */
export type Trigger = readonly (readonly TriggerCondition[])[];

export type Mover = VehicleActor | WalkerActor;

export interface TriggerView {
  readonly tS: number;
  /** null where there is none: a condition about nobody does not hold */
  entity(name: EntityName, self: Mover): Mover | null;
  /** since the actor was there, m */
  travelledM(actor: Mover): number;
  standingS(actor: Mover): number;
}

export function isTriggered(trigger: Trigger, self: Mover, view: TriggerView): boolean {
  return trigger.some((together) => together.every((condition) => holds(condition, self, view)));
}

function holds(condition: TriggerCondition, self: Mover, view: TriggerView): boolean {
  if (condition.kind === 'time') return compare(view.tS, condition.rule, condition.valueS);
  const of = view.entity(condition.of, self);
  if (of === null) return false;
  switch (condition.kind) {
    case 'reach':
      return Math.hypot(of.pose.x - condition.at.x, of.pose.y - condition.at.y) <= condition.withinM;
    case 'travelled':
      return compare(view.travelledM(of), condition.rule, condition.valueM);
    case 'speed':
      return compare(Math.abs(of.vMps), condition.rule, condition.valueMps);
    case 'standing':
      return view.standingS(of) >= condition.forS;
    case 'distance': {
      const to = view.entity(condition.to, self);
      if (to === null) return false;
      const { along, isFree, rule, valueM } = condition;
      return compare(distanceM(of, to, along, isFree), rule, valueM);
    }
    case 'headway': {
      const to = view.entity(condition.to, self);
      if (to === null) return false;
      const gapM = distanceM(of, to, 'straight', condition.isFree);
      return compare(gapM / Math.max(1e-3, Math.abs(of.vMps)), condition.rule, condition.valueS);
    }
    case 'ttc': {
      const to = typeof condition.to === 'string' ? view.entity(condition.to, self) : condition.to;
      if (to === null) return false;
      return compare(timeToMeetS(of, to, condition.isFree), condition.rule, condition.valueS);
    }
  }
}

function compare(value: number, rule: Rule, bound: number): boolean {
  return rule === 'below' ? value < bound : value >= bound;
}

function distanceM(of: Mover, to: Mover, along: DistanceKind, isFree: boolean): number {
  const dx = to.pose.x - of.pose.x;
  const dy = to.pose.y - of.pose.y;
  const cos = Math.cos(of.pose.headingRad);
  const sin = Math.sin(of.pose.headingRad);
  const reach = (key: 'lengthM' | 'widthM'): number => (isFree ? (of.size[key] + to.size[key]) / 2 : 0);
  if (along === 'along') return Math.max(0, Math.abs(dx * cos + dy * sin) - reach('lengthM'));
  if (along === 'across') return Math.max(0, Math.abs(dy * cos - dx * sin) - reach('widthM'));
  return Math.max(0, Math.hypot(dx, dy) - reach('lengthM'));
}

/** Infinity where they do not come nearer. */
function timeToMeetS(of: Mover, to: Mover | Point, isFree: boolean): number {
  const isPoint = !('pose' in to);
  const at = isPoint ? to : to.pose;
  const dx = at.x - of.pose.x;
  const dy = at.y - of.pose.y;
  const apartM = Math.hypot(dx, dy);
  if (apartM < 1e-6) return 0;
  const [ox, oy] = velocity(of);
  const [tx, ty] = isPoint ? [0, 0] : velocity(to);
  const closingMps = ((ox - tx) * dx + (oy - ty) * dy) / apartM;
  const reachM = !isFree ? 0 : isPoint ? of.size.lengthM / 2 : (of.size.lengthM + to.size.lengthM) / 2;
  return closingMps <= 1e-6 ? Number.POSITIVE_INFINITY : Math.max(0, apartM - reachM) / closingMps;
}

function velocity(actor: Mover): readonly [number, number] {
  if (actor.kind === 'walker') return [actor.direction.x * actor.vMps, actor.direction.y * actor.vMps];
  return [actor.vMps * Math.cos(actor.pose.headingRad), actor.vMps * Math.sin(actor.pose.headingRad)];
}
