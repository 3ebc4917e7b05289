/** Tools, resources and prompts of the names that the official conformance scenarios call; never shipped. */
import { setTimeout as pause } from 'node:timers/promises';
import { completable, inputRequired, type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { capabilitiesOf } from './client-capabilities.js';

/** One red pixel, PNG. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';
/** RIFF head of a WAV file without samples. */
const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const image = { type: 'image' as const, data: pixel, mimeType: 'image/png' };
const said = (text: string) => ({ type: 'text' as const, text });
const message = (content: { type: 'text'; text: string } | typeof image) => ({
  role: 'user' as const,
  content,
});
const noArguments = z.object({});

export function registerFixtures(mcp: McpServer): void {
  registerContentTools(mcp);
  registerBehaviourTools(mcp);
  registerResources(mcp);
  registerPrompts(mcp);
}

function registerContentTools(mcp: McpServer): void {
  const tool = (name: string, content: () => Parameters<typeof answer>[0]) =>
    mcp.registerTool(name, { description: 'fixture', inputSchema: noArguments }, () => answer(content()));
  const answer = (content: (ReturnType<typeof said> | typeof image | Audio | Embedded)[]) => ({ content });
  tool('test_simple_text', () => [said('This is a simple text response for testing.')]);
  tool('test_image_content', () => [image]);
  tool('test_audio_content', () => [{ type: 'audio', data: silence, mimeType: 'audio/wav' }]);
  tool('test_embedded_resource', () => [
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ]);
  tool('test_multiple_content_types', () => [
    said('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ]);
  tool('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
}

interface Audio {
  readonly type: 'audio';
  readonly data: string;
  readonly mimeType: string;
}
type Embedded = ReturnType<typeof embedded>;

function embedded(uri: string, mimeType: string, text: string) {
  return { type: 'resource' as const, resource: { uri, mimeType, text } };
}

function registerBehaviourTools(mcp: McpServer): void {
  mcp.registerTool(
    'test_tool_with_progress',
    { description: 'fixture', inputSchema: noArguments },
    async (_, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined) {
          await mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 100 },
          });
        }
        await pause(20);
      }
      return { content: [said('done')] };
    },
  );
  mcp.registerTool(
    'test_missing_capability',
    { description: 'fixture', inputSchema: noArguments },
    // Asking a client for what it has not declared is refused by the server itself.
    (_, { mcpReq }) => {
      if (capabilitiesOf(mcpReq).sampling === undefined) {
        return inputRequired({
          inputRequests: { question: inputRequired.createMessage({ messages: [], maxTokens: 1 }) },
        });
      }
      return { content: [said('sampling is declared')] };
    },
  );
  for (const name of ['test_streaming_elicitation', 'test_logging_tool']) {
    mcp.registerTool(name, { description: 'fixture', inputSchema: noArguments }, () => ({
      content: [said('nothing is asked of the client and nothing is logged to it')],
    }));
  }
}

function registerResources(mcp: McpServer): void {
  mcp.registerResource('static-text', 'test://static-text', { mimeType: 'text/plain' }, ({ href }) => ({
    contents: [
      { uri: href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
    ],
  }));
  mcp.registerResource('static-binary', 'test://static-binary', { mimeType: 'image/png' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: pixel }],
  }));
  mcp.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
}

function registerPrompts(mcp: McpServer): void {
  mcp.registerPrompt('test_simple_prompt', { description: 'fixture' }, () => ({
    messages: [message(said('This is a simple prompt for testing.'))],
  }));
  mcp.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'fixture',
      argsSchema: z.object({
        arg1: completable(z.string(), () => ['paris', 'park', 'party']),
        arg2: z.string(),
      }),
    },
    ({ arg1, arg2 }) => ({
      messages: [message(said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    }),
  );
  mcp.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'fixture', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        {
          role: 'user',
          content: embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
        },
        message(said('Please process the embedded resource above.')),
      ],
    }),
  );
  mcp.registerPrompt('test_prompt_with_image', { description: 'fixture' }, () => ({
    messages: [message(image), message(said('Please analyze the image above.'))],
  }));
}
