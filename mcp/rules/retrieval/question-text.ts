/** A question from outside made plain: bounded, without characters that hide, reorder or steer; what was dropped is told. */

/** Nobody asks at greater length; what follows is not read. */
export const longestQuestion = 2_000;
/** terms beyond these add noise and time, no meaning */
export const mostQueryTerms = 96;

export interface QuestionText {
  readonly text: string;
  /** what was left out, for people */
  readonly dropped: readonly string[];
}

const hidden =
  /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\ufe00-\ufe0f]|[\u{e0000}-\u{e007f}]/gu;
const controls = /(?![\t\n\r])\p{Cc}/gu;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export function plainQuestion(raw: string): QuestionText {
  const dropped: string[] = [];
  let text = raw.slice(0, longestQuestion);
  if (raw.length > longestQuestion)
    dropped.push(`what follows the first ${longestQuestion} characters (of ${raw.length})`);
  const without = (pattern: RegExp, name: string, by: string): void => {
    const next = text.replace(pattern, by);
    if (next !== text) dropped.push(name);
    text = next;
  };
  without(loneSurrogate, 'halves of characters', ' ');
  text = text.normalize('NFC');
  without(hidden, 'invisible and direction characters', '');
  without(controls, 'control characters', ' ');
  text = text.replace(/\s+/g, ' ').trim();
  if (!/[\p{L}\p{N}]/u.test(text)) dropped.push('the whole question: there is no word in it');
  return { text, dropped };
}
