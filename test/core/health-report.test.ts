/** Lost messages, what control units say, and the report made of all of it. */
import fc from 'fast-check';
import t from 'tap';
import { MessageWatch, watchedMaxCount } from '../../daemon/core/can/message-watch.js';
import { createParams } from '../../daemon/core/params.js';
import {
  type DiagnosticMemory,
  initialDiagnosticMemory,
  type ListedCode,
  recentlyClearedUnits,
  rememberCodes,
  rememberMonitors,
  troubleCodesOf,
  unitsMaxCount,
} from '../../daemon/core/safety/health/diagnostic-memory.js';
import { advanceHealth, initialHealthState } from '../../daemon/core/safety/health/health-monitor.js';
import {
  type BusCondition,
  type HealthReport,
  isNews,
  quietBusCondition,
  reportHealth,
} from '../../daemon/core/safety/health/health-report.js';

const values = createParams('default').health;
const second = 1_000_000;
const times = { debounceUs: 2 * second, clearUs: 10 * second, timeoutCyclesCount: 5 };

const tyre = (row: number, side: string) => `Vehicle.Chassis.Axle.Row${row}.Wheel.${side}.Tire.Pressure`;

function listed(...codes: string[]): ListedCode[] {
  return codes.map((code) => ({ code, status: null }));
}

function report(
  given: {
    readonly signals?: Readonly<Record<string, number | null>>;
    readonly diagnostics?: DiagnosticMemory;
    readonly buses?: Partial<BusCondition>;
  },
  tUs = second,
): HealthReport {
  let monitor = initialHealthState;
  for (let at = 0; at < 3; at++) {
    const samples = Object.entries(given.signals ?? {}).map(([path, value]) => ({
      path,
      value,
      observedAtUs: at * 100_000,
      changes: 0,
    }));
    monitor = advanceHealth(monitor, samples, at * 100_000, values);
  }
  return reportHealth(
    {
      monitor,
      diagnostics: given.diagnostics ?? initialDiagnosticMemory,
      buses: { ...quietBusCondition, ...given.buses },
      further: [],
    },
    tUs,
    10 * second,
    values,
  );
}

/** Sends `id` every `cycleUs` and a heartbeat of its bus every 100 ms. */
function play(watch: MessageWatch, id: number, cycleUs: number, fromUs: number, toUs: number): void {
  for (let tUs = fromUs; tUs <= toUs; tUs += cycleUs) watch.seen(0, id, false, tUs);
}

t.test('a cyclic message that stops', async (t) => {
  const watch = new MessageWatch(times);
  play(watch, 0x100, 100_000, 0, 10 * second);
  play(watch, 0x200, 200_000, 0, 5 * second);
  t.equal(watch.cyclicCount, 2);
  t.ok(watch.isWatched(0, 0x200, false));
  t.notOk(watch.isWatched(0, 0x200, true), 'another width is another message');
  // Five cycles are 1 s, then 2 s of debouncing: lost after 8 s, not at it.
  const at = new MessageWatch(times);
  play(at, 0x200, 200_000, 0, 5 * second);
  at.seen(0, 0x100, false, 8 * second);
  t.same(at.lost(), []);
  at.seen(0, 0x100, false, 8 * second + 1);
  t.match(at.lost(), [{ id: 0x200, cycleUs: 200_000, lastSeenUs: 5 * second }]);

  // Found again only after ten seconds of it.
  play(at, 0x200, 200_000, 9 * second, 18.8 * second);
  t.equal(at.lost().length, 1);
  play(at, 0x200, 200_000, 19 * second, 19 * second);
  t.same(at.lost(), []);
});

t.test('what is no loss', async (t) => {
  const burst = new MessageWatch(times);
  play(burst, 0x6ef, 20_000, 0, 360_000);
  play(burst, 0x110, 160_000, 0, 2.4 * second);
  play(burst, 0x100, 100_000, 0, 30 * second);
  t.same(burst.lost(), [], 'messages of the start-up only');
  const pause = new MessageWatch(times);
  play(pause, 0x200, 20_000, 0, 5 * second);
  play(pause, 0x200, 20_000, 5.149 * second, 10 * second);
  play(pause, 0x100, 100_000, 0, 10 * second);
  t.same(pause.lost(), [], 'a pause of 149 ms in a cycle of 20 ms, as real control units make');
  const silent = new MessageWatch(times);
  play(silent, 0x200, 20_000, 0, 5 * second);
  silent.seen(1, 0x100, false, 60 * second);
  t.same(silent.lost(), [], 'the whole bus is silent; another bus says nothing about it');
  const events = new MessageWatch(times);
  let tUs = 0;
  for (let i = 0; i < 60; i++) {
    tUs += i % 2 === 0 ? 10_000 : 900_000;
    events.seen(0, 0x300, false, tUs);
  }
  play(events, 0x100, 100_000, 0, 90 * second);
  t.same(events.lost(), [], 'sent on events');
  const asleep = new MessageWatch(times);
  for (const id of [1, 2, 3]) play(asleep, id, 100_000, 0, 5 * second);
  play(asleep, 4, 100_000, 0, 20 * second);
  t.equal(asleep.lost().length, 3);
  t.same(asleep.quietBuses(), [0], 'three of four: the bus goes to sleep');
  const noise = new MessageWatch(times);
  for (let id = 0; id < watchedMaxCount + 10; id++) noise.seen(0, id, true, id);
  t.equal(noise.unwatched, 10, 'bounded, and counted');
});

t.test('any frames at all', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(2), fc.nat(5), fc.boolean(), fc.integer({ min: -1e9, max: 1e12 }))),
      (frames) => {
        const watch = new MessageWatch(times);
        for (const [bus, id, isExtended, tUs] of frames) watch.seen(bus, id, isExtended, tUs);
        for (const { cycleUs } of watch.lost()) if (!(cycleUs > 0)) throw new Error('a cycle of nothing');
      },
    ),
  );
});

t.test('code lists of control units', async (t) => {
  t.equal(troubleCodesOf(initialDiagnosticMemory), undefined, 'never read is not none');
  let memory = rememberCodes(initialDiagnosticMemory, '7E8', '03', []);
  t.same(troubleCodesOf(memory), []);
  memory = rememberCodes(memory, '7E8', '03', listed('P0420'));
  memory = rememberCodes(memory, '7E8', '19', [{ code: 'P0420', status: 'failing' }]);
  t.equal(report({ diagnostics: memory }).healthRisk?.toFixed(4), '0.2592', 'once per unit, by 03 and by 19');
  memory = rememberCodes(memory, '7E9', '03', listed('P0420'));
  t.equal(report({ diagnostics: memory }).contributions.length, 2, 'two units, two findings');
  memory = rememberCodes(memory, '7E9', '03', []);
  memory = rememberCodes(memory, '7E8', '19', []);
  t.match(
    troubleCodesOf(memory),
    [{ code: 'P0420', status: 'confirmed', ecu: '7E8' }],
    'a new list replaces',
  );
  for (let i = 0; i < unitsMaxCount + 5; i++) memory = rememberCodes(memory, `E${i}`, '03', []);
  t.equal(Object.keys(memory.units).length, unitsMaxCount);
  const odd = rememberCodes(initialDiagnosticMemory, '__proto__', '03', listed('P0301'));
  t.ok((troubleCodesOf(odd)?.length ?? 1) <= 1, 'a name of JavaScript is only a name');

  const truck = rememberCodes(
    initialDiagnosticMemory,
    'SA 00',
    'DM1',
    listed('SPN 110 FMI 0', 'SPN 789 FMI 5'),
  );
  t.same(
    report({ diagnostics: truck }).contributions.map(({ source, weight }) => [source, weight]),
    [
      ['SA 00:SPN 789 FMI 5', 0.8],
      ['SA 00:SPN 110 FMI 0', 0.3],
    ],
  );
});

t.test('recently cleared is not clean', async (t) => {
  const clean = rememberCodes(initialDiagnosticMemory, '7E8', '03', []);
  const cleared = rememberMonitors(clean, '7E8', { isMilOn: false, incompleteCount: 3 });
  t.same(recentlyClearedUnits(clean), []);
  t.same(recentlyClearedUnits(cleared), ['7E8']);
  t.same(recentlyClearedUnits(rememberMonitors(cleared, '7E8', { incompleteCount: 0 })), []);
  for (const [news, isCleared] of [
    [{ warmUpsSinceClearCount: 10 }, true],
    [{ warmUpsSinceClearCount: 11 }, false],
    [{ distanceSinceClearM: 100_000 }, true],
    [{ distanceSinceClearM: 100_001 }, false],
    [{ warmUpsSinceClearCount: 1, distanceSinceClearM: 5_000 }, true],
  ] as const) {
    t.equal(recentlyClearedUnits(rememberMonitors(cleared, '7E8', news)).length === 1, isCleared);
  }
  t.same(
    recentlyClearedUnits(rememberCodes(cleared, '7E8', '03', listed('P0301'))),
    [],
    'codes speak for themselves',
  );
  const told = report({ diagnostics: cleared });
  t.equal(told.health, 100);
  t.match(told.findings, [{ code: 'recently_cleared', subject: '7E8' }, { code: 'low_coverage' }].reverse());
});

t.test('each contribution by itself', async (t) => {
  const told = report({
    signals: { [tyre(1, 'Left')]: 154, [tyre(2, 'Right')]: 154, 'Vehicle.ADAS.ABS.IsError': 1 },
    buses: { isWatching: true, lostKnown: ['ESP12'], lostUnknown: ['3FF'], isBusOff: true },
  });
  t.same(
    told.contributions.map(({ indicator, weight, vss, source }) => [indicator, weight, vss, source]),
    [
      ['abs', 1, 'Vehicle.ADAS.ABS.IsError', null],
      ['tyre_pressure', 0.7, tyre(1, 'Left'), null],
      ['bus_off', 0.5, null, null],
      ['lost_message', 0.5, null, 'ESP12'],
      ['tyre_pressure', 0.25, tyre(2, 'Right'), null],
    ],
  );
  t.ok(Math.abs(told.brakeEffectiveness - 0.8 * 0.85) < 1e-9);
  t.same(
    told.findings.map(({ code, subject }) => `${code} ${subject}`.trim()),
    ['low_coverage', 'message_lost ESP12', 'message_lost 3FF', 'bus_off'],
  );
  t.equal(report({ buses: { lostUnknown: ['3FF'] } }).health, null, 'an unknown message lowers nothing');
});

t.test('more severe never heals, and order does not matter', async (t) => {
  const paths = [tyre(1, 'Left'), 'Vehicle.ADAS.ABS.IsError', 'Vehicle.ADAS.ESC.IsError'];
  const pool = ['P0301', 'P0420', 'C0035', 'U0121', 'B1000', 'U0300'];
  fc.assert(
    fc.property(
      fc.record({ kpa: fc.integer({ min: 100, max: 220 }), abs: fc.nat(1), esc: fc.nat(1) }),
      fc.subarray(pool),
      fc.constantFrom(...pool),
      fc.integer({ min: 0, max: 100 }),
      ({ kpa, abs, esc }, codes, added, loss) => {
        const memory = (list: readonly string[]) =>
          rememberCodes(
            initialDiagnosticMemory,
            '7E8',
            '19',
            list.map((code) => ({ code, status: 'failing' })),
          );
        const signals = { [paths[0]!]: kpa, [paths[1]!]: abs, [paths[2]!]: esc };
        const base = report({ signals, diagnostics: memory(codes) });
        const reversed = report({
          signals: Object.fromEntries(Object.entries(signals).reverse()),
          diagnostics: memory([...codes].reverse()),
        });
        t.same(reversed, base);
        const worse = report({
          signals: { ...signals, [paths[0]!]: kpa - loss },
          diagnostics: memory([...new Set([...codes, added])]),
        });
        t.ok((worse.healthRisk ?? 0) >= (base.healthRisk ?? 0));
        t.ok(worse.brakeEffectiveness <= base.brakeEffectiveness);
      },
    ),
    { numRuns: 60 },
  );
});

t.test('a line is due when something changed', async (t) => {
  const abs = { 'Vehicle.ADAS.ABS.IsError': 1 };
  const sound = report({ signals: { 'Vehicle.ADAS.ABS.IsError': 0 } });
  t.ok(isNews(null, sound));
  t.notOk(isNews(null, report({})), 'nothing is known and nothing found');
  t.notOk(isNews(sound, { ...sound, tUs: 2 * second, coverage: 0.5 }));
  t.ok(isNews(sound, report({ signals: abs })));
  t.ok(isNews(report({ signals: abs }), report({ signals: abs }, 20 * second)), 'stale');
  t.ok(isNews(sound, { ...sound, findings: [...sound.findings, { code: 'bus_off', subject: '' }] }));
  t.ok(isNews(sound, { ...sound, health: null, healthRisk: null }));
});
