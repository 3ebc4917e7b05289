/** Tools and a prompt that ask the client for input (multi-round requests of 2026-07-28); our own servers ask for none. */
import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { capabilitiesOf } from './client-capabilities.js';

const nameSchema = z.object({ name: z.string() });
const okSchema = z.object({ ok: z.boolean() });
const colourSchema = z.object({ color: z.string() });
const contextSchema = z.object({ context: z.string() });

/** Keyed by a fixed test key: the states protect nothing. */
const states = createRequestStateCodec<{ readonly round: number }>({
  key: 'conformance fixture, not a secret',
});

async function stateOf(context: ServerContext): Promise<{ readonly round: number } | null> {
  const text = context.mcpReq.requestState();
  return typeof text === 'string' ? ((await states.verify(text, context)) ?? null) : null;
}

const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const askName = (question: string) =>
  inputRequired.elicit({ message: question, requestedSchema: nameSchema });
const sample = (text: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });

export function registerInputFixtures(mcp: McpServer): void {
  const tool = (name: string, run: (context: ServerContext) => Promise<ReturnType<typeof said>> | object) =>
    mcp.registerTool(
      `test_input_required_result_${name}`,
      { description: 'fixture', inputSchema: z.object({}) },
      async (_, context) => (await run(context)) as ReturnType<typeof said>,
    );
  tool('elicitation', ({ mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, 'user_name', nameSchema);
    if (given !== undefined) return said(`Hello, ${given.name}!`);
    return inputRequired({ inputRequests: { user_name: askName('What is your name?') } });
  });
  tool('sampling', ({ mcpReq }) => {
    const given = inputResponse(mcpReq.inputResponses, 'capital_question');
    if (given.kind === 'sampling') return said(JSON.stringify(given.result.content));
    return inputRequired({
      inputRequests: { capital_question: sample('What is the capital of France?', 100) },
    });
  });
  tool('list_roots', ({ mcpReq }) => {
    const given = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (given.kind === 'roots') return said(given.roots.map(({ uri }) => uri).join(' '));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  tool('multiple_inputs', async ({ mcpReq }) => {
    const name = acceptedContent(mcpReq.inputResponses, 'user_name', nameSchema);
    const greeting = inputResponse(mcpReq.inputResponses, 'greeting');
    const roots = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (name !== undefined && greeting.kind === 'sampling' && roots.kind === 'roots') {
      return said(`${name.name} has ${roots.roots.length} roots`);
    }
    return inputRequired({
      inputRequests: {
        user_name: askName('What is your name?'),
        greeting: sample('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await states.mint({ round: 1 }),
    });
  });
  tool('multi_round', async (context) => {
    const { mcpReq } = context;
    const state = await stateOf(context);
    const second = acceptedContent(mcpReq.inputResponses, 'step2', colourSchema);
    if (state?.round === 2 && second !== undefined) return said(`you like ${second.color}`);
    const first = acceptedContent(mcpReq.inputResponses, 'step1', nameSchema);
    if (state?.round === 1 && first !== undefined) {
      return inputRequired({
        inputRequests: {
          step2: inputRequired.elicit({
            message: 'Step 2: What is your favorite color?',
            requestedSchema: colourSchema,
          }),
        },
        requestState: await states.mint({ round: 2 }),
      });
    }
    return inputRequired({
      inputRequests: { step1: askName('Step 1: What is your name?') },
      requestState: await states.mint({ round: 1 }),
    });
  });
  for (const name of ['request_state', 'tampered_state']) {
    tool(name, async (context) => {
      const given = acceptedContent(context.mcpReq.inputResponses, 'confirm', okSchema);
      if (given !== undefined && (await stateOf(context)) !== null) return said('state-ok');
      return inputRequired({
        inputRequests: {
          confirm: inputRequired.elicit({ message: 'Please confirm', requestedSchema: okSchema }),
        },
        requestState: await states.mint({ round: 1 }),
      });
    });
  }
  tool('capabilities', ({ mcpReq }) => {
    const capabilities = capabilitiesOf(mcpReq);
    return inputRequired({
      inputRequests: {
        ...(capabilities.elicitation === undefined ? {} : { name: askName('What is your name?') }),
        ...(capabilities.sampling === undefined ? {} : { greeting: sample('Generate a greeting', 50) }),
      },
    });
  });
  mcp.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'fixture' },
    async ({ mcpReq }: ServerContext) => {
      const given = acceptedContent(mcpReq.inputResponses, 'user_context', contextSchema);
      if (given !== undefined) {
        return {
          messages: [{ role: 'user' as const, content: { type: 'text' as const, text: given.context } }],
        };
      }
      return inputRequired({
        inputRequests: {
          user_context: inputRequired.elicit({
            message: 'What context should the prompt use?',
            requestedSchema: contextSchema,
          }),
        },
      });
    },
  );
}
