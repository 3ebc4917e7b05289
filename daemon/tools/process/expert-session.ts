/** One life of an expert's process: connected, its tools listed and checked, then called. */
import { Client } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { toolListDigest } from '../../../mcp/shared/tool-schema.js';
import type { JsonObject } from '../../core/tick.js';
import { checkPayload, UnfitAnswer } from '../answer-payload.js';
import type { ChildTransport } from './child-transport.js';

/**
 * From the start of a process to its list of tools: from a slow card, or on a busy machine (measured: 0.7 s idle, 5 s at
 * load 12). Nothing waits for it: calls miss their deadlines meanwhile, as with an expert that is not there.
 */
export const startMaxMs = 15_000;
/**
 * A server of the older revisions may be silent to the first question of the current one; the rest of the time is for
 * theirs. One that is known to speak the current revision is not asked both: it would take the second for a mistake.
 */
const probeMs = 10_000;
const toolsMaxCount = 64;

type Validator = ReturnType<AjvJsonSchemaValidator['getValidator']>;

export interface SessionFacts {
  readonly toolsSha256: string;
  readonly server: string | null;
  readonly protocol: string | null;
}

export class ExpertSession {
  readonly #client: Client;
  readonly #transport: ChildTransport;
  readonly #answerMaxBytes: number;
  readonly #validators = new Map<string, Validator>();

  /**
   * @param isCurrent the server is known to speak the current revision
   * @param onToolsChanged the server says that its tools are others now
   */
  constructor(
    transport: ChildTransport,
    version: string,
    isCurrent: boolean,
    answerMaxBytes: number,
    onToolsChanged: () => void,
  ) {
    this.#transport = transport;
    this.#answerMaxBytes = answerMaxBytes;
    this.#client = new Client(
      { name: 'drivemcp', version },
      {
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: isCurrent ? startMaxMs : probeMs } },
        // The core asks questions; a server that asks back gets no answer.
        inputRequired: { autoFulfill: false },
      },
    );
    this.#client.onerror = () => {};
    this.#client.setNotificationHandler('notifications/tools/list_changed', () => onToolsChanged());
  }

  /** @throws where the process ends, is silent, or does not offer each call with a schema of its answers */
  async open(calls: readonly string[]): Promise<SessionFacts> {
    await this.#client.connect(this.#transport, { timeout: startMaxMs });
    const { tools } = await this.#client.listTools(undefined, { timeout: startMaxMs });
    if (tools.length > toolsMaxCount) throw new Error(`it lists ${tools.length} tools`);
    for (const call of calls) {
      const tool = tools.find(({ name }) => name === call);
      if (tool === undefined) throw new Error(`it has no tool ${call}`);
      if (tool.outputSchema === undefined)
        throw new Error(`its tool ${call} declares no form of its answers`);
      const schema = tool.outputSchema as Parameters<AjvJsonSchemaValidator['getValidator']>[0];
      this.#validators.set(call, new AjvJsonSchemaValidator().getValidator(schema));
    }
    const { name = '', version = '' } = this.#client.getServerVersion() ?? {};
    return {
      toolsSha256: toolListDigest(tools),
      server: name === '' ? null : `${name} ${version}`.trim().slice(0, 100),
      protocol: this.#client.getNegotiatedProtocolVersion() ?? null,
    };
  }

  /** @throws UnfitAnswer where what came is no answer; Error with the server's own words where it is an error */
  async call(call: string, args: JsonObject, signal: AbortSignal, timeoutMs: number): Promise<JsonObject> {
    const result = await this.#client.request(
      { method: 'tools/call', params: { name: call, arguments: args } },
      { signal, timeout: timeoutMs },
    );
    if (result.isError === true) throw new Error(firstText(result.content));
    const checked = checkPayload(result.structuredContent, this.#answerMaxBytes);
    if (!checked.ok) throw new UnfitAnswer(checked.reason);
    const verdict = this.#validators.get(call)?.(checked.payload);
    if (verdict?.valid !== true) throw new UnfitAnswer('it is not of the form that the tool declares');
    return checked.payload;
  }
}

function firstText(content: unknown): string {
  const first: unknown = Array.isArray(content) ? content[0] : null;
  const text = (first as { text?: unknown } | null)?.text;
  return typeof text === 'string' ? text.slice(0, 500) : 'the tool answered with an error';
}
