/** Which rule of conduct a question is about, where its words name several. */
import type { FlatContext } from '../evaluate/flat-context.js';
import { type ConductTopic, conductTopics } from '../format/vocabulary.js';
import type { Concept } from '../lexicon/concepts.js';
import type { FoundConcept } from '../lexicon/find-concepts.js';

type Found = ReadonlyMap<Concept, FoundConcept>;

/** Words of these stand in questions about others too: who has priority at a roundabout, the gap to a cyclist,
 * a phone at a red light. */
const general: ReadonlySet<ConductTopic> = new Set([
  'unmarked_junction',
  'no_overtaking',
  'overtaking_side',
  'gap',
  'lights',
  'lights_poor_visibility',
  'give_way_sign',
  'emergency_vehicle',
  'bus_stop',
  'keep_side',
  'hard_shoulder',
  'turn_on_red',
  'minimum_speed',
]);

/** Topics with a speed of their own: asked how fast, they still answer. */
const withSpeed: ReadonlySet<ConductTopic> = new Set([
  'school_bus',
  'school_bus_approaching',
  'walking_pace',
  'minimum_speed',
  'limit_end',
]);

/** Where a pack has no rule about the one, a rule about the other answers. */
const nextBest: Readonly<Partial<Record<ConductTopic, readonly ConductTopic[]>>> = {
  lights_poor_visibility: ['lights', 'daytime_lights'],
  tunnel_lights: ['lights', 'daytime_lights'],
  daytime_lights: ['lights'],
  lights: ['daytime_lights'],
  undertaking: ['overtaking_side'],
  overtaking_side: ['undertaking'],
  school_bus_approaching: ['school_bus'],
  school_bus: ['bus_stop'],
  emergency_corridor: ['emergency_vehicle'],
  winter_exempt: ['winter_tyres'],
  middle_lane: ['keep_side'],
  roundabout_indicator: ['roundabout'],
  motorway_stop: ['hard_shoulder'],
  tram: ['level_crossing'],
  school_crossing: ['pedestrian_crossing'],
  stopped_service_vehicle: ['emergency_vehicle'],
};

/**
 * @param limitWeight how strongly the question asks for a limit
 * @returns the likeliest first; none = the question is about the limit
 */
export function chooseTopics(concepts: Found, context: FlatContext, limitWeight: number): ConductTopic[] {
  const found = conductTopics
    // What rules about rain and fog say goes with the limit, see `decide-answer.ts`.
    .filter((topic) => topic !== 'rain' && topic !== 'fog')
    // Which lane one keeps to says which face of a gantry is meant.
    .filter(
      (topic) => topic !== 'keep_side' || (context.gantry === undefined && !concepts.has('sign.gantry')),
    )
    .map((topic) => ({ topic, weight: concepts.get(`topic.${topic}`)?.weight ?? 0 }))
    // With a sign the question is about the sign: a junction that is merely named does not change that.
    .filter(({ weight }) => weight >= (isPosted(context) ? 1 : 0.5));
  const special = found.filter(({ topic, weight }) => weight >= 1 && !general.has(topic));
  const [best] = (special.length > 0 ? special : found).sort((a, b) => b.weight - a.weight);
  if (!best) return [];
  if (best.topic === 'overtaking_speed') return [best.topic];
  const strongest = Math.max(best.weight, ...found.map(({ weight }) => weight));
  const wins = withSpeed.has(best.topic) ? best.weight >= limitWeight - 1 : strongest > limitWeight;
  if (!wins && limitWeight > 0) return [];
  const others = found.filter((one) => one !== best && one.weight >= strongest - 0.5);
  const likely = [best, ...others.sort((a, b) => b.weight - a.weight)].map(({ topic }) =>
    refined(topic, concepts, context),
  );
  return [...new Set(likely.flatMap((topic) => [topic, ...(nextBest[topic] ?? [])]))];
}

const isPosted = ({ sign, gantry }: FlatContext): boolean => sign !== undefined || gantry !== undefined;

function refined(topic: ConductTopic, concepts: Found, context: FlatContext): ConductTopic {
  const says = (...names: readonly Concept[]): boolean => names.some((name) => concepts.has(name));
  // Asked for both, who goes first matters more than the indicator.
  if (topic === 'roundabout_indicator' && says('topic.unmarked_junction')) return 'roundabout';
  // A cyclist at a junction is one who has priority or has not; who passes one asks for the gap.
  if (topic === 'cyclist_gap' && says('topic.unmarked_junction') && !says('topic.no_overtaking', 'topic.gap'))
    return 'unmarked_junction';
  // Who hogs the middle lane is the reason, passing him on the wrong side the question.
  if (topic === 'middle_lane' && says('topic.undertaking')) return 'undertaking';
  if (topic === 'motorway_merge' && says('topic.motorway_turn')) return 'motorway_turn';
  if (topic === 'undertaking' && says('topic.tram') && says('topic.bus_stop')) return 'bus_stop';
  if (topic === 'emergency_vehicle' && (says('fact.jam') || context.traffic === 'jam'))
    return 'emergency_corridor';
  if (topic !== 'lights') return topic;
  if (says('road.tunnel') || context.road === 'tunnel') return 'tunnel_lights';
  if (
    says('topic.lights_poor_visibility', 'fact.wet', 'fact.fog', 'fact.snow') ||
    context.wet === true ||
    context.visibility_m !== undefined
  )
    return 'lights_poor_visibility';
  if (says('fact.dark', 'fact.night')) return 'lights';
  return 'daytime_lights'; // who asks without saying when asks whether lights must be on at all
}
