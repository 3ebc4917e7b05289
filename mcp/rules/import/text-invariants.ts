/** What must hold for every imported provision; the first that does not ends the import, with its place in the XML. */
import type { ProvisionText } from './canonical-text.js';
import { lawError } from './law-error.js';
import { missingTokens, numbersInXml, numberTokens } from './number-tokens.js';
import { descendants, rawText } from './xml-query.js';
import type { XmlElement } from './xml-tree.js';

export interface ImportedProvision {
  /** as the law calls it, for messages: `§ 3` */
  readonly label: string;
  /** elements whose text it is */
  readonly roots: readonly XmlElement[];
  /** one, or several where an annex is cut into its rows */
  readonly texts: readonly ProvisionText[];
}

/**
 * (i) the numbers in the XML are those of the text, as often; (ii) every text has a span; (iii) spans lie beside or inside
 * each other; and no character beyond U+FFFF, which would make two counts of the text.
 * @throws DriveMcpError LAW_TEXT_LOST, LAW_XML_INVALID
 */
export function checkProvision(
  { label, roots, texts }: ImportedProvision,
  isInline: (name: string) => boolean,
  file: string,
): void {
  const [first] = roots;
  const astral = texts.map(({ body }) => /[\u{10000}-\u{10ffff}]/u.exec(body)?.[0]).find(Boolean);
  if (astral)
    throw lawError(
      'LAW_XML_INVALID',
      `${label} holds a character beyond U+FFFF (U+${astral.codePointAt(0)?.toString(16).toUpperCase()})`,
      file,
      placeOf(roots, astral) ?? first,
    );
  for (const { body, spans } of texts) {
    if (spans.size === 0)
      throw lawError('LAW_TEXT_LOST', `${label} has no text that could be cited`, file, first);
    const crossing = crossingSpans(spans, body.length);
    if (crossing) throw lawError('LAW_TEXT_LOST', `${label}: ${crossing}`, file, first);
  }
  const inXml = numbersInXml(roots, isInline);
  const inText = texts.flatMap(({ body }) => numberTokens(body));
  const lost = missingTokens(inXml, inText);
  const added = missingTokens(inText, inXml);
  if (lost.length > 0 || added.length > 0) {
    const said = [
      ...(lost.length > 0 ? [`the text lacks ${shortList(lost)}`] : []),
      ...(added.length > 0 ? [`the text holds ${shortList(added)}, the XML does not`] : []),
    ];
    throw lawError(
      'LAW_TEXT_LOST',
      `${label}: ${said.join('; ')}`,
      file,
      placeOf(roots, lost[0] ?? '') ?? first,
    );
  }
}

function crossingSpans(spans: ProvisionText['spans'], length: number): string | null {
  const open: { name: string; end: number }[] = [];
  for (const [name, [start, end]] of spans) {
    if (start >= end || end > length) return `span ${name} is empty or leaves the text`;
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= start) open.pop();
    const outer = open.at(-1);
    if (outer && end > outer.end) return `spans ${outer.name} and ${name} overlap`;
    open.push({ name, end });
  }
  return null;
}

/** The innermost element whose own text holds it. */
function placeOf(roots: readonly XmlElement[], needle: string): XmlElement | undefined {
  if (needle === '') return undefined;
  for (const root of roots) {
    const holding = [root, ...descendants(root, () => true)].filter((element) =>
      rawText(element).includes(needle),
    );
    if (holding.length > 0) return holding.at(-1);
  }
  return undefined;
}

function shortList(tokens: readonly string[]): string {
  return tokens.slice(0, 8).join(' ') + (tokens.length > 8 ? ` and ${tokens.length - 8} more` : '');
}
