/** `tools list`: all tools of all servers, and the hash of each server's list, which clients pin. */
import { packageFile, packageVersion } from '../runtime/package-root.js';
import { resolveStateDir } from '../runtime/state-dir.js';
import { type CommandSpec, type Invocation, stringOption } from './command.js';
import { daemonView } from './daemon-view.js';
import { lazyOpenLog } from './lazy-open-log.js';
import { columns } from './table.js';

export const commands: readonly CommandSpec[] = [
  {
    path: ['tools', 'list'],
    summary: 'all tools of all MCP servers, and the SHA-256 of each list',
    arity: [0, 0],
    options: {},
    details:
      'The hash is taken over names, descriptions and schemas (RFC 8785 canonical JSON). A client that pins it notices a\n' +
      'server whose tools read otherwise than they did. With --json, one object a server with the full schemas.',
    examples: [
      ['drivemcp tools list', 'a table'],
      ['drivemcp tools list --json', 'one object a server, with schemas'],
    ],
    run: list,
  },
];

async function list({ values, terminal }: Invocation): Promise<number> {
  const [{ openServer }, { serverNames }, { listedTool, toolListDigest }] = await Promise.all([
    import('../../mcp/open-server.js'),
    import('../../mcp/shared/expert-server.js'),
    import('../../mcp/shared/tool-schema.js'),
  ]);
  const surroundings = {
    version: packageVersion,
    builtInPacks: packageFile('rulepacks'),
    openLog: lazyOpenLog,
    folders: [],
    tell: () => {},
    daemon: daemonView(resolveStateDir(stringOption(values, 'state'))),
  };
  for (const name of serverNames) {
    const server = await openServer(name, surroundings);
    const tools = server.tools.map(listedTool);
    const sha256 = toolListDigest(tools);
    if (terminal.json) {
      terminal.object({ server: name, sha256, tools });
      continue;
    }
    terminal.line(`${terminal.style(name, 'bold')}  ${sha256}`);
    const rows = tools.map((tool) => [`  ${tool.name}`, tool.title]);
    for (const line of columns(rows, ['left', 'left'], terminal.tableWidth)) terminal.line(line);
  }
  return 0;
}
