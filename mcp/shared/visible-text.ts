import { DriveMcpError } from '../../daemon/core/errors.js';

/** Deeper arguments fit no tool; walking them would cost stack. */
const maxDepth = 16;

/**
 * Code points that a person does not see but a model reads: controls (tab and line ends apart), format characters
 * (bidirectional overrides, zero-width, tags), private use, lone surrogates, line separators, the blank Braille cell and
 * whatever Unicode calls default-ignorable (variation selectors, Hangul fillers).
 */
export const unseen =
  /[\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?![\t\n\r])\p{Cc}/u;

/**
 * Refuses text that hides something: an argument that nobody can read is no question.
 * @throws DriveMcpError TOOL_ARGS_INVALID with the key and the code point
 */
export function requireVisibleText(value: unknown, call: string, path: readonly string[] = []): void {
  if (typeof value === 'string') requireVisible(value, call, path);
  if (typeof value !== 'object' || value === null) return;
  if (path.length >= maxDepth) throw unfit(call, path, `is nested deeper than ${maxDepth} levels`);
  for (const [key, item] of Object.entries(value)) {
    requireVisible(key, call, path);
    requireVisibleText(item, call, [...path, key]);
  }
}

function requireVisible(text: string, call: string, path: readonly string[]): void {
  const found = unseen.exec(text)?.[0].codePointAt(0);
  if (found === undefined) return;
  const point = found.toString(16).toUpperCase().padStart(4, '0');
  throw unfit(call, path, `holds U+${point}, a character that cannot be seen; send plain text`);
}

function unfit(call: string, path: readonly string[], problem: string): DriveMcpError {
  return new DriveMcpError(
    'TOOL_ARGS_INVALID',
    `${call}: ${path.length === 0 ? 'an argument' : 'the text'} ${problem}`,
    {
      location: { key: path.join('.') },
      context: { call },
    },
  );
}
