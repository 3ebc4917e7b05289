/** SVG as text: elements, attributes, and the escaping that keeps untrusted words words. */
import { printable } from '../../runtime/printable.js';

export type Attributes = Readonly<Record<string, string | number>>;

/** Text of signs, names and files is untrusted: nothing in it may end an element or an attribute. */
export function escapeXml(text: string): string {
  return (
    printable(text)
      // Half a surrogate pair and the two last code points of a plane are no XML characters.
      .replace(/[\p{Surrogate}\ufffe\uffff]/gu, '\ufffd')
      .replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
  );
}

/** An element around `content`, which is SVG already; without content it closes itself. */
export function element(name: string, attributes: Attributes, content = ''): string {
  let head = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    head += ` ${key}="${typeof value === 'number' ? pixels(value) : escapeXml(value)}"`;
  }
  return content === '' ? `${head}/>` : `${head}>${content}</${name}>`;
}

/** A line of words at a baseline. */
export function words(x: number, y: number, text: string, attributes: Attributes = {}): string {
  return element('text', { x, y, ...attributes }, escapeXml(text));
}

/** Tenths of a pixel are finer than a screen shows. */
export function pixels(value: number): string {
  return String(Math.round(value * 10) / 10 + 0);
}

/** Share of the font size that a character takes at most in the fonts that are asked for. */
function characterRatio(character: string): number {
  if (/[ijl.,:;'|!()[\]]/.test(character)) return 0.4;
  if (/[ frt/-]/.test(character)) return 0.42;
  if (/[mwMW@%—…]/.test(character)) return 0.98;
  if (/[A-Z]/.test(character)) return 0.72;
  return character < '\u0250' ? 0.63 : 1.05;
}

/** About how wide a text becomes, rather too wide than too narrow: a file has no font to measure with. */
export function textWidthPx(text: string, sizePx: number): number {
  let ratio = 0;
  for (const character of text) ratio += characterRatio(character);
  return ratio * sizePx;
}

/** The text, or its beginning and an ellipsis where it would be wider. */
export function fitText(text: string, widthPx: number, sizePx: number): string {
  if (textWidthPx(text, sizePx) <= widthPx) return text;
  let fitting = '';
  for (const character of text) {
    if (textWidthPx(`${fitting}${character}…`, sizePx) > widthPx) break;
    fitting += character;
  }
  return `${fitting.trimEnd()}…`;
}
