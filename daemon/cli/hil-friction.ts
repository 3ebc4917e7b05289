import { type CommandSpec, type Invocation, stringOption } from './command.js';
import { drawFriction } from './drive-plot/friction-plot.js';
import { openPlotFile } from './drive-plot/plot-file.js';

/** Eleven values of each quantity. */
const gridSteps = 10;

export const frictionCommand: CommandSpec = {
  path: ['hil', 'friction'],
  summary: "compares the simulated road's friction with the weather expert's, over all weathers",
  arity: [0, 0],
  options: { plot: { type: 'string', value: 'FILE', help: 'draw it as SVG' } },
  details:
    'The two are different functions on purpose: the expert never sees the plant. Exit code 1 where its lower bound is\n' +
    'above the truth in any weather. Simulated: neither is a measurement of a road.',
  examples: [['drivemcp hil friction --plot friction.svg', 'a table and a picture']],
  run: friction,
};

async function friction({ values, terminal }: Invocation): Promise<number> {
  const { frictionGrid, summarise } = await import('../../hil/sim/friction-gap.js');
  const path = stringOption(values, 'plot');
  const file = path === undefined ? null : openPlotFile(path);
  const points = frictionGrid(gridSteps);
  const { above, smallestGap, meanGap, largestGap, estimateAboveRatio, points: count } = summarise(points);
  const percent = (estimateAboveRatio * 100).toFixed(0);
  if (terminal.json)
    terminal.object({
      points: count,
      lower_bound_above_truth: above,
      smallest_gap: smallestGap,
      mean_gap: meanGap,
      largest_gap: largestGap,
      estimate_above_truth_ratio: estimateAboveRatio,
    });
  else {
    terminal.line(`weathers                   ${count} (wetness, rain, standing water, speed)`);
    terminal.line(`lower bound above truth    ${above}`);
    terminal.line(
      `truth − lower bound        ${smallestGap.toFixed(3)} … ${largestGap.toFixed(3)}, mean ${meanGap.toFixed(3)}`,
    );
    terminal.line(`estimate above truth in    ${percent} % of them: that is why rain uses the lower bound`);
  }
  file?.write(
    drawFriction(
      points,
      `${count} weathers, simulated; the estimate is above the road in ${percent} % of them, the lower bound in ${above}`,
    ),
  );
  return above === 0 ? 0 : 1;
}
