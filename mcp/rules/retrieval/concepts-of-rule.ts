/** What a rule is about, as concepts: the bridge between a driver's words in any language and the span it cites. */
import type { Condition, Rule } from '../format/rule-schema.js';
import { type Concept, concepts } from '../lexicon/concepts.js';

const known: ReadonlySet<string> = new Set(concepts);
const isConcept = (name: string): name is Concept => known.has(name);

/** A fact that is tested → the concept of its value. */
const byFact: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  road_class: (value) => `road.${String(value)}`,
  road_subclass: (value) => `road.${String(value)}`,
  carriageway: (value) => (value === 'separated' ? 'road.dual_carriageway' : undefined),
  'vehicle.class': (value) => `vehicle.${String(value)}`,
  'vehicle.trailer': (value) => (value === true ? 'fact.trailer' : undefined),
  'vehicle.electric': (value) => (value === true ? 'vehicle.car_ev' : undefined),
  'vehicle.articulated': () => 'fact.articulated',
  'vehicle.standees': () => 'fact.standees',
  'vehicle.tempo100': () => 'fact.tempo100',
  'vehicle.dangerous_goods': () => 'fact.dangerous_goods',
  'driver.novice': () => 'fact.novice',
  visibility_m: () => 'fact.fog',
  road_surface: (value) => (value === 'wet' ? 'fact.wet' : 'fact.dry'),
  precipitation: () => 'fact.wet',
  chains: () => 'fact.chains',
  lit: (value) => (value === true ? 'fact.lit' : 'fact.unlit'),
  traffic: (value) => `fact.${String(value)}`,
  'plate.code': () => 'sign.plate',
  'gantry.face': (value) =>
    ({ redx: 'sign.red_x', yellow_arrow: 'sign.lane_arrow', igl: 'sign.igl' })[String(value)] ??
    'sign.gantry',
};

export function conceptsOfRule(rule: Rule): { concepts: ReadonlySet<Concept>; codes: ReadonlySet<string> } {
  const found = new Set<Concept>();
  const codes = new Set<string>();
  const add = (name: string | undefined): void => {
    if (name !== undefined && isConcept(name)) found.add(name);
  };
  const visit = (condition: Condition): void => {
    if ('all' in condition) condition.all.forEach(visit);
    else if ('any' in condition) condition.any.forEach(visit);
    else if ('not' in condition)
      return; // what a rule excludes is not what it is about
    else
      for (const [fact, value] of Object.entries(condition)) {
        add(byFact[fact]?.(value));
        if (fact === 'sign.code' || fact === 'plate.code') codes.add(String(value));
      }
  };
  visit(rule.when);
  if (rule.then.only_if) visit(rule.then.only_if);
  if (found.has('vehicle.car') && found.has('fact.trailer')) add('vehicle.car_trailer');
  if (rule.topic !== undefined) add(`topic.${rule.topic}`);
  if (rule.kind === 'advisory') add('sign.advisory');
  if (rule.kind === 'end_sign') add('sign.end');
  if (rule.kind === 'sign_effect') add(codes.size > 0 ? 'sign.max_speed' : 'sign.gantry');
  if (rule.then.qualifier === 'walking_pace') add('topic.walking_pace');
  return { concepts: found, codes };
}
