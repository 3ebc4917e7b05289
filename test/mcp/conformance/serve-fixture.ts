/** The fixtures on top of our own factory and HTTP transport, as a process: prints its URL. */
import type { McpServer, McpServerFactory } from '@modelcontextprotocol/server';
import { packageFile } from '../../../daemon/runtime/package-root.js';
import { rulesServer } from '../../../mcp/rules/rules-server.js';
import { serveOverHttp } from '../../../mcp/shared/http/serve-http.js';
import { mcpServerFactory } from '../../../mcp/shared/mcp-server.js';
import { registerInputFixtures } from './fixture-inputs.js';
import { registerFixtures } from './fixture-tools.js';

const builtInFolder = packageFile('rulepacks');
const server = rulesServer({ builtInFolder, stateDir: null, tell: () => {} }, '0.0.0');
const own = mcpServerFactory(server);
const factory: McpServerFactory = async (context) => {
  const mcp = (await own(context)) as McpServer;
  registerFixtures(mcp);
  if (context.era === 'modern') registerInputFixtures(mcp);
  return mcp;
};
const serving = await serveOverHttp(server, factory, {
  address: { host: '127.0.0.1', port: 0, isLoopback: true },
  token: null,
  ratePerS: Number.POSITIVE_INFINITY,
});
process.stdout.write(`${serving.url}\n`);
process.once('SIGTERM', () => void serving.close());
