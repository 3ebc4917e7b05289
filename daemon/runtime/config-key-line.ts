/**
 * The line of a key in a TOML text, from 1, or undefined where it is not written as a plain `[section]` and
 * `key = value` (dotted or quoted keys are understood, inline tables are found by their first key).
 *
 * The TOML reader gives positions for syntax errors only, but a refused key should be found without a search.
 */
export function configKeyLine(toml: string, path: readonly string[]): number | undefined {
  let section: string[] = [];
  let sectionLine: number | undefined;
  const lines = toml.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const line = (lines[i] ?? '').trim();
    const header = /^\[{1,2}([^\]]+)\]/.exec(line)?.[1];
    if (header !== undefined) {
      section = splitKey(header);
      if (startsWith(section, path)) return i + 1;
      if (startsWith(path, section)) sectionLine ??= i + 1;
      continue;
    }
    const key = /^((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'|\s*\.\s*)+)\s*=/.exec(line)?.[1];
    if (key === undefined) continue;
    const full = [...section, ...splitKey(key)];
    if (startsWith(path, full) || startsWith(full, path)) return i + 1;
  }
  return sectionLine;
}

function splitKey(text: string): string[] {
  return text.split('.').map((part) => part.trim().replace(/^(["'])(.*)\1$/, '$2'));
}

function startsWith(long: readonly string[], start: readonly string[]): boolean {
  return start.length <= long.length && start.every((part, i) => part === long[i]);
}
