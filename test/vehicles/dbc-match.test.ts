/** Which DBC fits a log: on real recordings the one known to fit wins; what is odd about the input is said. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { drivemcp } from '../helpers/command.js';
import { corpusFile, corpusMissing, fixture } from '../helpers/paths.js';
import { candumpOf } from './frames-of.js';
import { espState } from './test-car.js';

interface Ranked {
  readonly dbc: string;
  readonly score: number;
  readonly known_ratio: number;
  readonly length_ratio: number;
  readonly plausible_ratio: number | null;
  readonly ids: number;
  readonly ids_known: number;
}

const known: readonly [string, string][] = [
  ['ford_gt350_modes_engine_on.log', 'ford_lincoln_base_pt.dbc'],
  ['gm_camaro_engine_on.log', 'gm_global_a_powertrain_generated.dbc'],
  ['subaru_wrx_engine_on.log', 'subaru_outback_2019_generated.dbc'],
  ['toyota_yaris_accel.log', 'toyota_iQ_2009_can.dbc'],
];
const folder = corpusFile('can', 'dbc');

for (const [log, dbc] of known) {
  const path = corpusFile('can', 'logs', log);
  t.test(
    `${log}: ${dbc} wins`,
    { skip: path === null || folder === null ? corpusMissing : false },
    async (t) => {
      const files = readdirSync(folder!)
        .filter((name) => name.endsWith('.dbc'))
        .map((name) => join(folder!, name));
      const result = await drivemcp(['dbc', 'match', path!, ...files, '--json']);
      t.equal(result.code, 0, result.stderr);
      const { ranking } = result.objects()[0] as unknown as { ranking: Ranked[] };
      t.match(ranking[0]?.dbc, dbc);
      t.equal(ranking.length, files.length);
    },
  );
}

t.test('shares, and what cannot be ranked', async (t) => {
  const dir = t.testdir();
  const log = join(dir, 'x.log');
  const good = Array.from({ length: 8 }, (_, i) => espState(5000, i));
  // One frame in ten is unknown, one of nine known ones is short; 655 km/h is beyond the range of 400.
  writeFileSync(
    log,
    candumpOf([...good, { id: 256, data: [1, 2, 3], tUs: 200_000 }, { id: 999, data: [1], tUs: 210_000 }]),
  );
  const bad = join(dir, 'bad.dbc');
  writeFileSync(bad, 'this is no DBC\n');
  const car = fixture('vehicles', 'test-car.dbc');
  const result = await drivemcp(['dbc', 'match', log, car, bad, '--json']);
  t.equal(result.code, 78, 'one of the files is useless, the other is ranked all the same');
  t.match(result.stderr, /DBC_INVALID/);
  const { ranking } = result.objects()[0] as unknown as { ranking: Ranked[] };
  t.equal(ranking.length, 1);
  t.equal(ranking[0]?.known_ratio, 0.9);
  t.equal(ranking[0]?.length_ratio, 8 / 9);
  t.equal(ranking[0]?.ids_known, 1);
  t.equal(ranking[0]?.ids, 2);

  const fast = join(dir, 'fast.log');
  writeFileSync(fast, candumpOf([espState(65_000, 0), espState(5000, 1)]));
  const shares = await drivemcp(['dbc', 'match', fast, car, '--json']);
  const [first] = (shares.objects()[0] as unknown as { ranking: Ranked[] }).ranking;
  t.ok((first?.plausible_ratio ?? 1) < 1, 'a value beyond its range shows');

  const strange = join(dir, 'strange.log');
  writeFileSync(strange, candumpOf([{ id: 0x7aa, data: [1] }]));
  const none = await drivemcp(['dbc', 'match', strange, car]);
  t.equal(none.code, 1);
  t.match(none.stdout, 'none of them knows a frame');
  t.equal((await drivemcp(['dbc', 'match', join(dir, 'nowhere.log'), car])).code, 69);
});
