import { isIP } from 'node:net';
import { DriveMcpError } from '../../../daemon/core/errors.js';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly isLoopback: boolean;
}

/**
 * `7301`, `:7301`, `127.0.0.1:7301`, `localhost:7301`, `[::1]:7301`; without a host the IPv4 loopback, port 0 = any free one.
 * @throws DriveMcpError USAGE
 */
export function parseListenAddress(text: string): ListenAddress {
  const parts = /^(?:\[([0-9a-fA-F:.]+)\]:|([A-Za-z0-9.-]*):)?(\d{1,5})$/.exec(text);
  const host = parts?.[1] ?? (parts?.[2] || '127.0.0.1');
  const port = Number(parts?.[3]);
  if (parts === null || port > 65_535 || (isIP(host) === 0 && host !== 'localhost')) {
    throw new DriveMcpError('USAGE', `'${text}' is no address to listen at`, {
      hint: '--http 127.0.0.1:7301, or a port alone; names other than localhost are not looked up',
    });
  }
  return { host, port, isLoopback: isLoopback(host) };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** As it stands in a URL. */
export function urlHost(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
