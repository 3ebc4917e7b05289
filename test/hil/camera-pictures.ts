/** Pictures for tests of the camera: made by its encoder, decoded again, put together out of RTP; and both servers. */
import type { Test } from 'tap';
import { type CameraFrame, CameraFrames } from '../../hil/bridge/camera/camera-frame.js';
import { JpegEncoder } from '../../hil/bridge/camera/jpeg-encoder.js';
import { type MjpegBounds, MjpegServer } from '../../hil/bridge/camera/mjpeg-server.js';
import { type RtspOptions, RtspServer } from '../../hil/bridge/camera/rtsp/rtsp-server.js';
import { loadTurboJpeg } from '../../hil/bridge/camera/turbo-jpeg.js';
import { ViewerAccess } from '../../hil/bridge/camera/viewer-access.js';
import type { RtpPicture } from './rtsp-player.js';

const encoder = await JpegEncoder.open(80);
const turbo = await loadTurboJpeg();
export const [widthPx, heightPx] = [160, 88];

/** A gradient with a mark that moves with `n`. */
export async function picture(n: number): Promise<CameraFrame> {
  const bgra = new Uint8Array(4 * widthPx * heightPx);
  for (let i = 0; i < widthPx * heightPx; i++) {
    const [x, y] = [i % widthPx, Math.floor(i / widthPx)];
    bgra.set([x, 2 * y, Math.abs(x - 8 * n) < 8 ? 255 : 40, 255], 4 * i);
  }
  const jpeg = await encoder.encode({ widthPx, heightPx, fovDeg: 90, bgra });
  const at = { frame: n, timestampS: 7 + n / 10, tUs: n * 100_000 };
  const wall = { receivedWallUs: 1_700_000_000_000_000 + n, readyWallUs: 1_700_000_000_001_000 + n };
  return { ...at, ...wall, widthPx, heightPx, jpeg };
}

export const first = await picture(0);

/** A JPEG file again: headers by the book, Huffman tables as every decoder has them. */
export function asJpeg({ widthPx, heightPx, tables, data }: RtpPicture): Buffer {
  const segment = (marker: number, body: Buffer): Buffer => {
    const head = Buffer.of(0xff, marker, 0, 0);
    head.writeUInt16BE(body.length + 2, 2);
    return Buffer.concat([head, body]);
  };
  const size = Buffer.alloc(4);
  size.writeUInt16BE(heightPx, 0);
  size.writeUInt16BE(widthPx, 2);
  const components = Buffer.of(3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1);
  return Buffer.concat([
    Buffer.of(0xff, 0xd8),
    segment(0xdb, Buffer.concat([Buffer.of(0), tables.subarray(0, 64)])),
    segment(0xdb, Buffer.concat([Buffer.of(1), tables.subarray(64)])),
    segment(0xc0, Buffer.concat([Buffer.of(8), size, components])),
    ...huffmanSegments(first.jpeg),
    segment(0xda, Buffer.of(3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0)),
    data,
    Buffer.of(0xff, 0xd9),
  ]);
}

export function huffmanSegments(jpeg: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 2; jpeg[at + 1] !== 0xda; at += 2 + jpeg.readUInt16BE(at + 2))
    if (jpeg[at + 1] === 0xc4) found.push(jpeg.subarray(at, at + 2 + jpeg.readUInt16BE(at + 2)));
  return found;
}

interface Decoded {
  readonly width: number;
  readonly height: number;
  /** red, green, blue; rows from the top */
  readonly rgb: Buffer;
}

export function decode(jpeg: Buffer): Decoded {
  const decoder = new turbo.JPEGDecoder();
  decoder.getEncodedBuffer(jpeg.length).set(jpeg);
  decoder.decode();
  const { width, height } = decoder.getFrameInfo();
  return { width, height, rgb: Buffer.from(decoder.getDecodedBuffer()) };
}

export const pixels = (jpeg: Buffer): Buffer => decode(jpeg).rgb;

/** A black picture by an encoder that is set up otherwise than ours. */
export function black(
  width: number,
  height: number,
  change: { progressive?: number; sampling?: number },
): Buffer {
  const encoder = new turbo.JPEGEncoder();
  encoder.setProgressive(change.progressive ?? 0);
  encoder.setSubSampling(change.sampling ?? 2);
  encoder.getDecodedBuffer({ width, height, bitsPerSample: 8, componentCount: 3, isSigned: false }).fill(0);
  encoder.encode();
  return Buffer.from(encoder.getEncodedBuffer());
}

interface ServedCamera {
  readonly token?: string;
  readonly rtsp?: Partial<RtspOptions>;
  readonly bounds?: MjpegBounds;
}

/** the wall clock of the servers, µs */
export const sentWallUs = 1_700_000_000_500_000;

export async function serveCamera(t: Test, { token, rtsp: change, bounds }: ServedCamera = {}) {
  const frames = new CameraFrames();
  const access = new ViewerAccess(token ?? null);
  const around = { host: '127.0.0.1', port: 0, wallUs: () => sentWallUs };
  const mjpeg = new MjpegServer(frames, access, { ...around, ...(bounds === undefined ? {} : { bounds }) });
  const rtsp = new RtspServer(frames, access, {
    ...around,
    size: { widthPx, heightPx, rateHz: 10 },
    ...change,
  });
  await mjpeg.open();
  await rtsp.open();
  t.teardown(async () => {
    await mjpeg.close();
    await rtsp.close();
  });
  return { frames, mjpeg, rtsp };
}
