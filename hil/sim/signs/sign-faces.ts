/** The atlas of sign faces, each as a pyramid of halved sizes once it is first looked at. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { type PalettePicture, readPalettePng } from '../png/read-png.js';

interface AtlasPlace {
  readonly x: number;
  readonly y: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Red, green, blue multiplied by alpha, and alpha; rows from the top. */
export interface FaceLevel {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rgba: Uint8Array;
}

export class SignFaces {
  readonly #atlas: PalettePicture;
  readonly #places: ReadonlyMap<string, AtlasPlace>;
  readonly #levels = new Map<string, readonly FaceLevel[]>();

  private constructor(atlas: PalettePicture, places: ReadonlyMap<string, AtlasPlace>) {
    this.#atlas = atlas;
    this.#places = places;
  }

  /** The atlas that comes with the package; throws FILE_MISSING or FILE_UNREADABLE. */
  static load(folder: string = atlasFolder()): SignFaces {
    const file = join(folder, 'atlas.png');
    const places = JSON.parse(readFileSync(join(folder, 'atlas.json'), 'utf8')) as Record<string, AtlasPlace>;
    return new SignFaces(readPalettePng(readFileSync(file), file), new Map(Object.entries(places)));
  }

  get names(): readonly string[] {
    return [...this.#places.keys()];
  }

  has(drawing: string): boolean {
    return this.#places.has(drawing);
  }

  /** The drawing in its own size and halved again and again, down to about 6 px. */
  levels(drawing: string): readonly FaceLevel[] {
    const known = this.#levels.get(drawing);
    if (known !== undefined) return known;
    const place = this.#places.get(drawing);
    if (place === undefined) throw new DriveMcpError('FILE_UNREADABLE', `the atlas has no face ${drawing}`);
    const levels = [this.#cut(place)];
    for (let last = levels[0] as FaceLevel; last.heightPx >= 12; levels.push(last)) last = halved(last);
    this.#levels.set(drawing, levels);
    return levels;
  }

  #cut({ x, y, widthPx, heightPx }: AtlasPlace): FaceLevel {
    const rgba = new Uint8Array(4 * widthPx * heightPx);
    const { palette, indices } = this.#atlas;
    for (let row = 0; row < heightPx; row++) {
      for (let column = 0; column < widthPx; column++) {
        const color = 4 * (indices[(y + row) * this.#atlas.widthPx + x + column] as number);
        const to = 4 * (row * widthPx + column);
        const alpha = palette[color + 3] as number;
        for (let k = 0; k < 3; k++) rgba[to + k] = Math.round(((palette[color + k] as number) * alpha) / 255);
        rgba[to + 3] = alpha;
      }
    }
    return { widthPx, heightPx, rgba };
  }
}

function halved({ widthPx, heightPx, rgba }: FaceLevel): FaceLevel {
  const half = { widthPx: widthPx >> 1, heightPx: heightPx >> 1 };
  const mean = new Uint8Array(4 * half.widthPx * half.heightPx);
  for (let y = 0; y < half.heightPx; y++) {
    for (let x = 0; x < half.widthPx; x++) {
      for (let k = 0; k < 4; k++) {
        const from = 4 * (2 * y * widthPx + 2 * x) + k;
        const below = from + 4 * widthPx;
        const sum =
          (rgba[from] as number) +
          (rgba[from + 4] as number) +
          (rgba[below] as number) +
          (rgba[below + 4] as number);
        mean[4 * (y * half.widthPx + x) + k] = (sum + 2) >> 2;
      }
    }
  }
  return { ...half, rgba: mean };
}

/** From a checkout as from an install: the folder beside this package's sources. */
export function atlasFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const shipped = join(folder, 'hil', 'sim', 'signs');
    if (existsSync(join(folder, 'package.json')) && existsSync(join(shipped, 'atlas.png'))) return shipped;
    if (dirname(folder) === folder)
      throw new DriveMcpError('FILE_MISSING', 'hil/sim/signs/atlas.png is not part of this installation');
  }
}
