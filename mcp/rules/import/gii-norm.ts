/**
 * German federal law as gii-norm XML (DTD 1.01): one `norm` a provision, text mixed with nested lists (`DL` of `DT` and
 * `DD`), whose tails carry numbers; annexes are tables. The format has no date of entry into force for a norm.
 */
import { CanonicalText, cleanText, type ProvisionText, unnumbered } from './canonical-text.js';
import { annexTexts } from './gii-annex.js';
import { plain, writeFootnotes } from './gii-markup.js';
import { isInlineIn, writeNodes } from './inline-markup.js';
import { lawError } from './law-error.js';
import type { LawAct, LawFile, LawVersion, SkippedUnit } from './law-text.js';
import { checkProvision } from './text-invariants.js';
import { childElements, elementAt, isElement, rawText } from './xml-query.js';
import type { XmlElement } from './xml-tree.js';

/** @throws DriveMcpError LAW_EMPTY, LAW_TEXT_LOST, LAW_XML_INVALID */
export function importGiiNorm(root: XmlElement, file: string): LawFile {
  const norms = childElements(root, 'norm');
  const head = norms[0];
  const locator = root.attributes.get('doknr') ?? head?.attributes.get('doknr') ?? '';
  if (!head || locator === '') throw lawError('LAW_EMPTY', 'the file names no act (doknr)', file, root);
  const meta = elementAt(head, 'metadaten');
  const said = (name: string): string => cleanText(rawText(elementAt(meta ?? head, name) ?? '')).trim();
  const act: LawAct = {
    locator,
    title: said('langue') || said('kurzue') || said('jurabk'),
    shortTitle: said('amtabk') || said('jurabk').replace(/ \d{4}$/, ''),
    lang: 'de',
  };
  const versions: LawVersion[] = [];
  const skipped: SkippedUnit[] = [];
  const named = new Map<string, number>();
  for (const norm of norms) {
    const data = elementAt(norm, 'metadaten') ?? norm;
    const label = cleanText(rawText(elementAt(data, 'enbez') ?? '')).trim();
    if (label === '') continue; // the act itself, a heading of a part
    const unit = unitOf(label);
    if (unit === null) {
      skipped.push({ label, reason: 'no provision (a formula or a table of contents)' });
      continue;
    }
    // Two annexes may bear the same name.
    const count = (named.get(unit) ?? 0) + 1;
    named.set(unit, count);
    versions.push(...readNorm(norm, label, count === 1 ? unit : `${unit}-${count}`, act, file));
  }
  if (versions.length === 0) throw lawError('LAW_EMPTY', 'the act holds no provision', file, root);
  return { act, versions, skipped, builtOn: dayOf(root.attributes.get('builddate') ?? '') };
}

function readNorm(norm: XmlElement, label: string, unit: string, act: LawAct, file: string): LawVersion[] {
  const data = elementAt(norm, 'metadaten') ?? norm;
  const content = elementAt(norm, 'textdaten');
  const heading = cleanText(spaced(elementAt(data, 'titel'))).trim();
  const version = (part: string, name: string, text: ProvisionText | null): LawVersion => ({
    label: name,
    unit: part,
    heading,
    cite: `${name} ${act.shortTitle}`,
    validFrom: null,
    validUntil: null,
    extent: [],
    text,
    line: norm.line,
    column: norm.column,
  });
  const words = cleanText(content ? rawText(content) : '').trim();
  if (isRepealed(words) || (words === '' && isRepealed(heading || label)))
    return [version(unit, label, null)];
  const roots = content ? [content] : [];
  const isAnnex = unit.startsWith('anl');
  const texts: readonly (readonly [row: string | null, text: ProvisionText])[] = !content
    ? []
    : isAnnex
      ? annexTexts(content)
      : [[null, provisionText(content)]];
  const place = content ?? norm;
  if (texts.length === 0 || texts.every(([, { body }]) => body === ''))
    throw lawError('LAW_TEXT_LOST', `${label} has no text`, file, place);
  checkProvision({ label, roots, texts: texts.map(([, text]) => text) }, isInlineIn(plain), file);
  return texts.map(([row, text]) =>
    row === null ? version(unit, label, text) : version(`${unit}.${row}`, `${label} lfd. Nr. ${row}`, text),
  );
}

/** A paragraph that begins with `(2a)` opens the span `2a`; what has no number goes on in the one before. */
export function provisionText(content: XmlElement): ProvisionText {
  const out = new CanonicalText();
  for (const part of childElements(content, 'text')) {
    for (const block of part.children.flatMap((node) =>
      isElement(node) && node.name === 'Content' ? node.children : [node],
    )) {
      if (!isElement(block)) {
        if (block.trim() === '') continue;
        if (out.depth === 0) out.open(unnumbered);
        out.inline(block);
        continue;
      }
      if (block.name === 'Footnotes') {
        writeFootnotes(block, out);
        continue;
      }
      const number = block.name === 'P' ? /^\s*\((\d+[a-z]*)\)/.exec(rawText(block))?.[1] : undefined;
      if (number !== undefined) {
        if (out.depth > 0) out.close();
        out.newLine();
        out.open(number);
      } else if (out.depth === 0) {
        out.newLine();
        out.open(unnumbered);
      }
      writeNodes([block], out, plain);
    }
  }
  const rest = content.children.filter((node) => !isElement(node) || node.name !== 'text');
  writeFootnotes({ ...content, children: rest }, out);
  return out.finish();
}

/** `§ 3` → p3, `§§ 5 bis 7` → p5-7, `Anlage 2` → anl2, `Art 1` → a1. */
function unitOf(label: string): string | null {
  const bare = label.replace(/\s*\(.*\)\s*$/, '');
  const section = /^§+\s*(\d+\s?[a-z]*)(?:\s*(?:bis|und|,|-|–)\s*(?:§+\s*)?(\d+\s?[a-z]*))?$/i.exec(bare);
  const compact = (text = ''): string => text.replace(/\s/g, '').toLowerCase();
  if (section) return `p${compact(section[1])}${section[2] ? `-${compact(section[2])}` : ''}`;
  const annex = /^(?:Anlage|Anhang)\s*([0-9]+[a-z]?|[IVXLC]+|[A-Z])?\b/i.exec(bare);
  if (annex) return `anl${compact(annex[1])}`;
  const article = /^Art(?:ikel|\.)?\s*(\d+\s?[a-z]*|[IVXLC]+)$/i.exec(bare);
  if (article) return `a${compact(article[1])}`;
  // What nobody foresaw is law all the same, under its own name.
  if (/formel$|^Inhalts|^Überschrift$|^Präambel$/i.test(bare)) return null;
  const slug = bare
    .normalize('NFKD')
    .toLowerCase()
    .replace(/§/g, 'p')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return slug === '' ? null : slug.slice(0, 40);
}

function isRepealed(words: string): boolean {
  return /^(?:§+ ?[\d a-z,bisund-]*)?\s*\(?\s*(?:weggefallen|aufgehoben|gegenstandslos)\s*\)?$|^[\s.…·–—-]+$/i.test(
    words,
  );
}

/** Text with a space where a line breaks. */
function spaced(element: XmlElement | null): string {
  return (element?.children ?? [])
    .map((node) => (isElement(node) ? (node.name === 'BR' ? ' ' : spaced(node)) : node))
    .join('');
}

/** `20230831213516` → 2023-08-31 */
function dayOf(stamp: string): string | null {
  const parts = /^(\d{4})(\d{2})(\d{2})/.exec(stamp);
  return parts ? `${parts[1]}-${parts[2]}-${parts[3]}` : null;
}
