/**
 * C0 and C1 controls, DEL, line separators and the bidi controls of Unicode (UAX #9): on a terminal they move
 * the cursor, change settings or reorder what was printed. Tab and line feed are none of them here.
 */
const unsafe =
  '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069';
const inCell = new RegExp(`[\\t\\n${unsafe}]`, 'g');
const inText = new RegExp(`[${unsafe}]`, 'g');
const inColouredText = new RegExp(`\\u001b\\[\\d{1,2}m|[${unsafe}]`, 'g');

/** Text from outside as one cell or line: what could steer a terminal is shown as U+FFFD. */
export function printable(text: string): string {
  return text.replace(inCell, '\ufffd');
}

/** Whole lines for a terminal; with `hasColour` the colours that the lines were given stay. */
export function printableLines(text: string, hasColour: boolean): string {
  return hasColour
    ? text.replace(inColouredText, (found) => (found.length > 1 ? found : '\ufffd'))
    : text.replace(inText, '\ufffd');
}

/** JSON text that says the same (RFC 8259, section 7) without a character that could steer a terminal. */
export function printableJson(json: string): string {
  return json.replace(inText, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
