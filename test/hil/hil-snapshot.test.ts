/** `hil snapshot`: the built command writes a picture and what is true about it, twice the same, and refuses what it cannot do. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import t from 'tap';
import { colorPng } from '../../hil/sim/png/write-png.js';
import { createPrng } from '../../hil/sim/prng.js';
import { drivemcp } from '../helpers/command.js';

const folder = mkdtempSync(join(tmpdir(), 'snapshot-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string): string => join(folder, name);

/** Red, green, blue of a picture in true colour, with any of the filters of PNG (ISO/IEC 15948, 9.2). */
function pixels(png: Buffer): { widthPx: number; heightPx: number; rgb: Uint8Array } {
  const [widthPx, heightPx] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const at = png.indexOf('IDAT');
  const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  const count = 3 * widthPx;
  const rgb = new Uint8Array(count * heightPx);
  const past = (y: number, i: number): number => (y < 0 || i < 0 ? 0 : (rgb[y * count + i] as number));
  for (let y = 0; y < heightPx; y++)
    for (let i = 0; i < count; i++) {
      const [a, b, c] = [past(y, i - 3), past(y - 1, i), past(y - 1, i - 3)];
      const near = (p: number): number => Math.abs(a + b - c - p);
      const paeth = near(a) <= near(b) && near(a) <= near(c) ? a : near(b) <= near(c) ? b : c;
      const guess = [0, a, b, (a + b) >> 1, paeth][rows[y * (count + 1)] as number] as number;
      rgb[y * count + i] = (rows[y * (count + 1) + 1 + i] as number) + guess;
    }
  return { widthPx, heightPx, rgb };
}

t.test('true colour as PNG: every pixel comes back', async (t) => {
  const prng = createPrng('1', 'png');
  // Even rows, slopes and noise: each filter has its turn.
  const bgra = Uint8Array.from({ length: 4 * 7 * 40 }, (_, i) =>
    i > 700 ? 256 * prng.uniform() : (i * i) % 251,
  );
  const { widthPx, heightPx, rgb } = pixels(colorPng(bgra, 7, 40));
  t.same([widthPx, heightPx], [7, 40]);
  for (let i = 0; i < 280; i++)
    t.same(
      [...rgb.subarray(3 * i, 3 * i + 3)],
      [2, 1, 0].map((k) => bgra[4 * i + k]),
    );
});

t.test('a gantry, and what is true about it; the same bytes again', async (t) => {
  const args = ['hil', 'snapshot', '--scenario', 'gantries', '--at', '13.72', '--fov', '40', '--json'];
  const [one, again] = await Promise.all([
    drivemcp([...args, '--out', file('one.png'), '--ground-truth', file('one.json')]),
    drivemcp([...args, '--out', file('again.png')]),
  ]);
  t.equal(one.code, 0, one.stderr);
  t.equal(again.code, 0);
  t.ok(readFileSync(file('one.png')).equals(readFileSync(file('again.png'))));
  const truth = JSON.parse(readFileSync(file('one.json'), 'utf8')) as { faces: Record<string, unknown>[] };
  t.match(truth, { scenario: 'gantries', map: 'motorway-deu', seed: 4, t_s: 13.7, frame: 274 });
  t.same(truth.faces, (JSON.parse(one.stdout) as typeof truth).faces);
  const middle = truth.faces.find(({ sign_id }) => sign_id === 'gantry-1-2');
  t.match(middle, { class: 'variable_limit', value: 120, unit: 'km/h', country: 'DEU', legible: true });
  const [left, top, right, bottom] = (middle?.['bbox_px'] ?? []) as number[] as [
    number,
    number,
    number,
    number,
  ];
  const { rgb } = pixels(readFileSync(file('one.png')));
  let red = 0;
  for (let v = Math.ceil(top); v < bottom; v++)
    for (let u = Math.ceil(left); u < right; u++) {
      const at = 3 * (v * 640 + u);
      if ((rgb[at] as number) > 120 && (rgb[at + 1] as number) < 90) red++;
    }
  t.ok(red > 0.1 * (right - left) * (bottom - top), `${red} red pixels in the box`);
});

t.test('depth, labels, another size, a place of the world, a map alone', async (t) => {
  const base = [
    'hil',
    'snapshot',
    '--map',
    'town-gbr',
    '--world',
    '--mount',
    '40,-1.6,1.4',
    '--size',
    '64x36',
  ];
  for (const show of ['rgb', 'depth', 'labels']) {
    const { code, stderr } = await drivemcp([...base, '--show', show, '--out', file(`${show}.png`)]);
    t.equal(code, 0, stderr);
  }
  const { widthPx, heightPx, rgb } = pixels(readFileSync(file('labels.png')));
  t.same([widthPx, heightPx], [64, 36]);
  const below = 3 * (35 * 64 + 32);
  t.same([...rgb.subarray(below, below + 3)], [1, 0, 0], 'the road is label 1, in red');
  const without = await drivemcp(['hil', 'snapshot', '--map', 'town-deu', '--out', file('no-ego.png')]);
  t.match(without.stderr, /no ego/);
});

t.test('what it refuses, with exit code 2, and no file is left behind', async (t) => {
  const before = readdirSync(folder).length;
  for (const args of [
    [],
    ['--out', file('x.jpg')],
    ['--out', file('x.png'), '--size', '7x7'],
    ['--out', file('x.png'), '--size', '9000x10'],
    ['--out', file('x.png'), '--at', '-1'],
    ['--out', file('x.png'), '--mount', '1,2'],
    ['--out', file('x.png'), '--windscreen', '2,0'],
    ['--out', file('x.png'), '--scenario', 'nowhere'],
    ['--out', file('x.png'), '--ground-truth', file('x.txt')],
  ])
    t.equal((await drivemcp(['hil', 'snapshot', ...args])).code, 2, args.join(' '));
  t.equal(readdirSync(folder).length, before);
});
