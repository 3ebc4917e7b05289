/**
 * From what was drawn to what the sensor gives: light of the sky, sun and headlamps on every surface, the sheen of a wet
 * road, contrast lost with distance, clouds, noise. One pass in whole numbers, nothing is allocated in it; pixels of one
 * kind that follow each other go through a loop of their own, which is what makes it fast.
 */
import type { Atmosphere } from './atmosphere.js';
import { fillClouds } from './clouds.js';
import { noiseCount, noiseTable, noiseUnit, scramble, smoothTile, tileSize } from './grain.js';
import { exposed, type Headlights, sheetingGain } from './headlights.js';
import type { Eye } from './pinhole.js';
import { material, type Raster } from './raster.js';
import { fillTones, slotOf, tone, toneCount } from './tones.js';

/** the three channels read the table of noise at places of their own */
const greenAt = 21_701;
const blueAt = 43_403;
/** from −512 to 3583: held within 0–255 */
const belowZero = 512;
const bytes = Uint8Array.from({ length: 4096 }, (_, i) => Math.min(255, Math.max(0, i - belowZero)));
const tileMask = tileSize - 1;
const groundTile = smoothTile('ground', 4);
/** constants of their own: fields of an object are read again in every pixel */
const { sky, ground, road, sheeting, lamp } = material;
const opaque = 0xff_00_00_00;

export interface Exposure {
  readonly air: Atmosphere;
  readonly eye: Eye;
  readonly groundZ: number;
  readonly headlights: Headlights | null;
  readonly frame: number;
  readonly tS: number;
}

export class Darkroom {
  /** blue, green, red, 255 from the low byte up: CARLA's BGRA on a little-endian machine */
  readonly picture: Uint32Array;
  readonly #raster: Raster;
  readonly #noise: Int8Array;
  /** the noise as strong as it is now, with half a step for rounding */
  readonly #grain: Int16Array;
  #strength = Number.NaN;
  readonly #tones = new Int32Array(toneCount);
  readonly #clouds: Int32Array;
  // Of the present row: a pixel's ray in the world is dir + aside · right.
  #aside = 0;
  #step = 0;
  #up = 0;
  #dirX = 0;
  #dirY = 0;

  constructor(raster: Raster, seed: string) {
    const { widthPx } = raster.lens;
    this.#raster = raster;
    this.picture = new Uint32Array(raster.color.length);
    this.#noise = noiseTable(seed, blueAt + widthPx);
    this.#grain = new Int16Array(this.#noise.length);
    this.#clouds = new Int32Array(widthPx);
  }

  develop({ air, eye, groundZ, headlights, frame, tS }: Exposure): void {
    const { lens, color } = this.#raster;
    const { widthPx, heightPx, focalPx } = lens;
    fillTones(this.#tones, air, Math.max(0.2, eye.pose.z - groundZ));
    // In steps: weather that changes slowly must not mean a new table for every picture.
    this.#scaleNoise(Math.round((air.noise * 256 * 8) / noiseUnit) / 8);
    this.#step = 1 / focalPx;
    for (let row = 0; row < heightPx; row++) {
      this.#up = (heightPx / 2 - row - 0.5) / focalPx;
      this.#aside = (0.5 - widthPx / 2) / focalPx;
      this.#dirX = eye.forward[0] + this.#up * eye.up[0];
      this.#dirY = eye.forward[1] + this.#up * eye.up[1];
      const noise = scramble(frame, row) & (noiseCount - 1);
      const start = row * widthPx;
      let hasClouds = false;
      for (let from = 0; from < widthPx; ) {
        const kind = (color[start + from] as number) >>> 24;
        let end = from + 1;
        if (kind === sky || headlights === null) {
          while (end < widthPx && (color[start + end] as number) >>> 24 === kind) end++;
          if (kind === sky) {
            if (!hasClouds) fillClouds(this.#clouds, eye, this.#up, this.#step, air, tS);
            hasClouds = true;
            this.#sky(start, from, end, noise, air);
          } else if (kind <= road) this.#ground(start, from, end, noise, air, eye, kind);
          else this.#thing(start, from, end, noise, kind === lamp);
        } else {
          while (end < widthPx && (color[start + end] as number) >>> 24 !== sky) end++;
          this.#lit(start, from, end, noise, air, eye, headlights);
        }
        from = end;
      }
    }
  }

  #scaleNoise(strength: number): void {
    if (strength === this.#strength) return;
    this.#strength = strength;
    for (let i = 0; i < this.#noise.length; i++) this.#grain[i] = (this.#noise[i] as number) * strength + 128;
  }

  #sky(start: number, from: number, end: number, noise: number, { haze }: Atmosphere): void {
    const { color: colors } = this.#raster;
    const clouds = this.#clouds;
    const grain = this.#grain;
    const { picture } = this;
    const cloudR = (haze[0] * 1.04) | 0;
    const cloudG = (haze[1] * 1.04) | 0;
    const cloudB = (haze[2] * 1.04) | 0;
    for (let column = from; column < end; column++) {
      const drawn = colors[start + column] as number;
      const share = clouds[column] as number;
      const r = drawn & 255;
      const g = (drawn >>> 8) & 255;
      const b = (drawn >>> 16) & 255;
      const at = noise + column;
      picture[start + column] =
        byte((b << 8) + Math.imul(cloudB - b, share) + (grain[at + blueAt] as number)) |
        (byte((g << 8) + Math.imul(cloudG - g, share) + (grain[at + greenAt] as number)) << 8) |
        (byte((r << 8) + Math.imul(cloudR - r, share) + (grain[at] as number)) << 16) |
        opaque;
    }
  }

  /** What a surface gives is haze·(1 − T) + colour·light·T, both factors by distance; T is the contrast that is left. */
  #thing(start: number, from: number, end: number, noise: number, isLamp: boolean): void {
    const { color: colors, inverse: inverses, ray: rays } = this.#raster;
    const tones = this.#tones;
    const grain = this.#grain;
    const { picture } = this;
    // A lamp needs no light.
    const red = isLamp ? tone.contrast : tone.light;
    const green = isLamp ? tone.contrast : tone.light + 1;
    const blue = isLamp ? tone.contrast : tone.light + 2;
    for (let column = from; column < end; column++) {
      const i = start + column;
      const drawn = colors[i] as number;
      const slot = slotOf((rays[i] as number) / (inverses[i] as number));
      const at = noise + column;
      const r = Math.imul(drawn & 255, tones[slot + red] as number) + (tones[slot] as number);
      const g = Math.imul((drawn >>> 8) & 255, tones[slot + green] as number) + (tones[slot + 1] as number);
      const b = Math.imul((drawn >>> 16) & 255, tones[slot + blue] as number) + (tones[slot + 2] as number);
      picture[i] =
        byte(b + (grain[at + blueAt] as number)) |
        (byte(g + (grain[at + greenAt] as number)) << 8) |
        (byte(r + (grain[at] as number)) << 16) |
        opaque;
    }
  }

  #ground(
    start: number,
    from: number,
    end: number,
    noise: number,
    { horizon }: Atmosphere,
    { pose, right }: Eye,
    kind: number,
  ): void {
    const { color: colors, inverse: inverses, ray: rays } = this.#raster;
    const tones = this.#tones;
    const grain = this.#grain;
    const { picture } = this;
    const stepX = this.#step * right[0];
    const stepY = this.#step * right[1];
    let rayX = this.#dirX + this.#aside * right[0] + from * stepX;
    let rayY = this.#dirY + this.#aside * right[1] + from * stepY;
    const mirrorR = horizon[0] | 0;
    const mirrorG = horizon[1] | 0;
    const mirrorB = horizon[2] | 0;
    const rough = kind === road ? tone.roadGrain : tone.grassGrain;
    const own = kind === road ? tone.roadShare : tone.whole;
    const sheen = kind === road ? tone.sheen : tone.none;
    for (let column = from; column < end; column++, rayX += stepX, rayY += stepY) {
      const i = start + column;
      const drawn = colors[i] as number;
      const inverse = inverses[i] as number;
      const depth = 1 / (inverse < 0 ? -inverse : inverse);
      const distance = depth * (rays[i] as number);
      const slot = slotOf(distance);
      const texel = texelAt(pose.x + depth * rayX, pose.y + depth * rayY, distance);
      const light = (tones[slot + own] as number) + (Math.imul(texel, tones[slot + rough] as number) >> 8);
      const mirrored = tones[slot + sheen] as number;
      const at = noise + column;
      const r =
        Math.imul(Math.imul(drawn & 255, light) >> 8, tones[slot + tone.light] as number) +
        Math.imul(mirrorR, mirrored) +
        (tones[slot] as number);
      const g =
        Math.imul(Math.imul((drawn >>> 8) & 255, light) >> 8, tones[slot + tone.light + 1] as number) +
        Math.imul(mirrorG, mirrored) +
        (tones[slot + 1] as number);
      const b =
        Math.imul(Math.imul((drawn >>> 16) & 255, light) >> 8, tones[slot + tone.light + 2] as number) +
        Math.imul(mirrorB, mirrored) +
        (tones[slot + 2] as number);
      picture[i] =
        byte(b + (grain[at + blueAt] as number)) |
        (byte(g + (grain[at + greenAt] as number)) << 8) |
        (byte(r + (grain[at] as number)) << 16) |
        opaque;
    }
  }

  /** Everything that stands or lies there, by night, in the light of the headlamps. */
  #lit(
    start: number,
    from: number,
    end: number,
    noise: number,
    { horizon }: Atmosphere,
    { pose, right }: Eye,
    headlights: Headlights,
  ): void {
    const { color: colors, inverse: inverses, ray: rays } = this.#raster;
    const tones = this.#tones;
    const grain = this.#grain;
    for (let column = from; column < end; column++) {
      const i = start + column;
      const drawn = colors[i] as number;
      const kind = drawn >>> 24;
      const inverse = inverses[i] as number;
      const depth = 1 / (inverse < 0 ? -inverse : inverse);
      const distance = depth * (rays[i] as number);
      const slot = slotOf(distance);
      const through = tones[slot + tone.contrast] as number;
      const aside = this.#aside + column * this.#step;
      let light = 256;
      let mirrored = 0;
      let lit = through;
      if (kind !== lamp) {
        let seen = headlights.at(depth, depth * aside, depth * this.#up);
        if (kind <= road) {
          // Grazing light on the ground: less of it comes back the farther away it is.
          seen *= 12 / (12 + distance);
          const rayX = this.#dirX + aside * right[0];
          const rayY = this.#dirY + aside * right[1];
          const texel = texelAt(pose.x + depth * rayX, pose.y + depth * rayY, distance);
          const rough = tones[slot + (kind === ground ? tone.grassGrain : tone.roadGrain)] as number;
          light =
            (tones[slot + (kind === ground ? tone.whole : tone.roadShare)] as number) +
            (Math.imul(texel, rough) >> 8);
          mirrored = tones[slot + (kind === ground ? tone.none : tone.sheen)] as number;
        } else seen *= kind === sheeting ? sheetingGain : 0.6;
        lit = (exposed(seen) * through) | 0;
      }
      const level = kind === lamp ? tone.none : tone.light;
      const more = kind === lamp ? 0 : 1;
      const at = noise + column;
      const r =
        Math.imul(Math.imul(drawn & 255, light) >> 8, (tones[slot + level] as number) + lit) +
        Math.imul(horizon[0] | 0, mirrored) +
        (tones[slot] as number);
      const g =
        Math.imul(Math.imul((drawn >>> 8) & 255, light) >> 8, (tones[slot + level + more] as number) + lit) +
        Math.imul(horizon[1] | 0, mirrored) +
        (tones[slot + 1] as number);
      const b =
        Math.imul(
          Math.imul((drawn >>> 16) & 255, light) >> 8,
          (tones[slot + level + 2 * more] as number) + lit,
        ) +
        Math.imul(horizon[2] | 0, mirrored) +
        (tones[slot + 2] as number);
      this.picture[i] =
        byte(b + (grain[at + blueAt] as number)) |
        (byte(g + (grain[at + greenAt] as number)) << 8) |
        (byte(r + (grain[at] as number)) << 16) |
        opaque;
    }
  }
}

const byte = (parts: number): number => bytes[(parts >> 8) + belowZero] as number;

/** How much lighter or darker the ground is at a place, −128 to 127; the nearer, the finer. */
function texelAt(x: number, y: number, distance: number): number {
  const perM = distance < 7 ? 40 : distance < 28 ? 10 : 1.6;
  return (groundTile[(((y * perM) & tileMask) << 8) | ((x * perM) & tileMask)] as number) - 128;
}
