/** Faces of a gantry lane by lane, in the order in which the answer names them. */
import { redCross } from './kind-phrases.js';
import type { ParsedLimit, ParsedNothing, SpeedUnit } from './parsed-answer.js';
import { highestSign, kmhWord, mphWord } from './speed-unit.js';

const mark = '[\\u0001\\u0002]?';
const face = `(${mark}\\d{1,3}|x\\b|red\\s*-?\\s*(?:x|cross)|rotes?\\s+(?:x|kreuz)|croix\\s+rouge|closed|gesperrt|fermée)`;
/** "lane 1: 60", "left lane 80", "Spur 2 zeigt 100", "voie de gauche 110" */
const named = new RegExp(
  `(?:lane|spur|fahrstreifen|voie|corsia|carril|rijstrook)\\s*(?:no\\.?\\s*)?(?:#?\\s*${mark}\\d\\b|[a-d]\\b|one|two|three|four|de\\s+(?:gauche|droite)|du\\s+milieu|centrale)?(?:\\s*(?:[:=]|shows?|says?|is|has|reads?|zeigt|ist|affiche|indique|at|-))*\\s*(?:a\\s+)?${face}`,
  'giu',
);
const namedBefore = new RegExp(
  `(?:left|middle|cent(?:re|er)|right|inner|outer|nearside|offside|link\\p{L}*|mittler\\p{L}*|recht\\p{L}*)\\s*(?:hand\\s+)?(?:lane|spur|fahrstreifen|voie)?s?(?:\\s*(?:[:=]|shows?|says?|is|has|reads?|zeigt|-))*\\s*(?:a\\s+)?${face}`,
  'giu',
);
/** "60 over lane 1", "100 über der linken Spur" */
const numberFirst = new RegExp(
  `${face}\\s*(?:km\\/h|mph)?\\s*(?:over|above|on|in|for|über|auf|sur|au-dessus\\s+de)\\s+(?:the\\s+|der\\s+|my\\s+|meiner\\s+|la\\s+)?(?:\\p{L}+\\s+)?(?:lane|spur|fahrstreifen|voie)\\b`,
  'giu',
);
/** "60 | 60 | X", "100/100/80", "50, 50, X" and nothing else */
const row = new RegExp(
  `(?:^|[:\\s])(${face}(?:\\s*(?:\\||/|,|;|\\s-\\s|\\s)\\s*${face})+)\\s*\\.?\\s*$`,
  'iu',
);

/** Null where the answer does not speak of several lanes. */
export function readLanes(text: string, local: SpeedUnit | null): ParsedLimit | ParsedNothing | null {
  const faces = facesOf(text);
  if (faces.length < 2) return null;
  const values = faces.filter((shown) => shown !== 'X');
  const closed = values.length < faces.length ? { lane_closed: true as const } : {};
  if (values.length === 0) return { status: 'none', reason: 'no_limit', lanes: faces, ...closed };
  const unit = mphWord.test(text) ? 'mph' : kmhWord.test(text) ? 'km/h' : local;
  if (values.some((value) => value <= 0 || value > highestSign[unit ?? 'km/h']))
    return { status: 'reject', reason: 'out_of_range' };
  const lowest = Math.min(...values);
  const isExplicit = mphWord.test(text) || kmhWord.test(text);
  return {
    status: unit === null ? 'ambiguous' : 'ok',
    kind: 'variable',
    // Which lane is ours is not known here: only what all lanes show is a value, the lowest is the safe one.
    value: values.every((value) => value === lowest) ? lowest : null,
    unit,
    unit_source: isExplicit ? 'explicit' : unit === null ? null : 'context',
    conditions: [],
    conservative: { value: lowest, unit: unit ?? 'km/h' },
    confidence_max: unit === null ? 0.4 : 0.8,
    lanes: faces,
    ...closed,
  };
}

function facesOf(text: string): (number | 'X')[] {
  for (const pattern of [named, namedBefore, numberFirst]) {
    const found = [...text.matchAll(pattern)].map((match) => faceOf(match[1] ?? ''));
    if (found.length >= 2) return found;
  }
  const listed = row.exec(text)?.[1];
  if (listed === undefined) return [];
  return [...listed.matchAll(new RegExp(face, 'giu'))].map((match) => faceOf(match[1] ?? ''));
}

function faceOf(text: string): number | 'X' {
  const digits = /\d+/.exec(text)?.[0];
  return digits === undefined || redCross.test(text) ? 'X' : Number(digits);
}
