/** A bounded tree of elements from XML text; entities are not expanded beyond XML's five, DTDs are not read. */
import { SaxesParser } from 'saxes';
import { DriveMcpError } from '../../daemon/core/errors.js';

/** Town12's map has some 20 MB; depth of OpenDRIVE is below 10. */
const maxTextLength = 64 * 1024 * 1024;
const maxDepth = 64;
const maxElements = 2_000_000;
/** Metres, radians, metres a second, coefficients: nothing on Earth is measured in more. */
const maxMagnitude = 1e9;

export interface XmlElement {
  readonly name: string;
  readonly line: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** text right inside this element, trimmed */
  readonly text: string;
}

/** Throws MAP_INVALID with file and line. */
export function readXml(text: string, file: string): XmlElement {
  if (text.length > maxTextLength)
    throw mapError(`${text.length} characters; at most ${maxTextLength} are read`, file, 1);
  interface Open extends XmlElement {
    readonly children: XmlElement[];
    text: string;
  }
  const open: Open[] = [];
  let root: XmlElement | undefined;
  let elements = 0;
  const parser = new SaxesParser<{ fileName: string; xmlns: false }>({ fileName: file, xmlns: false });
  parser.on('error', (error) => {
    throw mapError(error.message.replace(/^.*?:\d+:\d+: /, ''), file, parser.line);
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (++elements > maxElements) throw mapError(`more than ${maxElements} elements`, file, parser.line);
    if (open.length >= maxDepth) throw mapError(`elements nested deeper than ${maxDepth}`, file, parser.line);
    const element: Open = { name, line: parser.line, attributes, children: [], text: '' };
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
  if (root === undefined) throw mapError('no element', file, 1);
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
