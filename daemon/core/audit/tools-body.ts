/** Calls of this tick: answers that came, answers used again, questions that leave. */
import { canonicalJson } from '../canonical.js';
import { expertCalls, type Inquiry } from '../router/expert-calls.js';
import type { TakenAnswer } from '../router/take-answers.js';
import { sha256Hex } from '../sha256.js';
import type { JsonObject, JsonValue, ToolRequest } from '../tick.js';

export function toolsBody(
  taken: readonly TakenAnswer[],
  reused: readonly Inquiry[],
  requests: readonly ToolRequest[],
): JsonValue {
  const tools: JsonObject[] = [];
  for (const { request, status, latencyUs, cached, payload } of taken) {
    const answer = cached?.answer ?? null;
    tools.push({
      server: request.tool,
      tool: expertCalls[request.inquiry].call,
      request: request.id,
      key: request.key,
      t_start: request.askedAtUs / 1e6,
      ms: latencyUs / 1000,
      status,
      payload_hash: hashOf(payload),
      result_hash: hashOf(answer),
      ...(answer?.tool === 'rules' || answer?.tool === 'sign'
        ? { rulepack_version: answer.rulepackVersion }
        : {}),
    });
  }
  for (const inquiry of reused) {
    const { tool, call } = expertCalls[inquiry];
    tools.push({ server: tool, tool: call, status: 'cached' });
  }
  for (const request of requests) {
    tools.push({
      server: request.tool,
      tool: request.call,
      request: request.id,
      key: request.key,
      args: request.args,
      args_hash: hashOf(request.args),
      reason: request.reason,
      status: 'asked',
    });
  }
  return tools;
}

/** Longer answers are not worth the tick's time; the recording holds them. */
const maxHashedChars = 65_536;

/** SHA-256 over canonical JSON; null for nothing, for what has no JSON form (NaN), and for what is too long. */
function hashOf(value: unknown): string | null {
  if (value === null) return null;
  let text: string;
  try {
    text = canonicalJson(value);
  } catch {
    // An answer is untrusted: that it cannot be hashed is a property of it, not a fault of this program.
    return null;
  }
  return text.length <= maxHashedChars ? sha256Hex(text) : null;
}
