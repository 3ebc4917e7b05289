/**
 * Canonical text of a provision and the table of its spans, written from left to right: UTF-8, NFC, `\n` between lines,
 * single spaces, list markers kept. Spans count Unicode code points; text beyond U+FFFF is refused before, so these are
 * UTF-16 units as well.
 */

export type Span = readonly [start: number, end: number];

export interface ProvisionText {
  /** ends with a line feed */
  readonly body: string;
  /** in the order of the text, an outer one before those inside it */
  readonly spans: ReadonlyMap<string, Span>;
}

interface OpenSpan {
  readonly path: string;
  /** null until its first character is written */
  start: number | null;
}

/** The span of text that no number names. */
export const unnumbered = 'text';

/**
 * One space for every kind and run of white space (no-break spaces inside values too); soft hyphens, zero-width
 * characters, marks of direction and control characters are not text.
 */
export function cleanText(raw: string): string {
  return raw
    .replace(/[\u00ad\u200b-\u200f\u2060-\u2064\u2066-\u2069\u202a-\u202e\u0080-\u0084\u0086-\u009f]/g, '')
    .replace(/[\s\u0085]+/g, ' ')
    .normalize('NFC');
}

export class CanonicalText {
  #body = '';
  #gap: '' | ' ' | '\n' = '';
  #isApart = false;
  #staysOnLine = false;
  readonly #open: OpenSpan[] = [];
  readonly #closed: [path: string, span: Span][] = [];
  readonly #taken = new Set<string>();

  /** Text within a line. */
  inline(raw: string): void {
    const text = cleanText(raw);
    if (text.startsWith(' ')) this.space();
    const words = text.trim();
    if (words !== '') this.#append(words);
    if (words !== '' && text.endsWith(' ')) this.space();
  }

  space(): void {
    if (this.#gap === '') this.#gap = ' ';
  }

  /** What follows begins a line; empty lines do not arise. */
  newLine(): void {
    this.#gap = this.#staysOnLine ? ' ' : '\n';
  }

  /** The next piece follows a mark that has just been written, whatever begins there. */
  stayOnLine(): void {
    this.#staysOnLine = true;
    this.#gap = ' ';
  }

  /** Raised or lowered text begins or ends: its digits do not join those beside it (10³ is not 103). */
  apart(): void {
    this.#isApart = true;
  }

  /** Names what is written until `close`. A name inside another is `OUTER.NAME`; a second one of a name is `NAME-2`. */
  open(name: string): void {
    const outer = this.#open.at(-1)?.path ?? unnumbered;
    const path = outer === unnumbered ? name : `${outer}.${name}`;
    let unique = path;
    for (let i = 2; this.#taken.has(unique); i++) unique = `${path}-${i}`;
    this.#taken.add(unique);
    this.#open.push({ path: unique, start: null });
  }

  close(): void {
    const span = this.#open.pop();
    if (!span) return;
    if (span.start === null || span.start === this.#body.length) this.#taken.delete(span.path);
    else this.#closed.push([span.path, [span.start, this.#body.length]]);
  }

  /** How many spans are open. */
  get depth(): number {
    return this.#open.length;
  }

  finish(): ProvisionText {
    while (this.#open.length > 0) this.close();
    const spans = this.#closed.sort(([, a], [, b]) => a[0] - b[0] || b[1] - a[1]);
    return { body: this.#body === '' ? '' : `${this.#body}\n`, spans: new Map(spans) };
  }

  #append(words: string): void {
    const gap = this.#body === '' ? '' : this.#gap;
    const joinsDigits = gap === '' && this.#isApart && /\d$/.test(this.#body) && /^\d/.test(words);
    // A combining mark that begins a piece belongs to the letter before it.
    const isMark = gap === '' && this.#body !== '' && /^\p{M}/u.test(words);
    if (isMark) {
      const letter = this.#body.slice(-1);
      this.#body = this.#body.slice(0, -1);
      words = `${letter}${words}`.normalize('NFC');
    }
    this.#body += gap + (joinsDigits ? '^' : '');
    for (const span of this.#open) span.start ??= this.#body.length;
    this.#body += words;
    this.#gap = '';
    this.#isApart = false;
    this.#staysOnLine = false;
  }
}
