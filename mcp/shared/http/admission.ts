import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostHeaderValidation, originValidation } from '@modelcontextprotocol/node';
import { carriesToken } from './bearer-token.js';
import { type ListenAddress, urlHost } from './listen-address.js';
import { RateLimit } from './rate-limit.js';

export interface AdmissionSettings {
  readonly address: ListenAddress;
  /** null: nobody is asked for one; only for tests of the protocol */
  readonly token: string | null;
  /** names besides the loopback ones that `Host` and `Origin` may carry */
  readonly allowedHosts?: readonly string[];
  /** requests a second of one client (its address); twice as many at once after a pause */
  readonly ratePerS?: number;
  readonly requestsMaxCount?: number;
}

export type HttpOutcome =
  | 'served'
  | 'forbidden'
  | 'not_found'
  | 'unauthorised'
  | 'limited'
  | 'busy'
  | 'dropped';

export const mcpPath = '/mcp';
const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Everything that is decided before a body is read, the cheapest first. A request without the token is counted against
 * the rate as well, so that nobody tries tokens quickly.
 * @returns whether the request may go on; where not, it has been answered
 */
export function admission(
  { address, token, allowedHosts = [], ratePerS = 10, requestsMaxCount = 64 }: AdmissionSettings,
  count: Record<HttpOutcome, number>,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const hosts = [
    ...loopbackHosts,
    ...(address.isLoopback ? [] : [urlHost(address.host)]),
    ...allowedHosts.map((name) => name.toLowerCase()),
  ];
  const hasAllowedHost = hostHeaderValidation(hosts);
  const hasAllowedOrigin = originValidation(hosts);
  const rate = new RateLimit({
    ratePerS,
    burstMaxCount: Math.max(1, 2 * ratePerS),
    clientsMaxCount: 1024,
  });
  let running = 0;
  return (request, response) => {
    if (!hasAllowedHost(request, response) || !hasAllowedOrigin(request, response)) {
      count.forbidden++;
      return false;
    }
    if (request.url !== mcpPath) {
      count.not_found++;
      return refuse(response, 404, `the server is at ${mcpPath}`);
    }
    const waitS = rate.waitS(request.socket.remoteAddress ?? '', performance.now());
    if (waitS > 0) {
      count.limited++;
      return refuse(response, 429, `more than ${ratePerS} requests a second`, {
        'Retry-After': String(Math.ceil(waitS)),
      });
    }
    if (token !== null && !carriesToken(request.headers.authorization, token)) {
      count.unauthorised++;
      return refuse(response, 401, 'the bearer token is missing or wrong', {
        'WWW-Authenticate': 'Bearer realm="drivemcp"',
      });
    }
    // Open subscriptions are bounded by themselves; they would hold a place for as long as they last.
    const isSubscription = request.headers['mcp-method'] === 'subscriptions/listen';
    if (!isSubscription) {
      if (running >= requestsMaxCount) {
        count.busy++;
        return refuse(response, 503, `${requestsMaxCount} requests are under way`, { 'Retry-After': '1' });
      }
      running++;
      response.once('close', () => running--);
    }
    count.served++;
    return true;
  };
}

/** The body, if there is one, is not read: the connection ends with the answer. */
function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): false {
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }));
  return false;
}
