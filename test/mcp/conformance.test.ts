/** The official conformance suite: required scenarios on our factory and transport, and on the real servers. */
import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { serveOverHttp } from '../../mcp/shared/http/serve-http.js';
import { mcpServerFactory } from '../../mcp/shared/mcp-server.js';
import { node22, node22Missing } from '../helpers/node-22.js';
import { fixtureScript } from '../helpers/paths.js';
import { realServers } from './real-servers.js';

const node = node22();
const suite = packageFile('node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');

function conformance(args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(node ?? '', [suite, 'server', ...args], { timeout: 120_000 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, output: stdout + stderr });
    });
  });
}

for (const revision of ['2026-07-28', '2025-11-25']) {
  t.test(
    `required scenarios of ${revision} on our factory and transport`,
    { skip: node ? false : node22Missing },
    async (t) => {
      const fixture = spawn(process.execPath, [fixtureScript('mcp', 'conformance', 'serve-fixture.js')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      t.teardown(() => fixture.kill());
      const [url] = await new Promise<[string]>((resolve) =>
        createInterface({ input: fixture.stdout }).once('line', (line) => resolve([line])),
      );
      const expected = packageFile('test', 'mcp', 'conformance', `expected-failures-${revision}.yaml`);
      const { code, output } = await conformance([
        '--url',
        url,
        '--requirements',
        revision,
        '--expected-failures',
        expected,
      ]);
      t.equal(code, 0, output.slice(output.indexOf('=== SUMMARY')));
      t.match(output, /✓ tools-list: [1-9]/, 'scenarios have run');
    },
  );
}

/** Scenarios that name no tool, so that they can be asked of any server. */
const scenarios: Readonly<Record<string, readonly string[]>> = {
  rules: [
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'caching',
    'dns-rebinding-protection',
    'http-header-validation',
  ],
  weather: ['tools-list'],
  can: ['tools-list', 'sep-2164-resource-not-found'],
  drivemcp: ['tools-list', 'resources-list', 'caching'],
};

t.test(
  'scenarios that fit any server, on the real ones',
  { skip: node ? false : node22Missing },
  async (t) => {
    const servers = await realServers(t.testdir());
    for (const server of servers) {
      const serving = await serveOverHttp(server, mcpServerFactory(server), {
        address: { host: '127.0.0.1', port: 0, isLoopback: true },
        token: null,
        ratePerS: Number.POSITIVE_INFINITY,
      });
      t.teardown(() => serving.close());
      const wanted = scenarios[server.name] ?? [];
      for (let i = 0; i < wanted.length; i += 2) {
        await Promise.all(
          wanted.slice(i, i + 2).map(async (scenario) => {
            const { code, output } = await conformance([
              '--url',
              serving.url,
              '--scenario',
              scenario,
              '--spec-version',
              '2026-07-28',
            ]);
            t.equal(code, 0, `${server.name}: ${scenario}${code === 0 ? '' : `\n${output}`}`);
          }),
        );
      }
    }
  },
);
