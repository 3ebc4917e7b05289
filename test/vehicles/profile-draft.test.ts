import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import type { DecodePlan } from '../../daemon/vehicles/dbc/decode-plan.js';
import { planOf, readDbcFile } from '../../daemon/vehicles/profile/dbc-set.js';
import {
  type Draft,
  draftProfile,
  missingInputs,
} from '../../daemon/vehicles/profile/draft/draft-profile.js';
import { LogSurvey } from '../../daemon/vehicles/profile/draft/log-survey.js';
import { flagCodes, wheelIn, wordsOf } from '../../daemon/vehicles/profile/draft/vocabulary.js';
import { useProfile } from '../../daemon/vehicles/profile/load-profile.js';
import { parseProfile } from '../../daemon/vehicles/profile/parse-profile.js';
import { drivemcp } from '../helpers/command.js';
import { corpusFile, corpusMissing, fixture } from '../helpers/paths.js';
import { candumpOf, framesOf, type TestFrame } from './frames-of.js';
import { espState, testCarDbc } from './test-car.js';

const { plan } = planOf([testCarDbc]);
const files = [{ file: testCarDbc.name, sha256: testCarDbc.sha256 }];

/** Four seconds of driving: speed rises to 20 m/s, the brake is pressed once, the oil sensor is pulled. */
function drive(): TestFrame[] {
  const frames: TestFrame[] = [];
  for (let i = 0; i < 200; i++) {
    const tUs = i * 20_000;
    const speed = Math.round(Math.min(20, i * 0.1) * 360);
    const isBraking = i > 150;
    frames.push(espState(speed, i, (isBraking ? 2 : 1) << 2, tUs));
    const wheel = [speed & 255, speed >> 8];
    frames.push({ id: 257, data: [...wheel, ...wheel, ...wheel, ...wheel], tUs: tUs + 1000 });
    if (i % 5 === 0) {
      const rpm = (800 + i * 10) * 4;
      const data = [rpm & 255, rpm >> 8, 130 + (i >> 5), 0, 50, i >> 1, 0, 0];
      frames.push({ id: 512, data, tUs: tUs + 2000 });
      frames.push({ id: 768, data: [2, 0xd4, 0x30, 0, 0, 0, 0, 0], tUs: tUs + 3000 });
    }
  }
  return frames;
}

function surveyed(of: DecodePlan, frames: readonly TestFrame[]): LogSurvey {
  const survey = new LogSurvey(of);
  survey.add(framesOf(frames).batch);
  return survey;
}

function keyOf(draft: Draft, path: string): string | undefined {
  return draft.proposals.find((proposal) => proposal.path === path)?.key;
}

t.test('names are taken apart as makers put them together', async (t) => {
  const cases: readonly [name: string, words: string][] = [
    ['VehVActlBrk_No_Cs', 'veh v actl brk no cs'],
    ['WHL_SPD_FL', 'whl spd fl'],
    ['FLWheelSpd', 'fl wheel spd'],
    ['wheelSpeedFrL', 'wheel speed fr l'],
    ['Radgeschw__HR_4_1', 'radgeschw hr'],
    ['ESP_v_Signal', 'esp v signal'],
    ['', ''],
    ['_4WD12', 'wd'],
  ];
  for (const [name, words] of cases) t.equal(wordsOf(name).join(' '), words, name);
  const wheels: readonly [name: string, wheel: string | null][] = [
    ['WHEEL_SPEED_FR', 'Row1.Wheel.Right'],
    ['FRONT_LEFT_WHEEL_SPEED', 'Row1.Wheel.Left'],
    ['wheelSpeedFrL', 'Row1.Wheel.Left'],
    ['ESP_HL_Radgeschw_02', 'Row2.Wheel.Left'],
    ['Tire_Press_RR_ORR_Data', 'Row2.Wheel.Right'],
    ['Tire_Press_LF_Data', 'Row1.Wheel.Left'],
    ['REL_SPEED', null],
    ['VehicleSpeed', null],
  ];
  for (const [name, wheel] of wheels) t.equal(wheelIn(wordsOf(name)), wheel, name);
  const labels = (...pairs: [number, string][]) => flagCodes(new Map(pairs));
  t.same(labels([0, 'Off'], [1, 'On'], [3, 'Not_Used']), { off: 0, on: 1 });
  t.same(labels([0, '_Not_Allowed'], [1, 'Driver_Not_Braking'], [2, 'Driver_Braking']), { off: 1, on: 2 });
  t.same(labels([0, 'OK'], [1, 'Low'], [2, 'Unknown']), { off: 0, on: 1 });
  t.equal(labels([0, 'Off'], [1, 'On'], [2, 'Active']), null, 'two words for yes');
  t.equal(labels([0, 'Park'], [1, 'Reverse']), null);
});

t.test('from names, units and value tables alone', async (t) => {
  const draft = draftProfile(plan, { name: 'test', files });
  const expected: readonly [path: string, key: string][] = [
    ['Vehicle.Chassis.Axle.Row1.Wheel.Left.Speed', 'RAEDER.Radgeschw_VL'],
    ['Vehicle.Chassis.Axle.Row2.Wheel.Right.Speed', 'RAEDER.Radgeschw_HR'],
    ['Vehicle.Powertrain.CombustionEngine.Speed', 'Motor_1.Motordrehzahl'],
    ['Vehicle.Powertrain.CombustionEngine.EngineCoolant.Temperature', 'Motor_1.Kuehlmitteltemperatur'],
    ['Vehicle.Powertrain.CombustionEngine.EngineOil.Temperature', 'Motor_1.Oeltemperatur'],
    ['Vehicle.Chassis.Accelerator.PedalPosition', 'Motor_1.Fahrpedalstellung'],
    ['Vehicle.Exterior.AirTemperature', 'BODY_MUX.AMBIENT_TEMP'],
    ['Vehicle.LowVoltageBattery.CurrentVoltage', 'BODY_MUX.BATT_VOLTAGE'],
    ['Vehicle.AngularVelocity.Yaw', 'BODY_MUX.YAW_RATE_F'],
    ['Vehicle.ADAS.ABS.IsError', 'ESP_STATE.ABS_FAULT'],
    ['Vehicle.ADAS.ABS.IsEngaged', 'ESP_STATE.ABS_ACTIVE'],
    ['Vehicle.Chassis.Brake.IsBrakePedalPressed', 'ESP_STATE.BRAKE_PEDAL'],
  ];
  for (const [path, key] of expected) t.equal(keyOf(draft, path), key, path);
  t.ok(
    ['ESP_STATE.VEH_SPEED', 'J1939_SPEED.WheelBasedVehicleSpeed'].includes(
      keyOf(draft, 'Vehicle.Speed') ?? '',
    ),
  );
  t.notOk(
    draft.proposals.some((proposal) => proposal.key.includes('SOLL')),
    'a set point is no measurement',
  );
  t.equal(
    draft.profile?.signals['ESP_STATE.BRAKE_PEDAL']?.offset,
    -1,
    'raw 1 = not pressed by the value table',
  );
  t.equal(draft.profile?.signals['Motor_1.Motordrehzahl']?.period_ms, 100, 'GenMsgCycleTime');
  t.ok(draft.proposals.every((one) => one.confidence > 0 && one.confidence <= 0.9 && one.reasons.length > 0));
  t.ok(draft.proposals.every((one, i) => i === 0 || draft.proposals[i - 1]!.confidence >= one.confidence));
});

t.test('a log has the last word: presence, plausibility, checks, comparison with the wheels', async (t) => {
  const draft = draftProfile(plan, { name: 'test', files, survey: surveyed(plan, drive()) });
  t.equal(keyOf(draft, 'Vehicle.Speed'), 'ESP_STATE.VEH_SPEED', 'the other one is not in the log');
  const speed = draft.profile?.signals['ESP_STATE.VEH_SPEED'];
  t.same(speed?.counter, { signal: 'ESP_CNT', modulo: 15 });
  t.same(speed?.checksum, { kind: 'crc8_sae_j1850', signal: 'ESP_CRC' });
  t.equal(speed?.period_ms, 20);
  t.equal(speed?.required, true);
  t.match(
    draft.proposals.find((one) => one.path === 'Vehicle.Speed')?.reasons,
    /agrees with the wheel speeds/,
  );
  t.match(
    draft.rejected.find((one) => one.key === 'Motor_1.Oeltemperatur')?.reason,
    /reads -40 … -40 degC: not plausible/,
  );
  t.match(draft.rejected.find((one) => one.key === 'BODY_MUX.AMBIENT_TEMP')?.reason, /never in its frames/);
  t.match(draft.rejected.find((one) => one.path === 'Vehicle.Speed')?.reason, /not in the log/);

  const wrongUnit = drive().map((frame) =>
    frame.id === 257
      ? { ...frame, data: frame.data.map((byte, i) => (i % 2 === 1 ? byte >> 1 : byte)) }
      : frame,
  );
  const doubted = draftProfile(plan, { name: 'test', files, survey: surveyed(plan, wrongUnit) });
  t.ok(
    doubted.proposals.some((one) => one.reasons.includes('differs from the wheel speeds')) ||
      doubted.alternatives
        .get('Vehicle.Speed')
        ?.some((one) => one.reasons.includes('differs from the wheel speeds')),
  );
  const cut = drive().map((frame) => (frame.id === 257 ? { ...frame, data: frame.data.slice(0, 4) } : frame));
  const short = draftProfile(plan, { name: 'test', files, survey: surveyed(plan, cut) });
  t.match(short.rejected.find((one) => one.key === 'RAEDER.Radgeschw_VL')?.reason, /shorter than the DBC/);
  const only = draftProfile(plan, {
    name: 'test',
    files,
    survey: surveyed(
      plan,
      drive().filter((f) => f.id === 257),
    ),
  });
  t.equal(keyOf(only, 'Vehicle.Speed'), 'RAEDER.Radgeschw_HL', 'a wheel stands in, and says so');
  t.match(only.proposals.find((one) => one.path === 'Vehicle.Speed')?.reasons[0], /no vehicle speed found/);
  const nothing = draftProfile(plan, { name: 'test', files, survey: surveyed(plan, []) });
  t.equal(nothing.profile, null);
  t.ok(missingInputs(nothing).includes('Vehicle.Speed'));
});

t.test('a drafted profile is a valid one and delivers', async (t) => {
  const draft = draftProfile(plan, { name: 'test', files, survey: surveyed(plan, drive()) });
  const { profile } = useProfile(parseProfile(JSON.stringify(draft.profile), 'draft.json'), [testCarDbc]);
  const { batch, tUs } = framesOf(drive());
  profile.consume(batch, 0, batch.count, tUs);
  t.ok(profile.signals.every((signal) => signal.accepted === signal.arrived && signal.accepted > 0));
  t.ok(profile.messages.every((message) => message.accepted === message.frames));
});

/** By what each maker's DBC is known to send the speed in. */
const speeds: readonly [dbc: string, keys: readonly string[]][] = [
  ['CSS-Electronics-SAE-J1939-DEMO', ['CCVS1.WheelBasedVehicleSpeed']],
  ['ford_lincoln_base_pt', ['BrakeSysFeatures.Veh_V_ActlBrk', 'EngVehicleSpThrottle2.Veh_V_ActlEng']],
  ['gm_global_a_powertrain_generated', ['ECMVehicleSpeed.VehicleSpeed']],
  ['hyundai_i30_2014', ['EMS1.VS', 'TCU1.VS_TCU']],
  ['nissan_leaf_2018_generated', ['WHEEL_SPEEDS_REAR.WHEEL_SPEED_RL']],
  ['subaru_outback_2019_generated', ['Brake_Pedal.Speed']],
  ['toyota_new_mc_pt_generated', ['SPEED.SPEED']],
  ['toyota_iQ_2009_can', ['VEHICLE_DYNAMICS.VEHICLE_SPEED']],
  ['honda_civic_touring_2016_can_generated', ['CAR_SPEED.CAR_SPEED', 'ENGINE_DATA.XMISSION_SPEED']],
  ['bmw_e9x_e8x', ['Speed.VehicleSpeed']],
  ['chrysler_pacifica_2017_hybrid_generated', ['ESP_8.Vehicle_Speed']],
  ['tesla_model3_party', ['DI_speed.DI_vehicleSpeed', 'ESP_B.ESP_vehicleSpeed']],
  ['volvo_v60_2015_pt', ['VehicleSpeed1.VehicleSpeed']],
  ['vw_mlb', ['ESP_01.ESP_v_Signal', 'ESP_06.ESP_v_ref', 'ESP_08.ESP_v_ref']],
  ['vw_pq', ['Kombi_1.Geschwindigkeit__Kombi_1_']],
  ['psa_aee2010_r3', ['HS2_DYN_ABR_38D.VITESSE_VEHICULE_ROUES']],
];

function corpusDbc(name: string): string | null {
  return corpusFile('can', 'dbc', `${name}.dbc`) ?? corpusFile('can', 'dbc_src', `${name}.dbc`);
}

t.test(
  'the vehicle speed of many makers',
  { skip: corpusDbc(speeds[0]![0]) === null ? corpusMissing : false },
  async (t) => {
    for (const [name, keys] of speeds) {
      const file = readDbcFile(corpusDbc(name)!);
      const draft = draftProfile(planOf([file]).plan, {
        name,
        files: [{ file: file.name, sha256: file.sha256 }],
      });
      t.ok(keys.includes(keyOf(draft, 'Vehicle.Speed') ?? ''), `${name}: ${keyOf(draft, 'Vehicle.Speed')}`);
      t.doesNotThrow(
        () => useProfile(parseProfile(JSON.stringify(draft.profile), name), [file]),
        `${name} compiles`,
      );
    }
    for (const radar of [
      'toyota_tss2_adas',
      'toyota_radar_dsu_tssp',
      'chrysler_pacifica_2017_hybrid_private_fusion',
    ]) {
      const draft = draftProfile(planOf([readDbcFile(corpusDbc(radar)!)]).plan, { name: radar, files });
      t.equal(keyOf(draft, 'Vehicle.Speed'), undefined, `${radar}: speeds of others are not ours`);
    }
  },
);

t.test('drivemcp profile draft and check', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'drivemcp-profile-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const dbc = fixture('vehicles', 'test-car.dbc');
  const log = join(folder, 'drive.log');
  writeFileSync(log, candumpOf(drive()));
  const out = join(folder, 'profile.json');

  const table = await drivemcp(['profile', 'draft', '--dbc', dbc, log, '--out', out, '--name', 'my-car']);
  t.equal(table.code, 0, table.stderr);
  t.match(table.stdout, /1\.00 +Vehicle\.Speed +ESP_STATE\.VEH_SPEED +0 … 19\.9/);
  t.match(table.stdout, /Oeltemperatur .*not plausible/);
  t.match(JSON.parse(readFileSync(out, 'utf8')), { profile: 1, name: 'my-car', dbc: files });
  const again = await drivemcp(['profile', 'draft', '--dbc', dbc, log, '--out', out]);
  t.equal(again.code, 2, 'an edited profile is not written over');
  t.match(again.stderr, /--force/);
  t.equal((await drivemcp(['profile', 'draft', '--dbc', dbc, '--out', out, '--force'])).code, 0);

  const objects = (await drivemcp(['profile', 'draft', '--dbc', dbc, log, '--json'])).objects();
  t.match(objects[0], {
    path: String,
    signal: String,
    confidence: Number,
    reasons: Array,
    spec: { vss: String },
  });
  t.match(objects.at(-1), {
    profile: { profile: 1, name: 'test-car' },
    missing: ['Vehicle.Exterior.AirTemperature'],
  });
  const silent = join(folder, 'silent.log');
  writeFileSync(silent, candumpOf([{ id: 1, data: [1] }]));
  t.equal(
    (await drivemcp(['profile', 'draft', '--dbc', dbc, silent])).code,
    1,
    'nothing of the DBC is in the log',
  );

  writeFileSync(out, JSON.stringify(JSON.parse(readFileSync(out, 'utf8')), null, 2));
  const check = await drivemcp(['profile', 'check', out, '--dbc', dbc, log]);
  t.match(
    check.stdout,
    /Vehicle\.Chassis\.Axle\.Row1\.Wheel\.Left\.Speed +RAEDER\.Radgeschw_VL +200 +100\.0%/,
  );
  t.match(check.stdout, /Oeltemperatur .*40 out of range/);
  const [object] = (await drivemcp(['profile', 'check', out, '--dbc', dbc, '--json'])).objects();
  t.match(object, { ok: true, name: 'test-car', digest: /^[0-9a-f]{64}$/, findings: [], signals: Array });
  const lost = await drivemcp(['profile', 'check', out, '--dbc', dbc, silent, '--json']);
  t.equal(lost.code, 1);
  t.match(lost.objects()[0], { ok: false, findings: [{ severity: 'error', message: /none of 1 frame/ }] });

  const paths = (await drivemcp(['profile', 'check', '--paths', '--json'])).objects();
  t.match(paths[0], { path: 'Vehicle.Speed', datatype: 'float', vss_unit: 'km/h', unit: 'm/s', use: String });

  const fails: readonly [args: string[], code: number, words: RegExp][] = [
    [['draft'], 2, /no DBC file/],
    [['draft', '--dbc', 'nowhere.dbc'], 69, /nowhere\.dbc/],
    [['draft', '--dbc', dbc, 'nowhere.log'], 69, /nowhere\.log/],
    [['draft', '--dbc', log], 78, /drive\.log/],
    [['draft', '--dbc', dbc, '--name', '../x'], 2, /--name/],
    [['draft', '--dbc', dbc, '--out', join(folder, 'no', 'folder.json')], 69, /cannot be written/],
    [['check'], 2, /takes PROFILE/],
    [['check', 'nowhere'], 69, /bundled profiles/],
    [['check', log], 78, /drive\.log:1:1/],
    [['check', out], 69, /--dbc PATH\/test-car\.dbc/],
    [['check', out, '--dbc', dbc, '/dev/null'], 78, /empty/],
    [['check', '/dev/zero'], 78, /larger than 4 MB/],
  ];
  for (const [args, code, words] of fails) {
    const result = await drivemcp(['profile', ...args]);
    t.equal(result.code, code, args.join(' '));
    t.match(result.stderr, words, args.join(' '));
    t.equal(result.stdout, '', `${args.join(' ')}: nothing on stdout`);
  }
  t.notOk(existsSync(join(folder, 'no')));
});
