/**
 * Clients of other makes on every server and both transports: the first-generation SDK, the current one, and the command
 * line of the official Inspector.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { serverNames } from '../../mcp/shared/expert-server.js';
import { tiny } from '../daemon/tiny-drive.js';
import { drivemcp } from '../helpers/command.js';
import { node22, node22Missing } from '../helpers/node-22.js';
import { drivemcpScript } from '../helpers/paths.js';
import { httpServer } from './http-command.js';
import { sampleCalls, writeSampleFiles } from './sample-calls.js';

const car = tiny(t);
const files = t.testdirName;
writeSampleFiles(files);
const stateDir = car.at('state');
const run = await drivemcp(['run', ...car.drive, ...car.state]);
t.equal(run.code, 0, run.stderr);

function serverArgs(name: string): string[] {
  return ['mcp', name, '--state', stateDir, ...(name === 'can' ? ['--folder', files] : [])];
}
const stdio = (name: string) => ({
  command: process.execPath,
  args: [drivemcpScript, ...serverArgs(name)],
  stderr: 'ignore' as const,
});
const about = { name: 'interop', version: '1.0.0' };

/** What both generations of clients can do. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string; outputSchema?: unknown }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

/** Clients check structured content against the announced schema by themselves, and throw where it does not fit. */
async function callEverything(t: Tap, client: AnyClient, name: string): Promise<void> {
  const { tools } = await client.listTools();
  t.ok(tools.length > 0, `${name} has tools`);
  for (const tool of tools) {
    const args = sampleCalls[tool.name];
    t.ok(args, `${tool.name} has a sample call`);
    t.ok(tool.outputSchema, `${tool.name} announces what it answers`);
    const result = (await client.callTool({ name: tool.name, arguments: { ...args } })) as {
      isError?: boolean;
      structuredContent?: unknown;
      content: unknown[];
    };
    t.notOk(result.isError, `${tool.name}: ${JSON.stringify(result.content).slice(0, 300)}`);
    t.type(result.structuredContent, 'object', `${tool.name} answers in structure`);
    const refused = (await client.callTool({
      name: tool.name,
      arguments: { no_such_argument: 1 },
    })) as typeof result;
    t.equal(refused.isError, true, `${tool.name} refuses an unknown argument`);
    t.notOk('structuredContent' in refused, 'an error has no structure');
  }
  await client.close();
}
type Tap = typeof t;

for (const name of serverNames) {
  t.test(`${name}: first-generation client over stdio`, async (t) => {
    const client = new FirstClient(about);
    await client.connect(new FirstStdio(stdio(name)));
    await callEverything(t as Tap, client as unknown as AnyClient, name);
  });

  t.test(`${name}: both generations over HTTP`, async (t) => {
    const { url, token } = await httpServer(t, serverArgs(name));
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    const first = new FirstClient(about);
    await first.connect(new FirstHttp(new URL(url), { requestInit }) as Parameters<typeof first.connect>[0]);
    await callEverything(t as Tap, first as unknown as AnyClient, name);
    const current = new Client(about, { versionNegotiation: { mode: 'auto' } });
    await current.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    t.equal(current.getNegotiatedProtocolVersion(), '2026-07-28');
    const [tool] = (await current.listTools()).tools;
    const answer = await current.callTool({
      name: tool?.name ?? '',
      arguments: { ...sampleCalls[tool?.name ?? ''] },
    });
    t.type(answer.structuredContent, 'object', `${tool?.name} answers in structure`);
    await current.close();
  });
}

t.test('current client over stdio: progress, withdrawal, completion, prompts, subscription', async (t) => {
  const rules = new Client(about, { versionNegotiation: { mode: 'auto' } });
  await rules.connect(new StdioClientTransport(stdio('rules')));
  t.equal(rules.getNegotiatedProtocolVersion(), '2026-07-28');
  const steps: number[] = [];
  const call = { name: 'rules_search', arguments: { ...sampleCalls['rules_search'] } };
  await rules.callTool(call, { onprogress: ({ progress }) => steps.push(progress) });
  // The client forgets a request with its answer: a last step that comes in one piece with it may not be told.
  t.same(steps.slice(0, 3), [0, 1, 2]);
  const withdrawn = new AbortController();
  const pending = rules.callTool(call, { signal: withdrawn.signal, onprogress: () => withdrawn.abort() });
  await t.rejects(pending, 'a withdrawn call ends for its caller');
  t.match(await rules.callTool({ name: 'rules_list_packs', arguments: {} }), {
    structuredContent: { refused: [] },
  });
  const ids = await rules.complete({
    ref: { type: 'ref/resource', uri: 'rulepack://{id}' },
    argument: { name: 'id', value: 'gbr-w' },
  });
  t.same(ids.completion.values, ['GBR-WLS']);
  const prompt = await rules.getPrompt({
    name: 'brief_driver_new_jurisdiction',
    arguments: { jurisdiction: 'GBR', from: 'DEU', as_of: '2026-06-01' },
  });
  t.match(JSON.stringify(prompt), /driving_side.{1,8}left/);
  const text = await rules.readResource({ uri: 'rulepack://DEU/de:stvo:p3?offset=5&length=10' });
  const whole = await rules.readResource({ uri: 'rulepack://DEU/de:stvo:p3' });
  const textOf = (read: typeof text) => (read.contents[0] as { text: string }).text;
  t.equal(textOf(text), textOf(whole).slice(5, 15));
  t.equal((text as { cacheScope?: string }).cacheScope, 'public');
  await rules.close();

  const can = new Client(about, { versionNegotiation: { mode: 'auto' } });
  await can.connect(new StdioClientTransport(stdio('can')));
  const codes = await can.complete({
    ref: { type: 'ref/resource', uri: 'dtc://{code}' },
    argument: { name: 'code', value: 'p030' },
  });
  t.ok(codes.completion.values.includes('P0301'));
  t.match(textOf(await can.readResource({ uri: 'dtc://P0301' })), /isfire/);
  await can.close();
});

for (const mode of ['auto', 'legacy'] as const) {
  t.test(`world://current can be subscribed to (${mode})`, async (t) => {
    const client = new Client(about, { versionNegotiation: { mode } });
    await client.connect(new StdioClientTransport(stdio('drivemcp')));
    const changed = new Promise<string>((resolve) => {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri));
    });
    if (mode === 'auto') await client.listen({ resourceSubscriptions: ['world://current'] });
    else await client.subscribeResource({ uri: 'world://current' });
    t.equal((await drivemcp(['run', ...car.drive, ...car.state])).code, 0);
    t.equal(await changed, 'world://current');
    const read = await client.readResource({ uri: 'world://current' });
    t.match(JSON.parse((read.contents[0] as { text: string }).text), {
      simulated: false,
      world_state: { jurisdiction: 'DEU' },
    });
    if (mode === 'auto') t.match(read, { ttlMs: 0, cacheScope: 'private' });
    const trip = await client.getPrompt({ name: 'post_trip_review', arguments: {} });
    t.match(JSON.stringify(trip), /Data, not instructions/);
    await client.close();
  });
}

const node = node22();
const inspector = packageFile(
  'node_modules',
  '@modelcontextprotocol',
  'inspector',
  'clients',
  'launcher',
  'build',
  'index.js',
);

t.test(
  'Inspector over stdio in both eras, no schema that a host could not take',
  { skip: node ? false : node22Missing },
  async (t) => {
    const inspect = (server: string, era: string, args: readonly string[]) =>
      new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
        const { command, args: words } = stdio(server);
        execFile(
          node ?? '',
          [inspector, '--cli', command, ...words, '--protocol-era', era, ...args],
          { timeout: 60_000, env: { ...process.env, HOME: join(files, 'home') } },
          (error, stdout, stderr) =>
            resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
        );
      });
    for (const name of serverNames) {
      const listed = await Promise.all(
        ['legacy', 'modern'].map((era) => inspect(name, era, ['--method', 'tools/list', '--strict'])),
      );
      for (const { code, stderr } of listed) {
        t.equal(code, 0, `${name}: ${stderr}`);
        t.notMatch(stderr, /Warning|[1-9]\d* errors/, `${name}: nothing that is less portable`);
      }
    }
    for (const era of ['legacy', 'modern']) {
      const called = await inspect('weather', era, [
        '--method',
        'tools/call',
        '--tool-name',
        'weather_assess',
        '--tool-arg',
        'precipitation=40',
      ]);
      t.equal(called.code, 0, called.stderr);
      t.match(called.stdout, /"mu_est"/);
    }
  },
);
