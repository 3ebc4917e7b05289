/** Writing the mixed content that all formats share: inline elements, line breaks, raised text, tables. */
import type { CanonicalText } from './canonical-text.js';
import { childElements, descendants, isElement } from './xml-query.js';
import type { XmlElement, XmlNode } from './xml-tree.js';

export interface Markup {
  /** elements within a word or number: their edges separate nothing */
  readonly inline: ReadonlySet<string>;
  readonly lineBreaks: ReadonlySet<string>;
  readonly raised: ReadonlySet<string>;
  /** elements that stand for a character */
  readonly characters: ReadonlyMap<string, string>;
  readonly rows: ReadonlySet<string>;
  readonly cells: ReadonlySet<string>;
  readonly tables: ReadonlySet<string>;
  /** an element that the format writes in its own way; false = as the markup says */
  readonly special: (element: XmlElement, out: CanonicalText) => boolean;
}

/** Whether the edges of an element separate the numbers on both sides; the rule for both sides of the number check. */
export function isInlineIn(markup: Markup): (name: string) => boolean {
  return (name) => markup.inline.has(name) && !markup.raised.has(name);
}

/** Writes nodes in order, text after nested elements included. */
export function writeNodes(nodes: readonly XmlNode[], out: CanonicalText, markup: Markup): void {
  for (const node of nodes) {
    if (!isElement(node)) {
      out.inline(node);
      continue;
    }
    const { name, children } = node;
    const character = markup.characters.get(name);
    if (markup.special(node, out)) continue;
    if (character !== undefined) {
      out.inline(character);
      writeNodes(children, out, markup);
    } else if (markup.lineBreaks.has(name)) {
      out.newLine();
      writeNodes(children, out, markup);
    } else if (markup.raised.has(name)) {
      out.apart();
      writeNodes(children, out, markup);
      out.apart();
    } else if (markup.tables.has(name)) {
      out.newLine();
      writeTable(node, out, markup);
      out.newLine();
    } else if (markup.inline.has(name)) {
      writeNodes(children, out, markup);
    } else {
      out.newLine();
      writeNodes(children, out, markup);
      out.newLine();
    }
  }
}

/** A row a line, its cells apart by ` | `; what is no row (a caption) is a line of its own. */
export function writeTable(table: XmlElement, out: CanonicalText, markup: Markup): void {
  for (const node of table.children) {
    if (!isElement(node)) out.inline(node);
    else if (markup.rows.has(node.name)) writeRow(node, out, markup);
    else if (descendants(node, ({ name }) => markup.rows.has(name)).length > 0) writeTable(node, out, markup);
    else {
      out.newLine();
      writeNodes(node.children, out, markup);
      out.newLine();
    }
  }
}

export function writeRow(row: XmlElement, out: CanonicalText, markup: Markup): void {
  out.newLine();
  const cells = childElements(row).filter(({ name }) => markup.cells.has(name));
  const isOnlyCells =
    cells.length === row.children.filter((node) => isElement(node) || node.trim() !== '').length;
  if (!isOnlyCells) writeNodes(row.children, out, markup);
  else
    for (const [i, cell] of cells.entries()) {
      if (i > 0) out.inline(' | ');
      writeNodes(cell.children, out, markup);
      out.space();
    }
  out.newLine();
}

/** `1.`, `a)`, `(2a)`, `3°` → `1`, `a`, `2a`, `3`; a dash or a bullet → null. */
export function markerName(marker: string): string | null {
  const name = marker
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  return name === '' || name.length > 12 ? null : name;
}
