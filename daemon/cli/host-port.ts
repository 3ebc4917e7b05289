import { DriveMcpError } from '../core/errors.js';

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** `HOST:PORT`, `HOST` or `:PORT`; IPv6 in brackets. Throws USAGE. */
export function parseHostPort(text: string, defaultPort: number, option: string): HostPort {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]*))(?::(\d{1,5}))?$/.exec(text);
  const port = match?.[3] === undefined ? defaultPort : Number(match[3]);
  if (match === null || port < 1 || port > 65_535)
    throw new DriveMcpError('USAGE', `${option} takes HOST:PORT, got '${text.slice(0, 100)}'`);
  const host = match[1] ?? match[2] ?? '';
  return { host: host === '' ? '127.0.0.1' : host, port };
}
