/**
 * Facts that a question states: "ich fahre einen LKW mit 7,5 t", "es regnet". Only what is said is read, a negated word
 * (no rain, without a trailer) is not, and what the context already knows is left alone.
 */
import type { FlatContext } from '../evaluate/flat-context.js';
import type { Concept } from '../lexicon/concepts.js';
import type { Question } from './read-question.js';
import { lengthM, massT, timeOfDay, visibilityM } from './stated-numbers.js';

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
  'rural_regional',
  'rural_local',
  'rural',
  'residential',
  'urban',
  'service',
];
const vehiclesByName = ['car_trailer', 'car_ev', 'motorhome', 'hgv', 'coach', 'car'] as const;

/** How far back a "not" reaches, in words. */
const negationReach = 2;

export function statedFacts(question: Question, given: FlatContext): FlatContext {
  const { concepts, text } = question;
  const says = (concept: Concept): boolean => {
    const found = concepts.get(concept);
    return found !== undefined && !isNegated(question, found.at);
  };
  const facts: Facts = {};
  const road = roadsByName.find((name) => says(`road.${name}`));
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
  if (mass !== null) facts.mass_t = mass;
  const isFoggy = concepts.has('fact.fog') || concepts.has('fact.snow');
  const sight = isFoggy ? visibilityM(text) : null;
  if (sight !== null) facts.visibility_m = sight;
  const length = isFoggy || question.topics.length > 0 ? null : lengthM(text);
  const isLong = facts.vehicle === 'coach' || facts.vehicle === 'hgv' || given.vehicle === 'coach';
  if (length !== null && isLong) facts.length_m = length;
  const time = timeOfDay(text);
  if (time !== null) facts.time = time;
  return unknownOnes(facts, given);
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

function isNegated({ concepts, tokens }: Question, at: readonly number[]): boolean {
  const start = Math.min(...at);
  const words = concepts.get('ask.negation');
  if (words === undefined) return false;
  const negations = new Set(words.at.map((place) => tokens[place]?.word));
  return tokens
    .slice(Math.max(0, start - negationReach), start)
    .some(({ word }) => negations.has(word) && word !== undefined);
}
