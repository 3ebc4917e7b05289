/** The camera of `hil bridge`: its size, where it is served, and who may look. */
import { hostname } from 'node:os';
import { DriveMcpError } from '../core/errors.js';
import { systemClock } from '../runtime/clock.js';
import { type OptionSpec, type OptionValues, stringOption } from './command.js';
import { parseListenAddress } from './listen-address.js';

export const cameraOptions = {
  mjpeg: {
    type: 'string',
    value: 'ADDR',
    help: "the ego's camera over HTTP for browsers and players: 8090, 127.0.0.1:8090; port 0 = any",
  },
  rtsp: { type: 'string', value: 'ADDR', help: 'the same over RTSP as RTP/JPEG: 8554, 127.0.0.1:8554' },
  'camera-size': {
    type: 'string',
    value: 'WxH@HZ',
    help: 'pixels in multiples of 8, pictures a second; default 640x360@10',
  },
  'camera-token-file': {
    type: 'string',
    value: 'FILE',
    help: 'token that viewers give (Bearer, or as the password); made where there is none; needed beyond the loopback',
  },
} as const satisfies Record<string, OptionSpec>;

const jpegQuality = 80;

/** The camera as outputs of the bridge, none where none is asked for. @throws DriveMcpError USAGE, CAMERA_UNAVAILABLE, TOKEN_INVALID */
export async function bridgeCamera(values: OptionValues, notice: (text: string) => void) {
  const [mjpeg, rtsp] = [stringOption(values, 'mjpeg'), stringOption(values, 'rtsp')];
  const tokenFile = stringOption(values, 'camera-token-file');
  if (mjpeg === undefined && rtsp === undefined) {
    const without = (['camera-size', 'camera-token-file'] as const).find(
      (name) => values[name] !== undefined,
    );
    if (without === undefined) return [];
    throw new DriveMcpError('USAGE', `--${without} says how to serve a camera`, { hint: 'add --mjpeg 8090' });
  }
  const size = cameraSize(stringOption(values, 'camera-size') ?? '640x360@10');
  const addresses = [mjpeg, rtsp].map((text) =>
    text === undefined ? null : parseListenAddress(text, '127.0.0.1:8090'),
  );
  for (const address of addresses)
    if (address !== null && !address.isLoopback && tokenFile === undefined)
      throw new DriveMcpError('USAGE', `${address.host} can be reached by other machines`, {
        hint: 'give --camera-token-file FILE; pictures and token travel unencrypted, so keep to the bench network',
      });
  const { CameraFrames } = await import('../../hil/bridge/camera/camera-frame.js');
  const { EgoCamera } = await import('../../hil/bridge/camera/ego-camera.js');
  const { JpegEncoder } = await import('../../hil/bridge/camera/jpeg-encoder.js');
  const { MjpegServer } = await import('../../hil/bridge/camera/mjpeg-server.js');
  const { RtspServer } = await import('../../hil/bridge/camera/rtsp/rtsp-server.js');
  const { ViewerAccess } = await import('../../hil/bridge/camera/viewer-access.js');
  const access = new ViewerAccess(tokenFile === undefined ? null : await token(tokenFile, notice));
  const frames = new CameraFrames();
  const wallUs = (): number => systemClock.wallMs() * 1000;
  const [mjpegAddress, rtspAddress] = addresses;
  const servers = [
    ...(mjpegAddress ? [new MjpegServer(frames, access, { ...mjpegAddress, wallUs })] : []),
    ...(rtspAddress ? [new RtspServer(frames, access, { ...rtspAddress, size, wallUs })] : []),
  ];
  const encoder = await JpegEncoder.open(jpegQuality);
  const told = (name: string, port: number): void => {
    const isHttp = name === 'mjpeg';
    const host = reachedAt((isHttp ? mjpegAddress : rtspAddress)?.host ?? '');
    const url = isHttp ? `http://${host}:${port}/stream.mjpeg` : `rtsp://${host}:${port}/camera`;
    notice(`camera ${size.widthPx}×${size.heightPx} at ${size.rateHz} Hz: ${url}`);
  };
  return [new EgoCamera({ size, encoder, frames, servers, wallUs, told })];
}

/** The name in URLs of what listens at a host: of this machine where that is every address. */
function reachedAt(host: string): string {
  if (host === '0.0.0.0' || host === '::') return hostname();
  return host.includes(':') ? `[${host}]` : host;
}

async function token(file: string, notice: (text: string) => void): Promise<string> {
  const { readOrMakeToken } = await import('../../mcp/shared/http/bearer-token.js');
  const { value, isNew } = readOrMakeToken(file);
  if (isNew) notice(`made a token for viewers in ${file}`);
  return value;
}

function cameraSize(text: string) {
  const parts = /^(\d{2,4})x(\d{2,4})(?:@(\d{1,2}(?:\.\d{1,3})?))?$/.exec(text);
  const [widthPx, heightPx, rateHz] = [Number(parts?.[1]), Number(parts?.[2]), Number(parts?.[3] ?? 10)];
  const fits = (px: number): boolean => px >= 64 && px <= 2040 && px % 8 === 0;
  if (parts === null || !fits(widthPx) || !fits(heightPx) || !(rateHz >= 0.1 && rateHz <= 60))
    throw new DriveMcpError('USAGE', `--camera-size takes no '${text.slice(0, 40)}'`, {
      hint: 'e.g. 640x360@10: multiples of 8 from 64 to 2040 (RTP/JPEG carries no others), 0.1 to 60 pictures a second',
    });
  return { widthPx, heightPx, rateHz };
}
