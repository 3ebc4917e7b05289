/** YAML by a schema, with file, line, column and key of what does not fit. */
import { isMap, isNode, LineCounter, type Node, parseDocument } from 'yaml';
import type { z } from 'zod';
import { DriveMcpError, type ErrorCode } from '../../../daemon/core/errors.js';

/** A pack file is small; a larger one is no pack file. */
export const maxFileBytes = 2 * 1024 * 1024;

/** Conditions in conditions: what nests deeper is no rule that a person could read. */
const maxDepth = 32;

export interface LocatedYaml<T> {
  readonly data: T;
  /** an error at the place of a path of the file, for what a schema cannot say */
  fault(path: readonly (string | number)[], message: string): DriveMcpError;
}

/**
 * @param lineOffset lines of the file before this text
 * @throws DriveMcpError RULEPACK_INVALID
 */
export function parseYaml<T>(file: string, text: string, schema: z.ZodType<T>, lineOffset = 0): T {
  return parseLocatedYaml('RULEPACK_INVALID', file, text, schema, lineOffset).data;
}

/** The same for other files than those of packs. @throws DriveMcpError with `code` */
export function parseLocatedYaml<T>(
  code: ErrorCode,
  file: string,
  text: string,
  schema: z.ZodType<T>,
  lineOffset = 0,
): LocatedYaml<T> {
  const lines = new LineCounter();
  let document: ReturnType<typeof parseDocument>;
  try {
    document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, merge: false, strict: true });
  } catch (cause) {
    // Nesting beyond what the stack holds.
    throw refused(code, file, `not YAML: ${(cause as Error).message}`, undefined, undefined, cause);
  }
  const at = (offset: number | undefined): { line: number; column: number } | undefined => {
    if (offset === undefined) return undefined;
    const { line, col } = lines.linePos(offset);
    return { line: line + lineOffset, column: col };
  };
  const broken = document.errors[0];
  if (broken) throw refused(code, file, broken.message.split('\n')[0] ?? 'not YAML', at(broken.pos[0]));
  let value: unknown;
  try {
    // Aliases are refused: a few lines of them become gigabytes.
    value = document.toJS({ maxAliasCount: 0 });
  } catch (cause) {
    throw refused(
      code,
      file,
      (cause as Error).message.split('\n')[0] ?? 'not YAML',
      undefined,
      undefined,
      cause,
    );
  }
  if (!isShallow(value, maxDepth)) throw refused(code, file, `nested deeper than ${maxDepth} levels`);
  const parsed = schema.safeParse(value);
  const fault: LocatedYaml<T>['fault'] = (path, message) =>
    refused(code, file, message, at(nodeAt(document.contents, path)?.range?.[0]), path.join('.'));
  if (parsed.success) return { data: parsed.data, fault };
  const issue = deepest(parsed.error.issues);
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const node = nodeAt(document.contents, [...path, ...unknown.slice(0, 1)]);
  throw refused(code, file, shortened(issue), at(node?.range?.[0]), [...path, ...unknown].join('.'));
}

/** A list of fifty words helps nobody. */
function shortened(issue: Issue): string {
  if (issue.code !== 'invalid_value' || issue.values.length <= 12) return issue.message;
  return `not one of the ${issue.values.length} words that stand here, such as ${issue.values.slice(0, 3).map(String).join(', ')}`;
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1));
}

type Issue = z.core.$ZodIssue;

/** Of a union that fits nowhere, the complaint that lies deepest: the branch that was meant. */
function deepest(issues: readonly Issue[], prefix: readonly PropertyKey[] = []): Issue {
  let best: Issue | null = null;
  for (const issue of issues) {
    const own = { ...issue, path: [...prefix, ...issue.path] } as Issue;
    const inner =
      issue.code === 'invalid_union' && issue.errors.length > 0
        ? issue.errors.filter((branch) => branch.length > 0).map((branch) => deepest(branch, own.path))
        : [];
    for (const candidate of [own, ...inner]) {
      if (best === null || candidate.path.length > best.path.length) best = candidate;
    }
  }
  return best ?? ({ code: 'custom', path: [], message: 'does not fit the format' } as unknown as Issue);
}

/** The node of a path, or the nearest one above it that is there. */
function nodeAt(root: unknown, path: readonly (string | number)[]): Node | null {
  let node = isNode(root) ? root : null;
  for (const part of path) {
    if (node === null || !('get' in node)) return node;
    const next: unknown = (node as { get(key: string | number, keepScalar: true): unknown }).get(part, true);
    const key = isMap(node)
      ? node.items.find((pair) => isNode(pair.key) && String(pair.key) === String(part))?.key
      : null;
    if (!isNode(next)) return isNode(key) ? key : node;
    node = next;
  }
  return node;
}

export function refuse(
  file: string,
  message: string,
  place?: { readonly line: number; readonly column: number },
  key?: string,
  cause?: unknown,
): DriveMcpError {
  return refused('RULEPACK_INVALID', file, message, place, key, cause);
}

function refused(
  code: ErrorCode,
  file: string,
  message: string,
  place?: { readonly line: number; readonly column: number },
  key?: string,
  cause?: unknown,
): DriveMcpError {
  return new DriveMcpError(code, message, {
    location: { file, ...place, ...(key ? { key } : {}) },
    ...(cause === undefined ? {} : { cause }),
  });
}
