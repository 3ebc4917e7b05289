/**
 * What a question asks: about conduct (which topic), about the limit, or what a sign means. By the words of the lexicon
 * alone, so the same question always means the same, and a person can see why.
 */
import type { FlatContext } from '../evaluate/flat-context.js';
import type { ConductTopic } from '../format/vocabulary.js';
import type { Concept } from '../lexicon/concepts.js';
import { type FoundConcept, findConcepts } from '../lexicon/find-concepts.js';
import { lexiconOf } from '../lexicon/load-lexicons.js';
import type { Language } from '../retrieval/stem-word.js';
import { type Token, tokenise } from '../retrieval/tokenise.js';
import { chooseTopics } from './choose-topics.js';

export interface Question {
  readonly text: string;
  readonly language: Language;
  readonly tokens: readonly Token[];
  readonly concepts: ReadonlyMap<Concept, FoundConcept>;
  /** topics to look up, the likeliest first; none = the question is about the limit */
  readonly topics: readonly ConductTopic[];
  readonly asksLimit: boolean;
  /** in words: what does it mean */
  readonly asksMeaning: boolean;
  /** by what the sign looks like, and nothing else is asked */
  readonly describesSign: boolean;
}

/** @param context decides between neighbours where the question leaves it open: lights in rain, in a tunnel */
export function readQuestion(text: string, language: Language, context: FlatContext): Question {
  const tokens = tokenise(text, language);
  const concepts = findConcepts(tokens, lexiconOf(language));
  const weightOf = (concept: Concept): number => concepts.get(concept)?.weight ?? 0;
  const limitWeight = Math.max(weightOf('ask.limit'), weightOf('ask.limit_weak') * 0.5);
  return {
    text,
    language,
    tokens,
    concepts,
    topics: chooseTopics(concepts, context, limitWeight),
    asksLimit: weightOf('ask.limit') >= 1,
    asksMeaning: weightOf('ask.meaning') > 0 && weightOf('ask.meaning') >= weightOf('ask.limit'),
    describesSign: weightOf('ask.appearance') > 0 && weightOf('ask.limit') < 1,
  };
}
