/** Signals, trouble codes and health: given, from logs, from a daemon's signal service. */
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { canonicalJson } from '../../../daemon/core/canonical.js';
import { createParams } from '../../../daemon/core/params.js';
import {
  initialDiagnosticMemory,
  rememberCodes,
} from '../../../daemon/core/safety/health/diagnostic-memory.js';
import { sha256Hex } from '../../../daemon/core/sha256.js';
import { createInitialState, step } from '../../../daemon/core/step.js';
import type { JsonObject } from '../../../daemon/core/tick.js';
import { SignalBoard } from '../../../daemon/rpc/signal-board.js';
import { SignalServer } from '../../../daemon/rpc/signal-server.js';
import { systemClock } from '../../../daemon/runtime/clock.js';
import { createCanExpert } from '../../../mcp/can/can-expert.js';
import { drivemcp } from '../../helpers/command.js';
import { corpusFile, corpusMissing } from '../../helpers/paths.js';
import { caller, carFolder, list, toolsOver, writeLog } from './tool-car.js';

const tyre = 'Vehicle.Chassis.Axle.Row1.Wheel.Left.Tire.Pressure';

t.test('health of given values is what the daemon gets in process', async (t) => {
  const call = caller(toolsOver([]));
  const args = { signals: { 'Vehicle.ADAS.ABS.IsError': 1, [tyre]: 165 }, trouble_codes: [] };
  const inProcess = await createCanExpert().call(
    { id: '1-0', tool: 'can', call: 'can_health', key: 'k', args, deadlineUs: 1, reason: [] },
    new AbortController().signal,
  );
  t.equal(canonicalJson(await call('can_health', args)), canonicalJson(inProcess));
  await t.rejects(call('can_health', {}), { code: 'DAEMON_ABSENT' });
  await t.rejects(call('can_health', { trouble_codes: [] }), {
    code: 'TOOL_ARGS_INVALID',
    location: { key: 'signals' },
  });
  await t.rejects(call('can_health', { log: 'x.log', signals: {} }), {
    code: 'TOOL_ARGS_INVALID',
    location: { key: 'signals' },
  });
  await t.rejects(call('can_health', { log: 'x.log', dbc: ['a.dbc'] }), {
    code: 'TOOL_ARGS_INVALID',
    location: { key: 'profile' },
  });
  await t.rejects(call('can_signals', { profile: 'p' }), {
    code: 'TOOL_ARGS_INVALID',
    location: { key: 'log' },
  });
});

t.test('codes are explained in the language of the driver, the urgent ones first', async (t) => {
  const call = caller(toolsOver([]));
  const args = { codes: ['P0442', 'p0217', 'U0100-87', 'SPN 110 FMI 0'] };
  const english = await call('can_dtcs', args);
  const german = await call('can_dtcs', { ...args, language: 'de' });
  t.same(
    list(english['codes']).map(({ urgency }) => urgency),
    [...list(english['codes']).map(({ urgency }) => urgency)].sort(
      (a, b) =>
        ['stop', 'soon', 'check', 'info'].indexOf(String(a)) -
        ['stop', 'soon', 'check', 'info'].indexOf(String(b)),
    ),
  );
  t.same(
    list(german['codes']).map(({ code }) => code),
    list(english['codes']).map(({ code }) => code),
  );
  for (const [index, code] of list(german['codes']).entries()) {
    t.not(code['advice'], list(english['codes'])[index]?.['advice'], String(code['code']));
    t.ok(String(code['title']).length > 3);
  }
  const { stamp, ...rest } = english;
  t.match(stamp, { at: '2026-11-30T12:00:00.000Z', answer_sha256: sha256Hex(canonicalJson(rest)) });
  await t.rejects(call('can_dtcs', { codes: ['P0301', 'PO301'] }), {
    code: 'TOOL_ARGS_INVALID',
    location: { key: 'codes.1' },
    hint: /P0301/,
  });
  await t.rejects(call('can_dtcs', { codes: ['P0301'], language: 'fr' }), { code: 'TOOL_ARGS_INVALID' });
});

t.test('a log with a profile of a configured folder', async (t) => {
  const folder = carFolder();
  const profile = {
    profile: 1,
    name: 'test',
    dbc: [{ file: 'car.dbc' }],
    signals: {
      'ESP_STATE.VEH_SPEED': { vss: 'Vehicle.Speed' },
      'ESP_STATE.ABS_FAULT': { vss: 'Vehicle.ADAS.ABS.IsError' },
    },
  };
  writeFileSync(join(folder, 'profile.json'), JSON.stringify(profile));
  writeLog(
    folder,
    'drive.log',
    Array.from({ length: 300 }, () => 3600),
  );
  const call = caller(toolsOver([folder]));
  const args = { log: 'drive.log', profile: 'profile.json' };
  const longitudinal = await call('can_signals', { ...args, group: 'longitudinal' });
  t.match(longitudinal['source'], { kind: 'log', ended_by: 'end' });
  t.match(list(longitudinal['signals']), [{ path: 'Vehicle.Speed', value: 10, unit: 'm/s', state: 'fresh' }]);
  t.ok((longitudinal['missing'] as unknown as string[]).length > 5);
  const named = await call('can_signals', { ...args, paths: ['Vehicle.ADAS'] });
  t.same(
    list(named['signals']).map(({ path }) => path),
    ['Vehicle.ADAS.ABS.IsError'],
  );
  const health = await call('can_health', args);
  t.match(health, { health: 100, source: { kind: 'log' }, contributions: [] });
  t.match(await call('can_dtcs', { log: 'drive.log' }), { is_read: false, codes: [] });

  // Whatever a profile names, no file outside the folders is opened for it.
  const secret = mkdtempSync(join(tmpdir(), 'secret-'));
  copyFileSync(join(folder, 'car.dbc'), join(secret, 'car.dbc'));
  mkdirSync(join(folder, 'p'));
  for (const file of [join(secret, 'car.dbc'), '../../../etc/passwd']) {
    writeFileSync(join(folder, 'p', 'profile.json'), JSON.stringify({ ...profile, dbc: [{ file }] }));
    await t.rejects(call('can_health', { log: 'drive.log', profile: 'p/profile.json' }), {
      code: /TOOL_FILE_OUTSIDE|PROFILE_INVALID|FILE_MISSING/,
    });
  }
});

t.test('a running daemon is asked through its signal service', async (t) => {
  const stateDir = mkdtempSync(join(tmpdir(), 'vehicle-'));
  const heard = rememberCodes(initialDiagnosticMemory, '7E8', '03', [{ code: 'P0301', status: null }]);
  let memory: typeof heard | null = null;
  const board = new SignalBoard({ status: () => ({}), diagnostics: () => memory });
  const params = createParams('default');
  let state = createInitialState(params);
  for (let tick = 0; tick < 80; tick++) {
    const tUs = tick * 50_000;
    const inputs = {
      tick,
      tUs,
      wallMs: 0,
      lateUs: 0,
      missedTicks: 0,
      signals: [
        { path: tyre, value: 150, observedAtUs: tUs, changes: 0 },
        ...(tick === 0 ? [{ path: 'Vehicle.Speed', value: 20, observedAtUs: 0, changes: 0 }] : []),
      ],
      facts: [],
      answers: [],
      sources: [],
      store: { healthy: true, durableTick: tick, lagUs: 0 },
      commands: [],
      actAuthorised: false,
    };
    const next = step(state, inputs, params);
    state = next.state;
    board.watch(inputs, next.outputs, state);
  }
  const server = await SignalServer.open(stateDir, { board, head: {}, monoUs: systemClock.monoUs });
  const call = caller(toolsOver([], server.path));
  const health = await call('can_health', {});
  t.match(health, { source: { kind: 'daemon', tick: 79 }, contributions: [{ indicator: 'tyre_pressure' }] });
  t.match(list(health['contributions'])[0]?.['explanation'], /150 kPa \(32 % below 220 kPa\)/);
  const signals = await call('can_signals', { group: 'longitudinal' });
  t.match(list(signals['signals']), [{ path: 'Vehicle.Speed', value: 20, state: 'stale', age_s: 3.95 }]);
  t.match(await call('can_dtcs', {}), { is_read: false, codes_count: 0 });
  memory = heard;
  t.match(await call('can_dtcs', { language: 'de' }), {
    is_read: true,
    codes: [{ code: 'P0301', status: 'confirmed', ecu: '7E8' }],
  });
  await server.close();
  await t.rejects(call('can_health', {}), { code: 'DAEMON_ABSENT' });
});

const logs = corpusFile('can', 'logs');
t.test('logs of real cars', { skip: logs === null ? corpusMissing : false }, async (t) => {
  const call = caller(toolsOver([logs!]));
  for (const log of [
    'css_j1939_truck_bam.log',
    'css_uds_nissan_isotp.log',
    'mitsubishi_lancer_unplug_coolant_sensor.log',
  ]) {
    const health = await call('can_health', { log });
    const command = await drivemcp(['health', join(logs!, log), '--json']);
    const last = command.objects().at(-1) as JsonObject;
    t.equal(health['health'], last['health'], log);
    t.equal(list(health['contributions']).length, list(last['contributions']).length, log);
    t.ok(await call('can_signals', { log }), log);
    t.ok(await call('can_dtcs', { log }), log);
  }
});
