/** Clients that mean harm, over HTTP, and what the command refuses to do for whoever starts it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { z } from 'zod';
import type { ExpertServer } from '../../mcp/shared/expert-server.js';
import { expertTool } from '../../mcp/shared/expert-tool.js';
import { type HttpSettings, serveOverHttp } from '../../mcp/shared/http/serve-http.js';
import { mcpServerFactory } from '../../mcp/shared/mcp-server.js';
import { drivemcp } from '../helpers/command.js';
import { httpServer } from './http-command.js';

interface Reply {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

function post(
  url: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
  ca?: Buffer,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https') ? tlsRequest : plainRequest;
    const request = send(
      url,
      {
        method: 'POST',
        agent: false,
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...headers,
        },
        ...(ca === undefined ? {} : { ca }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('close', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

t.test('no answer without the token, the right host, the right origin, the right path', async (t) => {
  const { url, token, stop } = await httpServer(t, ['mcp', 'weather', '--state', t.testdir()]);
  const bearer = { Authorization: `Bearer ${token}` };
  t.equal((await post(url, list, bearer)).status, 200);
  for (const Authorization of [
    '',
    'Bearer',
    'Bearer x',
    `Basic ${token}`,
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
  ]) {
    const reply = await post(url, list, { Authorization });
    t.equal(reply.status, 401, Authorization.slice(0, 8));
    t.match(reply.headers['www-authenticate'], /^Bearer/);
  }
  for (const Host of [
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost@evil.example',
    '169.254.169.254',
  ]) {
    t.equal((await post(url, list, { ...bearer, Host })).status, 403, Host);
  }
  for (const Origin of ['https://evil.example', 'null', 'http://localhost.evil.example', 'file://']) {
    t.equal((await post(url, list, { ...bearer, Origin })).status, 403, Origin);
  }
  for (const path of ['/', '/mcp/', '/mcp?x', '/MCP', '/%6dcp']) {
    t.equal((await post(url.replace('/mcp', path), list, bearer)).status, 404, path);
  }
  t.equal((await post(url, list, { ...bearer, 'Content-Type': 'text/plain' })).status, 415);
  t.equal((await post(url, '{', bearer)).status, 400);
  const summary = await stop();
  t.match(summary, { unauthorised: 6, forbidden: 8, not_found: 5 }, 'every refusal is counted');
});

t.test('a body over 1 MiB is not read, whether it says its length or not', async (t) => {
  const { url, token } = await httpServer(t, ['mcp', 'weather', '--state', t.testdir()]);
  const bearer = { Authorization: `Bearer ${token}` };
  const big = Buffer.alloc(1_048_577, ' ');
  t.equal((await post(url, big, bearer)).status, 413);
  t.equal((await post(url, big, { ...bearer, 'Transfer-Encoding': 'chunked' })).status, 413);
  t.equal(
    (await post(url, list, { ...bearer, 'X-Flood': 'a'.repeat(20_000) })).status,
    431,
    'nor a flood of headers',
  );
  t.equal((await post(url, list, bearer)).status, 200, 'alive afterwards');
});

t.test('more than the rate is put off', async (t) => {
  const { url, token, stop } = await httpServer(t, ['mcp', 'weather', '--state', t.testdir()], '10');
  const replies = await Promise.all(
    Array.from({ length: 100 }, () => post(url, list, { Authorization: `Bearer ${token}` })),
  );
  const limited = replies.filter(({ status }) => status === 429);
  t.ok(limited.length >= 40, `${limited.length} of 100 at once were put off`);
  t.match(limited[0]?.headers['retry-after'], /^\d+$/);
  t.match(await stop(), { limited: limited.length, served: 100 - limited.length });
});

/** A server whose only tool waits until it is let go. */
function waitingServer() {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let started = 0;
  const wait = expertTool({
    name: 'weather_wait',
    title: 'Waits',
    description: 'Waits.',
    input: z.strictObject({}),
    output: z.strictObject({ done: z.boolean() }),
    async run() {
      started++;
      await gate;
      return { done: true };
    },
  });
  const server: ExpertServer = {
    name: 'weather',
    title: 'waits',
    version: '0.0.0',
    instructions: '',
    tools: [wait],
    resources: [],
    prompts: [],
  };
  return { server, open: () => open(), started: () => started };
}

async function serve(t: Tap, server: ExpertServer, settings: Partial<HttpSettings>, timeoutMs = 30_000) {
  const serving = await serveOverHttp(server, mcpServerFactory(server, { callTimeoutMs: timeoutMs }), {
    address: { host: '127.0.0.1', port: 0, isLoopback: true },
    token: null,
    ratePerS: Number.POSITIVE_INFINITY,
    ...settings,
  });
  t.teardown(() => serving.close());
  return serving;
}
type Tap = typeof t;

const callOf = (name: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } });

t.test('so many requests are under way and no more; the others are told to come again', async (t) => {
  const waiting = waitingServer();
  const serving = await serve(t as Tap, waiting.server, { requestsMaxCount: 4 });
  const calls = Array.from({ length: 12 }, () => post(serving.url, callOf('weather_wait')));
  while (serving.count.busy < 8 || waiting.started() < 4)
    await new Promise((resolve) => setTimeout(resolve, 5));
  waiting.open();
  const statuses = (await Promise.all(calls)).map(({ status }) => status).sort();
  t.same(statuses, [...Array(4).fill(200), ...Array(8).fill(503)]);
  t.equal((await post(serving.url, callOf('weather_wait'))).status, 200, 'and then there is room again');
});

t.test('a call that takes too long is withdrawn and says so', async (t) => {
  const { server } = waitingServer();
  const { url } = await serve(t as Tap, server, {}, 50);
  const reply = await post(url, callOf('weather_wait'));
  t.match(reply.body, /TOOL_TIMEOUT/);
});

t.test('a request that arrives slowly, or never whole, is cut off', async (t) => {
  const { server } = waitingServer();
  const { url } = await serve(t as Tap, server, { receiveTimeoutMs: 300 });
  const { port } = new URL(url);
  for (const text of [
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\nContent-Type: application/json\r\n\r\n{',
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n',
  ]) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(text);
    const answer = await new Promise<string>((resolve) => {
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk.toString();
      });
      socket.once('close', () => resolve(received));
    });
    t.match(answer, /^HTTP\/1\.1 408 |^$/, text.slice(-20).trim());
  }
  t.equal((await post(url, list)).status, 200, 'alive afterwards');
});

t.test('the command refuses what would be unsafe', async (t) => {
  const dir = t.testdir({ open: 'a'.repeat(43), short: 'short', hex: 'ab'.repeat(31) });
  const at = (name: string) => join(dir, name);
  for (const name of ['short', 'hex']) chmodSync(at(name), 0o600);
  symlinkSync(at('open'), at('link'));
  mkdirSync(at('folder'));
  const weather = (...args: string[]) => drivemcp(['mcp', 'weather', '--state', at('state'), ...args]);
  const cases: readonly [number, RegExp, string[]][] = [
    [2, /other machines/, ['--http', '0.0.0.0:0']],
    [2, /other machines/, ['--http', '[::]:0']],
    [2, /in the clear/, ['--http', '0.0.0.0:0', '--allow-remote']],
    [2, /go together/, ['--http', '0', '--tls-cert', at('open')]],
    [2, /no address/, ['--http', 'example.org:80']],
    [2, /no address/, ['--http', '70000']],
    [2, /says how to serve HTTP/, ['--allow-remote']],
    [69, /ADDRESS_UNAVAILABLE/, ['--http', '127.0.0.1:1', '--token-file', at('fresh')]],
    [78, /others may read/, ['--http', '0', '--token-file', at('open')]],
    [78, /less than 256 bits/, ['--http', '0', '--token-file', at('short')]],
    [78, /less than 256 bits/, ['--http', '0', '--token-file', at('hex')]],
    [69, /FILE_UNREADABLE/, ['--http', '0', '--token-file', at('link')]],
    [78, /no regular file/, ['--http', '0', '--token-file', at('folder')]],
    [69, /FILE_UNWRITABLE/, ['--http', '0', '--token-file', join(at('nowhere'), 'token')]],
  ];
  const isRoot = process.getuid?.() === 0;
  for (const [code, says, args] of cases) {
    // Whoever may do everything may listen at port 1 as well.
    if (isRoot && args.includes('127.0.0.1:1')) continue;
    const result = await weather(...args);
    t.equal(result.code, code, `${args.join(' ')}: ${result.stderr}`);
    t.match(result.stderr, says);
  }
  const { token } = await httpServer(t, ['mcp', 'weather', '--state', at('state')]);
  t.ok(Buffer.from(token, 'base64url').length >= 32, '256 bits');
  t.equal(statSync(join(at('state'), 'mcp-token')).mode & 0o777, 0o600);
});

const openssl = spawnSync('openssl', ['version']).status === 0;

t.test('TLS', { skip: openssl ? false : 'no openssl here to make a certificate with' }, async (t) => {
  const dir = t.testdir();
  const [cert, key] = [join(dir, 'cert.pem'), join(dir, 'key.pem')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', ['req', '-x509', ...curve, '-days', '1', ...names, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  const args = ['mcp', 'weather', '--state', dir, '--tls-cert', cert, '--tls-key', key, '--allow-remote'];
  const { url, token } = await httpServer(t, args);
  t.match(url, /^https:/);
  const reply = await post(url, list, { Authorization: `Bearer ${token}` }, readFileSync(cert));
  t.equal(reply.status, 200);
});
