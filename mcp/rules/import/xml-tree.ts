/**
 * XML as a tree of elements with their places, read through a streaming parser under our own bounds. Nothing outside the
 * file is read and nothing is expanded: a document type may be named, but one with declarations of its own is refused.
 */
import { type SaxesAttributePlain, SaxesParser, type SaxesStartTagPlain, type SaxesTagPlain } from 'saxes';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { lawError, type XmlPlace } from './law-error.js';

export interface XmlElement extends XmlPlace {
  /** without its prefix: the formats read here have no two elements that only a namespace tells apart */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlNode[];
}
/** Text is a string; neighbouring pieces (around comments, CDATA) are one. */
export type XmlNode = XmlElement | string;

/** The StVO with its annexes has 0.3 MB and a few thousand elements: far below, and far below what memory holds. */
export const xmlBounds = {
  fileMaxBytes: 32 * 1024 * 1024,
  depthMax: 128,
  elementMaxCount: 300_000,
  attributeMaxCount: 64,
  attributeMaxLength: 16 * 1024,
  textMaxLength: 1024 * 1024,
} as const;

/** What the parser is given at a time: a bound that is passed is noticed within one piece. */
const pieceLength = 65_536;

interface OpenElement extends XmlElement {
  readonly children: XmlNode[];
  readonly attributes: Map<string, string>;
}

/** @throws DriveMcpError LAW_XML_INVALID, LAW_XML_TOO_LARGE with line and column */
export function parseXml(text: string, file: string): XmlElement {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const place = (): XmlPlace => ({ line: parser.line, column: parser.column + 1 });
  const tooLarge = (message: string): DriveMcpError => lawError('LAW_XML_TOO_LARGE', message, file, place());
  const stack: OpenElement[] = [];
  let root: XmlElement | null = null;
  let elements = 0;
  let attributes = 0;
  let start: XmlPlace = place();

  const addText = (piece: string): void => {
    const parent = stack.at(-1);
    if (!parent) return; // white space around the root
    if (piece.length > xmlBounds.textMaxLength)
      throw tooLarge(`more than ${xmlBounds.textMaxLength} characters without a tag`);
    const last = parent.children.at(-1);
    if (typeof last === 'string') parent.children[parent.children.length - 1] = last + piece;
    else parent.children.push(piece);
  };
  parser.on('error', (error) => {
    throw malformed(error.message.replace(/^(?:.*?:)?\d+:\d+: /, ''), file, place());
  });
  parser.on('doctype', (doctype) => {
    if (doctype.includes('['))
      throw lawError(
        'LAW_XML_INVALID',
        'the document type declares something of its own (entities); official files do not',
        file,
        place(),
      );
  });
  parser.on('opentagstart', ({ name }: SaxesStartTagPlain) => {
    attributes = 0;
    // The parser has read the name and what follows it.
    start = { line: parser.line, column: Math.max(1, parser.column - name.length - 1) };
    if (stack.length >= xmlBounds.depthMax) throw tooLarge(`nested deeper than ${xmlBounds.depthMax} levels`);
    if (++elements > xmlBounds.elementMaxCount)
      throw tooLarge(`more than ${xmlBounds.elementMaxCount} elements`);
  });
  parser.on('attribute', ({ value }: SaxesAttributePlain) => {
    if (++attributes > xmlBounds.attributeMaxCount)
      throw tooLarge(`more than ${xmlBounds.attributeMaxCount} attributes of one element`);
    if (value.length > xmlBounds.attributeMaxLength)
      throw tooLarge(`an attribute longer than ${xmlBounds.attributeMaxLength} characters`);
  });
  parser.on('opentag', (tag: SaxesTagPlain) => {
    const element: OpenElement = {
      name: localName(tag.name),
      attributes: new Map(Object.entries(tag.attributes).map(([name, value]) => [localName(name), value])),
      children: [],
      ...start,
    };
    stack.at(-1)?.children.push(element);
    root ??= element;
    stack.push(element);
  });
  parser.on('closetag', () => {
    stack.pop();
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  try {
    for (let at = 0; at < text.length; at += pieceLength) parser.write(text.slice(at, at + pieceLength));
    parser.close();
  } catch (cause) {
    if (cause instanceof DriveMcpError) throw cause;
    throw malformed((cause as Error).message, file, place());
  }
  if (root === null) throw malformed('the file holds no element', file, place());
  return root;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function malformed(message: string, file: string, place: XmlPlace): DriveMcpError {
  return lawError('LAW_XML_INVALID', `not well-formed XML: ${message}`, file, place);
}
