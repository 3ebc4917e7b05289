/** What a player is told before it asks for pictures (SDP, RFC 8866). */
import { isIPv6 } from 'node:net';
import type { CameraSize } from '../camera-frame.js';
import { frameExtensions } from './frame-extension.js';
import { jpegPayloadType } from './rtp-jpeg.js';

/** The one stream, behind the URL of the camera. */
export const trackName = 'camera';

export interface Described {
  readonly id: number;
  /** address of this server as the player reaches it */
  readonly address: string;
  /** as the sensor was ordered: a player may come before the first picture */
  readonly size: CameraSize;
}

export function sessionDescription({ id, address, size }: Described): string {
  const family = isIPv6(address) ? 'IP6' : 'IP4';
  return [
    'v=0',
    `o=- ${id} 1 IN ${family} ${address}`,
    's=Camera of a simulated ego',
    't=0 0',
    'a=control:*',
    `m=video 0 RTP/AVP ${jpegPayloadType}`,
    `c=IN ${family} ${family === 'IP6' ? '::' : '0.0.0.0'}`,
    `a=framerate:${size.rateHz}`,
    `a=x-dimensions:${size.widthPx},${size.heightPx}`,
    ...frameExtensions.map(([number, uri]) => `a=extmap:${number} ${uri}`),
    `a=control:${trackName}`,
    '',
  ].join('\r\n');
}
