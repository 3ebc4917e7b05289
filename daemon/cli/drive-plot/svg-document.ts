/** A picture as a complete SVG file. */
import { colours, fontFamily, pictureWidth, textSize } from './style.js';
import { element, escapeXml } from './svg-text.js';

/** @param body SVG already; @param title words, for readers of the picture that do not see it */
export function svgDocument(title: string, height: number, body: string): string {
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: pictureWidth,
      height,
      viewBox: `0 0 ${pictureWidth} ${height}`,
      role: 'img',
      'font-family': fontFamily,
      'font-size': textSize,
      fill: colours.ink,
    },
    `\n${element('title', {}, escapeXml(title))}\n${body}\n`,
  )}\n`;
}
