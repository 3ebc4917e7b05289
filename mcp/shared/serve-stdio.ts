/** Serves a definition over standard input and output: one client, which started this process. */
import type { McpServer, McpServerFactory } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ExpertServer } from './expert-server.js';

export interface StdioSettings {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly signal: AbortSignal;
  /** out-of-band trouble, for stderr: nothing but MCP goes to stdout */
  readonly report: (problem: string) => void;
}

/** A longer message is no request of a client of ours; the connection ends. */
const messageMaxBytes = 1_048_576;
const subscriptionsMaxCount = 32;

/** Resolves when the client has closed its end or `signal` says so. */
export async function serveOverStdio(
  server: ExpertServer,
  factory: McpServerFactory,
  { stdin, stdout, signal, report }: StdioSettings,
): Promise<void> {
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: messageMaxBytes });
  const handle = serveStdio(withSubscriptions(server, factory), {
    transport,
    maxSubscriptions: subscriptionsMaxCount,
    onerror: (error) => report(error.message),
  });
  await new Promise<void>((resolve) => {
    for (const event of ['end', 'close'] as const) stdin.once(event, () => resolve());
    stdout.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await handle.close();
}

/**
 * Changes of resources go out through the connection's own instance: to whoever listens (2026-07-28), or to the URIs that
 * an older client subscribed to.
 */
function withSubscriptions(server: ExpertServer, factory: McpServerFactory): McpServerFactory {
  const { watch } = server;
  if (watch === undefined) return factory;
  return async (context) => {
    const made = (await factory(context)) as McpServer;
    const { server: connection } = made;
    const subscribed = new Set<string>();
    if (context.era === 'legacy') {
      connection.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
        if (subscribed.size < subscriptionsMaxCount && server.resources.some((one) => one.uri === uri)) {
          subscribed.add(uri);
        }
        return {};
      });
      connection.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
        subscribed.delete(uri);
        return {};
      });
    }
    const stop = watch.call(server, (uri) => {
      if (!made.isConnected() || (context.era === 'legacy' && !subscribed.has(uri))) return;
      void connection.sendResourceUpdated({ uri }).catch(() => undefined);
    });
    const onclose = connection.onclose;
    connection.onclose = () => {
      stop();
      onclose?.();
    };
    return made;
  };
}
