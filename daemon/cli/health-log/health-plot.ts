/** Health of a log as a picture: health and coverage over time, and below when each thing held. */
import type { HealthReport } from '../../core/safety/health/health-report.js';
import {
  drawFrame,
  drawGrid,
  drawKey,
  drawLabels,
  drawLine,
  drawNote,
  drawStripes,
  heading,
  type Line,
  type Panel,
} from '../drive-plot/panel.js';
import { linearScale } from '../drive-plot/scales.js';
import { colours, margin, pictureWidth, plotLeft, plotRight, smallSize } from '../drive-plot/style.js';
import { svgDocument } from '../drive-plot/svg-document.js';
import { element, fitText, textWidthPx, words } from '../drive-plot/svg-text.js';
import { type TimeAxis, timeAxis } from '../drive-plot/time-axis.js';
import { drawTimeGrid } from '../drive-plot/time-grid.js';
import { healthNumber } from './health-lines.js';
import type { HealthTrace, TraceRow } from './health-trace.js';

const headPx = 62;
const spacePx = 16;
const rowPx = 18;
const panelPx = 150;

/** @returns a complete SVG file */
export function drawHealth(source: string, trace: HealthTrace, last: HealthReport): string {
  const { fromUs, toUs } = trace.rangeUs;
  const axis = timeAxis(fromUs, toUs, plotLeft, plotRight);
  const panels = [drawCourse(trace, axis), drawRows(trace.rows(), axis)];
  let top = headPx;
  let body = '';
  for (const { height, svg } of panels) {
    body += element('g', { transform: `translate(0 ${top})` }, svg);
    top += height + spacePx;
  }
  const bottom = top - spacePx;
  const name = source.replace(/^\.{0,2}\/.*\//, '');
  const known = `${Math.round(100 * last.coverage)} % of it known`;
  const facts =
    last.health === null
      ? `health unknown at the end · ${known} · brakes unknown`
      : `health ${healthNumber(last.health)} of 100 at the end · ${known} · brakes ${Math.round(100 * last.brakeEffectiveness)} %`;
  const height = bottom + 56;
  const head =
    words(margin, 28, fitText(name, pictureWidth - 2 * margin, 17), {
      'font-size': 17,
      'font-weight': 'bold',
    }) + words(margin, 49, facts, { fill: colours.quiet });
  const foot = words(
    margin,
    height - 12,
    '100 = nothing bad is known, not that all is well: see what is known of it.',
    { 'font-size': smallSize, fill: colours.quiet },
  );
  const paper = element('rect', { width: pictureWidth, height, fill: colours.paper });
  return svgDocument(
    `${name}: vehicle health`,
    height,
    paper + head + drawTimeGrid(axis, headPx, bottom) + body + foot,
  );
}

function drawCourse(trace: HealthTrace, axis: TimeAxis): Panel {
  const lines: readonly Line[] = [
    {
      name: 'known of it, %',
      samples: scaled(trace.coverage.samples),
      colour: colours.steel,
      nameColour: colours.quiet,
      width: 1.6,
      dash: '5 3',
      form: 'steps',
    },
    {
      name: 'brakes left, %',
      samples: scaled(trace.brakes.samples),
      colour: colours.blue,
      width: 1.4,
      dash: '2 3',
      form: 'steps',
    },
    { name: 'health', samples: trace.health.samples, colour: colours.green, width: 2, form: 'steps' },
  ];
  const scale = linearScale([0, 105], [panelPx, 0]);
  const labels = [0, 25, 50, 75, 100].map((tick) => ({ y: scale.at(tick), text: `${tick}` }));
  let svg = drawGrid(
    labels.map(({ y }) => y),
    axis.left,
    axis.right,
  );
  svg += drawFrame(axis, panelPx) + drawLabels(labels, axis.left - 6, 'end');
  svg += drawKey('health', [lines[2]!, lines[0]!, lines[1]!]);
  for (const line of lines) svg += drawLine(line, axis, scale);
  if (trace.health.samples.every(({ value }) => value === null)) {
    svg += drawNote('nothing in this log says anything about health', axis, panelPx);
  }
  return { height: panelPx, svg };
}

function scaled(samples: Line['samples']): Line['samples'] {
  return samples.map(({ tUs, value }) => ({ tUs, value: value === null ? null : 100 * value }));
}

/** A row each for contributions and findings. */
function drawRows(rows: readonly TraceRow[], axis: TimeAxis): Panel {
  const height = Math.max(1, rows.length) * rowPx + 22;
  let svg = heading('what held when', 12) + drawFrame(axis, height);
  if (rows.length === 0) return { height, svg: svg + drawNote('no fault and no finding', axis, height) };
  for (const [index, { name, finding, spans }] of rows.entries()) {
    const y = 18 + index * rowPx;
    const colour = finding === null ? colours.vermilion : colours.purple;
    svg += words(margin, y + 13, rowName(name), { 'font-size': smallSize, fill: colour });
    svg += drawStripes(spans, axis, { y: y + 4, height: rowPx - 8, minPx: 3 }, { fill: colour });
  }
  return { height, svg };
}

/** What a row is about in the room left of the plot; of a path its end, which tells it from its neighbours. */
function rowName(name: string): string {
  const [what = '', ...subject] = name.split(' ');
  const short = [what.replaceAll('_', ' '), ...subject].join(' ');
  const roomPx = plotLeft - 2 * margin;
  if (textWidthPx(short, smallSize) <= roomPx) return short;
  return fitText(
    name.slice(name.lastIndexOf(' ') + 1).replace(/^.*\.(?=[^.]+\.[^.]+$)/, ''),
    roomPx,
    smallSize,
  );
}
