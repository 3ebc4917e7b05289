import { isIP } from 'node:net';
import { DriveMcpError } from '../core/errors.js';
import { isLoopback } from './loopback.js';

export interface ListenAddress {
  readonly host: string;
  /** 0 = any free one */
  readonly port: number;
  /** no other machine reaches it */
  readonly isLoopback: boolean;
}

/**
 * `7301`, `:7301`, `127.0.0.1:7301`, `localhost:7301`, `[::1]:7301`; without a host the IPv4 loopback.
 * @param example what the option takes, for the hint
 * @throws DriveMcpError USAGE
 */
export function parseListenAddress(text: string, example: string): ListenAddress {
  const parts = /^(?:\[([0-9a-fA-F:.]+)\]:|([A-Za-z0-9.-]*):)?(\d{1,5})$/.exec(text);
  const host = parts?.[1] ?? (parts?.[2] || '127.0.0.1');
  const port = Number(parts?.[3]);
  if (parts === null || port > 65_535 || (isIP(host) === 0 && host !== 'localhost')) {
    throw new DriveMcpError('USAGE', `'${text.slice(0, 80)}' is no address to listen at`, {
      hint: `${example}; names other than localhost are not looked up`,
    });
  }
  return { host, port, isLoopback: isLoopback(host) };
}
