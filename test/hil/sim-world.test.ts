/** The simulated world: traffic that does not crash, lights that are obeyed, lanes that are kept, and the same run twice. */
import { createHash } from 'node:crypto';
import t from 'tap';
import { clearWeather } from '../../hil/carla/wire/weather.js';
import { readOpenDrive } from '../../hil/opendrive/read-map.js';
import { mapText } from '../../hil/sim/maps/map-catalogue.js';
import type { VehicleActor } from '../../hil/sim/world/actor.js';
import { egoBlueprint } from '../../hil/sim/world/blueprint.js';
import { SimWorld } from '../../hil/sim/world/sim-world.js';
import type { VehicleSpawn, WorldScenario } from '../../hil/sim/world/world-scenario.js';

const car = (road: string, lane: number, sM: number, vMps = 8): VehicleSpawn => ({
  typeId: 'vehicle.drivemcp.hatchback',
  roleName: 'autopilot',
  place: { road, lane, sM },
  vMps,
  speedFactor: 1,
  script: [],
});

function world(map: string, change: Partial<WorldScenario> = {}): SimWorld {
  const scenario: WorldScenario = {
    id: `test-${map}`,
    seed: 1,
    map,
    startWallMs: 0,
    weather: [{ tS: 0, weather: clearWeather, ambientC: 15 }],
    ego: null,
    vehicles: [],
    walkers: [],
    displays: [],
    ...change,
  };
  return new SimWorld(scenario, readOpenDrive(mapText(map), map));
}

function run(simulated: SimWorld, seconds: number, look: () => void = () => {}): void {
  for (let i = 0; i < seconds * 20; i++) {
    simulated.step(0.05);
    look();
  }
}

const streets = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'];
const townTraffic = (side: 1 | -1): readonly VehicleSpawn[] =>
  streets.flatMap((road) => [car(road, -1, 40), car(road, 1, 80)]).filter((_, i) => i % 2 === 0 || side > 0);

for (const map of ['town-deu', 'town-gbr']) {
  for (const seed of [1, 2]) {
    t.test(`${map}, seed ${seed}: ninety seconds of traffic without a collision, and it moves`, (t) => {
      const town = world(map, { seed, vehicles: townTraffic(1) });
      const movedM = new Map<number, number>();
      run(town, 90, () => {
        for (const actor of town.actors.values())
          if (actor.kind === 'vehicle') movedM.set(actor.id, (movedM.get(actor.id) ?? 0) + actor.vMps * 0.05);
        for (const { one, other, closingMps } of town.collisions)
          t.fail(
            `${one.typeId} ${one.id} and ${other.id} at ${closingMps.toFixed(1)} m/s, ${town.tS.toFixed(1)} s`,
          );
      });
      const distances = [...movedM.values()];
      t.ok(Math.min(...distances) > 20, `the slowest went ${Math.min(...distances).toFixed(0)} m`);
      t.end();
    });
  }
}

t.test('nobody passes a red light', (t) => {
  const town = world('town-deu', { vehicles: townTraffic(1) });
  const lights = new Map(
    [...town.actors.values()].flatMap((actor) =>
      actor.kind === 'traffic-light' ? [[actor.signalId, actor]] : [],
    ),
  );
  const before = new Map<number, string>();
  let crossings = 0;
  run(town, 120, () => {
    for (const actor of town.actors.values()) {
      if (actor.kind !== 'vehicle' || actor.track === null) continue;
      const { road } = actor.track;
      const from = town.map.roads.get(before.get(actor.id) ?? '');
      if (road.junction !== null && from !== undefined && from.junction === null) {
        const sign = from.successor?.id === road.junction ? '+' : '-';
        const light = lights.get(`light-${from.id}${sign}`);
        if (light !== undefined) {
          crossings++;
          t.notMatch(light, { state: 0, elapsedS: 2.5 }, `${actor.id} at ${town.tS.toFixed(1)} s`);
          if (light.state === 0 && light.elapsedS > 2)
            t.fail(`${actor.id} passed a light ${light.elapsedS.toFixed(1)} s after red`);
        }
      }
      before.set(actor.id, road.id);
    }
  });
  t.ok(crossings > 20, `${crossings} crossings with a light`);
  t.end();
});

const ego = (place: VehicleSpawn['place'], vMps: number): WorldScenario['ego'] => ({
  ...car(place.road, place.lane, place.sM, vMps),
  typeId: egoBlueprint,
  roleName: 'hero',
  brain: 'driver',
});

for (const [map, place, seconds] of [
  ['rural-deu', { road: '1', lane: -1, sM: 5 }, 200],
  ['rural-gbr', { road: '1', lane: 1, sM: 5 }, 200],
  ['border-deu-gbr', { road: '1', lane: -1, sM: 5 }, 130],
  ['motorway-deu', { road: '1', lane: -3, sM: 5 }, 150],
] as const) {
  t.test(`${map}: the driver keeps to the lane and goes on to the end`, (t) => {
    const drive = world(map, { ego: ego(place, 15) });
    const hero = drive.ego as VehicleActor;
    const roads = new Set<string>();
    run(drive, seconds, () => {
      const found = drive.index.locate(hero.pose.x, hero.pose.y);
      if (found === null || hero.track === null || hero.track.road.successor === null) return;
      roads.add(found.road.id);
      const { x, y, headingRad } = hero.pose;
      const { track } = hero;
      if (found.road !== track.road) return;
      if (found.laneId !== track.laneId)
        t.fail(`on lane ${found.laneId} at ${x.toFixed(0)}, ${y.toFixed(0)} (${headingRad.toFixed(2)})`);
    });
    t.strictSame(
      [...roads].sort(),
      [...drive.map.roads.keys()].filter((id) => drive.map.roads.get(id)?.successor !== null).sort(),
    );
    t.end();
  });
}

t.test('the driver stops for a walker who steps into the road, and not for one who stays', (t) => {
  for (const steps of [true, false]) {
    const drive = world('rural-deu', {
      ego: ego({ road: '2', lane: -1, sM: 20 }, 13),
      walkers: [
        {
          from: { x: 0, y: 0 },
          to: { x: 0, y: 0 },
          speedMps: 1.4,
          whenEgoWithinM: steps ? 60 : 0,
          whenEgoWithinS: null,
          notBeforeS: 0,
        },
      ],
    });
    const hero = drive.ego as VehicleActor;
    const road = drive.map.roads.get('2');
    const walker = [...drive.actors.values()].find(({ kind }) => kind === 'walker');
    if (road === undefined || walker === undefined) throw new Error('scenario');
    const cos = Math.cos(hero.pose.headingRad);
    const sin = Math.sin(hero.pose.headingRad);
    // 90 m ahead, 6 m to the right of the ego, walking into its lane and staying there.
    const at = (aheadM: number, leftM: number) => ({
      x: hero.pose.x + aheadM * cos - leftM * sin,
      y: hero.pose.y + aheadM * sin + leftM * cos,
    });
    Object.assign(walker.pose, at(90, -6));
    const script = drive.scenario.walkers[0] as { from: object; to: object };
    Object.assign(script.from, at(90, -6));
    Object.assign(script.to, at(90, 0));
    let slowestMps = Infinity;
    run(drive, 20, () => {
      if (drive.tS > 3) slowestMps = Math.min(slowestMps, hero.vMps);
      for (const { closingMps } of drive.collisions)
        t.fail(`touched at ${drive.tS.toFixed(2)} s, ${hero.vMps.toFixed(1)} m/s (${closingMps.toFixed(1)})`);
    });
    if (steps) t.ok(slowestMps < 0.2, `slowed to ${slowestMps.toFixed(1)} m/s`);
    else t.ok(slowestMps > 8, `went on at ${slowestMps.toFixed(1)} m/s`);
  }
  t.end();
});

t.test('the same scenario twice is the same run; another seed is another', (t) => {
  const hash = (seed: number): string => {
    const town = world('town-deu', { seed, vehicles: townTraffic(1) });
    const digest = createHash('sha256');
    run(town, 30, () => {
      for (const { id, pose, vMps } of town.actors.values())
        digest.update(Float64Array.of(id, pose.x, pose.y, pose.headingRad, vMps));
    });
    return digest.digest('hex');
  };
  t.equal(hash(7), hash(7));
  t.not(hash(7), hash(8));
  t.end();
});

t.test('a client drives: full braking from 100 km/h takes v²/(2·0.95·μ·g) and some lag, wet longer', (t) => {
  for (const [weather, mu] of [
    [clearWeather, 0.85],
    [{ ...clearWeather, wetness: 60 }, 0.55],
  ] as const) {
    const plain = world('motorway-deu', {
      weather: [{ tS: 0, weather, ambientC: 15 }],
      ego: { ...ego({ road: '1', lane: -3, sM: 50 }, 27.8), brain: 'client' } as WorldScenario['ego'],
    });
    const hero = plain.ego as VehicleActor;
    plain.control(hero.id, { ...hero.control, brake: 1 });
    const startX = hero.pose.x;
    run(plain, 10);
    const expectedM = (27.8 * 27.8) / (2 * 0.95 * mu * 9.81);
    t.ok(hero.vMps === 0);
    t.ok(
      Math.abs(hero.pose.x - startX - expectedM) < 6,
      `${(hero.pose.x - startX).toFixed(1)} m, ideal ${expectedM.toFixed(1)} m`,
    );
  }
  t.end();
});

t.test('what cannot be is refused', (t) => {
  const town = world('town-deu');
  t.throws(() => town.spawnVehicle('vehicle.none', { x: 0, y: 0, z: 0, headingRad: 0 }, ''), {
    code: 'SIM_REFUSED',
  });
  const first = town.spawnVehicle(egoBlueprint, { x: 50, y: -1.6, z: 0, headingRad: 0 }, 'hero');
  t.throws(() => town.spawnVehicle(egoBlueprint, { x: 52, y: -1.6, z: 0, headingRad: 0 }, ''), {
    message: /collision at spawn/,
  });
  town.autopilot(first.id, true);
  run(town, 5);
  t.ok(first.vMps > 3, 'autopilot drives it');
  t.throws(() => town.control(999, first.control), { code: 'SIM_REFUSED' });
  t.equal(town.destroy(first.id), true);
  t.equal(town.destroy(first.id), false);
  t.throws(() => world('town-deu', { vehicles: [car('1', 5, 0)] }), { code: 'SCENARIO_INVALID' });
  t.end();
});
