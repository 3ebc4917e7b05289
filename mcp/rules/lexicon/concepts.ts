/** What a word may mean, in every language the same: the closed list that lexicons give words for. */
import { roads } from '../evaluate/flat-context.js';
import { type ConductTopic, conductTopics } from '../format/vocabulary.js';

/** What is asked for. */
const askConcepts = ['ask.limit', 'ask.limit_weak', 'ask.meaning', 'ask.appearance', 'ask.negation'] as const;

/** Facts about the situation; each of them sets keys of the flat context (`facts-of-question.ts`). */
const factConcepts = [
  'fact.wet',
  'fact.dry',
  'fact.fog',
  'fact.snow',
  'fact.novice',
  'fact.chains',
  'fact.lit',
  'fact.unlit',
  'fact.jam',
  'fact.dense',
  'fact.dark',
  'fact.night',
  'fact.day',
  'fact.tempo100',
  'fact.dangerous_goods',
  'fact.standees',
  'fact.articulated',
  'fact.trailer',
  'fact.one_lane',
  'fact.two_lanes',
] as const;

const vehicleConcepts = [
  'vehicle.car',
  'vehicle.car_trailer',
  'vehicle.car_ev',
  'vehicle.motorhome',
  'vehicle.hgv',
  'vehicle.coach',
] as const;

/** Things at the roadside. */
const signConcepts = [
  'sign.max_speed',
  'sign.plate',
  'sign.plate_wet',
  'sign.plate_time',
  'sign.plate_class',
  'sign.zone',
  'sign.town',
  'sign.town_end',
  'sign.end',
  'sign.advisory',
  'sign.gantry',
  'sign.red_x',
  'sign.lane_arrow',
  'sign.green_arrow',
  'sign.igl',
  'sign.mandatory_ring',
] as const;

type RoadConcept = `road.${(typeof roads)[number]}`;
type TopicConcept = `topic.${ConductTopic}`;
export type Concept =
  | (typeof askConcepts)[number]
  | (typeof factConcepts)[number]
  | (typeof vehicleConcepts)[number]
  | (typeof signConcepts)[number]
  | RoadConcept
  | TopicConcept;

export const concepts: readonly Concept[] = [
  ...askConcepts,
  ...factConcepts,
  ...vehicleConcepts,
  ...signConcepts,
  ...roads.map((road): RoadConcept => `road.${road}`),
  ...conductTopics.map((topic): TopicConcept => `topic.${topic}`),
];
