/** How gii-norm XML is written as text: nested lists with their tails, tables, footnotes. */
import type { CanonicalText } from './canonical-text.js';
import { type Markup, markerName, writeNodes } from './inline-markup.js';
import { descendants, isElement, rawText } from './xml-query.js';
import type { XmlElement } from './xml-tree.js';

/** @param itemName what an item of a list outside any other is called, by its marker */
function markup(itemName: (marker: string) => string): Markup {
  const own: Markup = {
    inline: new Set(
      'B I U F NB SP SUP SUB small noindex kommentar IMG FILE FnR FnArea QuoteL QuoteR ABWFORMAT'.split(' '),
    ),
    lineBreaks: new Set(['BR']),
    raised: new Set(['SUP', 'SUB']),
    characters: new Map(),
    tables: new Set(['table']),
    rows: new Set(['row']),
    cells: new Set(['entry']),
    special: (element, out) => {
      if (element.name === 'DL') writeList(element, out, out.depth <= 1 ? itemName : (marker) => marker);
      else if (element.name === 'LA') {
        // Several in one item are one sentence.
        out.space();
        writeNodes(element.children, out, own);
        out.space();
      } else return false;
      return true;
    },
  };
  const writeList = (list: XmlElement, out: CanonicalText, nameOf: (marker: string) => string): void => {
    let isOpen = false;
    let count = 0;
    for (const part of list.children) {
      if (!isElement(part)) {
        out.inline(part);
        continue;
      }
      if (part.name === 'DT') {
        if (isOpen) out.close();
        out.newLine();
        count++;
        out.open(nameOf(markerName(rawText(part)) ?? `b${count}`));
        isOpen = true;
      }
      writeNodes(part.children, out, own);
      out.space();
      if (part.name === 'DD' && isOpen) {
        out.close();
        isOpen = false;
      }
    }
    if (isOpen) out.close();
    out.newLine();
  };
  return own;
}

export const plain = markup((marker) => marker);
/** Items in the row of an annex: `n1`, since `anl2.49.1` is another row. */
export const inRow = markup((marker) => `n${marker}`);

/** Footnotes and the publisher's notes, each a span of its own at the end: kept, and never part of a paragraph. */
export function writeFootnotes(from: XmlElement, out: CanonicalText): void {
  while (out.depth > 0) out.close();
  const notes = descendants(
    from,
    ({ name }) => name === 'Footnote' || name === 'Content',
    ({ name }) => name === 'Footnote',
  ).filter(
    (note) => note.name === 'Footnote' || descendants(note, ({ name }) => name === 'Footnote').length === 0,
  );
  for (const [i, note] of notes.entries()) {
    out.newLine();
    out.open(`fn${i + 1}`);
    writeNodes(note.children, out, plain);
    out.close();
  }
}
