/**
 * French codes as LEGI XML: a file a version of an article, with its own dates and state. Content is light HTML, in some
 * files escaped once more. What is not in force yet (`VIGUEUR_DIFF`, a later beginning) carries its date; what never came
 * into force is left out.
 */
import { writeArticleLines } from './article-lines.js';
import { CanonicalText, cleanText } from './canonical-text.js';
import { isInlineIn, type Markup, writeNodes } from './inline-markup.js';
import { lawError } from './law-error.js';
import type { LawFile, LawVersion } from './law-text.js';
import { checkProvision } from './text-invariants.js';
import { descendants, elementAt, isElement, rawText } from './xml-query.js';
import type { XmlElement, XmlNode } from './xml-tree.js';

const markup: Markup = {
  inline: new Set('a b i u em strong font span sup sub small big abbr cite img'.split(' ')),
  lineBreaks: new Set(['br', 'hr']),
  raised: new Set(['sup', 'sub']),
  characters: new Map(),
  tables: new Set(['table']),
  rows: new Set(['tr']),
  cells: new Set(['td', 'th']),
  special: () => false,
};

/** States of versions that never held. */
const neverHeld: ReadonlySet<string> = new Set(['MODIFIE_MORT_NE', 'ANNULE', 'DISJOINT', 'SUBSTITUE']);

/** @throws DriveMcpError LAW_EMPTY, LAW_TEXT_LOST, LAW_XML_INVALID */
export function importLegi(root: XmlElement, file: string): LawFile {
  const meta = elementAt(root, 'META', 'META_SPEC', 'META_ARTICLE');
  const said = (name: string): string => cleanText(rawText((meta && elementAt(meta, name)) ?? '')).trim();
  const text = elementAt(root, 'CONTEXTE', 'TEXTE');
  const locator = text?.attributes.get('cid') ?? '';
  const number = said('NUM');
  if (locator === '' || number === '')
    throw lawError(
      'LAW_EMPTY',
      `the article names no ${number === '' ? 'number (NUM)' : 'text (TEXTE cid)'}`,
      file,
      root,
    );
  const titles = text ? descendants(text, ({ name }) => name === 'TITRE_TXT') : [];
  const current = titles.find(({ attributes }) => (attributes.get('fin') ?? '') >= '2222') ?? titles[0];
  const title = cleanText(rawText(current ?? '')).trim() || locator;
  const act = { locator, title, shortTitle: title, lang: 'fr' };
  const label = `art. ${number}`;
  const state = said('ETAT');
  if (neverHeld.has(state))
    return { act, versions: [], skipped: [{ label, reason: `it never held (${state})` }], builtOn: null };
  const validFrom = day(said('DATE_DEBUT'));
  const validUntil = day(said('DATE_FIN'));
  if (validFrom === null)
    throw lawError('LAW_XML_INVALID', `${label} has no beginning (DATE_DEBUT)`, file, meta ?? root);
  const version: LawVersion = {
    label,
    unit: unitOf(number),
    heading: '',
    cite: `${label} ${title}`,
    validFrom,
    validUntil,
    extent: [],
    text: null,
    line: root.line,
    column: root.column,
  };
  const content = unescaped(elementAt(root, 'BLOC_TEXTUEL', 'CONTENU'));
  const words = content ? cleanText(rawText(content)).trim() : '';
  if (!content || words === '' || /^[\s.…]+$|^\(?(?:article )?abrogé\)?\.?$/i.test(words))
    return { act, versions: [version], skipped: [], builtOn: null };
  const note = unescaped(elementAt(root, 'NOTA', 'CONTENU'));
  const hasNote = note !== null && cleanText(rawText(note)).trim() !== '';
  const out = new CanonicalText();
  writeArticleLines(linesOf(content), out);
  if (note && hasNote) {
    out.newLine();
    out.open('nota');
    writeNodes(note.children, out, markup);
    out.close();
  }
  const written = out.finish();
  const roots = note && hasNote ? [content, note] : [content];
  checkProvision({ label, roots, texts: [written] }, isInlineIn(markup), file);
  return { act, versions: [{ ...version, text: written }], skipped: [], builtOn: null };
}

function linesOf(content: XmlElement): string[] {
  const out = new CanonicalText();
  writeNodes(content.children, out, markup);
  return out.finish().body.split('\n').slice(0, -1);
}

/** Markup that was escaped once more (`&lt;br/&gt;`) parts lines like the real one. */
function unescaped(element: XmlElement | null): XmlElement | null {
  if (element === null) return null;
  const { line, column } = element;
  const children = element.children.flatMap((node): XmlNode[] => {
    if (isElement(node)) return [unescaped(node) ?? node];
    const pieces = node.split(/<\/?(?:br|p|div|li|ul)\b[^<>]*>/i);
    return pieces.flatMap((piece, i): XmlNode[] =>
      i === 0 ? [piece] : [{ name: 'br', attributes: new Map(), children: [], line, column }, piece],
    );
  });
  return { ...element, children };
}

/** `R413-2` → r413-2, `R. 110-1` → r110-1, `3` → a3, `Annexe I` → anli. */
function unitOf(number: string): string {
  const bare = number.toLowerCase().replace(/[.\s*]/g, '');
  const annex = /^annexe(.*)$/.exec(bare);
  const name = annex ? `anl${annex[1]}` : /^\d/.test(bare) ? `a${bare}` : bare;
  return (
    name
      .normalize('NFKD')
      .replace(/[^a-z0-9-]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'a'
  );
}

/** 2999-01-01 and 2222-02-22 stand for an end that nobody knows. */
function day(date: string): string | null {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) && date < '2222' ? date : null;
}
