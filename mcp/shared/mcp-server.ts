/** One factory for every transport and revision: a definition becomes an instance of the SDK's server. */
import {
  McpServer,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { CallGate } from './call-gate.js';
import { callTool, errorText } from './call-tool.js';
import { type CacheRule, type ExpertServer, packCache, type ServerResource } from './expert-server.js';
import { promptSchema } from './prompt-arguments.js';
import { announcedSchema, readOnlyAnnotations } from './tool-schema.js';
import { uriTemplate } from './uri-template.js';
import { requireVisibleText } from './visible-text.js';

export interface McpServerSettings {
  readonly wallMs?: () => number;
  readonly callTimeoutMs?: number;
  readonly callsRunningMaxCount?: number;
  readonly callsWaitingMaxCount?: number;
}

/** Arguments with more members than this fit no tool of ours. */
const argumentMembersMaxCount = 4096;

/** The calls of all connections to one process share its queue. */
export function mcpServerFactory(server: ExpertServer, settings: McpServerSettings = {}): McpServerFactory {
  const {
    wallMs = Date.now,
    callTimeoutMs = 30_000,
    callsRunningMaxCount = 16,
    callsWaitingMaxCount = 256,
  } = settings;
  const calls = {
    gate: new CallGate({ runningMaxCount: callsRunningMaxCount, waitingMaxCount: callsWaitingMaxCount }),
    timeoutMs: callTimeoutMs,
    wallMs,
  };
  const listHint = hint(packCache);
  return () => {
    const { name, title, version, instructions } = server;
    const mcp = new McpServer(
      { name: name === 'drivemcp' ? name : `drivemcp-${name}`, title, version },
      {
        instructions,
        capabilities: {
          tools: { listChanged: false },
          ...(server.resources.length === 0
            ? {}
            : { resources: { listChanged: false, subscribe: server.watch !== undefined } }),
          ...(server.prompts.length === 0 ? {} : { prompts: { listChanged: false } }),
        },
        cacheHints: {
          'server/discover': listHint,
          'tools/list': listHint,
          'prompts/list': listHint,
          'resources/templates/list': listHint,
        },
        maxToolInputElements: argumentMembersMaxCount,
      },
    );
    for (const tool of server.tools) {
      mcp.registerTool(
        tool.name,
        {
          title: tool.title,
          description: tool.description,
          inputSchema: announcedSchema(tool.input),
          outputSchema: announcedSchema(tool.output),
          annotations: { title: tool.title, ...readOnlyAnnotations },
        },
        (args, context) => callTool(tool, args, context, calls),
      );
    }
    for (const resource of server.resources) registerResource(mcp, resource, wallMs);
    for (const prompt of server.prompts) {
      mcp.registerPrompt(
        prompt.name,
        { title: prompt.title, description: prompt.description, argsSchema: promptSchema(prompt.arguments) },
        async (args) => {
          const given = visibleArguments(args, prompt.name);
          const text = await asProtocolError(() => prompt.render(given, { nowWallMs: wallMs() }));
          return { messages: [{ role: 'user', content: { type: 'text', text } }] };
        },
      );
    }
    return mcp;
  };
}

function registerResource(mcp: McpServer, resource: ServerResource, wallMs: () => number): void {
  const { name, title, description, mimeType, uri, cache } = resource;
  const about = { title, description, mimeType, cacheHint: hint(cache) };
  const read = async (
    at: URL,
    variables: Readonly<Record<string, string | string[]>>,
    signal: AbortSignal,
  ) => {
    const given = visibleArguments(variables, name);
    const text = await asProtocolError(() => resource.read(given, { signal, nowWallMs: wallMs() }));
    if (text === null) throw new ResourceNotFoundError(at.href);
    return { contents: [{ uri: at.href, mimeType, text }] };
  };
  if (!uri.includes('{')) {
    mcp.registerResource(name, uri, about, (at, { mcpReq }) => read(at, {}, mcpReq.signal));
    return;
  }
  const list = resource.list?.bind(resource);
  const template = new ResourceTemplate(uriTemplate(uri), {
    list: list === undefined ? undefined : async () => ({ resources: [...(await list())] }),
    ...(resource.complete === undefined
      ? {}
      : {
          complete: Object.fromEntries(
            Object.entries(resource.complete).map(([variable, complete]) => [
              variable,
              async (begun: string) => [...(await complete(begun))],
            ]),
          ),
        }),
  });
  mcp.registerResource(name, template, about, (at, variables, { mcpReq }) =>
    read(at, variables, mcpReq.signal),
  );
}

function hint({ ttlMs, scope }: CacheRule) {
  return { ttlMs, cacheScope: scope };
}

/** Variables of a URI and arguments of a prompt, each one piece of text that can be seen. */
function visibleArguments(
  given: Readonly<Record<string, string | string[] | undefined>>,
  of: string,
): Record<string, string> {
  const visible: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) if (typeof value === 'string') visible[name] = value;
  try {
    requireVisibleText(visible, of);
  } catch (error) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, errorText(error));
  }
  return visible;
}

/** Resources and prompts have no `isError`: what is wrong with a request goes back as a JSON-RPC error. */
async function asProtocolError<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, errorText(error));
  }
}
