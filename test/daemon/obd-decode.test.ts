/** `obd decode` as people and programs run it: the complaints about other tools, pairs, formats, bad input. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { drivemcp } from '../helpers/command.js';
import { corpusFile, corpusMissing } from '../helpers/paths.js';

type Row = Record<string, unknown>;

/** Rows of `obd decode --json` for frames a tenth of a second apart. */
async function decode(frames: readonly string[], ...options: string[]): Promise<Row[]> {
  const log = frames.map((frame, i) => `(${(100 + i / 10).toFixed(6)}) can0 ${frame}\n`).join('');
  const result = await drivemcp(['obd', 'decode', '-', '--json', ...options], { stdin: log });
  t.equal(result.code, 0, result.stderr);
  return result.objects();
}

t.test('what other tools get wrong', async (t) => {
  t.match(await decode(['7E8#0443010133000000']), [
    {
      t: 100,
      bus: 'can0',
      id: '7E8',
      ecu: '7E8',
      service: '03',
      dtcs: [{ code: 'P0133', state: 'confirmed' }],
    },
  ]);
  const vin = await decode([
    '7E8#1014490201575657',
    '7E0#3000000000000000',
    '7E8#215A5A5A314A5A33',
    '7E8#2257333836373530',
  ]);
  t.match(
    vin,
    [{ service: '09', pid: '02', vin: 'WVWZZZ1JZ3W386750', raw: /^490201/ }],
    'a 0 at the end stays',
  );
  const cut = await decode(['7E8#1014490201314D38', '123#00']);
  t.match(cut, [
    { t: 101, service: '09', error: 'timeout', received_bytes: 6, announced_bytes: 20, raw: '' },
  ]);
  t.notOk('vin' in cut[0]!);
  t.match(await decode(['7E8#04411400FF000000']), [
    { values: { O2S_V: { value: 0, unit: 'V' }, O2S_TRIM: { value: null, unit: '%' } } },
  ]);
  t.match(await decode(['18FECA00#FFFFFFFFFFFFFFFF']), [
    { pgn: 'FECA', message: 'DM1', ecu: '00', dtcs: null },
  ]);
});

t.test('requests, slow answers, refusals, several units', async (t) => {
  const rows = await decode([
    '7DF#0322F19000000000',
    '7E8#037F227800000000',
    '7E9#037F223100000000',
    '7E8#037F227800000000',
    '7E8#1014' + '62F190574150',
    '7E8#215A5A5A385A4B41',
    '7E8#2242303030303120',
    '7E9#037F223100000000',
    '7E9#04410C1AF8000000',
  ]);
  t.match(rows, [
    { id: '7DF', ecu: null, service: '22', did: 'F190', direction: 'request' },
    { ecu: '7E8', service: '22', did: 'F190', nrc: '78' },
    { ecu: '7E9', service: '22', did: 'F190', nrc: '31' },
    { ecu: '7E8', nrc: '78' },
    { ecu: '7E8', service: '22', did: 'F190', vin: null, error: 'malformed' },
    { ecu: '7E9', nrc: '31', repeated: true },
    {
      ecu: '7E9',
      service: '01',
      pid: '0C',
      unrequested: true,
      values: { RPM: { value: 1726, unit: 'rpm' } },
    },
  ]);
  t.match(await decode(['6F1#1203220101'.padEnd(12, '0'), '612#F10462010105'], '--pair', '6F1/12:612/F1'), [
    { ecu: '612/F1', direction: 'request' },
    { ecu: '612/F1', service: '22', did: '0101', raw: '62010105' },
  ]);
  t.match(await decode(['7A8#03410D32'], '--pair', '7A0:7A8'), [
    { ecu: '7A8', values: { VSS: { value: 50 } } },
  ]);
});

t.test('for people: lines, then a table of the units', async (t) => {
  const frames = [
    '7E8#0443010133000000',
    '7E8#037F093100000000',
    '7E8#2101020304050607',
    '18FECA00#44FF64000103FFFF',
  ];
  const stdin = frames.map((frame, i) => `(${i}.000000) can0 ${frame}\n`).join('');
  const { stdout, stderr, code } = await drivemcp(['obd', 'decode', '-'], { stdin });
  t.equal(code, 0, stderr);
  t.match(stdout, /P0133 confirmed/);
  t.match(stdout, /refused 31 \(out of range\)/);
  t.match(stdout, /amber warning lamp on/);
  t.match(stdout, /can0 {2}7E8 +0 +2 +1 +- +unexpected 1 +P0133 confirmed/);
  t.match(stdout, /can0 {2}J1939 00 +0 +1 +0 +- +- +SPN 100 FMI 1 failing/);
});

t.test('what is no diagnostics, no log, or no pair', async (t) => {
  const none = await drivemcp(['obd', 'decode', '-', '--json'], { stdin: '(1.000000) can0 123#00\n' });
  t.match(none, { code: 0, stdout: '', stderr: /no diagnostics in 1 frame; --pair/ });
  t.match(await drivemcp(['obd', 'decode', '-', '--pair', 'x'], { stdin: '' }), { code: 2, stderr: /USAGE/ });
  t.match(await drivemcp(['obd', 'decode', '/nowhere.log']), { code: 69 });
  t.match(await drivemcp(['obd', 'decode']), { code: 2 });
  const garbage = join(t.testdir(), 'x.bin');
  writeFileSync(garbage, Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 197) & 255)));
  t.match(await drivemcp(['obd', 'decode', garbage]), { code: 78, stdout: '' });
  const hostile = '(1.000000) \u001b[2J 7E8#0443010133000000\n(2.000000) can0 7E8#0443010133000000\n';
  const shown = await drivemcp(['obd', 'decode', '-'], { stdin: hostile });
  t.notMatch(shown.stdout, /\u001b/);
});

const real: readonly (readonly [
  log: string,
  complete: Readonly<Record<string, number>>,
  errors: Readonly<Record<string, number>>,
])[] = [
  ['css_uds_ev_isotp.log', { '7BB': 150, '7EC': 120 }, { timeout: 30 }],
  ['css_uds_ev_isotp.MF4', { '7BB': 150, '7EC': 120 }, { timeout: 30 }],
  ['css_uds_nissan_isotp.log', { '79B': 26, '7BB': 26 }, {}],
  ['css_j1939_truck_bam.log', { '1CEBFF00': 16 }, {}],
];

for (const [log, complete, errors] of real) {
  const path = corpusFile('can', 'logs', log);
  t.test(`a real recording: ${log}`, { skip: path === null ? corpusMissing : false }, async (t) => {
    const rows = (await drivemcp(['obd', 'decode', path!, '--json'])).objects();
    const tally = (pick: (row: Row) => unknown): Record<string, number> => {
      const counts: Record<string, number> = {};
      for (const row of rows) {
        const key = pick(row);
        if (typeof key === 'string') counts[key] = (counts[key] ?? 0) + 1;
      }
      return counts;
    };
    t.same(
      tally((row) => (row['raw'] === '' ? null : row['id'])),
      complete,
    );
    t.same(
      tally((row) => row['error']),
      errors,
    );
  });
}
