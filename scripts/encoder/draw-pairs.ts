/** Pairs of texts that mean the same, drawn from the training texts again and again, never quite the same twice. */
import type { Pair } from './train-table.js';
import type { Passage, Phrases, TrainingTexts } from './training-texts.js';
import { foldedWords, type Segmenter } from './word-pieces.js';

type Random = () => number;
type Draw = (random: Random) => { left: string; right: string; group: string } | null;

/** How often each kind of pair is drawn; what knows more about questions comes more often. */
const shares: readonly (readonly [kind: keyof ReturnType<typeof kinds>, share: number])[] = [
  ['situation', 0.4],
  ['concept', 0.2],
  ['synonym', 0.15],
  ['crop', 0.15],
  ['sign', 0.1],
];

/** Share of words that are segmented as if they were unknown, so that beginnings and ends learn what they mean. */
const hiddenWordShare = 0.15;

export function pairDrawer(texts: TrainingTexts, segmenter: Segmenter): (random: Random) => Pair {
  const draws = kinds(texts);
  const bag = (text: string, random: Random): number[] =>
    foldedWords(text).flatMap((word) => segmenter.pieces(word, random() < hiddenWordShare));
  return (random) => {
    for (;;) {
      let at = random();
      const kind = shares.find(([, share]) => {
        at -= share;
        return at < 0;
      });
      const pair = draws[kind?.[0] ?? 'situation'](random);
      if (!pair) continue;
      const [left, right] = [bag(pair.left, random), bag(pair.right, random)];
      if (left.length > 0 && right.length > 0) return { left, right, group: pair.group };
    }
  };
}

function kinds({ passages, concepts, situations, synonyms, signs }: TrainingTexts) {
  const names = [...concepts.keys()];
  const asPassage = ({ title, text }: Passage): string => `${title} ${text}`;
  const say = (concept: string, language: string, random: Random): string => {
    const phrases = concepts.get(concept)?.[language] ?? [];
    return phrases.length === 0 ? '' : pick(phrases, random);
  };
  const draws = {
    /** a driver's words for the situation of a rule, and the provision that it cites */
    situation: (random: Random) => {
      if (situations.length === 0) return null;
      const { concepts: about, passages: cited } = pick(situations, random);
      const language = pick(languagesOf(concepts.get(about[0] ?? '')), random);
      const told = about.filter((concept) => concept.startsWith('topic.') || random() < 0.7);
      const left = told.map((concept) => say(concept, language, random));
      const passage = pick(cited, random);
      return { left: shuffled(left, random).join(' '), right: asPassage(passage), group: passage.doc };
    },
    /** two phrases of one concept, mostly of two languages */
    concept: (random: Random) => {
      if (names.length === 0) return null;
      const concept = pick(names, random);
      const languages = languagesOf(concepts.get(concept));
      const one = () => say(concept, pick(languages, random), random);
      return { left: one(), right: `${one()} ${random() < 0.5 ? one() : ''}`, group: concept };
    },
    synonym: (random: Random) => {
      if (synonyms.length === 0) return null;
      const { say: spoken, law } = pick(synonyms, random);
      const word = pick(law, random);
      const holding = passages.filter(({ text, title }) => `${title} ${text}`.includes(word));
      const passage = holding.length > 0 && random() < 0.6 ? pick(holding, random) : null;
      return {
        left: pick(spoken, random),
        right: passage ? asPassage(passage) : law.join(' '),
        group: passage?.doc ?? law.join(),
      };
    },
    /** a part of a passage, and the whole under its title */
    crop: (random: Random) => {
      const passage = pick(passages, random);
      const words = passage.text.split(/\s+/);
      const length = Math.max(3, Math.floor(words.length * (0.2 + 0.5 * random())));
      const start = Math.floor(random() * Math.max(1, words.length - length));
      return {
        left: words.slice(start, start + length).join(' '),
        right: asPassage(passage),
        group: passage.doc,
      };
    },
    sign: (random: Random) => {
      if (signs.length === 0) return null;
      const { texts, passages: about } = pick(signs, random);
      const right = about.length > 0 && random() < 0.7 ? asPassage(pick(about, random)) : pick(texts, random);
      return { left: pick(texts, random), right, group: texts[0] ?? '' };
    },
  } satisfies Record<string, Draw>;
  return draws;
}

function languagesOf(phrases: Phrases | undefined): readonly string[] {
  return Object.keys(phrases ?? {});
}

function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)] as T;
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const copy = [...list];
  for (let at = copy.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [copy[at], copy[other]] = [copy[other] as T, copy[at] as T];
  }
  return copy;
}
