/** The rasteriser under the simulated camera: pinhole law, coverage of polygons, depth, textures in perspective. */
import fc from 'fast-check';
import t from 'tap';
import { FacePainter } from '../../hil/sim/camera/face-painter.js';
import { Painter } from '../../hil/sim/camera/painter.js';
import { Eye, lensOf, mayBeSeen, project } from '../../hil/sim/camera/pinhole.js';
import { material, paint, Raster } from '../../hil/sim/camera/raster.js';
import type { FaceLevel } from '../../hil/sim/signs/sign-faces.js';

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const lens = lensOf(160, 120, 90);
const white = paint(255, 255, 255, material.matte);
const black = paint(0, 0, 0, material.matte);

function dark(): Raster {
  const raster = new Raster(lens);
  raster.color.fill(black);
  raster.clear();
  return raster;
}

/** A polygon given by pixels, at a depth for each corner. */
function fill(
  painter: Painter,
  corners: readonly (readonly [u: number, v: number, depthM: number])[],
  isOneSided = false,
): void {
  for (const [i, [u, v, x]] of corners.entries()) {
    const y = ((u - lens.widthPx / 2) * x) / lens.focalPx;
    const z = ((lens.heightPx / 2 - v) * x) / lens.focalPx;
    painter.corners.set([x, y, z], 3 * i);
  }
  painter.polygon(corners.length, isOneSided);
}

const redOf = (raster: Raster, column: number, row: number): number =>
  (raster.color[row * lens.widthPx + column] as number) & 255;

t.test(
  'a point of the world is seen at u = w/2 + f·y/x, v = h/2 − f·z/x, however the camera is turned',
  async () => {
    fc.assert(
      fc.property(
        fc.tuple(number(-1000, 1000), number(-1000, 1000), number(-10, 50)),
        fc.tuple(number(-7, 7), number(-1.4, 1.4), number(-3, 3)),
        fc.tuple(number(0.2, 300), number(-300, 300), number(-100, 100)),
        fc.integer({ min: 8, max: 2000 }),
        number(10, 150),
        ([x, y, z], [headingRad, pitchRad, rollRad], [ahead, right, up], widthPx, fovDeg) => {
          const own = lensOf(widthPx, 360, fovDeg);
          const eye = new Eye({ x, y, z, headingRad, pitchRad, rollRad });
          const world = ([0, 1, 2] as const).map(
            (k) => [x, y, z][k]! + ahead * eye.forward[k] + right * eye.right[k] + up * eye.up[k],
          ) as [number, number, number];
          const seen = new Float64Array(3);
          eye.see(...world, seen, 0);
          const at = project(own, ...(seen as unknown as [number, number, number]));
          if (at === null) return false;
          const f = widthPx / (2 * Math.tan((fovDeg * Math.PI) / 360));
          const scale = 1 + Math.abs(f * right) / ahead + Math.abs(f * up) / ahead;
          return (
            Math.abs(at[0] - (widthPx / 2 + (f * right) / ahead)) < 1e-6 * scale &&
            Math.abs(at[1] - (180 - (f * up) / ahead)) < 1e-6 * scale
          );
        },
      ),
      { numRuns: 500 },
    );
  },
);

t.test(
  'axes: what is ahead is in the middle, what is to the left is left, a nose that points up sees more sky',
  async (t) => {
    const level = { x: 0, y: 0, z: 0, headingRad: 0, pitchRad: 0, rollRad: 0 };
    const at = (pose: typeof level, x: number, y: number, z: number) => {
      const seen = new Float64Array(3);
      new Eye(pose).see(x, y, z, seen, 0);
      return project(lens, ...(seen as unknown as [number, number, number])) as readonly [number, number];
    };
    t.same(at(level, 10, 0, 0), [80, 60]);
    t.ok(at(level, 10, 2, 0)[0] < 80, 'OpenDRIVE has y to the left');
    t.ok(at(level, 10, 0, 2)[1] < 60);
    t.ok(at({ ...level, pitchRad: 0.1 }, 10, 0, 0)[1] > 60, 'the horizon sinks');
    t.ok(
      at({ ...level, rollRad: 0.1 }, 10, 2, 0)[1] > 60,
      'right side down: what is left sinks in the picture',
    );
    t.equal(project(lens, -1, 0, 0), null);
  },
);

t.test('nothing in the frame is culled', async () => {
  fc.assert(
    fc.property(
      number(0.1, 90),
      number(0, 160),
      number(0, 120),
      number(-5, 5),
      number(-5, 5),
      number(-5, 5),
      (x, u, v, dx, dy, dz) => {
        const y = ((u - 80) * x) / lens.focalPx;
        const z = ((60 - v) * x) / lens.focalPx;
        // A ball with a point of it in the frame.
        return mayBeSeen(lens, x + dx, y + dy, z + dz, Math.hypot(dx, dy, dz) + 1e-6, 200);
      },
    ),
    { numRuns: 1000 },
  );
});

/** A convex polygon: points on an ellipse, in order. */
const convex = fc
  .tuple(
    number(-20, 180),
    number(-20, 140),
    number(3, 90),
    number(3, 90),
    fc.uniqueArray(fc.integer({ min: 0, max: 359 }), { minLength: 3, maxLength: 8 }),
  )
  .map(([u, v, a, b, angles]) =>
    angles
      .sort((one, other) => other - one)
      .map((degree) => {
        const angle = (degree * Math.PI) / 180;
        return [u + a * Math.cos(angle), v + b * Math.sin(angle), 10] as const;
      }),
  );

t.test('brightness of a filled polygon is its area within the frame', async () => {
  fc.assert(
    fc.property(convex, (corners) => {
      const raster = dark();
      const painter = new Painter(raster);
      painter.color = white;
      painter.group = 20;
      fill(painter, corners);
      let sum = 0;
      for (const color of raster.color) sum += (color & 255) / 255;
      const inside = clipped(corners);
      const us = inside.map(([u]) => u);
      const widthPx = Math.max(...us, 0) - Math.min(...us, 160);
      // Exact along each line; four lines a row see an edge that runs along them to an eighth of a pixel.
      return Math.abs(sum - areaOf(inside)) < 0.5 + Math.max(0, widthPx) / 4 + 0.004 * areaOf(inside);
    }),
    { numRuns: 300 },
  );
});

t.test('two halves of a polygon leave no seam, whatever their order', async () => {
  fc.assert(
    fc.property(convex, fc.nat(5), fc.boolean(), (corners, cut, isSwapped) => {
      fc.pre(corners.length >= 4);
      const k = 2 + (cut % (corners.length - 3 + 1 || 1));
      const halves = [
        corners.slice(0, k + 1),
        [corners[0] as (typeof corners)[0], ...corners.slice(k)],
      ].filter((half) => half.length >= 3);
      const draw = (parts: readonly (typeof corners)[]): Raster => {
        const raster = dark();
        const painter = new Painter(raster);
        painter.color = white;
        painter.group = 20;
        for (const part of parts) fill(painter, part);
        return raster;
      };
      const whole = draw([corners]);
      const parts = draw(isSwapped ? halves.reverse() : halves);
      for (let i = 0; i < whole.color.length; i++)
        if (Math.abs(((whole.color[i] as number) & 255) - ((parts.color[i] as number) & 255)) > 6)
          return false;
      return true;
    }),
    { numRuns: 300 },
  );
});

t.test('the nearer of two polygons is seen, in any order, and its depth is kept', async (t) => {
  for (const order of [
    [8, 20],
    [20, 8],
  ]) {
    const raster = dark();
    const painter = new Painter(raster);
    for (const depthM of order) {
      painter.group = depthM;
      painter.color = depthM === 8 ? white : paint(90, 90, 90, material.matte);
      fill(painter, [
        [20, 20, depthM],
        [120, 20, depthM],
        [120, 100, depthM],
        [20, 100, depthM],
      ]);
    }
    t.equal(redOf(raster, 60, 60), 255);
    t.equal(raster.owner[60 * 160 + 60], 8);
    t.ok(Math.abs(1 / (raster.inverse[60 * 160 + 60] as number) - 8) < 1e-4);
  }
});

t.test(
  'a floor that runs under the camera is cut at the near plane, and its depth is that of the plane',
  async (t) => {
    const raster = dark();
    const painter = new Painter(raster);
    painter.color = white;
    painter.group = 20;
    painter.corners.set([-50, -200, -1.5, 400, -200, -1.5, 400, 200, -1.5, -50, 200, -1.5]);
    painter.polygon(4);
    for (const row of [70, 90, 119]) {
      const inverse = raster.inverse[row * 160 + 80] as number;
      const expectedM = (1.5 * lens.focalPx) / (row + 0.5 - 60);
      t.ok(Math.abs(1 / inverse - expectedM) < 1e-3 * expectedM, `row ${row}`);
      t.equal(redOf(raster, 3, row), 255);
    }
    t.equal(redOf(raster, 80, 59), 0, 'nothing above the horizon');
  },
);

t.test('a side that is turned away is not drawn', async (t) => {
  const around = [
    [20, 20, 9],
    [20, 100, 9],
    [120, 100, 9],
    [120, 20, 9],
  ] as const;
  for (const [corners, isSeen] of [
    [around, true],
    [[...around].reverse(), false],
  ] as const) {
    const raster = dark();
    const painter = new Painter(raster);
    painter.color = white;
    fill(painter, corners, true);
    t.equal(redOf(raster, 60, 60) === 255, isSeen);
  }
});

/** Black with white squares of 16 texels. */
const board: FaceLevel = (() => {
  const rgba = new Uint8Array(4 * 64 * 64);
  for (let i = 0; i < 64 * 64; i++) {
    const isWhite = (((i % 64) >> 4) + (i >> 10)) % 2 === 0;
    rgba.set(isWhite ? [255, 255, 255, 255] : [0, 0, 0, 255], 4 * i);
  }
  return { widthPx: 64, heightPx: 64, rgba };
})();

t.test('a face in perspective: every texel is seen where its point of space is', async (t) => {
  const raster = dark();
  raster.color.fill(paint(0, 0, 128, material.matte));
  // Two metres square, turned away by 60°: the right edge is much farther than the left one.
  const place = {
    corner: Float64Array.of(3, -1, 1),
    across: Float64Array.of(2 * Math.sin(Math.PI / 3), 2 * Math.cos(Math.PI / 3), 0),
    down: Float64Array.of(0, 0, -2),
  };
  const trace = { left: 0, top: 0, right: 0, bottom: 0, drawnPx: 0 };
  t.ok(new FacePainter(raster).draw(place, [board], material.sheeting, 30, trace));
  let checked = 0;
  for (let i = 0; i < 16; i++) {
    for (let k = 0; k < 16; k++) {
      const [s, u] = [(i + 0.5) / 16, (k + 0.5) / 16];
      const at = project(
        lens,
        3 + s * (place.across[0] as number),
        -1 + s * (place.across[1] as number),
        1 - 2 * u,
      );
      if (at === null) return t.fail('behind');
      const isWhite = ((i >> 2) + (k >> 2)) % 2 === 0;
      const seen = redOf(raster, Math.floor(at[0]), Math.floor(at[1]));
      // In the middle of a square, not where two of them meet.
      if (i % 4 === 0 || i % 4 === 3 || k % 4 === 0 || k % 4 === 3) continue;
      checked++;
      if (isWhite ? seen < 200 : seen > 55) t.fail(`${s}, ${u}: ${seen}`);
    }
  }
  t.equal(checked, 64);
  const left = project(lens, 3, -1, 1) as readonly [number, number];
  t.ok(Math.abs(trace.left - left[0]) < 1e-9 && Math.abs(trace.top - left[1]) < 1e-9);
});

type Corner = readonly [u: number, v: number, depthM: number];

/** Sutherland–Hodgman against the frame. */
function clipped(corners: readonly Corner[]): readonly Corner[] {
  let polygon = corners;
  for (const [axis, limit, sign] of [
    [0, 0, 1],
    [0, 160, -1],
    [1, 0, 1],
    [1, 120, -1],
  ] as const) {
    const out: Corner[] = [];
    for (const [i, here] of polygon.entries()) {
      const before = polygon.at(i - 1) as Corner;
      const [a, b] = [sign * (before[axis] - limit), sign * (here[axis] - limit)];
      if (a >= 0 !== b >= 0) {
        const share = a / (a - b);
        out.push([before[0] + share * (here[0] - before[0]), before[1] + share * (here[1] - before[1]), 10]);
      }
      if (b >= 0) out.push(here);
    }
    polygon = out;
  }
  return polygon;
}

function areaOf(corners: readonly Corner[]): number {
  let twice = 0;
  for (const [i, [u, v]] of corners.entries()) {
    const [nextU, nextV] = corners[(i + 1) % corners.length] as Corner;
    twice += u * nextV - nextU * v;
  }
  return Math.abs(twice) / 2;
}
