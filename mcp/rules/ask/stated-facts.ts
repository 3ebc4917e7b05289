/**
 * Facts that a question states: "ich fahre einen LKW mit 7,5 t", "es regnet". Only what is said is read, a negated word
 * (no rain, without a trailer) is not, and what the context already knows is left alone.
 */
import type { FlatContext } from '../evaluate/flat-context.js';
import type { Concept } from '../lexicon/concepts.js';
import { isDenied } from './denial.js';
import type { Question } from './read-question.js';
import { isUnladen, lengthM, massT, timeOfDay, visibilityM } from './stated-numbers.js';

type Facts = { -readonly [K in keyof FlatContext]?: FlatContext[K] };

/** The most telling road first: a dual carriageway in the country is one, not just a rural road. */
const roadsByName: readonly NonNullable<FlatContext['road']>[] = [
  'living_street',
  'cycle_street',
  'tunnel',
  'urban_ring',
  'urban_through',
  'urban_shared',
  'two_lane_undivided',
  'dual_carriageway',
  'freeway',
  'motorway',
  'expressway',
  'rural_national',
  'rural_regional',
  'rural_local',
  'rural',
  'residential',
  'urban',
  'service',
];
const vehiclesByName = ['car_trailer', 'car_ev', 'motorhome', 'hgv', 'coach', 'car'] as const;

/** Goods and people of more than that are carried by other vehicles than cars. */
const heaviestCarT = 3.5;
/** What "at night" and "by day" mean where a rule or a plate asks for the hour. */
const nightClock = '02:00';
const dayClock = '12:00';

export function statedFacts(question: Question, given: FlatContext): FlatContext {
  const { concepts, text } = question;
  const says = (concept: Concept): boolean => {
    const found = concepts.get(concept);
    return found !== undefined && !isDenied(question, found);
  };
  const facts: Facts = {};
  const road = roadOf(says);
  if (road !== undefined) facts.road = road;
  const vehicle = vehiclesByName.find((name) => says(`vehicle.${name}`));
  const tows = says('fact.trailer');
  if (vehicle !== undefined) facts.vehicle = vehicle === 'car' && tows ? 'car_trailer' : vehicle;
  else if (tows && given.vehicle === undefined) facts.vehicle = 'car_trailer';
  if (tows && (vehicle === 'hgv' || vehicle === 'motorhome' || vehicle === 'coach')) facts.trailer = true;
  if (says('fact.wet')) facts.wet = true;
  else if (says('fact.dry')) facts.wet = false;
  if (says('fact.novice')) facts.novice = true;
  if (says('fact.chains') && !concepts.has('topic.winter_tyres')) facts.chains = true;
  if (says('fact.lit')) facts.lit = true;
  else if (concepts.has('fact.unlit')) facts.lit = false;
  if (says('fact.jam')) facts.traffic = 'jam';
  else if (says('fact.dense')) facts.traffic = 'dense';
  if (says('fact.tempo100'))
    facts[given.vehicle === 'coach' || vehicle === 'coach' ? 'coach100' : 'tempo100'] = true;
  if (says('fact.dangerous_goods')) facts.dangerous_goods = true;
  if (says('fact.standees')) facts.standees = true;
  if (says('fact.articulated')) facts.articulated = true;
  if (says('fact.one_lane')) facts.lanes_per_dir = 1;
  else if (says('fact.two_lanes')) facts.lanes_per_dir = 2;
  const mass = massT(text);
  if (mass !== null) facts[isUnladen(text) ? 'unladen_t' : 'mass_t'] = mass;
  const isPlain = facts.vehicle === undefined || facts.vehicle === 'car';
  if (mass !== null && mass > heaviestCarT && isPlain) facts.vehicle = 'hgv';
  const isFoggy = concepts.has('fact.fog') || concepts.has('fact.snow');
  const sight = isFoggy ? visibilityM(text) : null;
  if (sight !== null) facts.visibility_m = sight;
  const length = isFoggy || question.topics.length > 0 ? null : lengthM(text);
  const isLong = facts.vehicle === 'coach' || facts.vehicle === 'hgv' || given.vehicle === 'coach';
  if (length !== null && isLong) facts.length_m = length;
  const time = timeOfDay(text);
  if (time !== null) facts.time = time;
  else if (says('fact.night') !== says('fact.day')) facts.time = says('fact.night') ? nightClock : dayClock;
  return unknownOnes(facts, given);
}

/** Two lanes each way in a town are still a street of the town. */
function roadOf(says: (concept: Concept) => boolean): FlatContext['road'] {
  const road = roadsByName.find((name) => says(`road.${name}`));
  const isStreet = says('road.urban') || says('road.residential');
  return road === 'dual_carriageway' && isStreet ? 'urban' : road;
}

/** Of the facts those that the context leaves open: what is given wins. */
function unknownOnes(facts: Facts, given: FlatContext): FlatContext {
  const open = Object.entries(facts).filter(
    ([key, value]) => value !== undefined && given[key as keyof FlatContext] === undefined,
  );
  // A vehicle that is given is whole: whether it tows is in its name.
  const isVehicleGiven = given.vehicle !== undefined;
  return Object.fromEntries(open.filter(([key]) => !(isVehicleGiven && key === 'trailer'))) as FlatContext;
}
