import type { CameraImage } from '../../carla/stream/sensor-data.js';
import type { WindscreenView } from '../../sim/cabin/car-body.js';
import { clearShare, Glass } from '../../sim/camera/glass.js';
import { lensOf } from '../../sim/camera/pinhole.js';

/** Drops are at the same places in every run. */
const seed = 20;
/** Glass that leaves more of the contrast is as good as none. */
const clearFrom = 0.998;

/**
 * Fog and drops of a windscreen that the server knows nothing of, composited over its pictures: they are not in its world,
 * and do not know what is near and what is far.
 */
export class WindscreenOverlay {
  #glass: { readonly widthPx: number; readonly heightPx: number; readonly glass: Glass } | null = null;

  /** The picture behind the glass; the same one where the glass is clear. */
  over(image: CameraImage, windscreen: WindscreenView | null, tS: number): CameraImage {
    if (windscreen === null || clearShare(windscreen) > clearFrom) return image;
    const { widthPx, heightPx, fovDeg, bgra } = image;
    if (this.#glass?.widthPx !== widthPx || this.#glass.heightPx !== heightPx)
      this.#glass = { widthPx, heightPx, glass: new Glass(lensOf(widthPx, heightPx, fovDeg), seed) };
    const picture = new Uint32Array(widthPx * heightPx);
    const bytes = Buffer.from(picture.buffer);
    bytes.set(bgra);
    this.#glass.glass.draw(picture, windscreen, tS);
    return { ...image, bgra: bytes };
  }
}
