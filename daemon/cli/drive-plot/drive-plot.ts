/** The whole drive as one picture: panels that share a time axis, and below them what was said and done. */

import type { DriveTrace } from './drive-trace.js';
import { drawEventLane } from './event-lane.js';
import { drawGapPanel } from './gap-panel.js';
import { drawModeLane } from './mode-lane.js';
import { drawStripes, type Panel } from './panel.js';
import { drawRiskPanel } from './risk-panel.js';
import { drawLegend, drawSaidLane, saidInOrder } from './said-lane.js';
import { drawSpeedPanel } from './speed-panel.js';
import { colours, margin, pictureWidth, plotLeft, plotRight, smallSize, textSize } from './style.js';
import { svgDocument } from './svg-document.js';
import { element, fitText, textWidthPx, words } from './svg-text.js';
import { type TimeAxis, timeAxis } from './time-axis.js';
import { drawTimeGrid } from './time-grid.js';

/** What is said about the drive as a whole. */
export interface PlotHead {
  readonly source: string;
  readonly isSimulated: boolean;
  readonly preset: string;
  readonly ticks: number;
  readonly periodMs: number;
  readonly decisionHash: string;
  /** how the replay compares with the recording */
  readonly verdict: string;
}

const headPx = 62;
/** Rows above the panels: where an ACT was, where only there was one, and the places. */
const actPx = 14;
const placePx = 18;
const spacePx = 14;
const axisPx = 30;

/** @returns a complete SVG file */
export function drawDrive(head: PlotHead, trace: DriveTrace): string {
  const range = trace.rangeUs;
  const axis = timeAxis(range?.fromUs ?? 0, range?.toUs ?? 0, plotLeft, plotRight);
  const said = saidInOrder(trace);
  const panels = [
    drawSpeedPanel(trace, axis),
    drawGapPanel(trace, axis),
    drawRiskPanel(trace, axis),
    drawModeLane(trace, axis),
    drawEventLane(trace, axis),
    drawSaidLane(said, axis),
  ];
  const placeTop = headPx + (trace.acts.length === 0 ? 0 : actPx);
  const top = placeTop + placePx;
  const stacked = stack(panels, top);
  const legend = drawLegend(said, axis);
  const legendTop = stacked.bottom + axisPx;
  const height = legendTop + legend.height + 34;
  const body =
    element('rect', { width: pictureWidth, height, fill: colours.paper }) +
    drawHead(head) +
    drawTimes(axis, top, stacked.bottom, range !== null) +
    drawActs(trace, axis, placeTop, stacked.bottom) +
    drawPlaces(trace, axis, placeTop, stacked.bottom) +
    stacked.svg +
    at(legendTop, legend.svg) +
    drawFoot(trace, height);
  return svgDocument(titleOf(head), height, body);
}

function stack(panels: readonly Panel[], top: number): { svg: string; bottom: number } {
  let y = top;
  let svg = '';
  for (const panel of panels) {
    svg += at(y, panel.svg);
    y += panel.height + spacePx;
  }
  return { svg, bottom: y - spacePx };
}

function at(y: number, svg: string): string {
  return `${element('g', { transform: `translate(0 ${y})` }, svg)}\n`;
}

function titleOf({ source, isSimulated }: PlotHead): string {
  return `${nameOf(source)}${isSimulated ? ' (simulated)' : ''}: what was decided`;
}

/** A picture is shown to others: of a path it names the file alone. */
function nameOf(source: string): string {
  return source === '' ? 'source not named' : source.replace(/^\.{0,2}\/.*\//, '');
}

function drawHead(head: PlotHead): string {
  const room = pictureWidth - 2 * margin;
  const simulated = head.isSimulated ? 'simulated' : '';
  const title = fitText(nameOf(head.source), room - 110, 17);
  const facts = [
    `preset ${head.preset}`,
    `${head.ticks} ticks of ${head.periodMs} ms`,
    `decision hash ${head.decisionHash.slice(0, 12)}`,
    `replay ${head.verdict}`,
  ].join('  ·  ');
  let svg = words(margin, 28, title, { 'font-size': 17, 'font-weight': 'bold' });
  if (simulated !== '') {
    svg += words(pictureWidth - margin, 28, simulated, {
      'text-anchor': 'end',
      'font-weight': 'bold',
      fill: colours.vermilion,
    });
  }
  return svg + words(margin, 49, fitText(facts, room, textSize), { fill: colours.quiet });
}

function drawTimes(axis: TimeAxis, top: number, bottom: number, hasTicks: boolean): string {
  if (hasTicks) return drawTimeGrid(axis, top, bottom);
  return words((axis.left + axis.right) / 2, bottom + 18, 'no tick was recorded', {
    'text-anchor': 'middle',
    'font-style': 'italic',
    fill: colours.quiet,
  });
}

/** ACT in force, through all panels. */
function drawActs({ acts, rangeUs }: DriveTrace, axis: TimeAxis, top: number, bottom: number): string {
  const spans = acts.map(({ fromUs, toUs }) => ({
    fromUs,
    toUs: toUs ?? rangeUs?.toUs ?? fromUs,
    value: 'act',
  }));
  const place = { y: top, height: bottom - top, minPx: 2 };
  let svg = drawStripes(spans, axis, place, { fill: colours.vermilion, 'fill-opacity': '0.35' });
  let freeFromPx = 0;
  for (const { fromUs } of spans) {
    const x = axis.x(fromUs);
    if (x < freeFromPx) continue;
    freeFromPx = x + 40;
    svg += words(x + 1, top - 3, 'ACT', {
      'text-anchor': 'middle',
      'font-size': smallSize,
      'font-weight': 'bold',
      fill: colours.vermilion,
    });
  }
  return svg;
}

/** Where the law of which place held, and lines through all panels where that changed. */
function drawPlaces({ jurisdictions }: DriveTrace, axis: TimeAxis, top: number, bottom: number): string {
  let svg = '';
  let freeFromPx = 0;
  const borders = new Set<number>();
  for (const [index, { fromUs, value }] of jurisdictions.spans.entries()) {
    const x = axis.x(fromUs);
    if (index > 0) borders.add(Math.round(x));
    const name = value ?? 'place unknown';
    if (x < freeFromPx) continue;
    const text = fitText(name, Math.max(30, axis.right - x), smallSize);
    freeFromPx = x + textWidthPx(text, smallSize) + 8;
    svg += words(x + (index > 0 ? 4 : 0), top + 13, text, { 'font-size': smallSize, fill: colours.quiet });
  }
  const d = [...borders].map((x) => `M${x} ${top + 2}V${bottom}`).join('');
  return d === '' ? svg : svg + element('path', { d, stroke: colours.quiet, 'stroke-dasharray': '1 2' });
}

function drawFoot({ acts, ticksOutOfOrder }: DriveTrace, height: number): string {
  const sentences = ['Drawn from the recorded inputs as the core decides on them again.'];
  if (acts.length > 0) sentences.push('ACT is an intent: no sink drives a vehicle.');
  if (ticksOutOfOrder > 0) sentences.push(`${ticksOutOfOrder} ticks out of order in time are not drawn.`);
  return words(margin, height - 12, sentences.join(' '), { 'font-size': smallSize, fill: colours.quiet });
}
