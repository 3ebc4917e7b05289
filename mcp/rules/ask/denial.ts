/**
 * Whether a question denies what it names: "no rain", "without a trailer". A denial that is taken too far drops a fact
 * that lowers the limit ("no sign, wet road"), so it ends with its clause and at the next word that means something.
 */
import type { Concept } from '../lexicon/concepts.js';
import { type FoundConcept, findConcepts } from '../lexicon/find-concepts.js';
import { lexiconOf } from '../lexicon/load-lexicons.js';
import type { Token } from '../retrieval/tokenise.js';
import type { Question } from './read-question.js';

/** How far back a "not" reaches, in words. */
const reach = 3;
/** Facts that may raise a limit: where it is not clear whether they are denied, they are. */
const lenient: ReadonlySet<Concept> = new Set([
  'fact.dry',
  'fact.tempo100',
  'fact.lit',
  'fact.day',
  'fact.night',
]);

export function isDenied(question: Question, { concept, at }: FoundConcept): boolean {
  const { tokens, language } = question;
  const lexicon = lexiconOf(language);
  const start = Math.min(...at);
  const first = tokens[start];
  const isDenial = (token: Token): boolean => findConcepts([token], lexicon).has('ask.negation');
  for (let place = start - 1; place >= Math.max(0, start - reach); place--) {
    const token = tokens[place];
    if (token === undefined || token.clause !== first?.clause) return false;
    if (isDenial(token)) return true;
    if (!lenient.has(concept) && !lexicon.functionWords.has(token.word)) return false;
  }
  return false;
}
