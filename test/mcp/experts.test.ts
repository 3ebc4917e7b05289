import fc from 'fast-check';
import t from 'tap';
import type { JsonObject, ToolRequest } from '../../daemon/core/tick.js';
import type { ToolClient } from '../../daemon/ports.js';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { checkPayload } from '../../daemon/tools/answer-payload.js';
import { createCanExpert } from '../../mcp/can/can-expert.js';
import { loadRulepacks } from '../../mcp/rules/format/load-pack.js';
import { createRulesExpert } from '../../mcp/rules/rules-expert.js';
import { createWeatherExpert } from '../../mcp/weather/weather-expert.js';

function ask(
  expert: ToolClient,
  call: string,
  args: unknown,
  signal = new AbortController().signal,
): Promise<JsonObject> {
  const request: ToolRequest = {
    id: '1-0',
    tool: expert.tool,
    call,
    key: call,
    args: args as JsonObject,
    deadlineUs: 100_000,
    reason: [],
  };
  return expert.call(request, signal);
}
const weather = (args: unknown): Promise<JsonObject> => ask(createWeatherExpert(), 'weather_assess', args);
const health = (args: unknown): Promise<JsonObject> => ask(createCanExpert(), 'can_health', args);

t.test('weather_assess', async (t) => {
  const rain = await weather({
    precipitation: 80,
    precipitation_deposits: 70,
    wetness: 90,
    v_mps: 24,
    limit_mps: 27.8,
  });
  t.equal(rain['surface'], 'standing_water');
  t.equal(rain['risk_level'], 'severe');
  t.same(rain['reasons'], ['wet_road', 'standing_water']);
  t.ok((rain['speed_factor'] as number) < 0.5);
  t.equal(rain['confidence'], 0.9);

  const dry = await weather({ wetness: 0, limit_mps: 27.8 });
  t.equal(dry['surface'], 'dry');
  t.ok((dry['speed_factor'] as number) > 0.999, 'the estimate counts on a dry road');
  const unknown = await weather({ limit_mps: 27.8 });
  t.equal(unknown['surface'], 'unknown');
  t.ok((unknown['speed_factor'] as number) < 0.96, 'the lower bound counts elsewhere');
  t.equal((await weather({}))['speed_factor'], null);
  const braked = await weather({ abs_active: true, ax_mps2: -3.2, ambient_c: null });
  t.ok(Math.abs((braked['mu_lo'] as number) - (3.2 / 9.81 - 0.05)) < 1e-12);
});

t.test('can_health explains itself with VSS paths', async (t) => {
  const tyre = 'Vehicle.Chassis.Axle.Row1.Wheel.Left.Tire.Pressure';
  const result = await health({
    signals: { 'Vehicle.ADAS.ABS.IsError': 1, [tyre]: 165, 'Vehicle.Speed': 20, 'Vehicle.Cabin.Light': 3 },
    trouble_codes: [{ code: 'c0035', status: 'pending', ecu: '7B0' }],
  });
  t.equal((result['health_risk'] as number).toFixed(4), (1 - Math.exp(-(1 + 0.525 + 0.24))).toFixed(4));
  t.equal(result['brake_effectiveness'], 0.8 * (1 - 0.15 * 0.75));
  t.same(
    (result['contributions'] as JsonObject[]).map(({ indicator }) => indicator),
    ['abs', 'tyre_pressure', 'dtc'],
  );
  const [abs, pressure, code] = result['contributions'] as JsonObject[];
  t.equal(abs?.['explanation'], 'the anti-lock brakes report a fault: Vehicle.ADAS.ABS.IsError 1');
  t.equal(pressure?.['explanation'], `tyre pressure is off: ${tyre} 165 kPa (25 % below 220 kPa)`);
  t.same(pressure?.['sources'], [{ source: tyre, value: 165, unit: 'kPa' }]);
  t.equal(code?.['explanation'], 'trouble codes are stored: 7B0:C0035');
  t.same(result['ignored_signals'], ['Vehicle.Cabin.Light']);
  t.same(result['findings'], [{ code: 'low_coverage' }]);

  const nothing = await health({ signals: {} });
  t.same([nothing['health_risk'], nothing['health'], nothing['coverage']], [null, null, 0]);
  const broken = await health({ signals: { [tyre]: null } });
  t.same(broken['findings'], [{ code: 'sensor_range', path: tyre }]);
  t.equal(broken['health_risk'], null, 'a broken sensor says nothing about the car');
});

t.test('bad arguments are refused with their key', async (t) => {
  const cases: [answer: Promise<JsonObject>, key: string][] = [
    [weather(null), ''],
    [weather({ wetness: 101 }), 'wetness'],
    [weather({ wetness: Number.NaN }), 'wetness'],
    [weather({ v_mps: Number.POSITIVE_INFINITY }), 'v_mps'],
    [weather({ wiper: 1.5 }), 'wiper'],
    [weather({ limit_mps: 0 }), 'limit_mps'],
    [weather({ speed: 3 }), ''],
    [health({}), 'signals'],
    [health({ signals: [] }), 'signals'],
    [health({ signals: { a: '1' } }), 'signals.a'],
    [health({ signals: Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`p${i}`, 1])) }), 'signals'],
    [health({ signals: {}, trouble_codes: [{ code: 'P04', status: 'pending' }] }), 'trouble_codes.0.code'],
    [health({ signals: {}, trouble_codes: [{ code: 'P0420', status: 'maybe' }] }), 'trouble_codes.0.status'],
  ];
  for (const [answer, key] of cases) {
    await t.rejects(answer, { code: 'TOOL_ARGS_INVALID', location: { key } }, key);
  }
});

t.test('every answer is plain JSON', async (t) => {
  const number = fc.option(fc.double({ min: 0, max: 70, noNaN: true }));
  const args = fc.record({
    precipitation: number,
    wetness: number,
    v_mps: number,
    ambient_c: number,
    abs_active: fc.boolean(),
  });
  await t.resolves(
    fc.assert(
      fc.asyncProperty(
        args,
        fc.dictionary(fc.string(), fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }))),
        async (a, signals) => {
          return (
            checkPayload(await weather(a), 10_000).ok && checkPayload(await health({ signals }), 60_000).ok
          );
        },
      ),
      { numRuns: 200 },
    ),
  );
});

/** What every expert behind the tool port promises, in process or not. */
function conformance(name: string, expert: ToolClient, call: string, args: JsonObject): void {
  t.test(`conformance of ${name}`, async (t) => {
    const before = JSON.stringify(args);
    const answer = await ask(expert, call, args);
    const checked = checkPayload(answer, 60_000);
    t.ok(checked.ok, 'plain JSON of bounded size');
    t.same(await ask(expert, call, args), answer, 'the same question has the same answer');
    t.equal(JSON.stringify(args), before, 'arguments are left alone');
    await t.rejects(ask(expert, 'actuate', args), { code: 'TOOL_FAILED' }, 'an unknown call is refused');
    await t.rejects(
      ask(expert, call, { ...args, surplus: 1 }),
      { name: 'DriveMcpError' },
      'a surplus argument too',
    );
    for (const odd of [null, 3, 'text', []]) {
      await t.rejects(ask(expert, call, odd), { name: 'DriveMcpError' }, JSON.stringify(odd));
    }
    const stopped = new AbortController();
    stopped.abort(new Error('deadline'));
    await t.rejects(
      ask(expert, call, args, stopped.signal),
      { message: 'deadline' },
      'a stopped call does nothing',
    );
  });
}
conformance('rules', createRulesExpert(loadRulepacks(packageFile('rulepacks'))), 'rules_lookup_limit', {
  jurisdiction: 'DEU',
  as_of: '2026-11-30',
  context: {},
});
conformance('weather', createWeatherExpert(), 'weather_assess', { wetness: 40, limit_mps: 20 });
conformance('can', createCanExpert(), 'can_health', { signals: { 'Vehicle.ADAS.ABS.IsError': 1 } });
