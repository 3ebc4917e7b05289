/** `mcp …`: the experts as MCP servers, over standard input and output or over HTTP. */
import { join } from 'node:path';
import { loadConfig } from '../runtime/config.js';
import { packageFile, packageVersion } from '../runtime/package-root.js';
import { resolveStateDir } from '../runtime/state-dir.js';
import { type CommandSpec, type Invocation, listOption, stringOption } from './command.js';
import { configFile } from './config-file.js';
import { daemonView } from './daemon-view.js';
import { lazyOpenLog } from './lazy-open-log.js';
import { type HttpOptions, httpOptions, readHttpOptions } from './mcp-http-options.js';
import { rephraseSettings } from './rephrase-settings.js';

const about = {
  rules: 'traffic law: limits, signs, citations, packs',
  weather: 'grip of the road from weather and vehicle observations',
  can: 'vehicle health, DBC files, CAN logs',
  drivemcp: 'what the daemon does and did, and why',
} as const;
type ServerName = keyof typeof about;

const folderOption = {
  type: 'string',
  multiple: true,
  value: 'DIR',
  help: 'folder whose DBC files and logs may be read; without one the file tools refuse every file',
} as const;

const outsideOptions = {
  'outside-file': {
    type: 'string',
    value: 'FILE',
    help: 'JSON file with weather from outside the car; it can lower an estimate of grip, never raise one',
  },
  'outside-url': {
    type: 'string',
    value: 'URL',
    help: 'the same from http://127.0.0.1:PORT/… or http://[::1]:PORT/…',
  },
} as const;

const ownOptions = {
  rules: {},
  weather: outsideOptions,
  can: { folder: folderOption },
  drivemcp: {},
} as const;

export const commands: readonly CommandSpec[] = (Object.keys(about) as ServerName[]).map((name) => ({
  path: ['mcp', name],
  summary: `MCP server: ${about[name]}`,
  arity: [0, 0],
  options: { ...ownOptions[name], ...httpOptions },
  details:
    'Without --http it serves one client over standard input and output: the host starts this command itself. Serves MCP\n' +
    '2026-07-28 and the older revisions. Every tool is read-only; nothing can be actuated over MCP.\n' +
    'Research software beside certified functions, never in their place.',
  examples: [
    [`drivemcp mcp ${name}`, 'for the configuration of an MCP host'],
    [
      `drivemcp mcp ${name} --http 7301`,
      'at http://127.0.0.1:7301/mcp, with the bearer token of $STATE/mcp-token',
    ],
    [
      `drivemcp mcp ${name} --http 0.0.0.0:7301 --allow-remote --behind-tls-proxy --allowed-host rig.example`,
      'behind a proxy that speaks TLS',
    ],
  ],
  run: (invocation) => serve(name, invocation),
}));

async function serve(name: ServerName, invocation: Invocation): Promise<number> {
  const http = readHttpOptions(invocation.values);
  const serving = await load(name, invocation);
  if (http !== null) return serveHttp(serving, http, invocation);
  const { serveOverStdio } = await import('../../mcp/shared/serve-stdio.js');
  const { server, factory, report } = serving;
  const { signal } = invocation;
  await serveOverStdio(server, factory, { stdin: process.stdin, stdout: process.stdout, signal, report });
  await server.close?.();
  return 0;
}

async function load(name: ServerName, { values, terminal }: Invocation) {
  const [{ openServer }, { mcpServerFactory }] = await Promise.all([
    import('../../mcp/open-server.js'),
    import('../../mcp/shared/mcp-server.js'),
  ]);
  const stateDir = resolveStateDir(stringOption(values, 'state'));
  const { config } = loadConfig(configFile(values, stateDir));
  const report = (problem: string) => terminal.message(`drivemcp: ${name} server: ${problem}`);
  const server = await openServer(name, {
    version: packageVersion,
    builtInPacks: packageFile('rulepacks'),
    daemon: daemonView(stateDir),
    openLog: lazyOpenLog,
    folders: listOption(values, 'folder'),
    outside: { file: stringOption(values, 'outside-file'), url: stringOption(values, 'outside-url') },
    encoder: config.rules.encoder,
    rephrase: name === 'drivemcp' ? rephraseSettings(config) : null,
    tell: report,
  });
  return { server, factory: mcpServerFactory(server), stateDir, report };
}

async function serveHttp(
  { server, factory, stateDir, report }: Awaited<ReturnType<typeof load>>,
  http: HttpOptions,
  { values, terminal, signal }: Invocation,
): Promise<number> {
  const [{ serveOverHttp }, { readOrMakeToken }, { createStateDir }] = await Promise.all([
    import('../../mcp/shared/http/serve-http.js'),
    import('../../mcp/shared/http/bearer-token.js'),
    import('../runtime/state-dir.js'),
  ]);
  const named = stringOption(values, 'token-file');
  if (named === undefined) createStateDir(stateDir);
  const tokenFile = named ?? join(stateDir, 'mcp-token');
  const token = readOrMakeToken(tokenFile);
  if (token.isNew) terminal.message(`made a bearer token in ${tokenFile}`);
  const serving = await serveOverHttp(server, factory, {
    address: http.address,
    token: token.value,
    allowedHosts: listOption(values, 'allowed-host'),
    tls: http.tls,
    ratePerS: http.ratePerS,
    report,
  });
  if (terminal.json) terminal.object({ server: server.name, url: serving.url, token_file: tokenFile });
  else terminal.line(`${server.title} at ${serving.url}, bearer token in ${tokenFile}`);
  terminal.flush();
  if (!signal.aborted) {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  }
  await serving.close();
  await server.close?.();
  const { served, ...refused } = serving.count;
  const told = Object.entries(refused).filter(([, count]) => count > 0);
  if (terminal.json) terminal.object({ summary: serving.count });
  else
    terminal.line(
      `served ${served} requests${told.map(([why, count]) => `, ${count} ${why.replace('_', ' ')}`).join('')}`,
    );
  return 0;
}
