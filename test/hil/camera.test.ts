/** The simulated camera: signs where geometry says, what hides what, sides of the road, lamps, weather, and the same bytes again. */
import { createHash } from 'node:crypto';
import t from 'tap';
import type { WeatherParameters } from '../../hil/carla/wire/weather.js';
import { thingLabel } from '../../hil/sim/camera/label.js';
import { lensOf, project } from '../../hil/sim/camera/pinhole.js';
import { CameraRenderer, type CameraView } from '../../hil/sim/camera/render-camera.js';
import type { SeenFace } from '../../hil/sim/camera/seen-faces.js';
import { writeDepths, writeLabels } from '../../hil/sim/camera/truth-images.js';
import { SignFaces } from '../../hil/sim/signs/sign-faces.js';
import type { SignActor } from '../../hil/sim/world/actor.js';
import type { SimWorld } from '../../hil/sim/world/sim-world.js';
import type { WorldScenario } from '../../hil/sim/world/world-scenario.js';
import { carOn, mapWorld } from './map-world.js';

const faces = SignFaces.load();
const lens = lensOf(320, 180, 60);

interface Shot {
  readonly bgra: Uint8Array;
  readonly seen: readonly SeenFace[];
  readonly camera: CameraRenderer;
}

function shoot(world: SimWorld, view: Partial<CameraView> & Pick<CameraView, 'pose'>, own = lens): Shot {
  const camera = new CameraRenderer(own, 'test', faces);
  const bgra = new Uint8Array(4 * own.widthPx * own.heightPx);
  const seen = camera.photograph({ world, carrierId: null, frame: 1, ...view }, bgra);
  return { bgra, seen, camera };
}

function signOf(world: SimWorld, signalId: string): SignActor {
  for (const actor of world.actors.values())
    if (actor.kind === 'traffic-sign' && actor.signalId === signalId) return actor;
  throw new Error(`no sign ${signalId}`);
}

/** Before a sign, looking the way of its traffic; `leftM` of it. */
function before(sign: SignActor, distanceM: number, leftM = 0, heightM = 1.4) {
  const headingRad = sign.pose.headingRad + Math.PI;
  const [cos, sin] = [Math.cos(headingRad), Math.sin(headingRad)];
  return {
    x: sign.pose.x - distanceM * cos - leftM * sin,
    y: sign.pose.y - distanceM * sin + leftM * cos,
    z: heightM,
    headingRad,
    pitchRad: 0,
    rollRad: 0,
  };
}

t.test('a sign is where the pinhole law puts it, at the distance it has', async (t) => {
  const world = mapWorld('rural-deu');
  const sign = signOf(world, 'bend-limit');
  for (const [distanceM, leftM] of [
    [12, 3],
    [25, 4],
    [60, 2],
  ] as const) {
    const pose = before(sign, distanceM, leftM);
    const { seen } = shoot(world, { pose });
    const face = seen.find(({ signId }) => signId === 'bend-limit');
    if (face === undefined) return t.fail(`not seen at ${distanceM} m`);
    t.match(face, { class: 'speed_limit', value: 70, unit: 'km/h', country: 'DEU', occlusion: 0 });
    // 0.6 m square, 2 m above the road, 5 cm before its post.
    const x = distanceM - 0.05;
    const corners = [project(lens, x, leftM - 0.3, 2.6 - 1.4), project(lens, x, leftM + 0.3, 2 - 1.4)];
    const [[left, top], [right, bottom]] = corners as unknown as readonly [
      readonly [number, number],
      readonly [number, number],
    ];
    const { bboxPx } = face;
    for (const [is, should] of [
      [bboxPx.left, left],
      [bboxPx.top, top],
      [bboxPx.right, right],
      [bboxPx.bottom, bottom],
    ] as const)
      t.ok(Math.abs(is - should) < 1e-6, `${distanceM} m: ${is} is ${should}`);
    t.ok(Math.abs(face.distanceM - Math.hypot(x, leftM, 0.9)) < 1e-9);
    t.equal(face.legible, bottom - top >= 12);
  }
});

t.test('what the picture shows there is the sign: red around white around black', async (t) => {
  const world = mapWorld('rural-deu');
  const { bgra, seen } = shoot(world, { pose: before(signOf(world, 'bend-limit'), 8, 1) });
  const { bboxPx } = seen.find(({ signId }) => signId === 'bend-limit') as SeenFace;
  const middle = (bboxPx.top + bboxPx.bottom) / 2;
  const at = (share: number): readonly [number, number, number] => {
    const column = Math.floor(bboxPx.left + share * (bboxPx.right - bboxPx.left));
    const i = 4 * (Math.floor(middle) * lens.widthPx + column);
    return [bgra[i + 2], bgra[i + 1], bgra[i]] as unknown as readonly [number, number, number];
  };
  const [red, green] = at(0.06);
  t.ok(red > 150 && green < 90, `a red ring: ${at(0.06)}`);
  t.ok(Math.min(...at(0.17)) > 170, `white inside: ${at(0.17)}`);
});

t.test('a van before a sign hides it; half of it hides half', async (t) => {
  const world = mapWorld('rural-deu');
  const sign = signOf(world, 'bend-limit');
  const pose = before(sign, 30, 0, 1.2);
  const van = world.spawnVehicle('vehicle.drivemcp.van', { x: 0, y: 0, z: 0, headingRad: 0 }, 'parked');
  const seenWith = (asideM: number): SeenFace | undefined => {
    const { headingRad } = pose;
    world.teleport(van.id, {
      x: pose.x + 6 * Math.cos(headingRad) - asideM * Math.sin(headingRad),
      y: pose.y + 6 * Math.sin(headingRad) + asideM * Math.cos(headingRad),
      z: 0,
      headingRad,
    });
    return shoot(world, { pose }).seen.find(({ signId }) => signId === 'bend-limit');
  };
  t.equal(seenWith(0), undefined, 'right before it');
  t.match(seenWith(10), { occlusion: 0 });
  // The van is 2.02 m wide at 0.95 of its roof; its rear stands at 6 − 2.95 m, the sign's edge aims at ±0.3 m of 30 m.
  const half = seenWith(1.0);
  t.ok(half !== undefined && half.occlusion > 0.15 && half.occlusion < 0.95, `${half?.occlusion}`);
});

t.test(
  'a sign at the edge of the frame is partly outside, one from behind is grey and no face',
  async (t) => {
    const world = mapWorld('rural-deu');
    const sign = signOf(world, 'bend-limit');
    // Its middle on the right edge of the picture: y/x = tan(fov/2).
    const pose = before(sign, 10.05, 10 * Math.tan(Math.PI / 6));
    const cut = shoot(world, { pose }).seen.find(({ signId }) => signId === 'bend-limit');
    t.ok(cut !== undefined && Math.abs(cut.occlusion - 0.5) < 0.12, `half outside: ${cut?.occlusion}`);
    const behind = { ...before(sign, -10, 0), headingRad: sign.pose.headingRad };
    const { seen, bgra, camera } = shoot(world, { pose: behind });
    t.equal(seen.length, 0);
    let grey = 0;
    for (let i = 0; i < camera.raster.owner.length; i++) {
      if (camera.groups.labels[camera.raster.owner[i] as number] !== thingLabel.sign) continue;
      const [b, g, r] = [bgra[4 * i], bgra[4 * i + 1], bgra[4 * i + 2]] as [number, number, number];
      if (Math.max(r, g, b) - Math.min(r, g, b) < 30) grey++;
    }
    t.ok(grey > 60, `${grey} grey pixels`);
  },
);

t.test('a gantry shows what its schedule says: dark, a limit, a limit when wet', async (t) => {
  const signals = ['gantry-1-1', 'gantry-1-2', 'gantry-1-3'];
  const world = mapWorld('motorway-deu', {
    displays: signals.map((signalId) => ({
      signalId,
      shows: [
        { fromS: 0, value: null, plate: null },
        { fromS: 1, value: 120, plate: null },
        { fromS: 2, value: 80, plate: 'wet' as const },
      ],
    })),
  });
  const pose = { x: 470, y: -9, z: 1.4, headingRad: 0, pitchRad: 0.05, rollRad: 0 };
  const shown = () => shoot(world, { pose }).seen.map(({ class: meaning, value }) => `${meaning} ${value}`);
  const run = (untilS: number): void => {
    while (world.tS < untilS) world.step(0.05);
  };
  t.same(shown(), Array(3).fill('blank null'));
  run(1.2);
  t.same(shown(), Array(3).fill('variable_limit 120'));
  run(2.2);
  t.same(shown().sort(), [...Array(3).fill('variable_limit 80'), ...Array(3).fill('wet_plate null')]);
});

t.test('lit panels are as bright by night; sheeting shines in the headlights and nowhere else', async (t) => {
  const night: Partial<WeatherParameters> = { sunAltitudeDeg: -40 };
  const world = mapWorld(
    'motorway-deu',
    { displays: [{ signalId: 'gantry-1-1', shows: [{ fromS: 0, value: 100, plate: null }] }] },
    night,
  );
  const pose = { x: 460, y: -9, z: 1.4, headingRad: 0, pitchRad: 0.05, rollRad: 0 };
  const lit = shoot(world, { pose }).seen.find(({ signId }) => signId === 'gantry-1-1');
  t.ok(lit !== undefined && lit.contrast > 0.9);
  const rural = mapWorld('rural-deu', { vehicles: [carOn('1', -1, 100)] }, night);
  const car = [...rural.actors.values()].find(({ kind }) => kind === 'vehicle');
  if (car === undefined) return t.fail('no car');
  const sign = signOf(rural, 'bend-limit');
  const ahead = before(sign, 32, 5);
  rural.teleport(car.id, { ...ahead, z: 0 });
  const contrast = (ownLamps: CameraView['ownLamps']): number => {
    const view = { pose: ahead, carrierId: car.id, ...(ownLamps === undefined ? {} : { ownLamps }) };
    return shoot(rural, view).seen.find(({ signId }) => signId === 'bend-limit')?.contrast ?? 0;
  };
  const [dark, low, high] = [
    contrast({ isLit: false, isHighBeam: false }),
    contrast({ isLit: true, isHighBeam: false }),
    contrast({ isLit: true, isHighBeam: true }),
  ];
  t.ok(
    dark < 0.06 && low > 0.3 && high > low,
    `${dark} without lamps, ${low} in the low beam, ${high} in the high beam`,
  );
  t.equal(contrast(undefined), low, 'the sensor of dusk switches them on');
});

t.test('fog takes contrast as exp(−β·d), and the sign with it', async (t) => {
  const contrastAt = (fogDensity: number, distanceM: number): number => {
    const world = mapWorld('rural-deu', {}, { fogDensity });
    const { seen } = shoot(world, { pose: before(signOf(world, 'bend-limit'), distanceM, 2) });
    return seen.find(({ signId }) => signId === 'bend-limit')?.contrast ?? 0;
  };
  const [one, two] = [contrastAt(30, 20), contrastAt(30, 40)];
  t.ok(Math.abs(two - one * one * (one / contrastAt(30, 20))) < 0.03, `${one} at 20 m, ${two} at 40 m`);
  t.equal(contrastAt(100, 60), 0, 'behind the visibility of 40 m nothing is seen');
  const world = mapWorld('rural-deu', {}, { fogDensity: 60 });
  const { bgra } = shoot(world, { pose: before(signOf(world, 'bend-limit'), 60) });
  const row = (v: number): number => {
    let sum = 0;
    for (let u = 0; u < lens.widthPx; u++) sum += bgra[4 * (v * lens.widthPx + u) + 1] as number;
    return sum / lens.widthPx;
  };
  t.ok(Math.abs(row(88) - row(93)) < 6, 'no horizon in fog');
});

t.test('traffic keeps its side: what is met in a right-hand country comes on the left', async (t) => {
  for (const [map, lane, side] of [
    ['rural-deu', 1, 'left'],
    ['rural-gbr', -1, 'right'],
  ] as const) {
    const world = mapWorld(map, { vehicles: [carOn('1', lane, 60)] });
    const ownLane = side === 'left' ? -1.75 : 1.75;
    const { camera } = shoot(world, {
      pose: { x: 20, y: ownLane, z: 1.4, headingRad: 0, pitchRad: 0, rollRad: 0 },
    });
    let sum = 0;
    let count = 0;
    for (let i = 0; i < camera.raster.owner.length; i++) {
      if (camera.groups.labels[camera.raster.owner[i] as number] !== thingLabel.car) continue;
      sum += i % lens.widthPx;
      count++;
    }
    t.ok(count > 20, `${map}: ${count} pixels`);
    t.equal(sum / count < lens.widthPx / 2 ? 'left' : 'right', side, map);
  }
});

t.test('brake lights: the rear of a car is redder when it brakes', async (t) => {
  const redness = (brake: number): number => {
    const world = mapWorld('rural-deu', { vehicles: [carOn('1', -1, 40)] });
    const [car] = [...world.actors.values()].filter((actor) => actor.kind === 'vehicle');
    if (car === undefined) throw new Error('no car');
    world.control(car.id, { ...car.control, brake });
    const { bgra } = shoot(world, {
      pose: { x: 28, y: -1.75, z: 1.2, headingRad: 0, pitchRad: 0, rollRad: 0 },
    });
    let red = 0;
    for (let i = 0; i < bgra.length; i += 4)
      if ((bgra[i + 2] as number) > 215 && (bgra[i + 1] as number) < 120) red++;
    return red;
  };
  t.equal(redness(0), 0);
  t.ok(redness(0.6) > 20, `${redness(0.6)} red pixels`);
});

t.test('depth and labels: as CARLA encodes them, of the things that are there', async (t) => {
  const world = mapWorld('rural-deu', { vehicles: [carOn('1', -1, 40)] }, { fogDensity: 80 });
  const camera = new CameraRenderer(lens, 'test', faces);
  const pose = { x: 20, y: -1.75, z: 1.2, headingRad: 0, pitchRad: 0, rollRad: 0 };
  camera.draw({ world, pose, carrierId: null, frame: 1 }, true);
  const bgra = new Uint8Array(4 * lens.widthPx * lens.heightPx);
  writeDepths(camera.raster, bgra);
  const depthM = (u: number, v: number): number => {
    const i = 4 * (v * lens.widthPx + u);
    const [b, g, r] = [bgra[i], bgra[i + 1], bgra[i + 2]] as [number, number, number];
    return (1000 * (r + 256 * g + 65_536 * b)) / (2 ** 24 - 1);
  };
  const car = [...world.actors.values()].find(({ kind }) => kind === 'vehicle');
  const rearM = (car?.pose.x ?? 0) - (car?.size.lengthM ?? 0) / 2 - pose.x;
  t.ok(Math.abs(depthM(160, 92) - rearM) < 0.3, `${depthM(160, 92)} m, the rear is at ${rearM} m`);
  t.ok(Math.abs(depthM(160, 150) - (1.2 * lens.focalPx) / 60.5) < 0.05, 'the road before the car');
  t.equal(depthM(160, 5), 1000, 'the sky');
  writeLabels(
    camera.raster,
    camera.groups,
    Uint8Array.from({ length: 20 }, (_, i) => i),
    bgra,
  );
  const label = (u: number, v: number): number => bgra[4 * (v * lens.widthPx + u) + 2] as number;
  t.equal(label(160, 92), thingLabel.car);
  t.equal(label(160, 150), 1, 'road');
  t.equal(label(160, 5), 14, 'sky');
  t.equal(label(5, 100), 4, 'terrain');
});

const rain: Partial<WeatherParameters> = {
  precipitation: 70,
  wetness: 80,
  cloudiness: 90,
  sunAltitudeDeg: 15,
};
const story: Partial<WorldScenario> = {
  vehicles: [carOn('1', -1, 40), carOn('1', 1, 60, 'van'), carOn('4', -1, 30, 'lorry')],
};

/** Pinned: the bytes of a frame change only in a commit that says why pictures changed. */
const pins = [
  ['town-deu', {}, '33bec249f8fed9ef'],
  ['town-gbr', rain, 'f1b27b98d1e8e7b6'],
  ['motorway-cze', { sunAltitudeDeg: -30 }, '9c5159e0844cb441'],
] as const;

t.test('the same world, seed and frame give the same bytes; another frame has other noise', async (t) => {
  for (const [map, weather, pin] of pins) {
    const hash = (frame: number): string => {
      const world = mapWorld(map, map.startsWith('town') ? story : {}, weather);
      const pose = {
        x: 20,
        y: map === 'town-gbr' ? 1.6 : -1.6,
        z: 1.4,
        headingRad: 0.05,
        pitchRad: 0,
        rollRad: 0,
      };
      return createHash('sha256').update(shoot(world, { pose, frame }).bgra).digest('hex').slice(0, 16);
    };
    t.equal(hash(3), hash(3), map);
    t.not(hash(3), hash(4), map);
    t.equal(hash(3), pin, `${map}: pinned`);
  }
});

t.test('what houses hide is not drawn, and nobody sees it: a hair of pitch draws it all', async (t) => {
  for (const [map, ownLane] of [
    ['town-deu', -1.6],
    ['town-gbr', 1.6],
    ['rural-deu', -1.6],
  ] as const) {
    const world = mapWorld(map, map.startsWith('town') ? story : {});
    for (let i = 0; i < 12; i++) {
      const pose = { x: 10 + 23 * i, y: ownLane, z: 1.4, headingRad: i * 0.55, pitchRad: 0, rollRad: 0 };
      // Labels and depths: the ground's own texture flips with a hair, these do not.
      const seen = [0, 1e-8].map((pitchRad) => {
        const { raster, groups } = shoot(world, { pose: { ...pose, pitchRad } }, lensOf(240, 135, 90)).camera;
        return Array.from(raster.owner, (group, k) => [groups.labels[group], raster.inverse[k]] as const);
      });
      const differing = seen[0]?.filter(([label, inverse], k) => {
        const [otherLabel, otherInverse] = seen[1]?.[k] ?? [];
        return label !== otherLabel || Math.abs((inverse ?? 0) - (otherInverse ?? 0)) > 1e-4;
      });
      t.ok((differing?.length ?? 99) < 4, `${map} ${i}: ${differing?.length} pixels differ`);
    }
  }
});

t.test('a camera that is turned in every way draws, above the ground and below it', async (t) => {
  const world = mapWorld('town-deu', story, rain);
  for (let i = 0; i < 60; i++) {
    const pose = {
      x: 10 + 3 * i,
      y: -3 + (i % 7),
      z: [1.4, 0.05, -2, 80][i % 4] as number,
      headingRad: i,
      pitchRad: (i % 9) / 3 - 1.4,
      rollRad: (i % 11) / 2 - 2.5,
    };
    const { bgra } = shoot(world, { pose }, lensOf(64, 36, 20 + 2 * i));
    t.ok(bgra.some((value) => value !== bgra[0]));
  }
  // What no client should ask for ends as well.
  for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, 1e12])
    for (const field of ['x', 'y', 'z', 'headingRad', 'pitchRad', 'rollRad'])
      t.doesNotThrow(() =>
        shoot(
          world,
          { pose: { x: 20, y: -1.6, z: 1.4, headingRad: 0, pitchRad: 0, rollRad: 0, [field]: odd } },
          lensOf(64, 36, 90),
        ),
      );
});
