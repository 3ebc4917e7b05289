/**
 * What an expert offers, as one hash. A server that changes names, descriptions or schemas of its tools after it was
 * trusted is another server; it is refused until somebody looks.
 */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../core/canonical.js';

export interface ListedTool {
  readonly name: string;
  readonly outputSchema?: unknown;
  readonly [member: string]: unknown;
}

/**
 * SHA-256, lower-case hex, over the RFC 8785 form of `tools/list`, by name: a server may list in another order.
 * Members of the protocol's envelope (`_meta`) are left out.
 */
export function toolListHash(tools: readonly ListedTool[]): string {
  const listed = tools
    .map((tool) => Object.fromEntries(Object.entries(tool).filter(([key]) => key !== '_meta')))
    .sort((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1));
  return createHash('sha256').update(canonicalJson(listed), 'utf8').digest('hex');
}
