/** Where and how an MCP server listens, and what is refused before it does. */
import { readFileSync } from 'node:fs';
import { causeText } from '../core/cause-text.js';
import { DriveMcpError } from '../core/errors.js';
import { booleanOption, type OptionSpec, type OptionValues, stringOption } from './command.js';
import { countOption } from './count-option.js';
import { type ListenAddress, parseListenAddress } from './listen-address.js';

export const httpOptions = {
  http: {
    type: 'string',
    value: 'ADDR',
    help: 'serve Streamable HTTP: 7301, 127.0.0.1:7301, [::1]:7301; port 0 = any',
  },
  'token-file': {
    type: 'string',
    value: 'FILE',
    help: 'bearer token, readable by its owner alone; made where it does not exist; default $STATE/mcp-token',
  },
  rate: { type: 'string', value: 'N', help: 'requests a second of one client; default 10, 0 = no limit' },
  'allow-remote': { type: 'boolean', help: 'listen at an address that other machines reach; needs TLS' },
  'tls-cert': { type: 'string', value: 'FILE', help: 'certificate chain (PEM)' },
  'tls-key': { type: 'string', value: 'FILE', help: 'its private key (PEM)' },
  'behind-tls-proxy': { type: 'boolean', help: 'a proxy in front of this server speaks TLS' },
  'allowed-host': {
    type: 'string',
    multiple: true,
    value: 'NAME',
    help: 'name under which clients reach it, besides loopback names and the address itself',
  },
} as const satisfies Record<string, OptionSpec>;

export interface HttpOptions {
  readonly address: ListenAddress;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly ratePerS: number;
}

/**
 * @returns null where the server is to speak over standard input and output
 * @throws DriveMcpError USAGE for an address that others reach without --allow-remote and TLS; FILE_UNREADABLE
 */
export function readHttpOptions(values: OptionValues): HttpOptions | null {
  const text = stringOption(values, 'http');
  const [cert, key] = [stringOption(values, 'tls-cert'), stringOption(values, 'tls-key')];
  const isProxied = booleanOption(values, 'behind-tls-proxy');
  const isRemote = booleanOption(values, 'allow-remote');
  if (text === undefined) {
    const without = Object.keys(httpOptions).find((name) => name !== 'http' && values[name] !== undefined);
    if (without !== undefined) throw usage(`--${without} says how to serve HTTP`, 'add --http 7301');
    return null;
  }
  const address = parseListenAddress(text, '--http 127.0.0.1:7301');
  if ((cert === undefined) !== (key === undefined)) {
    throw usage('a certificate and its key go together', '--tls-cert FILE --tls-key FILE');
  }
  if (!address.isLoopback && !isRemote) {
    throw usage(
      `${address.host} can be reached by other machines`,
      '--allow-remote with --tls-cert and --tls-key, or with --behind-tls-proxy',
    );
  }
  if (isRemote && cert === undefined && !isProxied) {
    throw usage(
      '--allow-remote would send the bearer token in the clear',
      '--tls-cert FILE --tls-key FILE, or --behind-tls-proxy where a proxy speaks TLS',
    );
  }
  const rate = countOption(values, 'rate') ?? 10;
  return {
    address,
    tls: cert === undefined || key === undefined ? undefined : { cert: read(cert), key: read(key) },
    ratePerS: rate === 0 ? Number.POSITIVE_INFINITY : rate,
  };
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new DriveMcpError('FILE_UNREADABLE', causeText(cause), { location: { file }, cause });
  }
}

function usage(message: string, hint: string): DriveMcpError {
  return new DriveMcpError('USAGE', message, { hint });
}
