/** Risk r with the level from which ACT is worth more than words, and the health risk h that is part of it. */
import type { DriveTrace } from './drive-trace.js';
import { drawFrame, drawGrid, drawKey, drawLabels, drawLine, type Line, type Panel } from './panel.js';
import { linearScale } from './scales.js';
import { colours } from './style.js';
import type { TimeAxis } from './time-axis.js';

const height = 110;
const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1];

export function drawRiskPanel(trace: DriveTrace, axis: TimeAxis): Panel {
  const lines: readonly Line[] = [
    { name: 'health risk h', samples: trace.healthRisk.samples, colour: colours.green, width: 1.4 },
    {
      name: 'ACT needs r above',
      absentName: 'ACT: never',
      samples: trace.actRisk.samples,
      colour: colours.ink,
      width: 1.2,
      dash: '2 3',
      form: 'steps',
    },
    { name: 'risk r', samples: trace.risk.samples, colour: colours.vermilion, width: 1.8 },
  ];
  const scale = linearScale([0, 1], [height, 0]);
  const labels = ticks.map((tick) => ({ y: scale.at(tick), text: `${tick}` }));
  let svg = drawGrid(
    labels.map(({ y }) => y),
    axis.left,
    axis.right,
  );
  svg += drawFrame(axis, height) + drawLabels(labels, axis.left - 6, 'end');
  svg += drawKey('risk', [lines[2]!, lines[1]!, lines[0]!]);
  for (const line of lines) svg += drawLine(line, axis, scale);
  return { height, svg };
}
