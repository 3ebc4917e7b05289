/**
 * Annexes of German law: a table whose first column is a running number is cut into one text a number, as the law itself
 * cites them (Anlage 2 lfd. Nr. 49); the rest (notes, headings of parts, explanations to several numbers) stays together.
 */
import { CanonicalText, cleanText, type ProvisionText, unnumbered } from './canonical-text.js';
import { inRow, plain, writeFootnotes } from './gii-markup.js';
import { writeNodes, writeRow } from './inline-markup.js';
import { childElements, isElement, rawText } from './xml-query.js';
import type { XmlElement, XmlNode } from './xml-tree.js';

/** The head of the annex (null) and its numbered rows. A number that stands twice becomes `3-2`. */
export function annexTexts(
  content: XmlElement,
): readonly (readonly [row: string | null, text: ProvisionText])[] {
  const head = new CanonicalText();
  head.open(unnumbered);
  const rows = new Map<string, CanonicalText>();
  let current: CanonicalText | null = null;
  const startRow = (number: string): CanonicalText => {
    let name = number;
    for (let i = 2; rows.has(name); i++) name = `${number}-${i}`;
    const text = new CanonicalText();
    text.open(unnumbered);
    rows.set(name, text);
    return text;
  };
  const walkTable = (table: XmlElement, isHead: boolean): void => {
    current = isHead ? current : null;
    for (const node of table.children) {
      if (!isElement(node)) head.inline(node);
      else if (node.name === 'row') {
        const kind = isHead ? 'head' : kindOfRow(node);
        if (kind === 'head') {
          writeRow(node, head, plain);
          if (!isHead) current = null;
        } else {
          if (kind !== 'continued') current = startRow(kind.number);
          writeRow(node, current ?? head, current ? inRow : plain);
        }
      } else if (['tgroup', 'thead', 'tbody', 'tfoot'].includes(node.name)) {
        walkTable(node, isHead || node.name === 'thead');
      } else {
        head.newLine();
        writeNodes(node.children, head, plain);
        head.newLine();
      }
    }
  };
  const walk = (nodes: readonly XmlNode[]): void => {
    for (const node of nodes) {
      if (isElement(node) && node.name === 'table' && isNumbered(node)) walkTable(node, false);
      else if (isElement(node) && node.name === 'Footnotes') notes.push(node);
      else if (isElement(node) && (node.name === 'Content' || node.name === 'text')) walk(node.children);
      else if (isElement(node) && node.name === 'fussnoten') notes.push(node);
      else writeNodes([node], head, plain);
    }
  };
  const notes: XmlElement[] = [];
  walk(content.children);
  writeFootnotes({ ...content, children: notes }, head);
  const first = head.finish();
  const numbered = [...rows].map(([name, text]) => [name, text.finish()] as const);
  return first.body === '' ? numbered : [[null, first], ...numbered];
}

type RowKind = 'head' | 'continued' | { readonly number: string };

function kindOfRow(row: XmlElement): RowKind {
  const entries = childElements(row, 'entry');
  const [first] = entries;
  const words = cleanText(first ? rawText(first) : '').trim();
  const spansAll = first?.attributes.has('namest') === true && entries.length === 1;
  if (/^\d+(?:\.\d+)*[a-z]?$/.test(words) && entries.length > 1) return { number: words };
  // A cell that reaches over several rows leaves the later ones without their first.
  if (words === '' || (entries.length === 1 && !spansAll)) return 'continued';
  return 'head';
}

function isNumbered(table: XmlElement): boolean {
  const bodies = childElements(table, 'tgroup').flatMap((group) => childElements(group, 'tbody'));
  return bodies.some((body) => childElements(body, 'row').some((row) => typeof kindOfRow(row) === 'object'));
}
