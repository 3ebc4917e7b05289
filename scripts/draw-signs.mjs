/**
 * Draws the sign faces of hil/sim/signs again: SVGs whose text is outlines, an atlas with a palette, and its index.
 *
 *   node scripts/draw-signs.mjs RESVG FONT...
 *
 * RESVG is a folder in which the npm package @resvg/resvg-js is installed (a tool of this script alone), FONT are the files
 * of Noto Sans (bold, condensed bold, semi-condensed bold) and Noto Sans CJK bold, both under the SIL Open Font License.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { palettePng } from '../dist/hil/sim/png/write-png.js';
import { drawings } from './sign-drawings.mjs';

const [tool, ...fonts] = process.argv.slice(2);
if (tool === undefined || fonts.length === 0) {
  process.stderr.write('usage: node scripts/draw-signs.mjs RESVG FONT...\n');
  process.exit(2);
}
const { Resvg } = createRequire(join(resolve(tool), 'package.json'))('@resvg/resvg-js');
const folder = new URL('../hil/sim/signs/', import.meta.url);
const facePx = 192;
const columns = 12;

mkdirSync(new URL('svg/', folder), { recursive: true });
for (const file of readdirSync(new URL('svg/', folder))) rmSync(new URL(`svg/${file}`, folder));

const faces = Object.entries(drawings).map(([name, { width, height, body }]) => {
  const heightPx = (facePx * height) / width;
  const source = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${facePx}" height="${heightPx}">${body}</svg>`;
  const drawn = new Resvg(source, { font: { loadSystemFonts: false, fontFiles: fonts } });
  const outlines = drawn
    .toString()
    .replace(/-?\d+\.\d{3,}/g, (number) => String(Math.round(Number(number) * 100) / 100))
    .replace(/>\s+</g, '>\n<');
  if (outlines.includes('<text')) throw new Error(`${name}: text is left`);
  writeFileSync(new URL(`svg/${name}.svg`, folder), `${outlines.trim()}\n`);
  return { name, widthPx: facePx, heightPx, rgba: drawn.render().pixels };
});

// Shelves from left to right; tall faces first, so that shelves of wide ones are half as high.
faces.sort((a, b) => b.heightPx - a.heightPx || (a.name < b.name ? -1 : 1));
const index = {};
let [x, y, shelfPx] = [0, 0, 0];
for (const face of faces) {
  if (x === columns * facePx || (shelfPx !== 0 && face.heightPx !== shelfPx)) {
    y += shelfPx;
    x = 0;
  }
  shelfPx = face.heightPx;
  index[face.name] = { x, y, widthPx: face.widthPx, heightPx: face.heightPx };
  x += facePx;
}
const [widthPx, heightPx] = [columns * facePx, y + shelfPx];
const atlas = new Uint8Array(4 * widthPx * heightPx);
for (const { name, rgba, ...size } of faces) {
  const at = index[name];
  for (let row = 0; row < size.heightPx; row++) {
    for (let column = 0; column < size.widthPx; column++) {
      const from = 4 * (row * size.widthPx + column);
      const to = 4 * ((at.y + row) * widthPx + at.x + column);
      const alpha = rgba[from + 3];
      // resvg's colours are multiplied by alpha; a PNG's are not. Four bits a channel keep three-digit colours exactly.
      for (let k = 0; k < 3; k++)
        atlas[to + k] = alpha === 0 ? 0 : 17 * Math.round(Math.min(255, (rgba[from + k] * 255) / alpha) / 17);
      atlas[to + 3] = 17 * Math.round(alpha / 17);
    }
  }
}
const sorted = Object.fromEntries(Object.entries(index).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(new URL('atlas.png', folder), palettePng(atlas, widthPx, heightPx));
const lines = Object.entries(sorted).map(([name, at]) => `  ${JSON.stringify(name)}: ${JSON.stringify(at)}`);
writeFileSync(new URL('atlas.json', folder), `{\n${lines.join(',\n')}\n}\n`);
process.stdout.write(`${faces.length} faces, ${widthPx} x ${heightPx} px\n`);
