/** Gap to the vehicle ahead beside the gap that is safe, both on a logarithmic axis, and a short TTC on its own. */
import { type DriveTrace, ttcShownMaxS } from './drive-trace.js';
import {
  drawFrame,
  drawGrid,
  drawKey,
  drawLabels,
  drawLine,
  drawNote,
  drawStripeKey,
  drawStripes,
  type Line,
  type Panel,
} from './panel.js';
import { extentOf } from './sampled-series.js';
import { linearScale, logScale, logTicks } from './scales.js';
import { colours } from './style.js';
import type { TimeAxis } from './time-axis.js';

const height = 140;
/** Ends of the logarithmic axis: a car's bumper, and more than any sensor sees ahead. */
const leastM = 1;
const greatestM = 1000;
const violationPx = 4;

export function drawGapPanel(trace: DriveTrace, axis: TimeAxis): Panel {
  const gap: Line = { name: 'gap ahead', samples: trace.gapM.samples, colour: colours.blue, width: 1.8 };
  const safe: Line = {
    name: 'safe gap d_min',
    samples: trace.safeGapM.samples,
    colour: colours.vermilion,
    width: 1.6,
    dash: '5 3',
  };
  const ttc: Line = {
    name: `TTC under ${ttcShownMaxS} s`,
    samples: trace.ttcS.samples,
    colour: colours.purple,
    width: 1,
  };
  const extent = extentOf([gap.samples, safe.samples]);
  const top = Math.min(greatestM, Math.max(10, (extent?.max ?? 100) * 1.1));
  const scale = logScale([leastM, top], [height, 0]);
  const ticks = logTicks(leastM, top);
  const labels = ticks.map((tick, n) => ({
    y: scale.at(tick),
    text: n === ticks.length - 1 ? `${tick} m` : `${tick}`,
  }));
  let svg = drawGrid(
    labels.map(({ y }) => y),
    axis.left,
    axis.right,
  );
  const violated = trace.violations.spans.filter(({ value }) => value);
  const foot = { y: height - violationPx, height: violationPx, minPx: 1 };
  svg += drawStripes(violated, axis, foot, { fill: colours.vermilion });
  svg +=
    drawFrame(axis, height) + drawLabels(labels, axis.left - 6, 'end') + drawKey('gap', [gap, safe, ttc]);
  svg += drawStripeKey(
    3,
    violated.length === 0 ? 'gap too short: never' : 'gap too short',
    colours.vermilion,
    violationPx,
  );

  const hasGap = extentOf([gap.samples]) !== null;
  svg += hasGap ? '' : drawNote('no vehicle ahead was known', axis, height);
  if (extentOf([ttc.samples]) !== null) {
    const seconds = linearScale([0, ttcShownMaxS], [height, 0]);
    svg += drawLine(ttc, axis, seconds);
    svg += drawLabels(
      [0, 2, 4, 6, 8, ttcShownMaxS].map((tick) => ({
        y: seconds.at(tick),
        text: tick === ttcShownMaxS ? `${tick} s` : `${tick}`,
      })),
      axis.right + 6,
      'start',
      colours.purple,
    );
  }
  svg += drawLine(safe, axis, scale) + drawLine(gap, axis, scale);
  return { height, svg };
}
