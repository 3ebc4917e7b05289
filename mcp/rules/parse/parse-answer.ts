/**
 * Reads a free-text answer of a camera model about a sign, a gantry or the country. It never raises a limit on weak
 * evidence: what is doubtful is `ambiguous` with the slowest reading beside it, what gives orders is refused.
 */
import { readJurisdictionAnswer } from './jurisdiction-answer.js';
import type { ParsedAnswer, QuestionKind } from './parsed-answer.js';
import { readSpeedAnswer } from './read-speed-answer.js';
import { unitOf } from './speed-unit.js';
import { textOfAnswer } from './structured-answer.js';

/**
 * @param hint jurisdiction the vehicle is believed to be in (`DE`, `GB-WLS`, `US-CA`), null where unknown
 * @returns enumerated words and numbers only; never throws
 */
export function parseAnswer(question: QuestionKind, answer: string, hint: string | null): ParsedAnswer {
  const text = textOfAnswer(answer);
  if (question === 'jurisdiction') return readJurisdictionAnswer(text ?? '');
  if (text === null) return { status: 'none', reason: 'unreadable' };
  return readSpeedAnswer(text, question, unitOf(hint), hint);
}
