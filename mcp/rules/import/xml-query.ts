/** Looking things up in a tree of elements. */
import type { XmlElement, XmlNode } from './xml-tree.js';

export function isElement(node: XmlNode): node is XmlElement {
  return typeof node !== 'string';
}

/** Elements among the children, of one name or all. */
export function childElements({ children }: XmlElement, name?: string): XmlElement[] {
  return children.filter((node): node is XmlElement => isElement(node) && (!name || node.name === name));
}

/** Follows a path of names, first match each. */
export function elementAt(from: XmlElement, ...path: readonly string[]): XmlElement | null {
  let at: XmlElement | null = from;
  for (const name of path) at = at === null ? null : (childElements(at, name)[0] ?? null);
  return at;
}

/** All elements below that `fits`, in the order of the file; not those inside one that `isClosed`. */
export function descendants(
  from: XmlElement,
  fits: (element: XmlElement) => boolean,
  isClosed: (element: XmlElement) => boolean = () => false,
): XmlElement[] {
  const found: XmlElement[] = [];
  for (const child of childElements(from)) {
    if (fits(child)) found.push(child);
    if (!isClosed(child)) found.push(...descendants(child, fits, isClosed));
  }
  return found;
}

/** Text of all descendants as it stands. */
export function rawText(node: XmlNode): string {
  return isElement(node) ? node.children.map(rawText).join('') : node;
}
