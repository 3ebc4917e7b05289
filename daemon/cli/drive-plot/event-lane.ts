/** The events that fired, a row a type: a row needs no text at its marks and nothing can overlap. */
import { eventTypes } from '../../core/events/event-types.js';
import type { DriveTrace } from './drive-trace.js';
import { heading, keyWords, type Panel } from './panel.js';
import { colours, margin, smallSize } from './style.js';
import { element, words } from './svg-text.js';
import type { TimeAxis } from './time-axis.js';

const rowPx = 15;
const headPx = 18;

export function drawEventLane(trace: DriveTrace, axis: TimeAxis): Panel {
  const rows = eventTypes.filter((type) => trace.events.has(type));
  let svg = heading('events', 12);
  if (rows.length === 0) svg += keyWords(12 + rowPx, 'none', colours.quiet);
  for (const [index, type] of rows.entries()) {
    const y = headPx + (index + 0.5) * rowPx;
    const times = trace.events.get(type) ?? [];
    const colour = type === 'hazard_rss' ? colours.vermilion : colours.ink;
    svg += words(margin, y + 4, type.replaceAll('_', ' '), { 'font-size': smallSize, fill: colour });
    svg += words(axis.right + 6, y + 4, `${times.length} ×`, { 'font-size': smallSize, fill: colours.quiet });
    svg += element('path', { d: `M${axis.left} ${y}H${axis.right}`, stroke: colours.grid });
    svg += element('path', { d: marks(times, axis, y), fill: colour });
  }
  return { height: headPx + Math.max(1, rows.length) * rowPx, svg };
}

/** One diamond a pixel at most. */
function marks(times: readonly number[], axis: TimeAxis, y: number): string {
  const places = new Set(times.map((tUs) => Math.round(axis.x(tUs))));
  return [...places].map((x) => `M${x} ${y - 5}l4 5-4 5-4-5z`).join('');
}
