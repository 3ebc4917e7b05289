/** Sky and open ground: what is there before anything is drawn. The ground is the plane that the camera's carrier stands on. */
import { type Atmosphere, contrastAt, mixed, type Rgb } from './atmosphere.js';
import type { Eye } from './pinhole.js';
import { material, paint, type Raster } from './raster.js';

const skySteps = 256;
/** the air's fog lies this high: further up the sky shows through */
const fogLayerM = 120;

export class Backdrop {
  readonly #sky = new Uint32Array(skySteps);

  draw(raster: Raster, eye: Eye, groundZ: number, air: Atmosphere, ground: Rgb): void {
    this.#paintSky(air);
    const { widthPx, heightPx, focalPx } = raster.lens;
    const aboveM = Math.max(0.1, eye.pose.z - groundZ);
    const groundColor = paint(...ground, material.ground);
    const aside = eye.right[2] / focalPx;
    for (let row = 0; row < heightPx; row++) {
      const up = (heightPx / 2 - row - 0.5) / focalPx;
      // Rise of the row's rays per metre of depth: the same all along it where the camera is not rolled.
      let rise = eye.forward[2] + up * eye.up[2] + aside * (0.5 - widthPx / 2);
      const from = row * widthPx;
      const end = from + widthPx;
      if (Math.abs(aside) * widthPx < 1e-6) {
        raster.color.fill(rise > 0 ? this.#skyColor(rise) : groundColor, from, end);
        raster.inverse.fill(rise > 0 ? 0 : rise / aboveM, from, end);
        continue;
      }
      for (let i = from; i < end; i++, rise += aside) {
        raster.color[i] = rise > 0 ? this.#skyColor(rise) : groundColor;
        raster.inverse[i] = rise > 0 ? 0 : rise / aboveM;
      }
    }
  }

  #skyColor(rise: number): number {
    return this.#sky[Math.min(skySteps - 1, (rise * skySteps) | 0)] as number;
  }

  #paintSky(air: Atmosphere): void {
    for (let i = 0; i < skySteps; i++) {
      const rise = (i + 0.5) / skySteps;
      const clear = mixed(air.horizon, air.zenith, Math.min(1, rise * 1.6) ** 0.55);
      const through = air.extinctionPerM < 0.001 ? 1 : contrastAt(air, fogLayerM / rise);
      this.#sky[i] = paint(...mixed(air.haze, clear, through), material.sky);
    }
  }
}
