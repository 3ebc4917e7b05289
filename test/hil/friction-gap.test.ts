import fc from 'fast-check';
import t from 'tap';
import { frictionGrid, frictionPoint, summarise } from '../../hil/sim/friction-gap.js';
import { drivemcp } from '../helpers/command.js';

t.test("the expert's lower bound is never above the road's friction", (t) => {
  const { above, smallestGap, points } = summarise(frictionGrid(20));
  t.equal(above, 0, `${points} weathers, smallest gap ${smallestGap}`);
  const percent = fc.double({ min: 0, max: 100, noNaN: true });
  fc.assert(
    fc.property(
      percent,
      percent,
      percent,
      fc.double({ min: 0, max: 60, noNaN: true }),
      (wetness, rain, water, v) => {
        const { truth, lower } = frictionPoint(wetness, rain, water, v);
        return lower <= truth + 1e-12;
      },
    ),
    { numRuns: 2000 },
  );
  t.end();
});

t.test('the picture holds both panels', async (t) => {
  const path = `${t.testdir()}/friction.svg`;
  const { code, stdout } = await drivemcp(['hil', 'friction', '--plot', path, '--json']);
  t.equal(code, 0);
  t.match(JSON.parse(stdout), { lower_bound_above_truth: 0 });
  const { readFileSync } = await import('node:fs');
  const svg = readFileSync(path, 'utf8');
  t.match(svg, /lower bound of the expert/);
  t.match(svg, /estimate of the expert/);
  t.notMatch(svg, /NaN|undefined/);
});
