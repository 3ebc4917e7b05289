/**
 * JSON with positions: `JSON.parse` says neither where a value stands nor that a key stands there twice, and
 * of two equal keys it silently keeps the last. A profile is edited by hand, so its errors need lines.
 */
import { DriveMcpError, type ErrorCode } from '../../core/errors.js';

export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface LocatedJson {
  readonly value: unknown;
  /** position of a value by its path; for a path that does not exist, of the nearest one above it */
  locate(path: readonly PropertyKey[]): Position;
}

const maxDepth = 32;

/**
 * Parses a whole JSON text (RFC 8259).
 * @throws DriveMcpError `code` with line and column: syntax error, duplicate key, more than 32 levels
 */
export function parseLocatedJson(text: string, file: string, code: ErrorCode): LocatedJson {
  const reader = new JsonReader(text.startsWith('\ufeff') ? text.slice(1) : text, file, code);
  const value = reader.readDocument();
  return {
    value,
    locate(path) {
      for (let length = path.length; length > 0; length--) {
        const offset = reader.offsets.get(pathKey(path.slice(0, length)));
        if (offset !== undefined) return reader.position(offset);
      }
      return { line: 1, column: 1 };
    },
  };
}

function pathKey(path: readonly PropertyKey[]): string {
  return path.map((part) => JSON.stringify(String(part))).join('.');
}

class JsonReader {
  readonly offsets = new Map<string, number>();
  #at = 0;
  /** offsets at which lines begin, made when the first position is asked for */
  #lines: number[] | null = null;

  constructor(
    readonly text: string,
    readonly file: string,
    readonly code: ErrorCode,
  ) {}

  readDocument(): unknown {
    const value = this.#value([]);
    this.#space();
    if (this.#at < this.text.length) this.#fail('text after the end of the JSON value');
    return value;
  }

  position(offset: number): Position {
    if (this.#lines === null) {
      this.#lines = [0];
      for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1))
        this.#lines.push(at + 1);
    }
    let low = 0;
    let high = this.#lines.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#lines[middle]! <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - this.#lines[low]! + 1 };
  }

  #fail(what: string, offset = this.#at): never {
    const location = { file: this.file, ...this.position(offset) };
    throw new DriveMcpError(this.code, what, { location });
  }

  #space(): void {
    while (/[ \t\r\n]/.test(this.text[this.#at] ?? '')) this.#at++;
  }

  #value(path: readonly string[]): unknown {
    if (path.length > maxDepth) this.#fail(`more than ${maxDepth} levels of nesting`);
    this.#space();
    this.offsets.set(pathKey(path), this.#at);
    switch (this.text[this.#at]) {
      case '{':
        return this.#object(path);
      case '[':
        return this.#array(path);
      case '"':
        return this.#string();
      case undefined:
        return this.#fail('the JSON text ends too early');
      default:
        return this.#scalar();
    }
  }

  #object(path: readonly string[]): unknown {
    const members = new Map<string, unknown>();
    this.#at++;
    this.#space();
    if (this.#take('}')) return {};
    do {
      this.#space();
      const start = this.#at;
      if (this.text[start] !== '"') this.#fail('a key in double quotes is expected here');
      const key = this.#string();
      // Consumers that build objects by assignment would lose it without a word.
      if (key === '__proto__') this.#fail("'__proto__' is not allowed as a key", start);
      if (members.has(key)) this.#fail(`the key ${JSON.stringify(key)} stands here a second time`, start);
      this.#space();
      if (!this.#take(':')) this.#fail("':' is expected after a key");
      const inner = [...path, key];
      members.set(key, this.#value(inner));
      // An entry is found by its key: that is where a person looks.
      this.offsets.set(pathKey(inner), start);
      this.#space();
    } while (this.#take(','));
    if (!this.#take('}')) this.#fail("',' or '}' is expected here");
    return Object.fromEntries(members);
  }

  #array(path: readonly string[]): unknown {
    const items: unknown[] = [];
    this.#at++;
    this.#space();
    if (this.#take(']')) return items;
    do {
      items.push(this.#value([...path, String(items.length)]));
      this.#space();
    } while (this.#take(','));
    if (!this.#take(']')) this.#fail("',' or ']' is expected here");
    return items;
  }

  #string(): string {
    const start = this.#at;
    this.#at++;
    for (; ; this.#at++) {
      const char = this.text[this.#at];
      if (char === undefined || char === '\n') this.#fail('the text has no closing quote', start);
      if (char === '\\') this.#at++;
      else if (char === '"') break;
    }
    this.#at++;
    try {
      return JSON.parse(this.text.slice(start, this.#at)) as string;
    } catch {
      return this.#fail('the text holds a control character or an unknown escape', start);
    }
  }

  #scalar(): unknown {
    const start = this.#at;
    while (/[-+.0-9A-Za-z]/.test(this.text[this.#at] ?? '')) this.#at++;
    const word = this.text.slice(start, this.#at);
    if (word === '') this.#fail(`unexpected character ${JSON.stringify(this.text[start])}`);
    let value: unknown;
    try {
      value = JSON.parse(word);
    } catch {
      this.#fail(`'${word.slice(0, 40)}' is not a JSON value`, start);
    }
    if (typeof value === 'number' && !Number.isFinite(value))
      this.#fail(`${word.slice(0, 40)} is too large`, start);
    return value;
  }

  #take(char: string): boolean {
    if (this.text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }
}
