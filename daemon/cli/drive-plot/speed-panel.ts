/** Own speed, the limit in force and the speed advised, on one SI axis that is labelled in the unit of the place. */
import type { SpeedUnit } from '../../core/world/facts.js';
import { fromMps, toMps } from '../../core/world/speed-units.js';
import type { DriveTrace } from './drive-trace.js';
import {
  drawFrame,
  drawGrid,
  drawKey,
  drawLabels,
  drawLine,
  drawNote,
  type Line,
  type Panel,
} from './panel.js';
import { extentOf } from './sampled-series.js';
import { linearScale, roundTicks, type Scale } from './scales.js';
import type { Span } from './spans.js';
import { colours } from './style.js';
import type { TimeAxis } from './time-axis.js';

const height = 150;
/** An axis without any value still shows a town's speeds. */
const leastTopMps = toMps(50, 'km/h');
/** Room for the labels of a unit that is neither the first nor the last. */
const labelledMinPx = 60;

export function drawSpeedPanel(trace: DriveTrace, axis: TimeAxis): Panel {
  // The limit is broad and pale, so that advice of the same speed is seen on it.
  const lines: readonly Line[] = [
    {
      name: 'legal limit',
      samples: trace.limitMps.samples,
      colour: colours.steel,
      nameColour: colours.ink,
      width: 4.5,
      form: 'steps',
    },
    {
      name: 'advised speed',
      samples: trace.advisedMps.samples,
      colour: colours.green,
      width: 1.6,
      dash: '5 3',
      form: 'steps',
    },
    { name: 'own speed', samples: trace.speedMps.samples, colour: colours.blue, width: 1.8 },
  ];
  const extent = extentOf(lines.map(({ samples }) => samples));
  const top = Math.max(leastTopMps, extent?.max ?? 0) * 1.08;
  const bottom = Math.min(0, extent?.min ?? 0);
  const scale = linearScale([bottom, top], [height, 0]);
  const keyOrder = [lines[2]!, lines[0]!, lines[1]!];
  let svg = drawUnits(trace.units.spans, axis, scale, { bottom, top });
  svg += drawFrame(axis, height) + drawKey('speed', keyOrder);
  if (extent === null) svg += drawNote('neither a speed nor a limit was known', axis, height);
  else for (const line of lines) svg += drawLine(line, axis, scale);
  return { height, svg };
}

/** Grid and labels of each stretch of the drive in its own unit. */
function drawUnits(
  spans: readonly Span<SpeedUnit>[],
  axis: TimeAxis,
  scale: Scale,
  domain: { readonly bottom: number; readonly top: number },
): string {
  const stretches = joined(spans, axis);
  let svg = '';
  let freeFromPx = axis.left;
  for (const [index, { fromUs, toUs, value: unit }] of stretches.entries()) {
    const left = axis.x(fromUs);
    const right = axis.x(toUs);
    const ticks = roundTicks(fromMps(domain.bottom, unit), fromMps(domain.top, unit), 8);
    const labels = ticks.map((tick, n) => ({
      y: scale.at(toMps(tick, unit)),
      text: n === ticks.length - 1 ? `${tick} ${unit}` : `${tick}`,
    }));
    svg += drawGrid(
      labels.map(({ y }) => y),
      left,
      right,
    );
    if (index === 0) svg += drawLabels(labels, axis.left - 6, 'end');
    else if (index === stretches.length - 1) svg += drawLabels(labels, axis.right + 6, 'start');
    else if (right - left >= labelledMinPx && left >= freeFromPx) {
      svg += drawLabels(labels, left + 4, 'start');
      freeFromPx = left + labelledMinPx;
    }
  }
  return svg;
}

/** Stretches of one unit over places that share it; one too short to be seen goes with the one before. */
function joined(spans: readonly Span<SpeedUnit>[], axis: TimeAxis): Span<SpeedUnit>[] {
  const stretches: Span<SpeedUnit>[] = [];
  for (const span of spans) {
    const last = stretches.at(-1);
    const isShort = span.toUs - span.fromUs < 2 * axis.pixelUs;
    if (last !== undefined && (last.value === span.value || isShort)) {
      stretches[stretches.length - 1] = { ...last, toUs: span.toUs };
    } else stretches.push(span);
  }
  return stretches;
}
