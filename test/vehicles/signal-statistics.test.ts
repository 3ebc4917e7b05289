/** Statistics of signals: every recording of the corpus, against the figures of another reader where there are any. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { FRAME_STRIDE, FrameBatch } from '../../daemon/core/can/frame-batch.js';
import { openLog } from '../../daemon/sources/logs/open-log.js';
import { compilePlan } from '../../daemon/vehicles/dbc/compile-plan.js';
import type { DecodePlan } from '../../daemon/vehicles/dbc/decode-plan.js';
import { parseDbc } from '../../daemon/vehicles/dbc/parse-dbc.js';
import { SignalStatistics } from '../../daemon/vehicles/dbc/signal-statistics.js';
import { drivemcp } from '../helpers/command.js';
import { corpusFile, corpusMissing } from '../helpers/paths.js';

function planOf(text: Uint8Array): DecodePlan {
  return compilePlan([parseDbc(text).database]);
}

t.test('sums are made in frame order; messages of one name share their entries', async (t) => {
  const plan = planOf(
    Buffer.from(
      'BO_ 1 M: 1 X\n SG_ S : 0|8@1+ (0.1,0) [0|0] "V" X\nBO_ 2 M: 1 X\n SG_ S : 0|8@1+ (0.1,0) [0|0] "" X\n',
    ),
  );
  const batch = new FrameBatch(3);
  for (const [i, [id, value]] of [
    [1, 1],
    [2, 2],
    [1, 255],
  ].entries()) {
    batch.id[i] = id!;
    batch.length[i] = 1;
    batch.data[i * FRAME_STRIDE] = value!;
  }
  batch.count = 3;
  const statistics = new SignalStatistics(plan);
  statistics.consume(batch);
  t.same(statistics.signals(), [
    { key: 'M.S', unit: 'V', count: 3, min: 0.1, max: 25.5, last: 25.5, sum: 0.1 + 0.2 + 25.5, nonFinite: 0 },
  ]);
});

const logs = corpusFile('can', 'logs');
t.test('every recording of the corpus', { skip: logs === null ? corpusMissing : false }, async (t) => {
  // DBC, frames, frames with known ids, of those shorter and longer than the DBC says.
  const known: Record<string, [dbc: string, frames: number, known: number, short: number, long: number]> = {
    'ford_gt350_modes_engine_on.log': ['ford_lincoln_base_pt.dbc', 40929, 39290, 0, 0],
    'kia_forte_turnon_ext_id_collision.log': ['hyundai_i30_2014.dbc', 8848, 8051, 702, 0],
    'subaru_wrx_engine_on.log': ['subaru_outback_2019_generated.dbc', 5808, 4637, 330, 0],
    'gm_camaro_engine_on.log': ['gm_global_a_powertrain_generated.dbc', 21549, 9182, 0, 0],
    'toyota_yaris_accel.log': ['toyota_iQ_2009_can.dbc', 1268, 812, 37, 0],
    'hyundai_kona_turnon_v11.trc': ['hyundai_palisade_2023_generated.dbc', 22498, 20340, 2394, 599],
  };
  for (const name of readdirSync(logs!)) {
    const [dbcName = 'tp_uds.dbc', frames, knownFrames, short, long] = known[name] ?? [];
    const dbc = corpusFile('can', 'dbc', dbcName);
    if (dbc === null) continue;
    const statistics = new SignalStatistics(planOf(readFileSync(dbc)));
    const log = await openLog(join(logs!, name));
    for (let batch = await log.next(); batch !== null; batch = await log.next()) statistics.consume(batch);
    await log.close();
    t.ok(statistics.frames > 0, name);
    t.equal(
      statistics.known + statistics.unknown + statistics.errors + statistics.remote,
      statistics.frames,
      `${name}: every frame is counted once`,
    );
    if (frames === undefined) continue;
    t.match(statistics, { frames, known: knownFrames, short, long }, name);
    for (const signal of statistics.signals()) {
      const isSound = signal.count > 0 && signal.min! <= signal.last! && signal.last! <= signal.max!;
      if (!isSound) t.fail(`${name}: ${signal.key}`);
    }
  }
});

t.test('the command prints the same', { skip: logs === null ? corpusMissing : false }, async (t) => {
  const log = join(logs!, 'toyota_yaris_accel.log');
  const dbc = corpusFile('can', 'dbc', 'toyota_iQ_2009_can.dbc')!;
  const run = await drivemcp(['can', 'stats', log, '--dbc', dbc, '--json']);
  t.equal(run.code, 0, run.stderr);
  const statistics = new SignalStatistics(planOf(readFileSync(dbc)));
  const source = await openLog(log);
  for (let batch = await source.next(); batch !== null; batch = await source.next())
    statistics.consume(batch);
  await source.close();
  const printed = run.objects()[0]?.['signals'] as Record<string, object>;
  t.same(
    Object.entries(printed).map(([key, entry]) => ({ key, ...entry })),
    statistics.signals().map(({ key, count, min, max, sum, last }) => ({ key, count, min, max, sum, last })),
  );
});
