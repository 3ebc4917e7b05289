/** Serves a definition over Streamable HTTP at `/mcp`, for hosts on this machine, or elsewhere behind TLS. */
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import { causeText } from '../../../daemon/core/cause-text.js';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { ExpertServer } from '../expert-server.js';
import { type AdmissionSettings, admission, type HttpOutcome, mcpPath } from './admission.js';
import { type ListenAddress, urlHost } from './listen-address.js';

export interface HttpSettings extends AdmissionSettings {
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  /** time for a request to arrive whole */
  readonly receiveTimeoutMs?: number;
  readonly report?: (problem: string) => void;
}

export interface HttpServer {
  readonly url: string;
  /** requests by what became of them */
  readonly count: Readonly<Record<HttpOutcome, number>>;
  close(): Promise<void>;
}

const bodyMaxBytes = 1_048_576;
const headerMaxBytes = 16_384;
const headersMaxCount = 64;
const connectionsMaxCount = 256;
const subscriptionsMaxCount = 32;

/** @throws DriveMcpError ADDRESS_UNAVAILABLE */
export async function serveOverHttp(
  server: ExpertServer,
  factory: McpServerFactory,
  settings: HttpSettings,
): Promise<HttpServer> {
  const { address, tls, receiveTimeoutMs = 10_000, report = () => {} } = settings;
  const handler = createMcpHandler(factory, {
    maxRequestBodySize: bodyMaxBytes,
    maxSubscriptions: subscriptionsMaxCount,
    onerror: (error) => report(error.message),
  });
  const serve = toNodeHandler(handler, {
    maxRequestBodySize: bodyMaxBytes,
    onerror: (error) => report(error.message),
  });
  const count = { served: 0, forbidden: 0, not_found: 0, unauthorised: 0, limited: 0, busy: 0, dropped: 0 };
  const admit = admission(settings, count);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (admit(request, response))
      await serve(request as Parameters<typeof serve>[0], response as Parameters<typeof serve>[1]);
  };
  const limits = {
    maxHeaderSize: headerMaxBytes,
    headersTimeout: Math.min(5000, receiveTimeoutMs),
    requestTimeout: receiveTimeoutMs,
    keepAliveTimeout: 5000,
    connectionsCheckingInterval: 500,
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response).catch((error: unknown) => {
      report(causeText(error));
      response.destroy();
    });
  };
  const listener =
    tls === undefined
      ? createPlainServer(limits, onRequest)
      : createTlsServer({ ...limits, ...tls, minVersion: 'TLSv1.2' }, onRequest);
  listener.maxHeadersCount = headersMaxCount;
  listener.maxConnections = connectionsMaxCount;
  listener.on('drop', () => count.dropped++);
  await listening(listener, address);
  const stopWatching = server.watch?.((uri) => handler.notify.resourceUpdated(uri));
  const { port } = listener.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${urlHost(address.host)}:${port}${mcpPath}`,
    count,
    async close() {
      stopWatching?.();
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      await handler.close();
      listener.closeAllConnections();
      await closed;
    },
  };
  function listening(one: typeof listener, { host, port: wanted }: ListenAddress): Promise<void> {
    return new Promise((resolve, reject) => {
      one.once('error', (cause) =>
        reject(
          new DriveMcpError(
            'ADDRESS_UNAVAILABLE',
            `cannot listen at ${host}:${wanted}: ${addressCause(cause)}`,
            { cause },
          ),
        ),
      );
      one.listen(wanted, host, () => resolve());
    });
  }
}

function addressCause(cause: NodeJS.ErrnoException): string {
  if (cause.code === 'EADDRINUSE') return 'something listens there already (EADDRINUSE)';
  if (cause.code === 'EADDRNOTAVAIL') return 'this machine has no such address (EADDRNOTAVAIL)';
  return causeText(cause);
}
