/**
 * Austrian law as RIS documents: a file a version of a provision. The text is a part of a page with headings of its own;
 * lists name their depth, and the words after a list (`schlussteil`, in older files `schluss`) say which depth they close.
 */
import { CanonicalText, cleanText, type ProvisionText, unnumbered } from './canonical-text.js';
import { dayAfter } from './day-after.js';
import { isInlineIn, type Markup, markerName, writeNodes } from './inline-markup.js';
import { lawError } from './law-error.js';
import type { LawFile } from './law-text.js';
import { checkProvision } from './text-invariants.js';
import { childElements, descendants, isElement, rawText } from './xml-query.js';
import type { XmlElement } from './xml-tree.js';

const markup: Markup = {
  inline: new Set(
    'b i u n a super sub gldsym link fett kursiv span feld nbsp gdash amp ldquo rdquo lsquo rsquo lt gt binary fnzeichen'.split(
      ' ',
    ),
  ),
  lineBreaks: new Set(['br', 'abstand']),
  raised: new Set(['super', 'sub']),
  characters: new Map([
    ['nbsp', ' '],
    ['gdash', '–'],
    ['amp', '&'],
    ['ldquo', '„'],
    ['rdquo', '“'],
    ['lsquo', '‚'],
    ['rsquo', '‘'],
    ['lt', '<'],
    ['gt', '>'],
  ]),
  tables: new Set(['table']),
  rows: new Set(['tr']),
  cells: new Set(['td', 'th']),
  special: () => false,
};

/** @throws DriveMcpError LAW_EMPTY, LAW_TEXT_LOST, LAW_XML_INVALID */
export function importRis(root: XmlElement, file: string): LawFile {
  const field = (name: string): string =>
    cleanText(rawText(descendants(root, ({ attributes }) => attributes.get('ct') === name)[0] ?? '')).trim();
  const locator = field('gesnr');
  const label = field('artikel_anlage');
  const unit = unitOf(label);
  if (locator === '' || unit === null)
    throw lawError(
      'LAW_EMPTY',
      locator === '' ? 'the document names no act (gesnr)' : `'${label.slice(0, 60)}' is no provision`,
      file,
      root,
    );
  const title = field('kurztitel') || locator;
  const shortTitle = field('abkuerzung') || title;
  const blocks = textBlocks(root);
  const headings = blocks.filter(({ name }) => name === 'ueberschrift');
  const law = blocks.filter(({ name }) => name !== 'ueberschrift');
  const lastDay = day(field('akra'));
  const version = {
    label,
    unit,
    heading: cleanText(headings.map(rawText).join(' ')).trim(),
    cite: `${label} ${shortTitle}`,
    validFrom: day(field('ikra')),
    // The day of the page is the last on which it held.
    validUntil: lastDay === null ? null : dayAfter(lastDay),
    extent: [],
    line: root.line,
    column: root.column,
  };
  if (version.validFrom === null)
    throw lawError('LAW_XML_INVALID', `${label} has no beginning (ikra)`, file, root);
  const words = cleanText(law.map(rawText).join(' ')).replace(label, '').trim();
  if (/^\(?(?:aufgehoben|entfällt|.{0,20}aufgehoben durch .*)\)?\.?$|^[\s.…]+$/i.test(words))
    return {
      act: { locator, title, shortTitle, lang: 'de' },
      versions: [{ ...version, text: null }],
      skipped: [],
      builtOn: null,
    };
  if (words === '') throw lawError('LAW_TEXT_LOST', `${label} has no text`, file, root);
  const text = provisionText(law);
  checkProvision({ label, roots: law, texts: [text] }, isInlineIn(markup), file);
  return {
    act: { locator, title, shortTitle, lang: 'de' },
    versions: [{ ...version, text }],
    skipped: [],
    builtOn: null,
  };
}

/** What stands under the heading `Text`, or says of itself that it is text; header and footer of the page do not. */
function textBlocks(root: XmlElement): XmlElement[] {
  const isPage = ({ name }: XmlElement): boolean => name === 'kzinhalt' || name === 'fzinhalt';
  const isText = ({ attributes }: XmlElement): boolean => attributes.get('ct') === 'text';
  const found: XmlElement[] = [];
  for (const section of descendants(root, ({ name }) => name === 'abschnitt')) {
    let isIn = false;
    for (const block of childElements(section)) {
      if (isPage(block) || block.name === 'abschnitt') continue;
      if (block.name === 'ueberschrift' && block.attributes.get('typ') === 'titel' && !isText(block)) {
        isIn = cleanText(rawText(block)).trim() === 'Text';
        continue;
      }
      if (isIn || isText(block) || descendants(block, isText).length > 0) found.push(block);
    }
  }
  return found;
}

function provisionText(blocks: readonly XmlElement[]): ProvisionText {
  const out = new CanonicalText();
  for (const block of blocks) {
    // The name of the provision stands before the number of its first paragraph.
    const number = /^\s*(?:(?:§+|Art\.|Artikel)\s*\S+\s+)?\((\d+[a-z]*)\)/.exec(
      cleanText(rawText(block)),
    )?.[1];
    out.newLine();
    if (block.name === 'absatz' && number !== undefined) {
      while (out.depth > 0) out.close();
      out.open(number);
    } else if (out.depth === 0) {
      out.open(unnumbered);
    } else if (block.name === 'absatz') {
      while (out.depth > 1) out.close();
    }
    if (isList(block)) writeList(block, 1, out);
    else if (isTail(block)) writeTail(block, out);
    else writeNodes([block], out, markup);
  }
  return out.finish();
}

function isList({ name }: XmlElement): boolean {
  return name === 'liste' || name === 'aufzaehlung' || name.endsWith('liste');
}

function isTail({ name }: XmlElement): boolean {
  return name === 'schlussteil' || name === 'schluss';
}

/** Depth 1 is the first below the paragraph. A deeper list may stand inside an item or after it. */
function writeList(list: XmlElement, around: number, out: CanonicalText): void {
  const depth = Math.max(1, Math.floor(Number(list.attributes.get('ebene') ?? around)) || around);
  let count = 0;
  for (const node of list.children) {
    if (!isElement(node)) out.inline(node);
    else if (isTail(node)) writeTail(node, out);
    else if (isList(node)) writeList(node, list.name === 'liste' ? around : depth + 1, out);
    else if (node.name === 'listelem') {
      while (out.depth > depth) out.close();
      const mark = descendants(node, ({ name }) => name === 'symbol')[0];
      out.newLine();
      out.open(markerName(mark ? rawText(mark) : '') ?? `b${++count}`);
      for (const part of node.children) {
        if (isElement(part) && isList(part)) writeList(part, depth + 1, out);
        else if (isElement(part) && part.name === 'symbol') {
          writeNodes(part.children, out, markup);
          out.space();
        } else writeNodes([part], out, markup);
      }
    } else writeNodes([node], out, markup);
  }
}

/** Words after a list close every deeper item and belong to the depth that they name; 0 is the paragraph. */
function writeTail(tail: XmlElement, out: CanonicalText): void {
  const type = (tail.attributes.get('typ') ?? '').toLowerCase();
  const listDepth = /^e(\d)$/.exec(type)?.[1];
  const named = { abs: 0, ziff: 1, lit: 2 }[type];
  const depth =
    named ?? (listDepth ? Number(listDepth) - 1 : Math.floor(Number(tail.attributes.get('ebene') ?? 0)) || 0);
  while (out.depth > depth + 1) out.close();
  out.newLine();
  writeNodes(tail.children, out, markup);
  out.newLine();
}

/** `§ 20` → p20, `Art. 3` → a3, `Anl. 1` → anl1. */
function unitOf(label: string): string | null {
  const parts = /^(§+|Art\.?|Artikel|Anl\.?|Anlage)\s*(\d+\s?[a-z]*|[IVXLC]+)?$/i.exec(label);
  const kind = parts?.[1]?.toLowerCase() ?? '';
  const number = (parts?.[2] ?? '').replace(/\s/g, '').toLowerCase();
  if (kind === '' || (number === '' && !kind.startsWith('anl'))) return null;
  return `${kind.startsWith('§') ? 'p' : kind.startsWith('art') ? 'a' : 'anl'}${number}`;
}

/** `17.01.1975` → 1975-01-17 */
function day(date: string): string | null {
  const parts = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(date);
  return parts && (parts[3] ?? '') < '9999' ? `${parts[3]}-${parts[2]}-${parts[1]}` : null;
}
