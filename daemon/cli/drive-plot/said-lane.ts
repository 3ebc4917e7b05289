/** What was said and done: numbered marks on the time axis, and the legend that the numbers lead to. */
import type { DriveTrace } from './drive-trace.js';
import { heading, keyWords, type Panel } from './panel.js';
import { colours, margin, pictureWidth, smallSize, textSize } from './style.js';
import { element, fitText, textWidthPx, words } from './svg-text.js';
import { type TimeAxis, timeText } from './time-axis.js';

export interface Said {
  readonly number: number;
  readonly tUs: number;
  readonly kind: 'SPEAK' | 'SPEAK!' | 'ACT';
  readonly text: string;
  readonly why: string;
}

/** Utterances and interventions in order of time, counted from 1; an ACT comes before its words. */
export function saidInOrder(trace: DriveTrace): readonly Said[] {
  const acts = trace.acts.map(({ fromUs, toUs, decelMps2, why, ended }) => {
    const what = decelMps2 === null ? 'intervention' : `brake assist ${decelMps2.toFixed(1)} m/s²`;
    const lasted = toUs === null ? 'until the end' : `for ${((toUs - fromUs) / 1e6).toFixed(2)} s`;
    return {
      tUs: fromUs,
      kind: 'ACT' as const,
      text: `${what} ${lasted}`,
      why: ended === '' ? why : `${why}; ended: ${ended}`,
    };
  });
  const spoken = trace.spoken.map(({ tUs, urgent, text, why }) => ({
    tUs,
    kind: urgent ? ('SPEAK!' as const) : ('SPEAK' as const),
    text,
    why,
  }));
  return [...acts, ...spoken]
    .sort((a, b) => a.tUs - b.tUs)
    .map((one, index) => ({ number: index + 1, ...one }));
}

const rowPx = 19;
const rowsMaxCount = 4;
const radius = 8;

export function drawSaidLane(said: readonly Said[], axis: TimeAxis): Panel {
  /** where each row is free again */
  const rows: number[] = [];
  const bare = new Set<number>();
  let svg = '';
  for (const one of said) {
    const x = axis.x(one.tUs);
    const halfPx = halfWidth(one.number);
    let row = rows.findIndex((freeFrom) => x - halfPx >= freeFrom);
    if (row < 0 && rows.length < rowsMaxCount) row = rows.length;
    if (row < 0) {
      bare.add(Math.round(x));
      continue;
    }
    rows[row] = x + halfPx + 1;
    svg += drawMark(one, x, (row + 0.5) * rowPx);
  }
  const height = Math.max(2, rows.length) * rowPx + 6;
  // Too many to be numbered: where they are is still seen.
  const d = [...bare].map((x) => `M${x} ${height - 5}v5`).join('');
  if (d !== '') svg += element('path', { d, stroke: colours.ink });
  svg += heading('said and done', 12);
  if (said.length === 0) svg += keyWords(30, 'nothing', colours.quiet);
  return { height, svg };
}

function halfWidth(number: number): number {
  return Math.max(radius, textWidthPx(String(number), smallSize) / 2 + 3);
}

/** A ring is advice, a filled box is urgent, a black one is ACT: they differ in shape and lightness too. */
function drawMark({ number, kind }: Said, x: number, y: number): string {
  const half = halfWidth(number);
  const shape = element('rect', {
    x: x - half,
    y: y - radius,
    width: 2 * half,
    height: 2 * radius,
    rx: kind === 'SPEAK' ? radius : 2,
    fill: kind === 'SPEAK' ? colours.paper : kind === 'ACT' ? colours.ink : colours.vermilion,
    stroke: kind === 'SPEAK' ? colours.blue : kind === 'ACT' ? colours.ink : colours.vermilion,
  });
  return (
    shape +
    words(x, y + 4, String(number), {
      'text-anchor': 'middle',
      'font-size': smallSize,
      'font-weight': 'bold',
      fill: kind === 'SPEAK' ? colours.blue : colours.paper,
    })
  );
}

const legendRowPx = 21;
/** A page of words; a picture that is longer is not looked at. */
const legendMaxCount = 60;
const textAtPx = margin + 162;

/** One row an utterance or ACT: number, time, words, and in grey what was behind it. */
export function drawLegend(said: readonly Said[], axis: TimeAxis): Panel {
  const shown = chosen(said);
  let svg = '';
  for (const [index, one] of shown.entries()) {
    const y = (index + 0.5) * legendRowPx;
    svg += drawMark(one, margin + 10, y);
    svg += words(margin + 98, y + 4, timeText(one.tUs, axis, 2), {
      'text-anchor': 'end',
      fill: colours.quiet,
    });
    svg += words(margin + 108, y + 4, one.kind, { 'font-weight': 'bold', fill: kindColour(one.kind) });
    const room = pictureWidth - margin - textAtPx;
    const text = fitText(one.text, room, textSize);
    svg += words(textAtPx, y + 4, text);
    const left = room - textWidthPx(text, textSize) - 12;
    if (left > 40 && one.why !== '') {
      svg += words(pictureWidth - margin, y + 4, fitText(one.why, left, smallSize), {
        'text-anchor': 'end',
        'font-size': smallSize,
        fill: colours.quiet,
      });
    }
  }
  let height = shown.length * legendRowPx;
  if (shown.length < said.length) {
    const missing = said.length - shown.length;
    const text = `and ${missing} more that are not listed here; what is urgent comes first; drivemcp replay prints all`;
    svg += words(textAtPx, height + 14, text, { 'font-style': 'italic', fill: colours.quiet });
    height += legendRowPx;
  }
  return { height, svg };
}

function chosen(said: readonly Said[]): readonly Said[] {
  if (said.length <= legendMaxCount) return said;
  const urgent = said.filter(({ kind }) => kind !== 'SPEAK').slice(0, legendMaxCount);
  const calm = said.filter(({ kind }) => kind === 'SPEAK').slice(0, legendMaxCount - urgent.length);
  return [...urgent, ...calm].sort((a, b) => a.number - b.number);
}

function kindColour(kind: Said['kind']): string {
  return kind === 'SPEAK' ? colours.blue : kind === 'ACT' ? colours.ink : colours.vermilion;
}
