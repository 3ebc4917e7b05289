/** The degraded modes as a band: which one governed when. */
import { modes } from '../../core/modes/mode-types.js';
import type { DriveTrace } from './drive-trace.js';
import { drawFrame, drawStripes, heading, type Panel } from './panel.js';
import { colours, modeColours, smallSize } from './style.js';
import { textWidthPx, words } from './svg-text.js';
import type { TimeAxis } from './time-axis.js';

const height = 18;

export function drawModeLane(trace: DriveTrace, axis: TimeAxis): Panel {
  let svg = heading('mode', 13);
  // The worst mode last, so that a short one is not painted over by the long one after it.
  for (const mode of modes) {
    const spans = trace.modes.spans.filter(({ value }) => value === mode);
    svg += drawStripes(spans, axis, { y: 0, height, minPx: 1.5 }, { fill: modeColours[mode] });
  }
  let freeFromPx = axis.left;
  for (const { fromUs, toUs, value } of trace.modes.spans) {
    const left = axis.x(fromUs) + 5;
    if (left < freeFromPx || axis.x(toUs) - left < textWidthPx(value, smallSize)) continue;
    freeFromPx = axis.x(toUs);
    const fill = value === 'STOPPED' ? colours.paper : colours.ink;
    svg += words(left, 13, value, { 'font-size': smallSize, fill });
  }
  return { height, svg: svg + drawFrame(axis, height) };
}
