/** PNG (ISO/IEC 15948): with a palette for the sign atlas and the documentation, in true colour for pictures of a camera. */
import { crc32, deflateSync } from 'node:zlib';

export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Eight bits a pixel. The 256 most frequent colours stay as they are (`rgba` is 4·w·h bytes), every other one becomes the
 * nearest of them.
 */
export function palettePng(rgba: Uint8Array, widthPx: number, heightPx: number): Buffer {
  const pixels = new DataView(rgba.buffer, rgba.byteOffset, rgba.byteLength);
  const counts = new Map<number, number>();
  for (let i = 0; i < widthPx * heightPx; i++) {
    const color = pixels.getUint32(4 * i);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const palette = [...counts]
    .sort(([a, n], [b, m]) => m - n || a - b)
    .slice(0, 256)
    .map(([color]) => color);
  const indices = new Map<number, number>();
  for (const color of counts.keys()) indices.set(color, nearest(palette, color));
  const rows = Buffer.alloc((widthPx + 1) * heightPx);
  for (let y = 0; y < heightPx; y++)
    for (let x = 0; x < widthPx; x++)
      rows[y * (widthPx + 1) + 1 + x] = indices.get(pixels.getUint32(4 * (y * widthPx + x))) as number;
  return pngOf(widthPx, heightPx, 3, [
    ['PLTE', Buffer.from(palette.flatMap((c) => [c >>> 24, (c >>> 16) & 255, (c >>> 8) & 255]))],
    ['tRNS', Buffer.from(palette.map((c) => c & 255))],
    ['IDAT', deflateSync(rows, { level: 9 })],
  ]);
}

/** Three bytes a pixel from blue, green, red, alpha as a camera has them; alpha is left out. */
export function colorPng(bgra: Uint8Array, widthPx: number, heightPx: number): Buffer {
  const rowBytes = 3 * widthPx + 1;
  const rows = Buffer.alloc(rowBytes * heightPx);
  let above = new Uint8Array(3 * widthPx);
  let here = new Uint8Array(3 * widthPx);
  const tried = Buffer.alloc(3 * widthPx);
  for (let y = 0; y < heightPx; y++) {
    for (let i = 0; i < 3 * widthPx; i++) {
      const x = Math.floor(i / 3);
      here[i] = bgra[4 * (y * widthPx + x) + 2 - (i - 3 * x)] as number;
    }
    // Of the filters, the one that leaves the smallest numbers (PNG, 12.8).
    let least = Number.POSITIVE_INFINITY;
    for (let filter = 0; filter < filters.length; filter++) {
      let sum = 0;
      for (let i = 0; i < 3 * widthPx; i++) {
        const left = i < 3 ? 0 : (here[i - 3] as number);
        const corner = i < 3 ? 0 : (above[i - 3] as number);
        const guess = (filters[filter] as Filter)(left, above[i] as number, corner);
        const rest = ((here[i] as number) - guess) & 255;
        tried[i] = rest;
        sum += rest < 128 ? rest : 256 - rest;
      }
      if (sum >= least) continue;
      least = sum;
      rows[y * rowBytes] = filter;
      tried.copy(rows, y * rowBytes + 1);
    }
    [above, here] = [here, above];
  }
  return pngOf(widthPx, heightPx, 2, [['IDAT', deflateSync(rows, { level: 9 })]]);
}

type Filter = (left: number, above: number, corner: number) => number;

/** By their number in the format: none, left, above, mean, Paeth. */
const filters: readonly Filter[] = [
  () => 0,
  (left) => left,
  (_, above) => above,
  (left, above) => (left + above) >> 1,
  (left, above, corner) => {
    const [a, b, c] = [
      Math.abs(above - corner),
      Math.abs(left - corner),
      Math.abs(left + above - 2 * corner),
    ];
    return a <= b && a <= c ? left : b <= c ? above : corner;
  },
];

/** `kind` 2: true colour, 3: palette. */
function pngOf(
  widthPx: number,
  heightPx: number,
  kind: 2 | 3,
  chunks: readonly (readonly [name: string, data: Buffer])[],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx, 0);
  header.writeUInt32BE(heightPx, 4);
  header[8] = 8;
  header[9] = kind;
  return Buffer.concat([
    pngSignature,
    chunk('IHDR', header),
    ...chunks.map(([name, data]) => chunk(name, data)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function nearest(palette: readonly number[], color: number): number {
  let best = 0;
  let bestError = Number.POSITIVE_INFINITY;
  for (const [i, other] of palette.entries()) {
    let error = 0;
    for (let shift = 0; shift < 32; shift += 8)
      error += (((color >>> shift) & 255) - ((other >>> shift) & 255)) ** 2;
    if (error < bestError) {
      best = i;
      bestError = error;
    }
  }
  return best;
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named) >>> 0, named.length + 4);
  return framed;
}
