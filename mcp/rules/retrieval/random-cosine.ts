/** Where an encoder puts texts that have nothing to do with each other: c₀ of the fused score. */
import { cosine } from './unit-vector.js';

/** Sixteen everyday sentences in four languages; no two share their subject. */
export const unrelatedTexts: readonly string[] = [
  'The bakery opens at six in the morning.',
  'Der Zug nach Hamburg hat zwanzig Minuten Verspätung.',
  'Le chat dort sur le canapé.',
  'Parking is forbidden in front of the fire station.',
  'Die Orgel wurde im Jahr 1742 gebaut.',
  'Il faut arroser les tomates le soir.',
  'A prime number has exactly two divisors.',
  'Bei Gewitter soll man nicht baden.',
  'La réunion de mardi est reportée.',
  'Her grandmother collected stamps from Brazil.',
  'An der Kreuzung hat Vorfahrt, wer von rechts kommt.',
  'Les pneus d’hiver sont obligatoires en montagne.',
  'De bibliotheek is op zondag gesloten.',
  'Copper conducts electricity better than iron.',
  'Der Kuchen braucht noch eine halbe Stunde im Ofen.',
  'On motorways the left lane is for overtaking.',
];

/** Mean cosine over all pairs. @param vectors of unit length, at least two */
export function randomCosineOf(vectors: readonly Float32Array[]): number {
  let sum = 0;
  let pairs = 0;
  for (const [at, a] of vectors.entries()) {
    for (const b of vectors.slice(at + 1)) {
      sum += cosine(a, b);
      pairs++;
    }
  }
  return pairs === 0 ? 0 : sum / pairs;
}
