import { isIP } from 'node:net';

export interface ListenAddress {
  readonly host: string;
  /** 0 = any free one */
  readonly port: number;
  /** no other machine reaches it */
  readonly isLoopback: boolean;
}

/** As it stands in a URL. */
export function urlHost(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
