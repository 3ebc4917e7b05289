/** The picture while it is drawn: per pixel a colour with its material, the inverse of its depth, and whose it is. */
import type { Lens } from './pinhole.js';

/** How a pixel is lit when the picture is developed. */
export const material = { sky: 0, ground: 1, road: 2, matte: 3, sheeting: 4, lamp: 5 } as const;
export type Material = (typeof material)[keyof typeof material];

/** Red, green, blue (0–255) and the material, from the low byte up. */
export function paint(red: number, green: number, blue: number, kind: Material): number {
  const byte = (value: number): number => Math.max(0, Math.min(255, Math.round(value)));
  return (byte(red) | (byte(green) << 8) | (byte(blue) << 16) | (kind << 24)) >>> 0;
}

/** The same colour, darker or lighter. */
export function shaded(color: number, factor: number): number {
  const [red, green, blue] = [color & 255, (color >>> 8) & 255, (color >>> 16) & 255];
  return paint(red * factor, green * factor, blue * factor, (color >>> 24) as Material);
}

/** things in one picture, at most; more share the last number */
export const maxGroups = 8192;

export class Raster {
  readonly lens: Lens;
  readonly color: Uint32Array;
  /** 1/x of the nearest thing, 1/m; 0: sky; negative: open ground, which anything may be drawn over */
  readonly inverse: Float32Array;
  /** number of the group that covers most of the pixel; 0: nothing but sky and open ground */
  readonly owner: Uint16Array;
  /** group and how much of the pixel it covers already (0–255), where a group's edges met */
  readonly edge: Uint32Array;
  /** length of the pixel's ray against its depth: distance = depth · ray */
  readonly ray: Float32Array;

  constructor(lens: Lens) {
    this.lens = lens;
    const { widthPx, heightPx, focalPx } = lens;
    const count = widthPx * heightPx;
    this.color = new Uint32Array(count);
    this.inverse = new Float32Array(count);
    this.owner = new Uint16Array(count);
    this.edge = new Uint32Array(count);
    this.ray = new Float32Array(count);
    for (let row = 0; row < heightPx; row++) {
      const down = (row + 0.5 - heightPx / 2) / focalPx;
      for (let column = 0; column < widthPx; column++) {
        const aside = (column + 0.5 - widthPx / 2) / focalPx;
        this.ray[row * widthPx + column] = Math.sqrt(1 + aside * aside + down * down);
      }
    }
  }

  /** Colours and depths are written anew by the backdrop. */
  clear(): void {
    this.owner.fill(0);
    this.edge.fill(0);
  }
}
