/** The drawn faces of signs: one for every sign of every map, an index that fits its picture, sizes down to a few pixels. */
import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { readOpenDrive } from '../../hil/opendrive/read-map.js';
import { mapNames, mapText } from '../../hil/sim/maps/map-catalogue.js';
import { drawingPatterns, fixedFace, variableFaces } from '../../hil/sim/signs/face-catalogue.js';
import { SignFaces } from '../../hil/sim/signs/sign-faces.js';
import { lightType } from '../../hil/sim/world/traffic-lights.js';

const faces = SignFaces.load(packageFile('hil', 'sim', 'signs'));
const has = (drawing: string): boolean => faces.has(drawing);

t.test('index, drawings and patterns name the same faces', (t) => {
  const drawn = readdirSync(packageFile('hil', 'sim', 'signs', 'svg')).map((file) =>
    file.replace(/\.svg$/, ''),
  );
  t.strictSame([...faces.names].sort(), drawn.sort());
  for (const pattern of drawingPatterns()) {
    const named = new RegExp(`^${pattern.replace('*', '\\d+')}$`);
    t.ok(
      faces.names.some((name) => named.test(name)),
      pattern,
    );
  }
  for (const file of drawn)
    t.notMatch(
      readFileSync(packageFile('hil', 'sim', 'signs', 'svg', `${file}.svg`), 'utf8'),
      /<text|<image|href/,
      file,
    );
  t.end();
});

t.test('every sign of every map has a face of its own', (t) => {
  let fixed = 0;
  let dynamic = 0;
  for (const name of mapNames) {
    for (const road of readOpenDrive(mapText(name), name).roads.values()) {
      for (const signal of road.signals) {
        if (signal.type === lightType) continue;
        if (signal.isDynamic) {
          dynamic++;
          for (const value of [null, 40, 60, 80, 120]) {
            const { panel } = variableFaces(signal, { value, plate: null }, has);
            if (signal.unit === 'km/h' || value === null || value <= 60)
              t.not(panel.class, 'unknown', `${name} ${signal.id} ${value}`);
          }
        } else {
          fixed++;
          t.not(fixedFace(signal, has).class, 'unknown', `${name} ${signal.id}`);
        }
      }
    }
  }
  t.ok(fixed > 20 && dynamic > 50, `${fixed} fixed, ${dynamic} dynamic`);
  t.end();
});

t.test('a face in its own size and halved down to a few pixels', (t) => {
  const levels = faces.levels('limit-50');
  t.equal(levels[0]?.widthPx, 192);
  for (const [i, level] of levels.entries()) {
    t.equal(level.rgba.length, 4 * level.widthPx * level.heightPx);
    if (i > 0) t.equal(level.widthPx, Math.max(1, Math.floor((levels[i - 1]?.widthPx ?? 0) / 2)));
  }
  const [full] = levels;
  const at = (x: number, y: number): readonly number[] => [
    ...(full?.rgba.subarray(4 * (y * 192 + x), 4 * (y * 192 + x) + 4) ?? []),
  ];
  t.ok((at(96, 8)[0] ?? 0) > 120 && (at(96, 8)[1] ?? 255) < 80, 'a red ring');
  t.equal(at(0, 0)[3], 0, 'nothing in the corner');
  t.throws(() => faces.levels('limit-7'), { code: 'FILE_UNREADABLE' });
  t.end();
});
