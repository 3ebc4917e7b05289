/** Truth against estimate: one mark a weather, and the line on which both would be the same. */
import { linearScale } from './scales.js';
import { colours, margin, pictureWidth, smallSize } from './style.js';
import { svgDocument } from './svg-document.js';
import { element, words } from './svg-text.js';

export interface FrictionMark {
  readonly truth: number;
  readonly estimate: number;
  readonly lower: number;
}

const top = 64;
const panelPx = 400;
const gapPx = 90;
const bottom = 52;

export function drawFriction(marks: readonly FrictionMark[], note: string): string {
  const lefts = [margin + 54, margin + 54 + panelPx + gapPx] as const;
  const body = [
    element('rect', { width: pictureWidth, height: top + panelPx + bottom, fill: colours.paper }),
    words(margin, 24, 'Grip: what the simulated road gives, and what the weather expert says', {
      'font-size': 15,
      'font-weight': 600,
    }),
    words(margin, 42, note, { fill: colours.quiet, 'font-size': smallSize }),
    panel(
      'lower bound',
      lefts[0],
      marks.map(({ truth, lower }) => [truth, lower]),
      colours.blue,
    ),
    panel(
      'estimate',
      lefts[1],
      marks.map(({ truth, estimate }) => [truth, estimate]),
      colours.vermilion,
    ),
  ].join('\n');
  return svgDocument(
    'Friction of the simulated road against the estimate of the weather expert',
    top + panelPx + bottom,
    body,
  );
}

function panel(name: string, left: number, points: readonly (readonly number[])[], colour: string): string {
  const x = linearScale([0, 1], [left, left + panelPx]);
  const y = linearScale([0, 1], [top + panelPx, top]);
  const parts = [
    element('rect', {
      x: left,
      y: top,
      width: panelPx,
      height: panelPx,
      fill: 'none',
      stroke: colours.frame,
    }),
  ];
  for (const tick of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
    const text = tick.toFixed(1);
    parts.push(
      element('line', { x1: x.at(tick), x2: x.at(tick), y1: top, y2: top + panelPx, stroke: colours.grid }),
      element('line', { x1: left, x2: left + panelPx, y1: y.at(tick), y2: y.at(tick), stroke: colours.grid }),
      words(x.at(tick), top + panelPx + 16, text, { 'text-anchor': 'middle', 'font-size': smallSize }),
      words(left - 8, y.at(tick) + 4, text, { 'text-anchor': 'end', 'font-size': smallSize }),
    );
  }
  const seen = new Set<string>();
  for (const [truth = 0, said = 0] of points) {
    const at = `${x.at(truth).toFixed(0)},${y.at(said).toFixed(0)}`;
    if (seen.has(at)) continue;
    seen.add(at);
    parts.push(
      element('circle', { cx: x.at(truth), cy: y.at(said), r: 2, fill: colour, 'fill-opacity': 0.45 }),
    );
  }
  parts.push(
    element('line', {
      x1: left,
      y1: top + panelPx,
      x2: left + panelPx,
      y2: top,
      stroke: colours.ink,
      'stroke-dasharray': '5 4',
    }),
    words(left + panelPx / 2, top + panelPx + 36, 'friction of the road (the plant)', {
      'text-anchor': 'middle',
    }),
    words(left + 8, top + 18, `${name} of the expert`, { fill: colour, 'font-weight': 600 }),
    words(left + 8, top + 34, 'dashed: both the same', { fill: colours.quiet, 'font-size': smallSize }),
  );
  return parts.join('\n');
}
