/** Which concepts a text speaks of. A longer phrase takes its words away from shorter ones: a school bus is no coach. */
import type { Token } from '../retrieval/tokenise.js';
import type { Concept } from './concepts.js';
import type { Lexicon } from './load-lexicons.js';
import { coverage, fitsWord, isMoreOf, type Phrase } from './phrase.js';

export interface FoundConcept {
  readonly concept: Concept;
  /** words of the longest phrase that named it */
  readonly weight: number;
  /** places of its words in the text */
  readonly at: readonly number[];
}

export function findConcepts(tokens: readonly Token[], lexicon: Lexicon): ReadonlyMap<Concept, FoundConcept> {
  const matches: Match[] = [];
  for (const { concept, phrase } of candidates(tokens, lexicon)) {
    const at = coverage(phrase, tokens);
    if (at !== null) matches.push({ concept, weight: phrase.weight, at, phrase });
  }
  const found = new Map<Concept, FoundConcept>();
  for (const match of matches) {
    if (matches.some((other) => other.concept !== match.concept && swallows(other, match))) continue;
    const { concept, weight, at } = match;
    const known = found.get(concept);
    if (known === undefined || weight > known.weight) found.set(concept, { concept, weight, at });
  }
  return found;
}

interface Match extends FoundConcept {
  readonly phrase: Phrase;
}

function swallows(longer: Match, shorter: Match): boolean {
  if (!shorter.at.every((place) => longer.at.includes(place))) return false;
  return longer.at.length > shorter.at.length || isMoreOf(longer.phrase, shorter.phrase);
}

/** Phrases whose first word is there at all; found by the word, since a document has many words and a lexicon many phrases. */
function candidates(tokens: readonly Token[], lexicon: Lexicon): Iterable<Lexicon['phrases'][number]> {
  const index = indexOf(lexicon);
  const found = new Set<Lexicon['phrases'][number]>();
  for (const token of tokens) {
    for (const form of token.forms) for (const entry of index.byForm.get(form) ?? []) found.add(entry);
    let open = index.byWord.get(token.word);
    if (open === undefined) {
      open = index.open.filter(({ phrase }) => startsWith(phrase, token));
      if (index.byWord.size < maxKeptWords) index.byWord.set(token.word, open);
    }
    for (const entry of open) found.add(entry);
  }
  return found;
}

const maxKeptWords = 20_000;

interface PhraseIndex {
  readonly byForm: ReadonlyMap<string, readonly Lexicon['phrases'][number][]>;
  readonly open: readonly Lexicon['phrases'][number][];
  /** words seen before → phrases with a wildcard that begin with them */
  readonly byWord: Map<string, readonly Lexicon['phrases'][number][]>;
}
const indexes = new WeakMap<Lexicon, PhraseIndex>();

function indexOf(lexicon: Lexicon): PhraseIndex {
  const known = indexes.get(lexicon);
  if (known) return known;
  const byForm = new Map<string, Lexicon['phrases'][number][]>();
  const open: Lexicon['phrases'][number][] = [];
  for (const entry of lexicon.phrases) {
    const first = entry.phrase.groups[0]?.[0];
    if (!first) continue;
    if (first.parts.length > 0) open.push(entry);
    else
      for (const form of first.forms) {
        const list = byForm.get(form);
        if (list) list.push(entry);
        else byForm.set(form, [entry]);
      }
  }
  const index = { byForm, open, byWord: new Map() };
  indexes.set(lexicon, index);
  return index;
}

function startsWith(phrase: Phrase, token: Token): boolean {
  const first = phrase.groups[0]?.[0];
  return first !== undefined && fitsWord(first, token);
}
