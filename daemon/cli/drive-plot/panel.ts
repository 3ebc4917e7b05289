/** What the panels have in common: a frame with a name and a key at its left, lines, axis labels, notes. */
import { linePath } from './line-path.js';
import { type Sample, thinToColumns } from './sampled-series.js';
import type { Scale } from './scales.js';
import type { Span } from './spans.js';
import { stripesOf } from './spans.js';
import { colours, margin, smallSize, textSize } from './style.js';
import { element, fitText, words } from './svg-text.js';
import type { TimeAxis } from './time-axis.js';

/** A part of the picture, drawn from its own top, and how high it is. */
export interface Panel {
  readonly height: number;
  readonly svg: string;
}

export interface Line {
  readonly name: string;
  readonly samples: readonly Sample[];
  readonly colour: string;
  readonly width: number;
  readonly dash?: string;
  readonly form?: 'line' | 'steps';
  /** of its name in the key, where the line's own is too pale for words */
  readonly nameColour?: string;
  /** of a line without any value; its name and "none" by default */
  readonly absentName?: string;
}

/** The samples of a line as one path; nothing where nothing is known. */
export function drawLine(line: Line, axis: TimeAxis, scale: Scale): string {
  const samples = thinToColumns(line.samples, axis.fromUs, axis.pixelUs);
  const d = linePath(samples, axis.x, (value) => scale.at(value), line.form);
  return d === '' ? '' : element('path', { d, ...strokeOf(line) });
}

function strokeOf({ colour, width, dash }: Line): Record<string, string | number> {
  return {
    fill: 'none',
    stroke: colour,
    'stroke-width': width,
    'stroke-linejoin': 'round',
    'stroke-linecap': dash === undefined ? 'round' : 'butt',
    ...(dash === undefined ? {} : { 'stroke-dasharray': dash }),
  };
}

const swatchPx = 18;

function keyRowY(row: number): number {
  return 31 + row * 17;
}

/** Name of a panel and one row a line: how it is drawn, what it is, and "none" where it never had a value. */
export function drawKey(title: string, lines: readonly Line[]): string {
  let svg = heading(title, 12);
  for (const [index, line] of lines.entries()) {
    const y = keyRowY(index);
    const isKnown = line.samples.some(({ value }) => value !== null);
    svg += element('path', { d: `M${margin} ${y - 4}h${swatchPx}`, ...strokeOf(line) });
    svg += keyWords(
      y,
      isKnown ? line.name : (line.absentName ?? `${line.name}: none`),
      line.nameColour ?? line.colour,
    );
  }
  return svg;
}

/** Row of a key that stands for stripes. */
export function drawStripeKey(row: number, text: string, colour: string, heightPx: number): string {
  const y = keyRowY(row);
  const swatch = { x: margin, y: y - 4 - heightPx / 2, width: swatchPx, height: heightPx, fill: colour };
  return element('rect', swatch) + keyWords(y, text, colour);
}

export function keyWords(y: number, text: string, colour: string): string {
  return words(margin + swatchPx + 7, y, text, { fill: colour });
}

export function heading(title: string, y: number): string {
  return words(margin, y, title, { 'font-weight': 'bold' });
}

export function drawFrame(axis: TimeAxis, height: number): string {
  const { left, right } = axis;
  return element('rect', {
    x: left,
    y: 0,
    width: right - left,
    height,
    fill: 'none',
    stroke: colours.frame,
  });
}

export interface AxisLabel {
  readonly y: number;
  readonly text: string;
}

/** Labels beside an axis; those that would touch the one before are left out. */
export function drawLabels(
  labels: readonly AxisLabel[],
  x: number,
  side: 'start' | 'end',
  colour: string = colours.quiet,
): string {
  let svg = '';
  let lastY = Number.NaN;
  for (const { y, text } of labels) {
    if (Math.abs(y - lastY) < smallSize) continue;
    lastY = y;
    svg += words(x, y + 4, text, { 'text-anchor': side, 'font-size': smallSize, fill: colour });
  }
  return svg;
}

export function drawGrid(ys: readonly number[], left: number, right: number): string {
  if (ys.length === 0 || right - left < 1) return '';
  const d = ys.map((y) => `M${left} ${Math.round(y * 10) / 10}H${right}`).join('');
  return element('path', { d, stroke: colours.grid, fill: 'none' });
}

/** Says in the middle of an empty panel why it is empty. */
export function drawNote(text: string, axis: TimeAxis, height: number): string {
  const width = axis.right - axis.left - 2 * margin;
  return words((axis.left + axis.right) / 2, height / 2 + 4, fitText(text, width, textSize), {
    'text-anchor': 'middle',
    'font-style': 'italic',
    fill: colours.quiet,
    // A halo keeps grid and lines out of the words.
    stroke: colours.paper,
    'stroke-width': 5,
    'paint-order': 'stroke',
  });
}

/** Spans as filled stripes. */
export function drawStripes(
  spans: readonly Span<unknown>[],
  axis: TimeAxis,
  place: { readonly y: number; readonly height: number; readonly minPx: number },
  paint: Readonly<Record<string, string | number>>,
): string {
  const { y, height, minPx } = place;
  return stripesOf(spans, axis.x, minPx)
    .map(({ left, right }) => element('rect', { x: left, y, width: right - left, height, ...paint }))
    .join('');
}
