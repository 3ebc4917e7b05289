import { colours, margin, smallSize } from './style.js';
import { element, words } from './svg-text.js';
import { type TimeAxis, timeTicks } from './time-axis.js';

/** Lines through all panels at round times, and the times below them. */
export function drawTimeGrid(axis: TimeAxis, top: number, bottom: number): string {
  const ticks = timeTicks(axis, 9);
  const d = ticks.map(({ tUs }) => `M${Math.round(axis.x(tUs) * 10) / 10} ${top}V${bottom}`).join('');
  let svg = d === '' ? '' : element('path', { d, stroke: colours.grid, fill: 'none' });
  for (const { tUs, text } of ticks) {
    svg += words(axis.x(tUs), bottom + 16, text, {
      'text-anchor': 'middle',
      'font-size': smallSize,
      fill: colours.quiet,
    });
  }
  return svg + words(margin, bottom + 16, 'time', { 'font-weight': 'bold' });
}
