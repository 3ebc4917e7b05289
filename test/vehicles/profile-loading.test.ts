import t from 'tap';
import { DriveMcpError } from '../../daemon/core/errors.js';
import { openLog } from '../../daemon/sources/logs/open-log.js';
import { readDbcFile } from '../../daemon/vehicles/profile/dbc-set.js';
import { bundledProfiles, loadProfile, useProfile } from '../../daemon/vehicles/profile/load-profile.js';
import { parseProfile } from '../../daemon/vehicles/profile/parse-profile.js';
import type { ProfileSignal } from '../../daemon/vehicles/profile/profile-schema.js';
import { corpusFile, corpusMissing, fixture } from '../helpers/paths.js';
import { profileOf, protectedSpeed, testCarDbc } from './test-car.js';

t.test('what does not fit the DBC is refused at its entry', async (t) => {
  const cases: readonly [signals: Record<string, ProfileSignal>, key: string, words: RegExp][] = [
    [
      { 'ESP_STAT.VEH_SPEED': { vss: 'Vehicle.Speed' } },
      'signals."ESP_STAT.VEH_SPEED"',
      /no message ESP_STAT; did you mean ESP_STATE\?/,
    ],
    [
      { 'ESP_STATE.VEH_SPED': { vss: 'Vehicle.Speed' } },
      'signals."ESP_STATE.VEH_SPED"',
      /did you mean VEH_SPEED\?/,
    ],
    [{ 'CHECKS.VALUE': { vss: 'Vehicle.Speed' } }, 'signals."CHECKS.VALUE"', /no unit/],
    [
      { 'Motor_1.Oeltemperatur': { vss: 'Vehicle.Speed' } },
      'signals."Motor_1.Oeltemperatur"',
      /'degC', which is none of Vehicle\.Speed/,
    ],
    [
      { 'CHECKS.VALUE': { vss: 'Vehicle.Speed', unit: 'parsec' } },
      'signals."CHECKS.VALUE".unit',
      /no unit of Vehicle\.Speed/,
    ],
    [
      { 'BODY_MUX.YAW_RATE_F': { vss: 'Vehicle.AngularVelocity.Yaw', invalid_raw: [1] } },
      'signals."BODY_MUX.YAW_RATE_F".invalid_raw',
      /float/,
    ],
    [
      { 'CHECKS.FLAG': { vss: 'Vehicle.IsMoving', checksum: { kind: 'xor8', signal: 'NIBBLE' } } },
      'signals."CHECKS.FLAG".checksum',
      /8 bits/,
    ],
    [
      { 'CHECKS.FLAG': { vss: 'Vehicle.IsMoving', checksum: { kind: 'field_sum8', signal: 'BYTE' } } },
      'signals."CHECKS.FLAG".checksum',
      /needs "of"/,
    ],
    [
      {
        'CHECKS.FLAG': { vss: 'Vehicle.IsMoving', checksum: { kind: 'xor8', signal: 'BYTE', of: ['VALUE'] } },
      },
      'signals."CHECKS.FLAG".checksum',
      /takes no "of"/,
    ],
    [
      { 'CHECKS.FLAG': { vss: 'Vehicle.IsMoving', counter: { signal: 'SUM_CNT', modulo: 17 } } },
      'signals."CHECKS.FLAG".counter',
      /cannot count/,
    ],
    [
      { 'CHECKS.FLAG': { vss: 'Vehicle.IsMoving', counter: { signal: 'CNT' } } },
      'signals."CHECKS.FLAG".counter.signal',
      /no signal CNT/,
    ],
    [
      {
        'CHECKS.FLAG': { vss: 'Vehicle.IsMoving', counter: { signal: 'SUM_CNT' } },
        'CHECKS.VALUE': { vss: 'Vehicle.Diagnostics.DTCCount', counter: { signal: 'NIBBLE' } },
      },
      'signals."CHECKS.FLAG".counter',
      /CHECKS\.VALUE of the same message has another counter/,
    ],
  ];
  for (const [signals, key, words] of cases) {
    try {
      profileOf(signals);
      t.fail(`${key} was taken`);
    } catch (error) {
      t.ok(error instanceof DriveMcpError && error.code === 'PROFILE_INVALID', key);
      t.equal((error as DriveMcpError).location.key, key);
      t.ok((error as DriveMcpError).location.line, `${key} has a line`);
      t.match((error as Error).message, words);
    }
  }
});

const recordings = [
  ['ford-gt350', 'ford_lincoln_base_pt.dbc', 'ford_gt350_modes_engine_on.log', 33, [598, 766]],
  ['hyundai-kona', 'hyundai_2015_ccan.dbc', 'hyundai_kona_turnon_v11.trc', 31, [0, 1410.2104]],
] as const;

for (const [name, dbcName, logName, signals, rpm] of recordings) {
  const dbcPath = corpusFile('can', 'dbc', dbcName);
  const logPath = corpusFile('can', 'logs', logName);
  const skip = dbcPath === null || logPath === null ? corpusMissing : false;
  t.test(`${name} takes every frame of its recording`, { skip }, async (t) => {
    const { profile, warnings } = await loadProfile({ profile: name, dbcFiles: [dbcPath!] });
    t.same(warnings, []);
    const log = await openLog(logPath!);
    let originS: number | null = null;
    for (let batch = await log.next(); batch; batch = await log.next()) {
      originS ??= batch.tS[0]!;
      const tUs = new Float64Array(batch.count);
      for (let i = 0; i < batch.count; i++) tUs[i] = (batch.tS[i]! - originS) * 1e6;
      profile.consume(batch, 0, batch.count, tUs);
    }
    await log.close();
    t.equal(profile.signals.length, signals);
    for (const message of profile.messages) {
      t.ok(message.frames > 0, `${message.mapped.name} is there`);
      t.equal(message.accepted, message.frames, `${message.mapped.name}: all accepted`);
      t.equal(message.lost, 0);
      const expected = message.signals[0]?.mapped.periodUs ?? 0;
      t.ok(
        Math.abs((message.periodMs ?? 0) * 1000 - expected) < 0.1 * expected,
        `${message.mapped.name} on time`,
      );
    }
    const engine = profile.signals.find((s) => s.mapped.vss.path.endsWith('CombustionEngine.Speed'));
    t.same([engine?.lowest, engine?.highest], rpm);
    t.same(profile.drainFaults(), []);
  });
}

t.test('a profile is found by name, file and folder; its DBC by hash, name and place', async (t) => {
  t.ok(['ford-gt350', 'hyundai-kona', 'sim-car'].every((name) => bundledProfiles().includes(name)));
  const sim = await loadProfile({ profile: 'sim-car', dbcFiles: [] });
  t.equal(sim.dbcFiles[0]?.name, 'sim-car.dbc', 'beside the profile');
  await t.rejects(loadProfile({ profile: 'no-such', dbcFiles: [] }), { code: 'FILE_MISSING', exitCode: 69 });
  await t.rejects(loadProfile({ profile: 'ford-gt350', dbcFiles: [] }), { code: 'FILE_MISSING' });
  await t.rejects(loadProfile({ profile: 'ford-gt350', dbcFiles: [fixture('vehicles', 'test-car.dbc')] }), {
    code: 'PROFILE_DBC_MISMATCH',
    exitCode: 78,
  });
  const text = (extra: object) =>
    JSON.stringify({
      profile: 1,
      name: 'x',
      dbc: [{ file: 'other.dbc', ...extra }],
      signals: protectedSpeed,
    });
  const renamed = useProfile(parseProfile(text({}), 'x.json'), [testCarDbc]);
  t.match(renamed.warnings[0], /is used as other\.dbc/);
  const hashed = useProfile(parseProfile(text({ sha256: testCarDbc.sha256 }), 'x.json'), [testCarDbc]);
  t.same(hashed.warnings, [], 'the hash says it is the right one');
  t.not(renamed.profile.digest, hashed.profile.digest);
  const wanted = JSON.stringify({
    profile: 1,
    name: 'x',
    dbc: [{ file: 'test-car.dbc' }],
    signals: protectedSpeed,
  });
  const spare = readDbcFile(sim.dbcFiles[0]!.path);
  t.match(
    useProfile(parseProfile(wanted, 'x.json'), [spare, testCarDbc]).warnings[0],
    /sim-car\.dbc is not used/,
  );
});
