/**
 * From what was drawn to what the sensor gives: light of the sky, sun and headlamps on every surface, the sheen of a wet
 * road, contrast lost with distance, clouds, noise. One pass, nothing is allocated in it.
 */
import { type Atmosphere, contrastAt, type Rgb, ramp } from './atmosphere.js';
import { noiseCount, noiseTable, noiseUnit, scramble, smoothTile, tileSize } from './grain.js';
import { exposed, type Headlights, sheetingGain } from './headlights.js';
import type { Eye } from './pinhole.js';
import { material, type Raster } from './raster.js';

const nearSteps = 1024;
const nearStepM = 0.5;
const farStepM = 16;
const nearM = nearSteps * nearStepM;
const cloudColumns = 8;
/** colours and shares are counted in parts of 256 */
const one = 256;
const half = 128;
/** the three channels read the table of noise at places of their own */
const greenAt = 21_701;
const blueAt = 43_403;
/** from −512 to 3583: held within 0–255 */
const belowZero = 512;
const bytes = Uint8Array.from({ length: 4096 }, (_, i) => Math.min(255, Math.max(0, i - belowZero)));
const tileMask = tileSize - 1;

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
  readonly #contrast = new Int32Array(2 * nearSteps);
  static readonly #ground = smoothTile('ground', 4);
  static readonly #clouds = smoothTile('clouds', 32);

  constructor(raster: Raster, seed: string) {
    this.#raster = raster;
    this.picture = new Uint32Array(raster.color.length);
    this.#noise = noiseTable(seed, blueAt + raster.lens.widthPx);
  }

  develop(exposure: Exposure): void {
    const { air } = exposure;
    for (let i = 0; i < nearSteps; i++) {
      this.#contrast[i] = Math.round(one * contrastAt(air, (i + 0.5) * nearStepM));
      this.#contrast[nearSteps + i] = Math.round(one * contrastAt(air, nearM + (i + 0.5) * farStepM));
    }
    for (let row = 0; row < this.#raster.lens.heightPx; row++) this.#developRow(row, exposure);
  }

  /** Whole numbers throughout, `one` standing for 1: twice as fast as fractions. */
  #developRow(row: number, { air, eye, groundZ, headlights, frame, tS }: Exposure): void {
    const { lens, color: colors, inverse: inverses, ray: rays } = this.#raster;
    const { widthPx, heightPx, focalPx } = lens;
    const { picture } = this;
    const contrast = this.#contrast;
    const noise = this.#noise;
    const groundTile = Darkroom.#ground;
    const [levelR, levelG, levelB] = whole(air.level, one);
    const [hazeR, hazeG, hazeB] = whole(air.haze, one);
    const [mirrorR, mirrorG, mirrorB] = whole(air.horizon, one);
    const [cloudR, cloudG, cloudB] = whole(air.haze, 1.04);
    const aboveM = Math.max(0.2, eye.pose.z - groundZ);
    const noiseScale = Math.round((air.noise * one) / noiseUnit);
    const up = (heightPx / 2 - row - 0.5) / focalPx;
    const step = 1 / focalPx;
    const dirX = eye.forward[0] + up * eye.up[0];
    const dirY = eye.forward[1] + up * eye.up[1];
    const dirZ = eye.forward[2] + up * eye.up[2];
    const [rightX, rightY, rightZ] = eye.right;
    const wet = air.wet * one;
    let aside = (0.5 - widthPx / 2) / focalPx;
    let cloud = 0;
    let nextCloud = this.#cloudAt(
      dirX + aside * rightX,
      dirY + aside * rightY,
      dirZ + aside * rightZ,
      air,
      tS,
    );
    let cloudStep = 0;
    let i = row * widthPx;
    let at = scramble(frame, row) & (noiseCount - 1);
    for (let column = 0; column < widthPx; column++, i++, at++, aside += step, cloud += cloudStep) {
      if ((column & (cloudColumns - 1)) === 0) {
        // Clouds are soft: looked up every few pixels, in between on a line.
        cloud = nextCloud;
        const ahead = aside + cloudColumns * step;
        nextCloud = this.#cloudAt(
          dirX + ahead * rightX,
          dirY + ahead * rightY,
          dirZ + ahead * rightZ,
          air,
          tS,
        );
        cloudStep = (nextCloud - cloud) / cloudColumns;
      }
      const drawn = colors[i] as number;
      const kind = drawn >>> 24;
      let r = drawn & 255;
      let g = (drawn >>> 8) & 255;
      let b = (drawn >>> 16) & 255;
      if (kind === material.sky) {
        const share = cloud | 0;
        r = r * one + (cloudR - r) * share;
        g = g * one + (cloudG - g) * share;
        b = b * one + (cloudB - b) * share;
      } else {
        const inverse = inverses[i] as number;
        const depth = 1 / (inverse < 0 ? -inverse : inverse);
        const distance = depth * (rays[i] as number);
        if (kind === material.lamp) {
          r *= one;
          g *= one;
          b *= one;
        } else {
          let lit = 0;
          if (headlights !== null) {
            const shone = headlights.at(depth, depth * aside, depth * up);
            if (kind === material.sheeting) lit = (one * exposed(shone * sheetingGain)) | 0;
            // Grazing light on the ground: less of it comes back the farther away it is.
            else
              lit = (one * exposed(kind <= material.road ? (shone * 12) / (12 + distance) : shone * 0.6)) | 0;
          }
          r *= levelR + lit;
          g *= levelG + lit;
          b *= levelB + lit;
          if (kind <= material.road) {
            const x = eye.pose.x + depth * (dirX + aside * rightX);
            const y = eye.pose.y + depth * (dirY + aside * rightY);
            const grains = distance < 7 ? 40 : distance < 28 ? 10 : 1.6;
            const grain = groundTile[(((y * grains) & tileMask) << 8) | ((x * grains) & tileMask)] as number;
            const rough = kind === material.ground ? 0.7 : 0.22;
            let own = (one + ((grain - 128) * rough) / (1 + distance * 0.02)) | 0;
            let sheen = 0;
            if (kind === material.road && wet > 0) {
              const flat = 1 - aboveM / distance;
              const flat2 = flat * flat;
              sheen = (wet * (0.05 + 0.62 * flat2 * flat2 * flat2)) | 0;
              own -= (wet * 0.3) | 0;
            }
            own = (own * (one - sheen)) >> 8;
            r = (r * own + mirrorR * sheen) >> 8;
            g = (g * own + mirrorG * sheen) >> 8;
            b = (b * own + mirrorB * sheen) >> 8;
          }
        }
        const through = contrast[
          distance < nearM
            ? (distance / nearStepM) | 0
            : nearSteps + Math.min(nearSteps - 1, ((distance - nearM) / farStepM) | 0)
        ] as number;
        r = hazeR + (((r - hazeR) * through) >> 8);
        g = hazeG + (((g - hazeG) * through) >> 8);
        b = hazeB + (((b - hazeB) * through) >> 8);
      }
      r = bytes[((r + (noise[at] as number) * noiseScale + half) >> 8) + belowZero] as number;
      g = bytes[((g + (noise[at + greenAt] as number) * noiseScale + half) >> 8) + belowZero] as number;
      b = bytes[((b + (noise[at + blueAt] as number) * noiseScale + half) >> 8) + belowZero] as number;
      picture[i] = b | (g << 8) | (r << 16) | 0xff_00_00_00;
    }
  }

  /** Share of cloud in a direction of the sky, of `one`; a sheet above the world that drifts. */
  #cloudAt(x: number, y: number, z: number, { clouds, darkness }: Atmosphere, tS: number): number {
    if (z < 0.03 || clouds < 0.02) return 0;
    const tile = Darkroom.#clouds;
    const scale = 26 / (z + 0.04);
    const column = (x * scale + tS * 0.15) & tileMask;
    const row = (y * scale) & tileMask;
    const thick = (tile[(row << 8) | column] as number) / 255;
    const share = ramp(thick, 0.78 - 0.62 * clouds, 1.02 - 0.45 * clouds);
    return one * share * ramp(z, 0.03, 0.22) * 0.85 * (1 - 0.5 * darkness);
  }
}

const whole = (color: Rgb, by: number): Rgb => [
  Math.round(color[0] * by),
  Math.round(color[1] * by),
  Math.round(color[2] * by),
];
