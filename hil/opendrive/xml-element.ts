/** A bounded tree of elements from XML text; entities are not expanded beyond XML's five, DTDs are not read. */
import { SaxesParser } from 'saxes';
import { DriveMcpError, type ErrorCode } from '../../daemon/core/errors.js';

/** Town12's map has some 20 MB; depth of OpenDRIVE is below 10. */
const maxTextLength = 32 * 1024 * 1024;
const maxDepth = 64;
const maxElements = 1_000_000;
const maxAttributes = 64;
/** Metres, radians, metres a second, coefficients: nothing on Earth is measured in more. */
const maxMagnitude = 1e9;
/** The widest motorways have a dozen lanes a side, and some for parking, cycling and walking. */
const outermostLane = 100;

export interface XmlElement {
  readonly name: string;
  readonly line: number;
  /** of its <, counted from 1 */
  readonly column: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** text right inside this element, trimmed */
  readonly text: string;
}

/** Throws `code` with file and line. */
export function readXml(text: string, file: string, code: ErrorCode = 'MAP_INVALID'): XmlElement {
  const fault = (problem: string, line: number): DriveMcpError =>
    new DriveMcpError(code, problem, { location: { file, line } });
  if (text.length > maxTextLength)
    throw fault(`${text.length} characters; at most ${maxTextLength} are read`, 1);
  interface Open extends XmlElement {
    readonly children: XmlElement[];
    text: string;
    /** joined once: an element may be in a million pieces */
    pieces: string[] | null;
  }
  const open: Open[] = [];
  let root: XmlElement | undefined;
  let elements = 0;
  const parser = new SaxesParser<{ fileName: string; xmlns: false }>({ fileName: file, xmlns: false });
  parser.on('error', (error) => {
    throw fault(error.message.replace(/^.*?:\d+:\d+: /, ''), parser.line);
  });
  let begins = { line: 1, column: 1 };
  parser.on('opentagstart', ({ name }) => {
    attributesSeen = 0;
    // The parser stands behind the first character after the name.
    const column = parser.column - name.length - 1;
    begins = column > 0 ? { line: parser.line, column } : { line: parser.line - 1, column: 1 };
  });
  let attributesSeen = 0;
  parser.on('attribute', () => {
    if (++attributesSeen > maxAttributes)
      throw fault(`an element with more than ${maxAttributes} attributes`, parser.line);
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (++elements > maxElements) throw fault(`more than ${maxElements} elements`, parser.line);
    if (open.length >= maxDepth) throw fault(`elements nested deeper than ${maxDepth}`, parser.line);
    const element: Open = { name, ...begins, attributes, children: [], text: '', pieces: null };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('text', (piece) => {
    const element = open.at(-1);
    if (element === undefined || piece.trim() === '') return;
    element.pieces ??= [];
    element.pieces.push(piece);
  });
  parser.on('closetag', () => {
    const element = open.pop();
    if (element === undefined || element.pieces === null) return;
    element.text = element.pieces.join('').trim();
    element.pieces = null;
  });
  parser.write(text).close();
  if (root === undefined) throw fault('no element', 1);
  return root;
}

export function mapError(problem: string, file: string, line: number): DriveMcpError {
  return new DriveMcpError('MAP_INVALID', problem, { location: { file, line } });
}

/** Reads attributes of one element, with its place in errors. */
export class Attributes {
  readonly #element: XmlElement;
  readonly #file: string;

  constructor(element: XmlElement, file: string) {
    this.#element = element;
    this.#file = file;
  }

  text(name: string, fallback?: string): string {
    const value = this.#element.attributes[name] ?? fallback;
    if (value === undefined) throw this.error(`no attribute ${name}`);
    return value;
  }

  number(name: string, fallback?: number): number {
    const text = this.#element.attributes[name];
    if (text === undefined && fallback !== undefined) return fallback;
    const value = Number(text);
    if (text === undefined || text.trim() === '' || !Number.isFinite(value))
      throw this.error(`${name} is no number: ${JSON.stringify(text ?? null)}`);
    if (Math.abs(value) > maxMagnitude)
      throw this.error(`${name} is ${value}: at most ${maxMagnitude} is read`);
    return value;
  }

  /** Number of a lane: counted from the middle of the road. */
  lane(name: string): number {
    const id = this.number(name);
    if (!Number.isInteger(id)) throw this.error(`${name} is no number of a lane: ${id}`);
    if (Math.abs(id) > outermostLane)
      throw this.error(`lane ${id}: at most ${outermostLane} on a side are read`);
    return id;
  }

  error(problem: string): DriveMcpError {
    return mapError(`<${this.#element.name}>: ${problem}`, this.#file, this.#element.line);
  }
}

export function childrenOf(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}
