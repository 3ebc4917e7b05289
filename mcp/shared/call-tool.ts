import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { causeText } from '../../daemon/core/cause-text.js';
import { DriveMcpError, formatLocation } from '../../daemon/core/errors.js';
import type { CallGate } from './call-gate.js';
import type { ExpertTool, ToolContext } from './expert-tool.js';

export interface CallSettings {
  readonly gate: CallGate;
  /** a call that takes longer is withdrawn */
  readonly timeoutMs: number;
  readonly wallMs: () => number;
}

/** Runs a tool for an MCP client. Whatever goes wrong in it is a result with `isError` and no structured content. */
export async function callTool(
  tool: ExpertTool,
  args: unknown,
  { mcpReq }: ServerContext,
  { gate, timeoutMs, wallMs }: CallSettings,
): Promise<CallToolResult> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([mcpReq.signal, deadline]);
  try {
    const progressToken = mcpReq._meta?.progressToken;
    const context: ToolContext = {
      signal,
      nowWallMs: wallMs(),
      ...(progressToken === undefined
        ? {}
        : {
            progress(done, total, message) {
              // A client that has gone away wants no progress; its answer will fail to go out as well.
              void mcpReq
                .notify({
                  method: 'notifications/progress',
                  params: { progressToken, progress: done, total, message },
                })
                .catch(() => undefined);
            },
          }),
    };
    const answer = await untilWithdrawn(
      gate.run(signal, () => tool.call(args ?? {}, context)),
      signal,
    );
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
  } catch (error) {
    const failure = deadline.aborted
      ? new DriveMcpError('TOOL_TIMEOUT', `${tool.name} was not done within ${timeoutMs / 1000} s`)
      : error;
    return { content: [{ type: 'text', text: errorText(failure) }], isError: true };
  }
}

/** A tool that does not look at its signal keeps its place in the queue, but not its caller. */
function untilWithdrawn<T>(call: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    call.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

/** What went wrong, where, and what to do about it; of an error of ours alone, for others may tell of files and stacks. */
export function errorText(error: unknown): string {
  if (!(error instanceof DriveMcpError)) return `the call failed: ${causeText(error)}`;
  const where = formatLocation({ ...error.location, ...withoutFolder(error.location.file) });
  return `${error.message}${where === '' ? '' : ` (at ${where})`} [${error.code}]\n${error.hint}`;
}

/** The name of a file helps whoever asks, the folders of this machine do not. */
function withoutFolder(file: string | undefined): { readonly file?: string } {
  return file === undefined ? {} : { file: file.slice(file.lastIndexOf('/') + 1) };
}
