/**
 * Elements of an OpenSCENARIO file with its parameters put in, and a list of what is not taken over: each with line and
 * column, so that nothing is dropped without a word.
 */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { readXml, type XmlElement } from '../../opendrive/xml-element.js';

export interface Finding {
  readonly line: number;
  readonly column: number;
  readonly element: string;
  readonly message: string;
}

export class XoscReader {
  readonly file: string;
  readonly root: XmlElement;
  readonly findings: Finding[] = [];
  readonly #parameters = new Map<string, string>();

  /** @throws DriveMcpError SCENARIO_INVALID where it is no XML, or no OpenSCENARIO 1 */
  constructor(text: string, file: string) {
    this.file = file;
    this.root = readXml(text, file, 'SCENARIO_INVALID');
    if (this.root.name !== 'OpenSCENARIO') throw this.fault(this.root, 'this is no OpenSCENARIO file');
    const header = this.child(this.root, 'FileHeader');
    if (header === undefined) throw this.fault(this.root, 'it has no FileHeader');
    if (this.text(header, 'revMajor') !== '1')
      throw this.fault(header, `revision ${this.text(header, 'revMajor')}: OpenSCENARIO XML 1 is read`);
    for (const one of this.children(this.child(this.root, 'ParameterDeclarations'), 'ParameterDeclaration'))
      this.#parameters.set(this.text(one, 'name'), this.text(one, 'value'));
  }

  /** An error that ends the reading, at the place of an element. */
  fault(element: XmlElement, message: string): DriveMcpError {
    const { line, column, name } = element;
    return new DriveMcpError('SCENARIO_INVALID', `<${name}>: ${message}`, {
      location: { file: this.file, line, column },
    });
  }

  /** Tells that an element, or what is said of it, is not taken over. */
  leaveOut(element: XmlElement, message: string): void {
    const { line, column, name } = element;
    if (this.findings.some((one) => one.line === line && one.column === column && one.message === message))
      return;
    this.findings.push({ line, column, element: name, message });
  }

  /** Children of other names are left out, and told. */
  only(element: XmlElement, names: readonly string[]): void {
    for (const child of element.children)
      if (!names.includes(child.name)) this.leaveOut(child, `not supported in <${element.name}>`);
  }

  children(element: XmlElement | undefined, name: string): readonly XmlElement[] {
    return element?.children.filter((child) => child.name === name) ?? [];
  }

  child(element: XmlElement | undefined, name: string): XmlElement | undefined {
    return element?.children.find((child) => child.name === name);
  }

  /** The first child with one of these names, or undefined. */
  oneOf(element: XmlElement, names: readonly string[]): XmlElement | undefined {
    return element.children.find(({ name }) => names.includes(name));
  }

  /** @throws SCENARIO_INVALID where there is none */
  must(element: XmlElement, name: string): XmlElement {
    const found = this.child(element, name);
    if (found === undefined) throw this.fault(element, `no <${name}> in it`);
    return found;
  }

  parameter(name: string): string | undefined {
    return this.#parameters.get(name);
  }

  /** @throws SCENARIO_INVALID where there is none, or it names a parameter that there is not */
  text(element: XmlElement, attribute: string, fallback?: string): string {
    const raw = element.attributes[attribute] ?? fallback;
    if (raw === undefined) throw this.fault(element, `no attribute ${attribute}`);
    if (!raw.startsWith('$')) return raw;
    const value = this.#parameters.get(raw.slice(1));
    if (value === undefined) throw this.fault(element, `${attribute}: there is no parameter ${raw}`);
    return value;
  }

  /** @throws SCENARIO_INVALID where it is no finite number */
  number(element: XmlElement, attribute: string, fallback?: number): number {
    if (fallback !== undefined && element.attributes[attribute] === undefined) return fallback;
    const text = this.text(element, attribute);
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value))
      throw this.fault(element, `${attribute} is no number: ${JSON.stringify(text.slice(0, 40))}`);
    return value;
  }

  flag(element: XmlElement, attribute: string, fallback: boolean): boolean {
    const text = this.text(element, attribute, String(fallback));
    return text === 'true' || text === '1';
  }

  /** Values of `<Properties><Property name value/>` by name. */
  properties(element: XmlElement | undefined): ReadonlyMap<string, string> {
    return new Map(
      this.children(this.child(element, 'Properties'), 'Property').map((one) => [
        this.text(one, 'name'),
        this.text(one, 'value'),
      ]),
    );
  }
}
