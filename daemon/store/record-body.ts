import { canonicalJson } from '../core/canonical.js';

/**
 * Canonical text of a record's body. A body that has no canonical form (a number that is not finite, a lone
 * surrogate) is still recorded: such a number becomes null, such a character U+FFFD, and the member
 * `not_canonical` lists where.
 */
export function canonicalBody(body: unknown): string {
  try {
    return canonicalJson(body);
  } catch {
    const paths: string[] = [];
    const clean = cleaned(body, '', paths) as Record<string, unknown>;
    return canonicalJson({ ...clean, not_canonical: paths });
  }
}

function cleaned(value: unknown, path: string, paths: string[]): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    paths.push(path);
    return null;
  }
  if (typeof value === 'string') {
    const text = wellFormed(value);
    if (text !== value) paths.push(path);
    return text;
  }
  if (Array.isArray(value)) return value.map((item, i) => cleaned(item, `${path}[${i}]`, paths));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        const name = wellFormed(key);
        return [name, cleaned(member, path === '' ? name : `${path}.${name}`, paths)];
      }),
    );
  }
  if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'number')
    return value;
  paths.push(path);
  return String(value);
}

/** String.prototype.toWellFormed, which ES2023's library does not yet declare. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}
