import { unseen } from './visible-text.js';

const everyUnseen = new RegExp(unseen.source, 'gu');

/**
 * Text of a file or a peer as data in an answer: composed (NFC), without code points that nobody sees, cut to `maxChars`
 * with an ellipsis. It is shown and decides nothing.
 */
export function shownText(text: string, maxChars = 120): string {
  const clean = text
    .slice(0, maxChars * 4)
    .normalize('NFC')
    .replace(/[\t\n\r]+/g, ' ')
    .replace(everyUnseen, '\ufffd');
  return clean.length <= maxChars
    ? clean
    : `${clean.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
