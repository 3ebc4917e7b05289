/** The simulated LiDAR: every point lies on what it hit, nothing lies behind something nearer, and rain costs returns. */
import fc from 'fast-check';
import t from 'tap';
import { readLidar, writeLidar } from '../../hil/carla/stream/sensor-data.js';
import { boxesAround, hitBoxM } from '../../hil/sim/lidar/ray-box.js';
import { beamRad, type LidarSettings, scanLidar } from '../../hil/sim/lidar/scan-lidar.js';
import { createPrng } from '../../hil/sim/prng.js';
import { axesOf } from '../../hil/sim/world/sensor-pose.js';
import { carOn, mapWorld } from './map-world.js';

const settings: LidarSettings = {
  channels: 16,
  rangeM: 80,
  pointsPerSecond: 56_000,
  rotationHz: 10,
  upperFovDeg: 10,
  lowerFovDeg: -20,
  horizontalFovDeg: 360,
};

const bytes = (points: Float32Array): Buffer =>
  Buffer.from(points.buffer, points.byteOffset, points.byteLength);
const metres = (min: number, max: number) => fc.double({ min, max, noNaN: true });

t.test('a hit lies on a face of its box, and no point before it lies in the box', async () => {
  fc.assert(
    fc.property(
      metres(-30, 30),
      metres(-30, 30),
      metres(-3, 3),
      metres(-4, 4),
      metres(0.1, 9),
      metres(0.1, 3),
      metres(0.1, 4),
      metres(-0.3, 0.3),
      metres(-0.3, 0.3),
      (x, y, z, headingRad, lengthM, widthM, heightM, turnRad, riseRad) => {
        const actor = { id: 1, pose: { x, y, z, headingRad }, size: { lengthM, widthM, heightM } };
        const [box] = boxesAround([actor], { x: 0, y: 0, z: 0 }, 200, null);
        if (box === undefined) return false;
        const aim = Math.atan2(y, x) + turnRad;
        const rise = Math.atan2(z + heightM / 2, Math.hypot(x, y)) + riseRad;
        const direction = [
          Math.cos(rise) * Math.cos(aim),
          Math.cos(rise) * Math.sin(aim),
          Math.sin(rise),
        ] as const;
        const hitM = hitBoxM(box, ...direction);
        // How far out of the box a point of the ray is; 0 on a face, negative inside.
        const outM = (alongM: number): number => {
          const [px, py, pz] = direction.map((d) => d * alongM) as [number, number, number];
          const [rx, ry] = [px - x, py - y];
          const [cos, sin] = [Math.cos(headingRad), Math.sin(headingRad)];
          return Math.max(
            Math.abs(rx * cos + ry * sin) - lengthM / 2,
            Math.abs(ry * cos - rx * sin) - widthM / 2,
            Math.abs(pz - z - heightM / 2) - heightM / 2,
          );
        };
        const isInside = outM(0) < 1e-6;
        const untilM = Number.isFinite(hitM) ? hitM : 200;
        for (let i = 0; i < 50; i++) {
          const out = outM((untilM * i) / 50);
          if (!isInside && out < -1e-6) return false;
        }
        return !Number.isFinite(hitM) || Math.abs(outM(hitM)) < 1e-6;
      },
    ),
    { numRuns: 400 },
  );
});

t.test(
  'without rain every point of a scan lies on the ground or on a box, and none behind one',
  async (t) => {
    const world = mapWorld('town-deu', { vehicles: [carOn('1', -1, 40), carOn('1', 1, 60)] });
    const pose = { x: 40, y: -1.6, z: 1.8, headingRad: 0.2, pitchRad: 0.03, rollRad: -0.02 };
    const scan = scanLidar(world, { pose, parentId: null }, settings, createPrng('7', 'lidar'));
    const boxes = boxesAround(world.actors.values(), pose, settings.rangeM, null);
    const { forward, right, up } = axesOf(pose);
    t.equal(
      scan.points.length / 4,
      scan.pointsPerChannel.reduce((sum, n) => sum + n, 0),
    );
    t.ok(scan.points.length / 4 > 3000, `${scan.points.length / 4} points`);
    let onBoxes = 0;
    let at = 0;
    for (const [channel, count] of scan.pointsPerChannel.entries()) {
      for (let i = 0; i < count; i++, at += 4) {
        const [x, y, z] = scan.points.subarray(at, at + 3) as unknown as [number, number, number];
        const seenM = Math.hypot(x, y, z);
        if (Math.abs(Math.asin(z / seenM) - beamRad(settings, channel)) > 1e-3) t.fail('leaves its beam');
        const d = [0, 1, 2].map(
          (k) => (x * (forward[k] as number) + y * (right[k] as number) + z * (up[k] as number)) / seenM,
        ) as [number, number, number];
        const groundM = d[2] < 0 ? -pose.z / d[2] : Number.POSITIVE_INFINITY;
        const boxM = Math.min(...boxes.map((box) => hitBoxM(box, ...d)));
        if (boxM < groundM) onBoxes++;
        const nearestM = Math.min(groundM, boxM);
        if (Math.abs(seenM - nearestM) > 0.08)
          t.fail(`seen at ${seenM} m, the nearest hit is at ${nearestM} m`);
      }
    }
    t.ok(onBoxes > 30, `${onBoxes} points on boxes`);
    const read = readLidar(writeLidar(scan));
    t.equal(read.horizontalRad, Math.fround(scan.horizontalRad));
    t.ok(bytes(read.points).equals(bytes(scan.points)), 'the wire carries it');
  },
);

t.test('its carrier is not seen, and half a rotation sees half the points', async (t) => {
  const world = mapWorld('rural-deu', { vehicles: [carOn('1', -1, 100)] });
  const car = [...world.actors.values()].find(({ kind }) => kind === 'vehicle');
  if (car === undefined) throw new Error('no car');
  const pose = { ...car.pose, z: car.pose.z + 1, pitchRad: 0, rollRad: 0 };
  const scan = (parentId: number | null, sweepS = 0.1) =>
    scanLidar(world, { pose, parentId, sweepS }, settings, createPrng('7', 'lidar'));
  const nearest = (points: Float32Array): number => {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < points.length; i += 4)
      least = Math.min(least, Math.hypot(...(points.subarray(i, i + 3) as unknown as number[])));
    return least;
  };
  t.ok(nearest(scan(null).points) < 2.5, 'from inside a box its walls are seen');
  t.ok(nearest(scan(car.id).points) > 2.5, 'the first ground is where the lowest beam meets it');
  const half = scan(car.id, 0.05);
  t.ok(Math.abs(half.points.length / scan(car.id).points.length - 0.5) < 0.05);
  t.ok(Math.abs(half.horizontalRad - Math.PI) < 1e-9, 'and tells where it came to');
});

t.test('rain costs returns; the same seed gives the same scan', async (t) => {
  const scan = (precipitation: number, seed = '1') => {
    const world = mapWorld('motorway-deu', { vehicles: [carOn('1', -2, 40)] }, { precipitation });
    const pose = { x: 0, y: -5, z: 1.8, headingRad: 0, pitchRad: 0, rollRad: 0 };
    return scanLidar(world, { pose, parentId: null }, settings, createPrng(seed, 'lidar'));
  };
  const [dry, wet] = [scan(0).points.length, scan(100).points.length];
  t.ok(wet < 0.95 * dry && wet > 0.5 * dry, `${dry / 4} points dry, ${wet / 4} in heavy rain`);
  t.ok(bytes(scan(60).points).equals(bytes(scan(60).points)));
  t.notOk(bytes(scan(60).points).equals(bytes(scan(60, '2').points)));
});
