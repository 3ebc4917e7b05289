/**
 * British law as Crown Legislation Markup Language: sections, articles and regulations are `P1`, what lies in them `P2` to
 * `P7`, schedules stand apart. Dates and extent are attributes of the provision or of something around it; an act as made
 * has neither. Commentaries of the editors are no law and stay out; footnotes come along at the end.
 */
import { CanonicalText, cleanText, type ProvisionText, unnumbered } from './canonical-text.js';
import { extentOf, nationOfAct } from './clml-extent.js';
import { isInlineIn, type Markup, markerName, writeNodes } from './inline-markup.js';
import { lawError } from './law-error.js';
import type { LawAct, LawFile, LawVersion, SkippedUnit } from './law-text.js';
import { checkProvision } from './text-invariants.js';
import { childElements, descendants, elementAt, isElement, rawText } from './xml-query.js';
import type { XmlElement } from './xml-tree.js';

const numbered = /^P[1-7]$/;
/** Text of another act that is put into it: its sections are not those of this act. */
const quoted = new Set(['BlockAmendment', 'InlineAmendment', 'BlockExtract', 'InlineExtract']);

const markup: Markup = {
  inline: new Set(
    (
      'Addition Substitution Repeal Emphasis Strong Underline SmallCaps Uppercase Term Definition Acronym Abbreviation Citation ' +
      'CitationSubRef InternalLink ExternalLink Span Character CommentaryRef FootnoteRef MarginNoteRef Proviso Expanded ' +
      'InlineAmendment InlineExtract AppendText Strike Image mi mn mo mrow math em strong a'
    ).split(' '),
  ),
  lineBreaks: new Set(['br']),
  raised: new Set(['Superior', 'Inferior', 'sup', 'sub', 'msup', 'msub']),
  characters: new Map(),
  tables: new Set(['Tabular', 'table']),
  rows: new Set(['tr', 'row']),
  cells: new Set(['td', 'th', 'entry']),
  special: writeSpecial,
};

/** Numbers that the publisher prints in brackets: (1), (a), (i). */
function writeSpecial(element: XmlElement, out: CanonicalText): boolean {
  if (numbered.test(element.name)) writeNumbered(element, out);
  else if (element.name === 'ListItem') {
    // The mark of an item, where it is not the next of its kind.
    const mark = element.attributes.get('NumberOverride');
    out.newLine();
    out.open(markerName(mark ?? '') ?? 'item');
    // An attribute is not text of the XML: a number in it would be one that the text invents.
    if (mark !== undefined && !/\d/.test(mark)) {
      out.inline(mark);
      out.stayOnLine();
    }
    writeNodes(element.children, out, markup);
    out.close();
    out.newLine();
  } else if (element.name.startsWith('Block') && quoted.has(element.name)) {
    out.newLine();
    out.open('quote');
    writeNodes(element.children, out, markup);
    out.close();
    out.newLine();
  } else return false;
  return true;
}

function writeNumbered(element: XmlElement, out: CanonicalText): void {
  const number = elementAt(element, 'Pnumber');
  const rest = element.children.filter((node) => node !== number);
  out.newLine();
  out.open(markerName(number ? rawText(number) : '') ?? 'item');
  if (number) writeMark(number, out, element.name === 'P1' ? ['', '.'] : ['(', ')']);
  writeNodes(rest, out, markup);
  out.close();
  out.newLine();
}

function writeMark(number: XmlElement, out: CanonicalText, [before, after]: readonly [string, string]): void {
  const mark = cleanText(rawText(number)).trim();
  if (mark === '') return;
  const attribute = (name: string, otherwise: string): string => number.attributes.get(name) ?? otherwise;
  out.inline(`${attribute('PuncBefore', before)}${mark}${attribute('PuncAfter', after)}`);
  out.stayOnLine();
}

/** @throws DriveMcpError LAW_EMPTY, LAW_TEXT_LOST, LAW_XML_INVALID */
export function importClml(root: XmlElement, file: string): LawFile {
  const locator = (root.attributes.get('IdURI') ?? root.attributes.get('DocumentURI') ?? '')
    .replace(/^https?:\/\/[^/]+\//, '')
    .replace(/^id\//, '');
  const parts = /^([a-z]+)\/(.+)$/.exec(locator);
  if (!parts) throw lawError('LAW_EMPTY', 'the file names no act (IdURI)', file, root);
  const metadata = elementAt(root, 'Metadata');
  const title = cleanText(rawText((metadata && elementAt(metadata, 'title')) ?? '')).trim() || locator;
  const lang = cleanText(rawText((metadata && elementAt(metadata, 'language')) ?? '')).trim();
  const act: LawAct = { locator, title, shortTitle: title, lang: lang.length === 2 ? lang : 'en' };
  const nation = nationOfAct(parts[1] ?? '');
  const made = metadata ? dayOfMaking(metadata) : null;
  const footnotes = new Map(
    descendants(root, ({ name }) => name === 'Footnote').map((note) => [
      note.attributes.get('id') ?? '',
      note,
    ]),
  );
  const versions: LawVersion[] = [];
  const skipped: SkippedUnit[] = [];
  const visit = (element: XmlElement, around: readonly XmlElement[]): void => {
    if (quoted.has(element.name)) return;
    const line = [element, ...around];
    if (element.name === 'P1' || element.name === 'Schedule') {
      const version = readProvision(element, line, act, footnotes, file);
      const inherited = (name: string): string | undefined =>
        line.find(({ attributes }) => attributes.has(name))?.attributes.get(name);
      if (version === null) {
        skipped.push({
          label: cleanText(rawText(elementAt(element, 'Pnumber') ?? '')).trim() || 'a paragraph',
          reason: 'it has no id',
        });
      } else if (inherited('Status') === 'Prospective') {
        skipped.push({ label: version.label, reason: 'prospective: it is not in force' });
      } else {
        versions.push({
          ...version,
          validFrom: isoDay(inherited('RestrictStartDate')) ?? made,
          validUntil: isoDay(inherited('RestrictEndDate')),
          extent: extentOf(inherited('RestrictExtent')) ?? nation,
        });
      }
      return;
    }
    for (const child of childElements(element)) visit(child, line);
  };
  for (const child of childElements(root)) if (child.name !== 'Metadata') visit(child, [root]);
  if (versions.length === 0 && skipped.length === 0)
    throw lawError('LAW_EMPTY', 'the act holds no section, article or schedule', file, root);
  return { act, versions, skipped, builtOn: null };
}

function readProvision(
  element: XmlElement,
  line: readonly XmlElement[],
  act: LawAct,
  footnotes: ReadonlyMap<string, XmlElement>,
  file: string,
): LawVersion | null {
  const named = unitOf(element.attributes.get('id') ?? '');
  if (!named) return null;
  const { unit, label } = named;
  const group = line.find(({ name }) => name === 'P1group');
  const heading = group ? elementAt(group, 'Title') : elementAt(element, 'TitleBlock', 'Title');
  const number = elementAt(element, element.name === 'P1' ? 'Pnumber' : 'Number');
  const rest = element.children.filter((node) => node !== number);
  const words = rest.map(rawText).join(' ');
  const base = {
    label,
    unit,
    heading: cleanText(heading ? rawText(heading) : '').trim(),
    cite: `${act.shortTitle}, ${label}`,
    line: element.line,
    column: element.column,
    validFrom: null,
    validUntil: null,
    extent: [],
  };
  // What is repealed is printed as a row of dots.
  if (/^[\s.…\u00a0]*\.[\s.…\u00a0]*$/.test(words)) return { ...base, text: null };
  const notes = [...new Set(descendants(element, ({ name }) => name === 'FootnoteRef'))]
    .map((reference) => footnotes.get(reference.attributes.get('Ref') ?? ''))
    .filter((note, i, all): note is XmlElement => note !== undefined && all.indexOf(note) === i);
  const text = provisionText(element, number, notes);
  checkProvision({ label, roots: [element, ...notes], texts: [text] }, isInlineIn(markup), file);
  return { ...base, text };
}

function provisionText(
  element: XmlElement,
  number: XmlElement | null,
  notes: readonly XmlElement[],
): ProvisionText {
  const out = new CanonicalText();
  const rest = element.children.filter((node) => node !== number);
  const hasParts = element.name === 'P1' && descendants(element, ({ name }) => name === 'P2').length > 0;
  if (!hasParts) out.open(unnumbered);
  if (number) writeMark(number, out, element.name === 'P1' ? ['', '.'] : ['', '']);
  writeNodes(
    rest.flatMap((node) => (isElement(node) && node.name === 'P1para' ? node.children : [node])),
    out,
    markup,
  );
  while (out.depth > 0) out.close();
  for (const [i, note] of notes.entries()) {
    out.newLine();
    out.open(`fn${i + 1}`);
    writeNodes(note.children, out, markup);
    out.close();
  }
  return out.finish();
}

const kinds: Readonly<Record<string, readonly [prefix: string, word: string]>> = {
  section: ['s', 's.'],
  article: ['a', 'art.'],
  regulation: ['reg', 'reg.'],
  rule: ['r', 'rule'],
  schedule: ['sch', 'Sch.'],
};

/** `section-81` → s81, `article-2` → a2, `schedule-6` → sch6. */
function unitOf(id: string): { unit: string; label: string } | null {
  const parts =
    /^(?:[a-z]+-[A-Za-z0-9]+-)*?(section|article|regulation|rule|schedule)(?:-([A-Za-z0-9]+))?$/.exec(id);
  const kind = kinds[parts?.[1] ?? ''];
  if (!parts || !kind) return null;
  const number = parts[2] ?? '';
  return { unit: `${kind[0]}${number.toLowerCase()}`, label: `${kind[1]} ${number}`.trim() };
}

/** An act as made holds from the day on which it comes into force, else no earlier than it was made. */
function dayOfMaking(metadata: XmlElement): string | null {
  const days = (name: string): string[] =>
    descendants(metadata, (element) => element.name === name)
      .flatMap((element) => [element, ...descendants(element, () => true)])
      .map((element) => isoDay(element.attributes.get('Date')))
      .filter((day) => day !== null)
      .sort();
  return days('ComingIntoForce').at(-1) ?? days('EnactmentDate')[0] ?? days('Made')[0] ?? null;
}

function isoDay(date: string | undefined): string | null {
  return date !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(date) ? date : null;
}
