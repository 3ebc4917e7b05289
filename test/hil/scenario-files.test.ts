/** Scenario files: the bundled ones load and run, what is wrong in others is told with its place. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { bundledScenarioNames, loadScenario } from '../../daemon/cli/scenario-files.js';
import type { DriveMcpError } from '../../daemon/core/errors.js';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { noControl } from '../../hil/carla/wire/vehicle-control.js';
import { readScenario } from '../../hil/scenarios/scenario-file.js';
import { mapText } from '../../hil/sim/maps/map-catalogue.js';
import type { VehicleActor } from '../../hil/sim/world/actor.js';
import { SimWorld } from '../../hil/sim/world/sim-world.js';
import type { WorldScenario } from '../../hil/sim/world/world-scenario.js';
import { drivemcp } from '../helpers/command.js';

const least = `id: mine
family: other
title: Mine
map: motorway-deu
weather: [{ at_s: 0 }]
stop: { at_s: 10 }
`;

const read = (text: string) =>
  readScenario({
    file: 'mine.yaml',
    text,
    readMap: () => {
      throw new Error('no file');
    },
  });

/** Drives a scenario to its stop; fails where two touch, or where somebody takes a bend as no tyre would. */
async function runThrough(t: Test, name: string, otherSeed: number | null): Promise<number> {
  const { world: scenario, map, stop } = await loadScenario(name);
  const seed = otherSeed ?? scenario.seed;
  const world = new SimWorld({ ...scenario, seed }, map);
  let movedM = 0;
  let sharpestMps2 = 0;
  for (let i = 0; i < stop.atS * 20; i++) {
    world.step(0.05);
    movedM += (world.ego?.vMps ?? 0) * 0.05;
    for (const { vMps, yawRateRadps } of world.actors.values())
      sharpestMps2 = Math.max(sharpestMps2, Math.abs(vMps * yawRateRadps));
    for (const { one, other } of world.collisions)
      t.fail(
        `${name}, seed ${seed}: ${one.roleName} ${one.id} and ${other.roleName} ${other.id} at ${world.tS.toFixed(1)} s`,
      );
  }
  t.ok(sharpestMps2 < 4, `${name}, seed ${seed}: ${sharpestMps2.toFixed(1)} m/s² in a bend`);
  return movedM;
}

t.test(
  'every bundled scenario runs to its end, nobody touches anybody, and the ego gets somewhere',
  async (t) => {
    const names = bundledScenarioNames();
    for (const name of ['town-rain', 'border', 'gantries', 'rural-night', 'town-lhd'])
      t.ok(names.includes(name), name);
    for (const name of names) {
      t.equal((await loadScenario(name)).world.id, name, 'the file is named by its id');
      const movedM = await runThrough(t, name, null);
      t.ok(movedM > 200, `${name}: the ego went ${movedM.toFixed(0)} m`);
    }
  },
);

t.test('other seeds: nobody touches anybody', { timeout: 600_000 }, async (t) => {
  // Once a bend that was entered at 13 m/s, a walker who was noticed late, a van whose middle alone counted.
  for (const [name, seed] of [
    ['town-lhd', 4],
    ['town-rain', 3],
    ['motorway-cut-in', 33],
  ] as const)
    await runThrough(t, name, seed);
  const campaign = Number(process.env['DRIVEMCP_CAMPAIGN'] ?? 0);
  for (let seed = 1; seed <= campaign; seed++)
    for (const name of bundledScenarioNames()) await runThrough(t, name, seed);
});

t.test('what the map implies: the border, its sides; what the file says: displays and faults', async (t) => {
  const border = await loadScenario('border');
  t.match(border.borders, [{ from: 'DEU', to: 'GBR', sideBehind: 'left' }]);
  const gantries = await loadScenario('gantries');
  t.same(gantries.borders, []);
  t.same(gantries.world.faults, [{ kind: 'abs', atS: 100 }]);
  const shown = (id: string) => gantries.world.displays.find(({ signalId }) => signalId === id)?.shows.at(-1);
  t.same(shown('gantry-4-2'), { fromS: 50, value: 80, plate: 'wet' });
  t.same(shown('gantry-7-1'), { fromS: 0, value: null, plate: null });
});

t.test('a car that cut in keeps to the lane it took', async (t) => {
  const { world: scenario, map } = await loadScenario('gantries');
  const world = new SimWorld(scenario, map);
  const cutIn = [...world.actors.values()].find(({ roleName }) => roleName === 'cut-in');
  const lane = () => (cutIn?.kind === 'vehicle' ? cutIn.track?.laneId : undefined);
  t.equal(lane(), -2);
  for (let i = 0; i < 45 * 20; i++) world.step(0.05);
  t.equal(lane(), -3);
});

t.test('a fault of the file breaks the brakes of the ego', async (t) => {
  const { world: scenario, map } = await loadScenario('gantries');
  const stopM = (faults: WorldScenario['faults']): number => {
    const world = new SimWorld({ ...scenario, faults: faults ?? [], vehicles: [] }, map);
    const { id } = world.ego as VehicleActor;
    world.step(1);
    world.control(id, { ...noControl, brake: 1 });
    while ((world.ego?.vMps ?? 0) > 0.1) world.step(0.05);
    return world.bicycle(id).plant.sM;
  };
  const [sound, abs, fluid] = [
    stopM([]),
    stopM([{ kind: 'abs', atS: 1 }]),
    stopM([{ kind: 'brake_fluid_low', atS: 1 }]),
  ];
  t.ok(
    abs > sound * 1.1 && fluid > abs * 1.2,
    `${sound.toFixed(0)} m, ${abs.toFixed(0)} m, ${fluid.toFixed(0)} m`,
  );
});

t.test('a weather point keeps what it does not say', (t) => {
  const text = least.replace(
    '[{ at_s: 0 }]',
    '[{ at_s: 0, wetness: 40, ambient_c: 3 }, { at_s: 5, fog_density: 7 }]',
  );
  t.match(read(text).world.weather[1], { tS: 5, ambientC: 3, weather: { wetness: 40, fogDensity: 7 } });
  t.end();
});

const wrong: readonly (readonly [name: string, text: string, line: number, key: string])[] = [
  ['an unknown key', `${least}wheather: []\n`, 7, 'wheather'],
  ['no such map', least.replace('motorway-deu', 'atlantis'), 4, 'map'],
  ['a share above 100', least.replace('at_s: 0', 'at_s: 0, wetness: 140'), 5, 'weather.0.wetness'],
  ['times that fall', least.replace('{ at_s: 0 }', '{ at_s: 5 }, { at_s: 5 }'), 5, 'weather.1.at_s'],
  [
    'a lane that is no driving lane',
    `${least}ego: { spawn: { road: 1, lane: -1, s_m: 5 } }\n`,
    7,
    'ego.spawn.lane',
  ],
  [
    'a place beyond the road',
    `${least}ego: { spawn: { road: 1, lane: -2, s_m: 50000 } }\n`,
    7,
    'ego.spawn.s_m',
  ],
  ['no such road', `${least}ego: { spawn: { road: 9, lane: -2, s_m: 5 } }\n`, 7, 'ego.spawn.road'],
  [
    'no such vehicle',
    `${least}vehicles:\n  - { vehicle: tank, spawn: { road: 1, lane: -2, s_m: 5 } }\n`,
    8,
    'vehicles.0.vehicle',
  ],
  [
    'two in one place',
    `${least}vehicles:\n  - { spawn: { road: 1, lane: -2, s_m: 5 } }\n  - { spawn: { road: 1, lane: -2, s_m: 7 } }\n`,
    9,
    'vehicles.1.spawn',
  ],
  [
    'a step that does not exist',
    `${least}vehicles:\n  - { spawn: { road: 1, lane: -2, s_m: 5 }, script: [{ do: fly }] }\n`,
    8,
    'vehicles.0.script.0.do',
  ],
  [
    'no such signal',
    `${least}gantries:\n  - { signals: [gantry-99-1], shows: [{ from_s: 0, value: 80 }] }\n`,
    8,
    'gantries.0.signals.0',
  ],
];
for (const [name, text, line, key] of wrong)
  t.test(`${name}: file, line, column and key`, (t) => {
    t.throws(() => read(text), { code: 'SCENARIO_INVALID', location: { file: 'mine.yaml', line, key } });
    t.end();
  });

t.test('a damaged file is read or refused with its code, whatever the damage', (t) => {
  const whole = readFileSync(packageFile('hil', 'scenarios', 'world', 'motorway-cut-in.yaml'), 'utf8');
  const bits = [
    '',
    '-',
    '1e9',
    '-5',
    '0',
    'null',
    '[]',
    '{}',
    '"x"',
    '~',
    ': ',
    '\n',
    '&a',
    '*a',
    '.nan',
    '.inf',
  ];
  let stillRead = 0;
  fc.assert(
    fc.property(fc.nat(whole.length), fc.nat(12), fc.constantFrom(...bits), (from, length, bit) => {
      try {
        read(whole.slice(0, from) + bit + whole.slice(from + length));
        stillRead++;
      } catch (error) {
        return ['SCENARIO_INVALID', 'SIM_REFUSED'].includes((error as DriveMcpError).code);
      }
      return true;
    }),
    { numRuns: 300 },
  );
  t.ok(stillRead > 10, `${stillRead} of 300 were still scenarios`);
  t.end();
});

t.test('hil scenario and hil scenarios', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'scenario-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'own.xodr'), mapText('rural-deu'));
  writeFileSync(join(folder, 'mine.yaml'), least.replace('motorway-deu', 'own.xodr'));
  writeFileSync(join(folder, 'bad.yaml'), least.replace('other', 'comedy'));
  const [good, bad, schema, list] = await Promise.all([
    drivemcp(['hil', 'scenario', 'check', join(folder, 'mine.yaml'), 'border', '--json']),
    drivemcp(['hil', 'scenario', 'check', join(folder, 'bad.yaml')]),
    drivemcp(['hil', 'scenario', 'schema', '--json']),
    drivemcp(['hil', 'scenarios', '--json']),
  ]);
  t.equal(good.code, 0);
  t.match(good.objects(), [
    { id: 'mine', map: 'own' },
    { id: 'border', borders: [{ to: 'GBR' }] },
  ]);
  t.equal(bad.code, 78);
  t.match(bad.stderr, /bad\.yaml:2:9/);
  t.match(schema.objects(), [
    { type: 'object', required: ['id', 'family', 'title', 'map', 'weather', 'stop'] },
  ]);
  const ids = list.objects().map(({ id }) => id);
  t.match(ids, ['border-rain-braking', 'border']);
  t.equal(list.objects().filter(({ kind }) => kind === 'world').length, bundledScenarioNames().length);
});
