/** What lies between the world and the picture: windscreen, drops, rain, motion; and what stands along roads for the eye alone. */
import t from 'tap';
import { noControl } from '../../hil/carla/wire/vehicle-control.js';
import type { WeatherParameters } from '../../hil/carla/wire/weather.js';
import { atmosphereOf, contrastAt } from '../../hil/sim/camera/atmosphere.js';
import { thingLabel } from '../../hil/sim/camera/label.js';
import { lensOf } from '../../hil/sim/camera/pinhole.js';
import { CameraRenderer, type CameraView } from '../../hil/sim/camera/render-camera.js';
import { roadsideOf } from '../../hil/sim/camera/roadside.js';
import { mapNames } from '../../hil/sim/maps/map-catalogue.js';
import { SignFaces } from '../../hil/sim/signs/sign-faces.js';
import type { SimWorld } from '../../hil/sim/world/sim-world.js';
import { carOn, mapWorld } from './map-world.js';

const faces = SignFaces.load();
const lens = lensOf(320, 180, 90);
const pose = { x: 15, y: -1.6, z: 1.4, headingRad: 0, pitchRad: 0, rollRad: 0 };

function shoot(world: SimWorld, view: Partial<CameraView> = {}, blur = 0) {
  const camera = new CameraRenderer(lens, 'test', faces, blur);
  const bgra = new Uint8Array(4 * lens.widthPx * lens.heightPx);
  const seen = camera.photograph({ world, pose, carrierId: null, frame: 5, ...view }, bgra);
  return { bgra, seen, camera };
}

/** Standard deviation of the green channel. */
function spread(bgra: Uint8Array): number {
  let sum = 0;
  let squares = 0;
  const count = bgra.length / 4;
  for (let i = 1; i < bgra.length; i += 4) {
    sum += bgra[i] as number;
    squares += (bgra[i] as number) ** 2;
  }
  return Math.sqrt(squares / count - (sum / count) ** 2);
}

/** Share of pixels that differ by more than the noise does. */
function differing(one: Uint8Array, other: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < one.length; i += 4)
    if ([0, 1, 2].some((k) => Math.abs((one[i + k] as number) - (other[i + k] as number)) > 12)) count++;
  return (4 * count) / one.length;
}

t.test(
  'a fogged windscreen takes contrast as 1 − fog does, of the picture and of what is true about it',
  async (t) => {
    const world = mapWorld('town-deu');
    const clear = shoot(world, { windscreen: { fog: 0, drops: 0 } });
    t.same(shoot(world).bgra, clear.bgra, 'a clear one is none');
    const before = spread(clear.bgra);
    const [sign] = clear.seen;
    let last = before;
    for (const fog of [0.2, 0.5, 0.8, 1]) {
      const fogged = shoot(world, { windscreen: { fog, drops: 0 } });
      const now = spread(fogged.bgra);
      t.ok(now < last && now > before * (1 - fog) * 0.8, `fog ${fog}: ${now} of ${before}`);
      last = now;
      const same = fogged.seen.find(({ signId }) => signId === sign?.signId);
      if (fog < 0.9) t.ok(Math.abs((same?.contrast ?? 0) - (sign?.contrast ?? 1) * (1 - fog)) < 1e-9);
      else t.equal(fogged.seen.length, 0, 'behind white glass nothing is seen');
    }
    for (const fog of [Number.NaN, -3, 7])
      t.doesNotThrow(() => shoot(world, { windscreen: { fog, drops: fog } }));
  },
);

t.test('drops cover about the share they are told to; wiped glass is clear again', async (t) => {
  const world = mapWorld('town-deu');
  const clear = shoot(world).bgra;
  let last = 0;
  for (const drops of [0.1, 0.4, 1]) {
    const share = differing(clear, shoot(world, { windscreen: { fog: 0, drops } }).bgra);
    t.ok(share > last && share < drops, `${drops}: ${share}`);
    last = share;
  }
  t.same(shoot(world, { windscreen: { fog: 0, drops: 0 } }).bgra, clear, 'behind the wiper');
});

t.test('rain falls in every frame elsewhere, and on a lens that has no windscreen before it', async (t) => {
  const weather: Partial<WeatherParameters> = { precipitation: 80, cloudiness: 90 };
  const world = mapWorld('town-deu', {}, weather);
  const behindGlass = { windscreen: { fog: 0, drops: 0 } };
  const [one, other] = [shoot(world, behindGlass), shoot(world, { ...behindGlass, frame: 6 })];
  const streaks = differing(one.bgra, other.bgra);
  t.ok(streaks > 0.001 && streaks < 0.2, `${streaks} of the pixels`);
  const onLens = differing(one.bgra, shoot(world).bgra);
  t.ok(onLens > 0.005 && onLens < 0.2, `${onLens} of the pixels behind drops`);
});

t.test(
  'visibility: 5 % of the contrast is left at 3/β; more fog and rain never mean more of it',
  async (t) => {
    const weather = (change: Partial<WeatherParameters>) =>
      atmosphereOf(mapWorld('town-deu', {}, change).weather.at(0).weather);
    for (const [fogDensity, visibilityM] of [
      [100, 40],
      [0, 20_000],
    ] as const) {
      const air = weather({ fogDensity });
      t.ok(Math.abs(contrastAt(air, visibilityM) - Math.exp(-3)) < 0.002, `${fogDensity} %`);
    }
    for (const field of ['fogDensity', 'precipitation'] as const)
      for (let percent = 0; percent < 100; percent += 5)
        t.ok(
          contrastAt(weather({ [field]: percent + 5 }), 100) < contrastAt(weather({ [field]: percent }), 100),
          `${field} ${percent} %`,
        );
    t.equal(
      contrastAt(weather({ fogDensity: 80, fogDistanceM: 30 }), 29),
      1,
      'fog begins where it is said to',
    );
    const day = weather({ sunAltitudeDeg: 60 }).level[1];
    const levels = [30, 5, -3, -9, -20].map((sunAltitudeDeg) => weather({ sunAltitudeDeg }).level[1]);
    for (const [i, level] of levels.entries()) t.ok(level <= (levels[i - 1] ?? day), `${level}`);
  },
);

t.test('motion blurs what goes by, not what drives along, and not a camera that stands', async (t) => {
  const world = mapWorld('rural-deu', { vehicles: [carOn('1', -1, 60), carOn('1', -1, 80, 'van')] });
  const [carrier, lead] = [...world.actors.values()].filter((actor) => actor.kind === 'vehicle');
  if (carrier === undefined || lead === undefined) return t.fail('two cars');
  for (const car of [carrier, lead]) world.control(car.id, noControl);
  const from = { ...carrier.pose, z: 1.4, pitchRad: 0, rollRad: 0 };
  const take = (vMps: number, blur: number) => {
    carrier.vMps = vMps;
    lead.vMps = vMps;
    return shoot(world, { pose: from, carrierId: carrier.id }, blur);
  };
  t.same(take(0, 1).bgra, take(0, 0).bgra, 'standing');
  const [sharp, blurred] = [take(30, 0), take(30, 1)];
  const changedIn = (wanted: (i: number) => boolean): number => {
    let changed = 0;
    let all = 0;
    for (let i = 0; i < sharp.camera.raster.owner.length; i++) {
      if (!wanted(i)) continue;
      all++;
      if (Math.abs((sharp.bgra[4 * i + 1] as number) - (blurred.bgra[4 * i + 1] as number)) > 3) changed++;
    }
    return changed / all;
  };
  const { owner } = sharp.camera.raster;
  const road = changedIn((i) => i > 320 * 140 && owner[i] === 1);
  const van = changedIn((i) => sharp.camera.groups.labels[owner[i] as number] === thingLabel.car);
  t.ok(road > 0.2, `the road below: ${road} of its pixels`);
  t.ok(van < 0.02, `the van ahead: ${van} of its pixels`);
});

t.test('trees, houses, lamps and rails stand beside the roads of every map, never on one', (t) => {
  for (const name of mapNames) {
    const world = mapWorld(name);
    let count = 0;
    for (const road of world.map.roads.values())
      for (const { pose, lengthM, widthM, kind } of roadsideOf(road, world.index)) {
        count++;
        const [cos, sin] = [Math.cos(pose.headingRad), Math.sin(pose.headingRad)];
        // A tree's crown may hang over a pavement: its trunk may not stand on it.
        const shrink = kind === 'tree' ? 0.1 : 0.5;
        for (let u = -1; u <= 1; u += 0.25)
          for (const v of [-1, 0, 1]) {
            const [along, aside] = [u * lengthM * shrink, v * widthM * shrink];
            const x = pose.x + along * cos - aside * sin;
            const y = pose.y + along * sin + aside * cos;
            if (world.index.locate(x, y) !== null)
              t.fail(`${name}: a ${kind} on road ${road.id} at ${x}, ${y}`);
          }
      }
    t.ok(count > 100, `${name}: ${count} things`);
  }
  t.end();
});
