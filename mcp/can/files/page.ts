/**
 * Long answers in pages. A cursor is where the next page begins and what it belongs to; nothing is kept between calls, and
 * a cursor of another question or of a file that has changed is refused.
 */
import { z } from 'zod';
import { canonicalJson } from '../../../daemon/core/canonical.js';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { sha256Hex } from '../../../daemon/core/sha256.js';

/** An answer should fit where answers of tools are read: a quarter of a megabyte is too long for most. */
export const pageMaxChars = 100_000;
const subjectChars = 16;

export const pageArgs = {
  limit: z.number().int().min(1).max(500).default(50).describe('entries a page'),
  cursor: z.string().max(64).optional().describe('next_cursor of the page before, with the same arguments'),
};

export const nextCursor = z.string().nullable().describe('of the next page; null after the last');

/** What pages belong to: the tool, its arguments but those of the page, and the files as they are. */
export function pageSubject(tool: string, args: object, identities: readonly string[]): string {
  const question = Object.entries(args).filter(([name]) => name !== 'cursor' && name !== 'limit');
  return sha256Hex(canonicalJson([tool, Object.fromEntries(question), identities])).slice(0, subjectChars);
}

/**
 * Collects one page from entries that are offered in order. Bounded in entries and in characters; an entry that alone is
 * larger than a page is a page, so that every page leads on.
 */
export class Page<T> {
  readonly items: T[] = [];
  /** entries offered so far, on this page or not */
  offered = 0;
  readonly #from: number;
  readonly #subject: string;
  readonly #limit: number;
  #charsLeft = pageMaxChars;
  #next: number | null = null;

  /** @throws DriveMcpError TOOL_CURSOR_STALE */
  constructor(subject: string, args: { readonly limit: number; readonly cursor?: string | undefined }) {
    this.#subject = subject;
    this.#limit = args.limit;
    this.#from = offsetOf(args.cursor, subject);
  }

  /** True once an entry did not fit: what is offered from then on is only counted. */
  get isFull(): boolean {
    return this.#next !== null;
  }

  get nextCursor(): string | null {
    return this.#next === null ? null : `${this.#next}.${this.#subject}`;
  }

  /** `make` is called only for an entry of this page. */
  offer(make: () => T): void {
    const at = this.offered++;
    if (at < this.#from || this.#next !== null) return;
    if (this.items.length === this.#limit) {
      this.#next = at;
      return;
    }
    const item = make();
    const chars = JSON.stringify(item).length + 1;
    if (chars > this.#charsLeft && this.items.length > 0) {
      this.#next = at;
      return;
    }
    this.#charsLeft -= chars;
    this.items.push(item);
  }
}

function offsetOf(cursor: string | undefined, subject: string): number {
  if (cursor === undefined) return 0;
  const parts = /^(0|[1-9]\d{0,14})\.([0-9a-f]{16})$/.exec(cursor);
  if (parts === null) {
    throw new DriveMcpError('TOOL_ARGS_INVALID', 'this is no cursor', { location: { key: 'cursor' } });
  }
  if (parts[2] !== subject) {
    throw new DriveMcpError('TOOL_CURSOR_STALE', 'the cursor belongs to another question or file', {
      location: { key: 'cursor' },
    });
  }
  return Number(parts[1]);
}
