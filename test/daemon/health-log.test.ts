/** `health` as its users run it: on made-up drives and on public recordings of real faults. */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { drivemcp } from '../helpers/command.js';
import { corpusFile, corpusMissing } from '../helpers/paths.js';

interface Line {
  readonly t: number;
  readonly health: number | null;
  readonly health_risk: number | null;
  readonly coverage: number;
  readonly eta_b: number;
  readonly contributions: readonly {
    readonly indicator: string;
    readonly severity: number;
    readonly weight: number;
    readonly vss: string | null;
    readonly source?: string;
    readonly title?: string;
  }[];
  readonly stale: readonly string[];
  readonly findings: readonly { readonly code: string; readonly subject?: string }[];
}

const folder = mkdtempSync(join(tmpdir(), 'health-'));

class MadeLog {
  readonly #frames: { readonly tS: number; readonly line: string }[] = [];

  at(tS: number, id: string, data: string): this {
    this.#frames.push({ tS, line: `(${(1000 + tS).toFixed(6)}) can0 ${id}#${data.replaceAll(' ', '')}` });
    return this;
  }

  every(periodS: number, fromS: number, toS: number, id: string, data: string): this {
    const count = Math.round((toS - fromS) / periodS);
    for (let k = 0; k <= count; k++) this.at(fromS + k * periodS, id, data);
    return this;
  }

  write(name: string): string {
    const path = join(folder, name);
    const lines = this.#frames.sort((a, b) => a.tS - b.tS).map(({ line }) => `${line}\n`);
    writeFileSync(path, lines.join(''));
    return path;
  }
}

async function healthOf(...args: string[]): Promise<Line[]> {
  const { code, stderr, objects } = await drivemcp(['health', ...args, '--json']);
  t.equal(code, 0, stderr);
  return objects() as unknown as Line[];
}

const codes = (line: Line | undefined): string[] =>
  (line?.findings ?? []).map(({ code, subject }) => `${code} ${subject ?? ''}`.trim());

t.test('trouble codes by 03, 07, 19 and DM1 without a profile', async (t) => {
  const log = new MadeLog()
    .every(0.1, 0, 20, '100', '00')
    .at(2, '7DF', '01 03 00 00 00 00 00 00')
    .at(2.01, '7E8', '04 43 01 03 01 00 00 00')
    .at(3, '7E0', '03 19 02 09 00 00 00 00')
    .at(3.01, '7E8', '07 59 02 FF 03 01 00 2F')
    .at(4, '7E0', '01 07 00 00 00 00 00 00')
    .at(4.01, '7E8', '04 47 01 04 42 00 00 00')
    .at(6, '18FECA0B', '10 FF 15 03 05 01 FF FF')
    .write('codes.log');
  const lines = await healthOf(log);
  const [stored, failing, pending] = lines.slice(0, 3);
  t.match(stored, { health_risk: 0.164729788589, coverage: Number, eta_b: 1 }, '0.3 · 0.6');
  t.equal(failing?.health_risk?.toFixed(4), '0.2592', 'the same code, now failing, counts once');
  t.match(failing?.contributions, [
    { indicator: 'dtc', severity: 1, weight: 0.3, source: '7E8:P0301', title: 'Misfire cylinder 1' },
  ]);
  t.match(pending?.contributions[1], {
    severity: 0.3,
    source: '7E8:P0442',
    vss: 'Vehicle.Diagnostics.DTCList',
  });
  const last = lines.at(-1);
  t.match(last?.contributions[0], { source: '0B:SPN 789 FMI 5', weight: 0.8 });
  t.equal(last?.eta_b, 0.5, 'the red lamp of the brake controller');
  t.equal(last?.health, 100 * (1 - (last?.health_risk ?? 0)));
});

t.test('a truck with four active codes by BAM, codes never tested, two units that answer', async (t) => {
  const log = new MadeLog().every(0.1, 0, 20, '0CF00400', '00 00 00 00 00 00 00 00');
  for (let tS = 1; tS < 20; tS++) {
    // DM1: lamps 04 FF, then four faults of four bytes: SPN 110/0, 100/1, 639/9, 3216/2.
    log.at(tS, '18ECFF00', '20 12 00 03 FF CA FE 00');
    log.at(tS + 0.05, '18EBFF00', '01 04 FF 6E 00 00 01 64');
    log.at(tS + 0.1, '18EBFF00', '02 00 01 01 7F 02 09 01');
    log.at(tS + 0.15, '18EBFF00', '03 90 0C 02 01 FF FF FF');
  }
  const last = (await healthOf(log.write('truck.log'))).at(-1);
  t.same(
    last?.contributions.map(({ source, title }) => `${source}: ${title}`),
    [
      '00:SPN 100 FMI 1: Engine oil pressure: far too low',
      '00:SPN 110 FMI 0: Coolant temperature: far too high',
      '00:SPN 3216 FMI 2: NOx before the catalyst: data erratic or wrong',
      '00:SPN 639 FMI 9: J1939 data link 1: data come too rarely or too often',
    ],
  );
  t.equal(last?.health_risk?.toFixed(4), '0.6321', 'four of 0.3, capped at 1');
  t.equal(last?.eta_b, 1, 'an amber lamp of the engine says nothing about brakes');

  const car = new MadeLog().every(0.1, 0, 6, '100', '00').at(1, '7E8', '07 59 02 FF 03 01 00 50');
  for (let tS = 1; tS < 6; tS += 0.5) {
    car.at(tS + 0.01, '7E9', '03 41 05 FA').at(tS + 0.02, '7E8', '03 41 05 7D');
  }
  const two = (await healthOf(car.write('two.log'))).at(-1);
  t.equal(
    two?.health,
    100,
    'a code that was never tested is none; the engine knows its coolant, not the gearbox',
  );
});

t.test('broken sensors, cleared codes, answers that end early', async (t) => {
  const log = new MadeLog().every(0.1, 0, 30, '100', '00');
  for (let tS = 1; tS < 28; tS++) {
    const raw = tS < 10 ? '87' : tS < 20 ? '00' : 'FF';
    log.at(tS, '7E0', '02 01 05').at(tS + 0.01, '7E8', `03 41 05 ${raw}`);
  }
  log.at(5.02, '7E0', '02 01 01').at(5.03, '7E8', '06 41 01 00 07 E5 65');
  log.at(5.04, '7DF', '01 03').at(5.05, '7E8', '02 43 00');
  log.at(6.02, '7E1', '02 09 02').at(6.03, '7E9', '10 14 49 02 01 31 4D 38');
  const lines = await healthOf(log.write('sensor.log'));
  const coolant = 'Vehicle.Powertrain.CombustionEngine.EngineCoolant.Temperature';
  t.ok(
    lines.every(({ contributions }) => contributions.length === 0),
    'neither −40 nor 215 °C is a temperature',
  );
  const last = lines.at(-1);
  t.ok(codes(last).includes(`sensor_range ${coolant}`));
  t.ok(codes(last).includes('recently_cleared 7E8'));
  t.ok(codes(last).includes('answer_incomplete 7E9'));
  t.notOk(codes(lines[0]).includes(`sensor_range ${coolant}`));
  const first = lines.find((line) => codes(line).includes(`sensor_range ${coolant}`));
  t.ok(Math.abs((first?.t ?? 0) - 1010.1) < 0.11, `told at once: ${first?.t}`);
});

t.test('a value that two parameters tell is followed in one of them', async (t) => {
  const hot = (log: MadeLog): MadeLog => log.every(0.5, 0, 10, '7E8', '03 41 05 A0'); // 120 °C
  const coolant = (line: Line | undefined) =>
    line?.contributions.find(({ indicator }) => indicator === 'coolant')?.severity;
  for (const [what, id, data] of [
    ['a sensor that is not fitted', '7E8', '05 41 67 00 00 00'],
    ['a colder one', '7E8', '05 41 67 01 50 00'],
    ['another unit', '7E9', '03 41 05 3C'],
  ] as const) {
    for (const fromS of [-0.2, 0.2]) {
      const log = hot(new MadeLog()).every(0.5, fromS, fromS + 10, id, data);
      const last = (await healthOf(log.write('two-sources.log'))).at(-1);
      // What answers first stays, unless it has no value or is not the engine's own.
      const isFollowed = fromS > 0 || what !== 'a colder one';
      t.equal(coolant(last), isFollowed ? 1 : undefined, `${what}, ${fromS} s`);
      t.notOk(
        codes(last).some((code) => code.startsWith('sensor_range')),
        `${what}, ${fromS} s`,
      );
    }
  }
});

t.test('lost messages, bus-off, a reference', async (t) => {
  const good = new MadeLog()
    .every(0.02, 0, 6, '100', '00')
    .every(0.1, 0, 6, '200', '00')
    .every(0.1, 0, 6, '300', '00');
  const reference = good.every(0.1, 0, 6, '6EF', '00').write('good.log');
  const log = new MadeLog()
    .every(0.02, 0, 20, '100', '00')
    .every(0.1, 0, 20, '300', '00')
    .every(0.1, 0, 8, '200', '00')
    .at(19, '20000040', '00 00 00 00 00 00 00 00')
    .write('lost.log');
  const lines = await healthOf(log, '--reference', reference);
  const lost = lines.find((line) => codes(line).includes('message_lost 200'));
  t.ok(Math.abs((lost?.t ?? 0) - 1010.6) < 0.11, `half a second and two: ${lost?.t}`);
  t.equal(lost?.health, null, 'what an unknown message says is not known: a finding, no contribution');
  t.ok(codes(lines.at(-1)).includes('message_missing 6EF (61 frames there)'));
  t.notOk(
    codes(lines.at(-1)).some((code) => code.startsWith('bus_off')),
    'frames came after it',
  );
  const off = await healthOf(
    new MadeLog()
      .every(0.1, 0, 3, '100', '00')
      .at(3.05, '20000040', '00 00 00 00 00 00 00 00')
      .write('off.log'),
  );
  t.match(off.at(-1)?.contributions, [{ indicator: 'bus_off', severity: 1, weight: 0.5, vss: null }]);
});

t.test('people see a picture, and what is not known', async (t) => {
  const log = new MadeLog()
    .every(0.1, 0, 20, '100', '00')
    .at(2.01, '7E8', '04 43 01 03 01')
    .write('shown.log');
  const svg = join(folder, 'health.svg');
  const { code, stdout } = await drivemcp(['health', log, '--plot', svg]);
  t.equal(code, 0);
  t.match(
    stdout,
    /what lowers it at the end\n {2}dtc 7E8:P0301 +0\.180 +█+·* +60 % of 0\.3 +Misfire cylinder 1/,
  );
  t.match(stdout, /over time [ ]+▇+\n/);
  t.match(stdout, /not known +what the signals of this car mean/);
  const picture = readFileSync(svg, 'utf8');
  t.match(picture, /^<svg[\s\S]*vehicle health[\s\S]*<\/svg>\n$/);
  const quiet = await drivemcp(['health', new MadeLog().every(0.1, 0, 2, '100', '00').write('quiet.log')]);
  t.match(quiet.stdout, /health +unknown at the end[\s\S]*brakes +unknown[\s\S]*trouble codes: nobody asked/);
});

t.test('thresholds, and what is refused', async (t) => {
  const log = new MadeLog().every(0.1, 0, 3, '100', '00');
  for (let tS = 0; tS < 3; tS += 0.5) log.at(tS + 0.01, '7E8', '03 41 05 87');
  const path = log.write('set.log');
  const hot = await healthOf(path, '--set', 'coolantOnsetC=90', '--set', 'coolantFullC=100');
  t.match(hot.at(-1)?.contributions, [{ indicator: 'coolant', severity: 0.5 }]);
  for (const [args, code, message] of [
    [['--set', 'coolant=90'], 2, /no such threshold/],
    [['--set', 'coolantOnsetC'], 2, /NAME=N/],
    [['--set', 'coolantOnsetC=-1'], 2, /negative/],
    [['--dbc', 'x.dbc'], 2, /needs --profile/],
    [['--plot', 'x.png'], 2, /\.svg/],
    [['--pair', '7E0'], 2, /pair/],
    [['--profile', 'nobody'], 69, /no vehicle profile/],
    [['--reference', join(folder, 'none.log')], 69, /none\.log/],
  ] as const) {
    const result = await drivemcp(['health', path, ...args]);
    t.equal(result.code, code, args.join(' '));
    t.match(result.stderr, message);
  }
  writeFileSync(join(folder, 'empty.log'), '');
  t.equal((await drivemcp(['health', join(folder, 'empty.log'), '--plot', join(folder, 'e.svg')])).code, 78);
  t.notOk(existsSync(join(folder, 'e.svg')), 'no half picture');
});

const corpusLogs = corpusFile('can', 'logs');
const skip = corpusLogs === null && corpusMissing;

t.test('public recordings of real faults', { skip }, async (t) => {
  const log = (name: string): string => join(corpusLogs ?? '', `${name}.log`);
  const coolant = 'sensor_range Vehicle.Powertrain.CombustionEngine.EngineCoolant.Temperature';
  const pulled = await healthOf(
    log('mitsubishi_lancer_unplug_coolant_sensor'),
    '--profile',
    'mitsubishi-lancer',
  );
  t.ok(
    pulled.every(({ health }) => health === 100),
    'a pulled sensor is no cold engine',
  );
  const from = pulled.find((line) => codes(line).includes(coolant))?.t ?? 0;
  const to = pulled.find((line) => line.t > from && !codes(line).includes(coolant))?.t ?? 0;
  t.ok(Math.abs(to - from - 3.2) < 0.2, `unplugged for 3.2 s: ${to - from}`);
  const sound = await healthOf(log('mitsubishi_lancer_coolant_sensor_ok'), '--profile', 'mitsubishi-lancer');
  t.notOk(sound.some((line) => codes(line).includes(coolant)));

  const ok = await healthOf(log('ferrari_f430_tpms_ok'));
  t.same(codes(ok.at(-1)), [], 'messages of the start-up are not lost ones');
  const silent = await healthOf(log('ferrari_f430_tpms_error'), '--reference', log('ferrari_f430_tpms_ok'));
  t.ok(codes(silent.at(-1)).some((code) => code.startsWith('message_missing 6EF')));
  const ev = await healthOf(log('css_uds_ev_isotp'));
  t.same(codes(ev.at(-1)), ['answer_incomplete 7EC'], '30 first frames without continuation');
});
