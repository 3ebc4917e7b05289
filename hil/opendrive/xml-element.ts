/** A bounded tree of elements from XML text; entities are not expanded beyond XML's five, DTDs are not read. */
import { SaxesParser } from 'saxes';
import { DriveMcpError, type ErrorCode } from '../../daemon/core/errors.js';

/** Town12's map has some 20 MB; depth of OpenDRIVE is below 10. */
const maxTextLength = 64 * 1024 * 1024;
const maxDepth = 64;
const maxElements = 2_000_000;
/** Metres, radians, metres a second, coefficients: nothing on Earth is measured in more. */
const maxMagnitude = 1e9;

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
    // The parser stands behind the first character after the name.
    const column = parser.column - name.length - 1;
    begins = column > 0 ? { line: parser.line, column } : { line: parser.line - 1, column: 1 };
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (++elements > maxElements) throw fault(`more than ${maxElements} elements`, parser.line);
    if (open.length >= maxDepth) throw fault(`elements nested deeper than ${maxDepth}`, parser.line);
    const element: Open = { name, ...begins, attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('text', (piece) => {
    const element = open.at(-1);
    if (element !== undefined) element.text = (element.text + piece).trim();
  });
  parser.on('closetag', () => {
    open.pop();
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
