import { inflateSync } from 'node:zlib';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { pngSignature } from './write-png.js';

export interface PalettePicture {
  readonly widthPx: number;
  readonly heightPx: number;
  /** red, green, blue, alpha of each colour */
  readonly palette: Uint8Array;
  /** one byte a pixel, rows from the top */
  readonly indices: Uint8Array;
}

/** Reads what `palettePng` writes: eight bits, palette, rows without filter; throws FILE_UNREADABLE for any other PNG. */
export function readPalettePng(bytes: Buffer, file: string): PalettePicture {
  const refuse = (what: string): DriveMcpError => new DriveMcpError('FILE_UNREADABLE', `${file}: ${what}`);
  if (!bytes.subarray(0, 8).equals(pngSignature)) throw refuse('no PNG');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (at + 12 + length > bytes.length) throw refuse(`cut at byte ${at}`);
    chunks.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const header = chunks.get('IHDR');
  const colors = chunks.get('PLTE');
  const data = chunks.get('IDAT');
  if (
    header === undefined ||
    colors === undefined ||
    data === undefined ||
    header[8] !== 8 ||
    header[9] !== 3
  )
    throw refuse('no picture with a palette and eight bits a pixel');
  const widthPx = header.readUInt32BE(0);
  const heightPx = header.readUInt32BE(4);
  const rows = inflateSync(data, { maxOutputLength: (widthPx + 1) * heightPx });
  const indices = new Uint8Array(widthPx * heightPx);
  for (let y = 0; y < heightPx; y++) {
    const from = y * (widthPx + 1);
    if (rows[from] !== 0) throw refuse(`row ${y} is filtered`);
    indices.set(rows.subarray(from + 1, from + 1 + widthPx), y * widthPx);
  }
  const palette = new Uint8Array(1024).fill(255);
  const alphas = chunks.get('tRNS');
  for (let i = 0; i < colors.length / 3; i++) {
    palette.set(colors.subarray(3 * i, 3 * i + 3), 4 * i);
    palette[4 * i + 3] = alphas?.[i] ?? 255;
  }
  return { widthPx, heightPx, palette, indices };
}
