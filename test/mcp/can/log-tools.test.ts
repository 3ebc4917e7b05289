import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import type { JsonObject } from '../../../daemon/core/tick.js';
import { openLog } from '../../../daemon/sources/logs/open-log.js';
import { FileFolders } from '../../../mcp/can/files/file-folders.js';
import { MinMaxSeries } from '../../../mcp/can/log/min-max-series.js';
import { scanLog } from '../../../mcp/can/log/scan-log.js';
import { drivemcp } from '../../helpers/command.js';
import { corpusFile, corpusMissing } from '../../helpers/paths.js';
import { allPages, caller, carFolder, context, list, nowWallMs, toolsOver, writeLog } from './tool-car.js';

t.test('fewer points keep every extreme, its time, and every sample', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ noDefaultInfinity: false }), { maxLength: 600 }),
      fc.integer({ min: 2, max: 40 }),
      (values, points) => {
        const series = new MinMaxSeries(points);
        for (const [tS, value] of values.entries()) series.add(tS, value);
        const finite = values.flatMap((value, tS) => (Number.isFinite(value) ? [{ value, tS }] : []));
        const buckets = series.buckets();
        let at = 0;
        for (const bucket of buckets) {
          const part = finite.slice(at, at + bucket.count);
          at += bucket.count;
          const min = Math.min(...part.map(({ value }) => value));
          const max = Math.max(...part.map(({ value }) => value));
          const isRight =
            bucket.min === min &&
            bucket.max === max &&
            values[bucket.minAtS] === bucket.min &&
            values[bucket.maxAtS] === bucket.max &&
            bucket.fromS === part[0]?.tS &&
            bucket.toS === part.at(-1)?.tS;
          if (!isRight) return false;
        }
        return (
          buckets.length <= points &&
          at === finite.length &&
          series.samples + series.nonFinite === values.length
        );
      },
    ),
    { numRuns: 500 },
  );
  t.end();
});

t.test('probe, statistics, frames and series of a small log', async (t) => {
  const folder = carFolder();
  const raws = Array.from({ length: 500 }, (_, i) => (i === 321 ? 39_999 : 1000 + (i % 7)));
  writeLog(folder, 'drive.log', raws, 400);
  const call = caller(toolsOver([folder]));
  const probe = await call('can_log_probe', { file: 'drive.log', dbc: ['car.dbc'] });
  t.match(probe, {
    format: 'candump',
    frames_read: 1000,
    ended_by: 'end',
    has_absolute_time: true,
    first_s: 1_700_000_000,
    started_at: '2023-11-14T22:13:20.000Z',
    buses: [{ bus: 'can0', frames: 1000 }],
    ids_count: 2,
  });
  t.equal(list(probe['dbc_fit'])[0]?.['known_ratio'], 0.5);

  const stats = await call('can_log_stats', { file: 'drive.log', dbc: ['car.dbc'] });
  t.match(list(stats['messages'])[0], {
    message: 'ESP_STATE',
    frames: 500,
    cycle_min_ms: 10,
    cycle_max_ms: 2000,
    gaps: 1,
    longest_gap_s: 2,
    longest_gap_at_s: 4,
    anomalies: ['gap'],
  });
  t.match(list(stats['messages'])[1], { message: null, id_hex: '0x7FF', anomalies: ['gap'] });

  const series = await call('can_signal_series', {
    file: 'drive.log',
    dbc: ['car.dbc'],
    signals: ['ESP_STATE.VEH_SPEED'],
    points: 5,
  });
  const [speed] = list(series['series']);
  t.match(speed, { unit: 'km/h', samples: 500, min: 10, max: 399.99 });
  const points = list(speed?.['points']);
  t.ok(points.length <= 5);
  const peak = points.find(({ max }) => max === 399.99);
  t.equal(peak?.['max_t_s'], 3.21, 'one sample among 500 is there with its time');
  t.equal(
    points.reduce((sum, { samples }) => sum + (samples as number), 0),
    500,
  );
  const part = await call('can_signal_series', {
    file: 'drive.log',
    dbc: ['car.dbc'],
    signals: ['ESP_STATE.VEH_SPEED'],
    from_s: 1,
    to_s: 2,
  });
  t.equal(list(part['series'])[0]?.['samples'], 101);

  const { entries, pages } = await allPages(
    (cursor) => call('can_log_decode', { file: 'drive.log', dbc: ['car.dbc'], limit: 130, cursor }),
    'frames',
  );
  t.ok(pages >= 4);
  t.same(
    entries.map(({ signals }) => (signals as JsonObject)['VEH_SPEED']),
    raws.map((raw) => raw * 0.01),
  );
  const all = await call('can_log_decode', {
    file: 'drive.log',
    dbc: ['car.dbc'],
    with_unknown: true,
    limit: 2,
  });
  t.match(list(all['frames'])[1], { message: null, data: '0102' });
  for (const [name, args, key] of [
    ['can_log_decode', { messages: ['ESP_STAT'] }, 'messages.0'],
    ['can_signal_series', { signals: ['ESP_STATE.SPEED'] }, 'signals.0'],
    ['can_signal_series', { signals: ['ESP_STATE.VEH_SPEED'], from_s: 3, to_s: 1 }, 'to_s'],
  ] as const) {
    await t.rejects(call(name, { file: 'drive.log', dbc: ['car.dbc'], ...args }), {
      code: 'TOOL_ARGS_INVALID',
      location: { key },
    });
  }
});

t.test('what is withdrawn ends with the reason, also within a packed file that holds no frame', async (t) => {
  const folder = carFolder();
  const fd = openSync(join(folder, 'long.log'), 'w');
  for (let i = 0; i < 40; i++) {
    writeSync(
      fd,
      Array.from({ length: 5000 }, (_, k) => `(${i}.${String(k).padStart(6, '0')}) can0 100#00\n`).join(''),
    );
  }
  closeSync(fd);
  const call = caller(toolsOver([folder]));
  const withdrawn = new AbortController();
  const reason = new Error('withdrawn');
  let told = 0;
  const progress = (): void => {
    if (++told === 3) withdrawn.abort(reason);
  };
  await t.rejects(
    call('can_log_stats', { file: 'long.log' }, { signal: withdrawn.signal, nowWallMs, progress }),
    reason,
  );
  t.equal(told, 3, 'nothing was read after it');
  await t.rejects(call('can_dbc_info', { file: 'car.dbc' }, { signal: withdrawn.signal, nowWallMs }), reason);

  const head = '(1.000000) can0 100#00\n';
  writeFileSync(join(folder, 'bomb.log.gz'), gzipSync(Buffer.from(head + '\n'.repeat(200_000_000))));
  const folders = new FileFolders([folder]);
  const late = new AbortController();
  // The one frame is told with the end of the log, which is far away.
  const scanning = scanLog(
    { folders, openLog },
    'bomb.log.gz',
    { signal: late.signal, nowWallMs },
    () => true,
    () => setTimeout(() => late.abort(reason), 20),
  );
  await t.rejects(scanning, reason);
  const bounded = await scanLog({ folders, openLog, maxMs: 50 }, 'bomb.log.gz', context, () => false);
  t.equal(bounded.end, 'time_bound');
});

const logs = corpusFile('can', 'logs');
t.test('logs of real cars', { skip: logs === null ? corpusMissing : false }, async (t) => {
  const call = caller(toolsOver([logs!, corpusFile('can', 'dbc')!, corpusFile('can', 'formats')!]));
  for (const file of [
    'css_j1939_truck_bam.MF4',
    'hyundai_kona_turnon_v11.trc',
    'honda_civic8_gvret_0x13a.csv',
  ]) {
    const probe = await call('can_log_probe', { file });
    t.ok((probe['frames_read'] as number) > 100, file);
  }
  const backwards = await call('can_log_stats', { file: 'kia_forte_time_backwards.log' });
  t.ok((backwards['time_backwards'] as number) > 0);
  const cut = await call('can_log_probe', { file: 'mitsubishi_evox_truncated_last_line.log' });
  t.ok((cut['damaged_parts'] as number) > 0 && list(cut['diagnostics']).length > 0);

  // The same log through the command, which other tests compare with other readers.
  const file = 'toyota_yaris_accel.log';
  const dbc = 'toyota_iQ_2009_can.dbc';
  const command = await drivemcp([
    'can',
    'decode',
    join(logs!, file),
    '--dbc',
    join(corpusFile('can', 'dbc')!, dbc),
    '--json',
  ]);
  const { entries } = await allPages(
    (cursor) => call('can_log_decode', { file, dbc: [dbc], limit: 500, cursor }),
    'frames',
  );
  t.same(
    entries.map(({ t_s, id, message, signals }) => ({ t: t_s, id, name: message, signals })),
    command.objects().map(({ t: tS, id, name, signals }) => ({ t: tS, id, name, signals })),
  );
});
