/**
 * The numbers of a text: the one thing that a conversion of law must never lose (a lossy one has dropped the 80 km/h that
 * stand after a nested list, and the next number looked like the limit).
 */
import { cleanText } from './canonical-text.js';
import type { XmlElement, XmlNode } from './xml-tree.js';

/** Digits with points and commas inside: `3,5`, `330.1`, `1978`. */
export function numberTokens(text: string): string[] {
  return text.match(/\d+(?:[.,]\d+)*/g) ?? [];
}

/** Numbers in the text of elements. @param isInline whether an element of this name stands within a word or number */
export function numbersInXml(roots: readonly XmlElement[], isInline: (name: string) => boolean): string[] {
  const textOf = (node: XmlNode): string => {
    if (typeof node === 'string') return node;
    const inner = node.children.map(textOf).join('');
    return isInline(node.name) ? inner : `\n${inner}\n`;
  };
  return numberTokens(cleanText(roots.map(textOf).join('\n')));
}

/** What `before` holds more often than `after`, in its order. */
export function missingTokens(before: readonly string[], after: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const token of after) left.set(token, (left.get(token) ?? 0) + 1);
  return before.filter((token) => {
    const count = left.get(token) ?? 0;
    left.set(token, count - 1);
    return count <= 0;
  });
}
