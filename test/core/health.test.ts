import fc from 'fast-check';
import t from 'tap';
import { createParams } from '../../daemon/core/params.js';
import { brakeEffectiveness } from '../../daemon/core/safety/health/brake-effectiveness.js';
import {
  advanceHealth,
  type HealthState,
  initialHealthState,
} from '../../daemon/core/safety/health/health-monitor.js';
import { type HealthTerm, scoreHealth, squash } from '../../daemon/core/safety/health/health-score.js';
import { healthSignals } from '../../daemon/core/safety/health/health-signals.js';
import {
  type HealthExtras,
  type HealthResult,
  summariseHealth,
} from '../../daemon/core/safety/health/health-summary.js';
import { indicatorNames, indicators } from '../../daemon/core/safety/health/indicators.js';
import type { TroubleCode } from '../../daemon/core/safety/health/trouble-codes.js';

const values = createParams('default').health;
const second = 1_000_000;
const staleUs = 10 * second;

const abs = 'Vehicle.ADAS.ABS.IsError';
const esc = 'Vehicle.ADAS.ESC.IsError';
const engine = 'Vehicle.Powertrain.CombustionEngine';
const coolant = `${engine}.EngineCoolant.Temperature`;
const voltage = 'Vehicle.LowVoltageBattery.CurrentVoltage';
const wheel = (row: 1 | 2, side: 'Left' | 'Right', rest: string): string =>
  `Vehicle.Chassis.Axle.Row${row}.Wheel.${side}.${rest}`;
const tyre = wheel(1, 'Left', 'Tire.Pressure');
const fluidLow = wheel(1, 'Left', 'Brake.IsFluidLevelLow');

type Signals = Readonly<Record<string, number | null>>;

/** Sends all signals every 100 ms from `fromUs` to `toUs`. */
function feed(state: HealthState, signals: Signals, fromUs: number, toUs: number): HealthState {
  for (let tUs = fromUs; tUs <= toUs; tUs += 100_000) {
    const samples = Object.entries(signals).map(([path, value]) => ({
      path,
      value,
      observedAtUs: tUs,
      changes: 0,
    }));
    state = advanceHealth(state, samples, tUs, values);
  }
  return state;
}

/** Result after the signals have stood still for a second. */
function settled(signals: Signals, extras: HealthExtras = {}): HealthResult {
  return summariseHealth(feed(initialHealthState, signals, 0, second), second, staleUs, values, extras);
}

function codes(...list: [code: string, status: TroubleCode['status'], ecu?: string][]): HealthExtras {
  return { troubleCodes: list.map(([code, status, ecu]) => ({ code, status, ecu: ecu ?? '7E8' })) };
}

t.test('check values', async (t) => {
  const kpa = (deficit: number): number => 220 * (1 - deficit);
  const twenty = Array.from(
    { length: 20 },
    (_, i) => [`P03${String(i).padStart(2, '0')}`, 'failing'] as [string, 'failing'],
  );
  const cases: [name: string, h: number, signals: Signals, extras?: HealthExtras][] = [
    ['nothing', 0, { [abs]: 0 }],
    ['one pending P-code', 0.0861, {}, codes(['P0420', 'pending'])],
    ['one failing P-code', 0.2592, {}, codes(['P0420', 'failing'])],
    ['one tyre −30 %', 0.5034, { [tyre]: kpa(0.3) }],
    ['one tyre −25 %', 0.4084, { [tyre]: kpa(0.25) }],
    ['ABS', 0.6321, { [abs]: 1 }],
    ['ABS and a tyre −25 %', 0.7824, { [abs]: 1, [tyre]: kpa(0.25) }],
    ['fluid low', 0.7769, { [fluidLow]: 1 }],
    ['ABS, tyre and fluid', 0.9592, { [abs]: 1, [tyre]: kpa(0.3), [fluidLow]: 1 }],
    ['twenty failing P-codes', 0.6321, {}, codes(...twenty)],
  ];
  for (const [name, h, signals, extras] of cases) {
    const { healthRisk, health } = settled(signals, extras);
    t.equal(healthRisk?.toFixed(4), h.toFixed(4), name);
    t.equal(health, 100 * (1 - (healthRisk ?? 0)));
  }
  t.equal(squash(1), 0.632120558829, 'twelve decimals');
});

t.test('severities at their ramps', async (t) => {
  const points = (signals: Signals): number =>
    Math.round((settled(signals).contributions[0]?.points ?? 0) * 1e9) / 1e9;
  const rpm = `${engine}.Speed`;
  const cases: [signals: Signals, points: number][] = [
    [{ [wheel(2, 'Right', 'Brake.FluidLevel')]: 40 }, 0],
    [{ [wheel(2, 'Right', 'Brake.FluidLevel')]: 25 }, 0.75],
    [{ [wheel(2, 'Right', 'Brake.FluidLevel')]: 10 }, 1.5],
    [{ [wheel(1, 'Right', 'Brake.PadWear')]: 90 }, 0.4],
    [{ [wheel(1, 'Right', 'Brake.IsBrakesWorn')]: 1 }, 0.8],
    [{ [esc]: 1 }, 0.8],
    [{ 'Vehicle.ADAS.EBD.IsError': 1 }, 1],
    [{ 'Vehicle.ADAS.TCS.IsError': 1 }, 0.4],
    [{ 'Vehicle.ADAS.EBA.IsError': 1 }, 0.4],
    [{ [tyre]: 220 * 0.9 }, 0],
    [{ [tyre]: 220 * 0.8 }, 0.35],
    [{ [tyre]: 0 }, 0.7],
    [{ [tyre]: 220 * 1.21 }, 0.21],
    [{ [tyre]: 220 * 1.19 }, 0],
    [{ [wheel(1, 'Left', 'Tire.IsPressureLow')]: 1 }, 0.525],
    [{ [tyre]: 150, [wheel(1, 'Right', 'Tire.Pressure')]: 150 }, 0.95],
    [{ [coolant]: 105 }, 0],
    [{ [coolant]: 112.5 }, 0.4],
    [{ [coolant]: 130 }, 0.8],
    [{ [`${engine}.EngineCoolant.Level`]: -1 }, 0.48],
    [{ [`${engine}.EngineCoolant.Level`]: 0 }, 0],
    [{ [`${engine}.EngineOil.PressureStatus`]: 0 }, 0],
    [{ [`${engine}.EngineOil.PressureStatus`]: 1 }, 0.6],
    [{ [`${engine}.EngineOil.PressureStatus`]: 2 }, 1.2],
    [{ [`${engine}.EngineOil.Temperature`]: 140 }, 0.25],
    [{ 'Vehicle.Powertrain.Transmission.Temperature': 130 }, 0.2],
    [{ [rpm]: 800, [voltage]: 12.5 }, 0.2],
    [{ [rpm]: 800, [voltage]: 15.5 }, 0.2],
    [{ [rpm]: 800, [voltage]: 14 }, 0],
    [{ [rpm]: 0, [voltage]: 12.5 }, 0],
    [{ [rpm]: 0, [voltage]: 11.9 }, 0.2],
    [{ 'Vehicle.Speed': 10, [voltage]: 12 }, 0.4],
    [{ [voltage]: 12.4 }, 0],
    [{ 'Vehicle.Powertrain.TractionBattery.StateOfHealth': 70 }, 0.2],
    [{ 'Vehicle.Powertrain.TractionBattery.Temperature.Max': 60 }, 0.4],
    [{ 'Vehicle.OBD.Status.IsMILOn': 1 }, 0.3],
    [{ 'Vehicle.OBD.Status.IsMILOn': 2 }, 0.9],
    [{ [`${engine}.DieselExhaustFluid.IsLevelLow`]: 1 }, 0.1],
    [{ 'Vehicle.Service.IsServiceDue': 1 }, 0.1],
  ];
  for (const [signals, expected] of cases) t.equal(points(signals), expected, JSON.stringify(signals));

  const codePoints = (code: string, status: TroubleCode['status'] = 'failing'): number =>
    settled({}, codes([code, status])).contributions[0]?.points ?? 0;
  t.same(
    ['C0035', 'U0121', 'B0028', 'P0300', 'B1234', 'U0300'].map((code) => codePoints(code)),
    [0.8, 0.8, 0.8, 0.3, 0.15, 0.15],
  );
  t.same(
    (['failing', 'confirmed', 'pending', 'history', 'never_tested'] as const).map((status) =>
      codePoints('C0035', status),
    ),
    [0.8, 0.48, 0.24, 0.8 * 0.1, 0],
  );
  t.equal(
    settled({}, codes(['P0420', 'failing'], ['P0420', 'pending'], ['p0420', 'confirmed'])).z,
    0.3,
    'once per ECU',
  );
  t.equal(settled({}, codes(['P0420', 'failing'])).contributions[0]?.isHeld, false);
  t.equal(settled({}, codes(['P0420', 'failing', '7E8'], ['P0420', 'failing', '7E9'])).z, 0.6);
  t.equal(settled({}, { isBusOff: true, isMessageLost: true }).z, 0.8, 'cap of the group');
});

t.test('every ramp begins and ends where its parameters say', async (t) => {
  const running = { [`${engine}.Speed`]: 800 };
  const ramps: [path: string, onset: number, full: number, context?: Signals][] = [
    [wheel(1, 'Left', 'Brake.FluidLevel'), values.brakeFluidOnsetPct, values.brakeFluidFullPct],
    [wheel(1, 'Left', 'Brake.PadWear'), values.padWearOnsetPct, values.padWearFullPct],
    [
      tyre,
      values.tyrePlacardKpa * (1 - values.tyreOnsetRatio),
      values.tyrePlacardKpa * (1 - values.tyreFullRatio),
    ],
    [coolant, values.coolantOnsetC, values.coolantFullC],
    [`${engine}.EngineOil.Temperature`, values.oilOnsetC, values.oilFullC],
    ['Vehicle.Powertrain.Transmission.Temperature', values.transmissionOnsetC, values.transmissionFullC],
    [voltage, values.voltageRunningLowOnsetV, values.voltageRunningLowFullV, running],
    [voltage, values.voltageRunningHighOnsetV, values.voltageRunningHighFullV, running],
    [voltage, values.voltageRestingOnsetV, values.voltageRestingFullV],
    ['Vehicle.Powertrain.TractionBattery.StateOfHealth', values.batterySohOnsetPct, values.batterySohFullPct],
    ['Vehicle.Powertrain.TractionBattery.Temperature.Max', values.batteryCellOnsetC, values.batteryCellFullC],
  ];
  for (const [path, onset, full, context] of ramps) {
    const severity = (value: number): number =>
      settled({ ...context, [path]: value }).contributions[0]?.severity ?? 0;
    const step = (full - onset) / 1000;
    const where = `${path} ${onset} → ${full}`;
    t.equal(severity(onset - step), 0, `${where} before`);
    t.ok(severity(onset + step) > 0 && severity(onset + step) < 0.002, `${where} at its onset`);
    t.ok(severity(full - step) < 1 && severity(full - step) > 0.998, `${where} before its end`);
    if (full + step <= 100 || !path.endsWith('PadWear')) t.equal(severity(full + step), 1, `${where} beyond`);
    let last = 0;
    for (let k = 0; k <= 20; k++) {
      const now = severity(onset + ((full - onset) * k) / 20);
      t.ok(now >= last, `${where} rises`);
      last = now;
    }
  }
});

t.test('what a sensor can show and what it cannot', async (t) => {
  const cases: [path: string, plausible: number[], nonsense: number[]][] = [
    [abs, [0, 1], [-1, 0.5, 2]],
    ['Vehicle.OBD.Status.IsMILOn', [0, 1, 2], [-1, 0.5, 3]],
    [wheel(1, 'Left', 'Brake.FluidLevel'), [0, 0.5, 50, 100], [-0.001, 100.5]],
    [wheel(2, 'Left', 'Brake.PadWear'), [0, 100], [-0.001, 100.5]],
    [coolant, [-39.9, 0, 214.9], [-40, 215, -41, 216]],
    [`${engine}.EngineOil.Temperature`, [-39.9, 214.9], [-40, 215]],
    [`${engine}.EngineCoolant.Level`, [-2, -1, 0, 1, 2], [-3, 3, 0.5, -2.01, 2.01]],
    [`${engine}.EngineOil.PressureStatus`, [0, 1, 2], [-1, 3, 0.5, 2.01]],
    [voltage, [3.01, 12, 35.9], [3, 36, 0, 100]],
    ['Vehicle.Powertrain.TractionBattery.StateOfHealth', [0.1, 100], [0, -1, 100.5]],
    [tyre, [0, 0.5, 220, 1000], [-0.001, 1005]],
  ];
  for (const [path, plausible, nonsense] of cases) {
    const signal = healthSignals.get(path);
    for (const value of plausible) t.equal(signal?.isPlausible(value), true, `${path} ${value}`);
    for (const value of nonsense) t.equal(signal?.isPlausible(value), false, `${path} ${value}`);
  }
  for (const [path, signal] of healthSignals) {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      t.equal(signal.isPlausible(value), false, `${path} ${value}`);
    }
  }
  // At 12.5 V a running car is half-way down its ramp and a resting one is fine.
  const atHalf = (context: Signals): boolean => (settled({ ...context, [voltage]: 12.5 }).z ?? 0) > 0;
  const rpm = `${engine}.Speed`;
  t.same(
    [399, 400, 402].map((value) => atHalf({ [rpm]: value })),
    [false, true, true],
  );
  t.same(
    [0.99, 1, 1.005, 1.1].map((value) => atHalf({ 'Vehicle.Speed': value })),
    [false, false, true, true],
  );
  t.equal(atHalf({ [rpm]: 0, 'Vehicle.Speed': 20 }), false, 'the engine speed decides where it is known');
  t.equal(settled({ [tyre]: 264 }).z, 0, '20 % too much is not more than 20 %');
});

t.test('more severe never lowers h, and order does not matter', async () => {
  const term: fc.Arbitrary<HealthTerm> = fc.record({
    indicator: fc.constantFrom(...indicatorNames),
    severity: fc.double({ min: 0, max: 1, noNaN: true }),
    weightRatio: fc.double({ min: 0, max: 2, noNaN: true }),
    source: fc.constantFrom('a', 'b', 'c'),
    isHeld: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(term, { minLength: 1, maxLength: 12 }), fc.nat(), fc.nat(), (terms, pick, seed) => {
      const { healthRisk } = scoreHealth(terms, values);
      const shuffled = [...terms].sort(
        (a, b) => ((a.severity * 7919 + seed) % 1) - ((b.severity * 7919 + seed) % 1),
      );
      const worse = terms.map((term, i) =>
        i === pick % terms.length ? { ...term, severity: (term.severity + 1) / 2 } : term,
      );
      return (
        healthRisk >= 0 &&
        healthRisk < 1 &&
        JSON.stringify(scoreHealth(shuffled, values)) === JSON.stringify(scoreHealth(terms, values)) &&
        scoreHealth(worse, values).healthRisk >= healthRisk
      );
    }),
    { numRuns: 500 },
  );
  const paths = [...healthSignals.keys()];
  fc.assert(
    fc.property(fc.subarray(paths), (some) => {
      const signals = Object.fromEntries(some.map((path) => [path, 1]));
      const reversed = Object.fromEntries([...some].reverse().map((path) => [path, 1]));
      return settled(signals).healthRisk === settled(reversed).healthRisk;
    }),
    { numRuns: 50 },
  );
});

t.test('contributions come by weight and name, with their signals', async (t) => {
  const { contributions, coverage, findings, stale } = settled({
    [abs]: 1,
    [fluidLow]: 1,
    'Vehicle.ADAS.EBD.IsError': 1,
    [esc]: 0,
  });
  t.same(
    contributions.map(({ indicator, points, sources }) => [indicator, points, sources]),
    [
      ['brake_fluid', 1.5, [fluidLow]],
      ['abs', 1, [abs]],
      ['ebd', 1, ['Vehicle.ADAS.EBD.IsError']],
    ],
  );
  t.ok(coverage > 0 && coverage < 0.5);
  t.same(findings, [{ code: 'low_coverage', path: '' }]);
  t.same(stale, []);
});

t.test('the worst of several signals counts, once', async (t) => {
  const [first, last] = [wheel(1, 'Left', 'Brake.FluidLevel'), wheel(2, 'Right', 'Brake.FluidLevel')];
  for (const signals of [
    { [first]: 25, [last]: 10 },
    { [first]: 10, [last]: 25 },
  ]) {
    const { contributions } = settled(signals);
    t.same([contributions.length, contributions[0]?.points], [1, 1.5]);
  }
  t.same(
    settled({ [first]: 10, [last]: 10 }).contributions[0]?.sources,
    [first],
    'of equal ones the first by path',
  );
  const lamp = wheel(1, 'Left', 'Tire.IsPressureLow');
  const points = (signals: Signals): number => settled(signals).z;
  t.equal(points({ [tyre]: 100, [lamp]: 1 }), 0.7, 'pressure is worse than its lamp');
  t.ok(Math.abs(points({ [tyre]: 220, [lamp]: 1 }) - 0.525) < 1e-9, 'the lamp is worse than the pressure');
  const rear = wheel(2, 'Right', 'Tire.Pressure');
  t.ok(
    Math.abs(points({ [tyre]: 220 * 0.85, [rear]: 100 }) - (0.7 + 0.25 * 0.25)) < 1e-9,
    'the worst wheel weighs most',
  );
  t.same(
    settled({ [tyre]: 220 * 0.85, [rear]: 100 }).contributions[0]?.sources,
    [rear, tyre],
    'and is named first',
  );
  const off = settled({}, { isBusOff: true, isMessageLost: true }).contributions;
  t.same(
    off.map(({ indicator, severity, isHeld }) => [indicator, severity, isHeld]),
    [
      ['bus_off', 1, false],
      ['lost_message', 1, false],
    ],
  );
});

t.test('times of a result', async (t) => {
  let state = feed(initialHealthState, { [abs]: 0, [esc]: 0 }, 0, second);
  state = feed(state, { [abs]: 0 }, 1.1 * second, 2 * second);
  t.equal(summariseHealth(state, 3 * second, staleUs, values).observedAtUs, 2 * second, 'the newest');
  state = feed(state, { [esc]: 0 }, 2.1 * second, 3 * second);
  t.equal(summariseHealth(state, 3 * second, staleUs, values).observedAtUs, 3 * second);

  // A signal that comes every 4 s is stale after five of its cycles, not after the usual 10 s.
  let slow = initialHealthState;
  for (const tUs of [0, 4 * second, 8 * second]) slow = feed(slow, { [coolant]: 90 }, tUs, tUs);
  t.same(summariseHealth(slow, 28 * second, staleUs, values).stale, []);
  t.same(summariseHealth(slow, 28 * second + 1, staleUs, values).stale, ['coolant']);
  // After a gap of 8 s and one of 1 s the cycle is taken for 7.125 s; stamps that stand still teach nothing.
  let gap = initialHealthState;
  for (const tUs of [0, 8 * second, 9 * second, 9 * second]) gap = feed(gap, { [coolant]: 90 }, tUs, tUs);
  t.same(summariseHealth(gap, 44.625 * second, staleUs, values).stale, []);
  t.same(summariseHealth(gap, 44.625 * second + 1, staleUs, values).stale, ['coolant']);
  const longer = feed(gap, { [coolant]: 90 }, 29 * second, 29 * second);
  t.same(summariseHealth(longer, 129 * second, staleUs, values).stale, [], 'a longer gap counts at once');
});

t.test('unknown is neither healthy nor faulty', async (t) => {
  const nothing = summariseHealth(initialHealthState, second, staleUs, values);
  t.same([nothing.healthRisk, nothing.health, nothing.coverage, nothing.observedAtUs], [null, null, 0, null]);
  t.same(nothing.findings, [], 'nor has it a low coverage');
  t.equal(settled({}, { troubleCodes: [] }).healthRisk, 0, 'codes were read and there are none');
  t.equal(settled({ [abs]: 0 }).healthRisk, 0);
  const { coverage } = settled({ [abs]: 0 });
  t.ok(Math.abs(coverage - 1 / 14.25) < 1e-9, `weight of ABS in the weight of all: ${coverage}`);
  const share = (signals: Signals): number => settled(signals).coverage * 14.25;
  t.ok(Math.abs(share({ [tyre]: 220 }) - 1.45 / 4) < 1e-9, 'one wheel of four');
  t.ok(
    Math.abs(share({ [tyre]: 220, [wheel(2, 'Left', 'Tire.IsPressureLow')]: 0, [abs]: 0 }) - 1.725) < 1e-9,
  );
  const exact = { ...values, coverageLowRatio: coverage };
  const state = feed(initialHealthState, { [abs]: 0 }, 0, second);
  t.same(summariseHealth(state, second, staleUs, exact).findings, [], 'on the edge');
  t.equal(
    settled({}, { isBusOff: false, isMessageLost: false }).healthRisk,
    null,
    'a working bus is no health',
  );
  t.equal(
    settled({ 'Vehicle.Speed': 20, [`${engine}.Speed`]: 900 }).healthRisk,
    null,
    'context alone is no health',
  );
  const all = Object.fromEntries(
    [...healthSignals.keys()].map((path) => [path, path.includes('Temp') ? 20 : 0]),
  );
  const sound = settled({
    ...all,
    ...{ [voltage]: 13.5, [`${engine}.EngineCoolant.Level`]: 0, [`${engine}.EngineOil.PressureStatus`]: 2 },
  });
  t.ok(sound.coverage > 0.7, String(sound.coverage));
});

t.test('debouncing: three samples or two seconds, ten seconds or hysteresis', async (t) => {
  const risk = (state: HealthState, tUs: number): number | null =>
    summariseHealth(state, tUs, staleUs, values).healthRisk;
  let state = feed(initialHealthState, { [abs]: 0 }, 0, second);
  state = feed(state, { [abs]: 1 }, 1.1 * second, 1.2 * second);
  t.equal(risk(state, 1.2 * second), 0, 'two samples are a glitch');
  state = feed(state, { [abs]: 0 }, 1.3 * second, 1.3 * second);
  state = feed(state, { [abs]: 1 }, 1.4 * second, 1.5 * second);
  t.equal(risk(state, 1.5 * second), 0, 'and count anew after a good one');
  state = feed(state, { [abs]: 1 }, 1.6 * second, 1.6 * second);
  t.equal(risk(state, 1.6 * second), squash(1), 'the third sets it');
  state = feed(state, { [abs]: 0 }, 1.7 * second, 11.6 * second);
  t.equal(risk(state, 11.6 * second), squash(1), 'a lamp that is off for 9.9 s');
  state = feed(state, { [abs]: 0 }, 11.7 * second, 11.7 * second);
  t.equal(risk(state, 11.7 * second), 0, 'for 10 s');

  // A rise is believed as far as all of its samples agree, and a fault that gets less stays for ten seconds.
  const points = (state: HealthState, tUs: number): number => summariseHealth(state, tUs, staleUs, values).z;
  let rising = initialHealthState;
  for (const [i, celsius] of [117, 109.5, 118.5].entries())
    rising = feed(rising, { [coolant]: celsius }, i, i);
  t.ok(Math.abs(points(rising, second) - 0.8 * 0.3) < 1e-9, 'the least of three');
  let easing = feed(initialHealthState, { [coolant]: 112.5 }, 0, second);
  easing = feed(easing, { [coolant]: 112 }, 1.1 * second, 11 * second);
  t.ok(Math.abs(points(easing, 11 * second) - 0.4) < 1e-9, 'less by 3 % for 9.9 s');
  easing = feed(easing, { [coolant]: 112 }, 11.1 * second, 11.1 * second);
  t.ok(Math.abs(points(easing, 11.1 * second) - (0.8 * 7) / 15) < 1e-9, 'for 10 s');

  // Sent once on change: time alone confirms.
  let once = feed(initialHealthState, { [abs]: 1 }, 0, 0);
  once = advanceHealth(once, [], 1_999_999, values);
  t.equal(risk(once, 1_999_999), 0);
  once = advanceHealth(once, [], 2_000_000, values);
  t.equal(risk(once, 2_000_000), squash(1));

  let warm = feed(initialHealthState, { [coolant]: 112.5 }, 0, second);
  const half = risk(warm, second);
  warm = feed(warm, { [coolant]: 111.9 }, 1.1 * second, 2 * second);
  t.equal(risk(warm, 2 * second), half, '4 % of the ramp cooler');
  warm = feed(warm, { [coolant]: 111.7 }, 2.1 * second, 2.1 * second);
  t.ok((risk(warm, 2.1 * second) ?? 1) < (half ?? 0), '5 % cooler');
});

t.test('silence keeps a fault, nonsense is held for five seconds', async (t) => {
  const faulty = feed(initialHealthState, { [abs]: 1, [coolant]: 125 }, 0, second);
  const before = summariseHealth(faulty, second, staleUs, values);
  const after = summariseHealth(faulty, second + staleUs + 1, staleUs, values);
  t.equal(after.healthRisk, before.healthRisk, 'stale input does not heal');
  t.ok(after.coverage < before.coverage);
  t.same(after.stale, ['abs', 'coolant']);
  t.ok(after.contributions.every(({ isHeld }) => isHeld));
  t.same(summariseHealth(faulty, second + staleUs, staleUs, values).stale, [], 'not yet');

  for (const nonsense of [-40, 215, null, Number.NaN]) {
    const state = feed(faulty, { [coolant]: nonsense }, 1.1 * second, 6.2 * second);
    const held = summariseHealth(state, 6.1 * second, staleUs, values);
    const gone = summariseHealth(state, 6.1 * second + 1, staleUs, values);
    t.ok(
      held.findings.some(({ code, path }) => code === 'sensor_range' && path === coolant),
      String(nonsense),
    );
    t.equal(held.healthRisk, before.healthRisk);
    t.ok(held.coverage < before.coverage);
    t.equal(gone.healthRisk, squash(1), 'then the coolant is unknown and the ABS fault stays');
  }
  const back = feed(
    feed(faulty, { [coolant]: null }, 1.1 * second, 8 * second),
    { [coolant]: 90 },
    8.1 * second,
    9 * second,
  );
  t.same(
    summariseHealth(back, 9 * second, staleUs, values).findings.map(({ code }) => code),
    ['low_coverage'],
  );
});

t.test('a tick without news of health changes nothing', async (t) => {
  const state = feed(initialHealthState, { [abs]: 1 }, 0, second);
  t.equal(advanceHealth(state, [], 2 * second, values), state);
  const other = [{ path: 'Vehicle.Cabin.Light', value: 1, observedAtUs: 2 * second, changes: 1 }];
  t.equal(advanceHealth(state, other, 2 * second, values), state);
  const speed = [{ path: 'Vehicle.Speed', value: 9, observedAtUs: 2 * second, changes: 1 }];
  t.equal(advanceHealth(state, speed, 2 * second, values).context.speedMps, 9);
});

t.test('contributions of several sources', async (t) => {
  const other = wheel(2, 'Right', 'Tire.Pressure');
  const pair = settled({ [tyre]: 220 * 0.75, [other]: 220 * 0.85 }).contributions[0];
  t.ok(Math.abs((pair?.severity ?? 0) - 0.75) < 1e-9, 'severity of the worst');
  t.ok(Math.abs((pair?.points ?? 0) - (0.7 * 0.75 + 0.25 * 0.25)) < 1e-9);
  t.same(pair?.sources, [tyre, other], 'worst first');
  t.same(
    settled({ [tyre]: 150, [other]: 150 }).contributions[0]?.sources,
    [tyre, other],
    'equal ones by name',
  );
  const names = (signals: Signals) => settled(signals).contributions.map(({ indicator }) => indicator);
  t.same(
    names({ [esc]: 1, 'Vehicle.ADAS.EBD.IsError': 1 }),
    ['ebd', 'esc'],
    'by weight, not by the order of the table',
  );
  t.same(names({ 'Vehicle.ADAS.EBD.IsError': 1, [abs]: 1 }), ['abs', 'ebd'], 'equal ones by name');
  t.same(names({ 'Vehicle.ADAS.TCS.IsError': 1, 'Vehicle.ADAS.EBA.IsError': 1 }), ['eba', 'tcs']);

  let state = feed(initialHealthState, { [tyre]: 150, [other]: 150 }, 0, second);
  state = feed(state, { [tyre]: 150 }, 1.1 * second, 20 * second);
  const held = summariseHealth(state, 20 * second, staleUs, values);
  t.equal(held.contributions[0]?.isHeld, true, 'one of two is silent');
  t.same(held.stale, ['tyre_pressure']);
});

t.test('brakes that are left', async (t) => {
  const left = (signals: Signals, extras?: HealthExtras): number =>
    Math.round(settled(signals, extras).brakeEffectiveness * 1e9) / 1e9;
  t.equal(left({ [abs]: 0 }), 1);
  t.equal(left({ [abs]: 1 }), 0.8);
  t.equal(left({ [fluidLow]: 1 }), 0.5);
  t.equal(left({}, { isRedBrakeLampOn: true }), 0.5);
  t.equal(left({ [wheel(1, 'Left', 'Brake.FluidLevel')]: 30 }), 1);
  t.equal(left({ [tyre]: 220 * 0.7 }), 0.85);
  t.equal(left({ [tyre]: 220 * 0.8 }), 0.925);
  t.equal(left({ [tyre]: 300 }), 1, 'excess pressure is no deficit');
  t.equal(left({ [abs]: 1, [fluidLow]: 1, [tyre]: 0 }), 0.34);
  const sound = { absSeverity: 0, brakeFluidSeverity: 0, isRedBrakeLampOn: false, tyreSeverity: 0 };
  for (const [severity, isLost] of [
    [0.499, false],
    [0.5, true],
    [0.502, true],
  ] as const) {
    t.equal(brakeEffectiveness({ ...sound, absSeverity: severity }, values), isLost ? 0.8 : 1);
    t.equal(brakeEffectiveness({ ...sound, brakeFluidSeverity: severity }, values), isLost ? 0.5 : 1);
  }
  const worse = createParams('default', { overrides: { health: { fluidBrakeLossRatio: 0.9 } } }).health;
  t.equal(brakeEffectiveness({ ...sound, isRedBrakeLampOn: true }, worse), 0.3, 'the floor');
});

t.test('all indicators have a weight and a group', async (t) => {
  for (const name of indicatorNames) t.ok(values[indicators[name].weight] > 0, name);
});
