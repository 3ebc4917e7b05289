/** XML as text: elements with attributes, escaped and indented. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly children: readonly XmlNode[];
  readonly text: string;
}

export type Attributes = XmlNode['attributes'];

export function xml(name: string, attributes: Attributes = {}, ...children: readonly XmlNode[]): XmlNode {
  return { name, attributes, children, text: '' };
}

export function xmlText(name: string, attributes: Attributes, text: string): XmlNode {
  return { name, attributes, children: [], text };
}

export function writeXml(root: XmlNode): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write(root, 0)}`;
}

function write({ name, attributes, children, text }: XmlNode, depth: number): string {
  const indent = '  '.repeat(depth);
  const words = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  const start = `${indent}<${name}${words.join('')}`;
  if (text !== '') return `${start}>${escaped(text)}</${name}>\n`;
  if (children.length === 0) return `${start}/>\n`;
  return `${start}>\n${children.map((child) => write(child, depth + 1)).join('')}${indent}</${name}>\n`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Control characters that XML cannot hold become spaces. */
function escaped(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ' ')
    .replace(/[&<>"]/g, (one) => entities[one] ?? one);
}
