/**
 * What a question asks: about conduct (which topic), about the limit, or what a sign means. By the words of the lexicon
 * alone, so the same question always means the same, and a person can see why.
 */
import type { FlatContext } from '../evaluate/flat-context.js';
import { type ConductTopic, conductTopics } from '../format/vocabulary.js';
import type { Concept } from '../lexicon/concepts.js';
import { type FoundConcept, findConcepts } from '../lexicon/find-concepts.js';
import { lexiconOf } from '../lexicon/load-lexicons.js';
import type { Language } from '../retrieval/stem-word.js';
import { type Token, tokenise } from '../retrieval/tokenise.js';

export interface Question {
  readonly text: string;
  readonly language: Language;
  readonly tokens: readonly Token[];
  readonly concepts: ReadonlyMap<Concept, FoundConcept>;
  /** topics to look up, the likeliest first; none = the question is about the limit */
  readonly topics: readonly ConductTopic[];
  readonly asksLimit: boolean;
  readonly asksMeaning: boolean;
}

/** What rules about rain and fog say goes with the limit, see `answer-question.ts`. */
const withLimit: ReadonlySet<ConductTopic> = new Set(['rain', 'fog']);

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

/** @param context decides between neighbours where the question leaves it open: lights in rain, in a tunnel */
export function readQuestion(text: string, language: Language, context: FlatContext): Question {
  const tokens = tokenise(text, language);
  const concepts = findConcepts(tokens, lexiconOf(language));
  const weightOf = (concept: Concept): number => concepts.get(concept)?.weight ?? 0;
  const limitWeight = Math.max(weightOf('ask.limit'), weightOf('ask.limit_weak') * 0.5);
  const found = conductTopics
    .map((topic) => ({ topic, weight: weightOf(`topic.${topic}`) }))
    .filter(({ topic, weight }) => weight > 0 && !withLimit.has(topic))
    .sort((a, b) => b.weight - a.weight);
  const best = found[0];
  const isConduct = best !== undefined && best.weight >= limitWeight;
  const likely = isConduct
    ? found
        .filter(({ weight }) => weight >= best.weight - 0.5)
        .map(({ topic }) => refined(topic, concepts, context))
    : [];
  const topics = [...new Set(likely.flatMap((topic) => [topic, ...(nextBest[topic] ?? [])]))];
  return {
    text,
    language,
    tokens,
    concepts,
    topics,
    asksLimit: limitWeight > 0,
    asksMeaning: weightOf('ask.meaning') > 0 && weightOf('ask.meaning') >= weightOf('ask.limit'),
  };
}

function refined(
  topic: ConductTopic,
  concepts: ReadonlyMap<Concept, FoundConcept>,
  context: FlatContext,
): ConductTopic {
  if (topic !== 'lights') return topic;
  const says = (...names: readonly Concept[]): boolean => names.some((name) => concepts.has(name));
  if (says('road.tunnel') || context.road === 'tunnel') return 'tunnel_lights';
  if (says('fact.wet', 'fact.fog', 'fact.snow') || context.wet === true || context.visibility_m !== undefined)
    return 'lights_poor_visibility';
  if (says('fact.dark')) return 'lights';
  return 'daytime_lights'; // who asks without saying when asks whether lights must be on at all
}
