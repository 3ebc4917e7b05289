import type { DbcCode } from './diagnostics.js';

/** Words with which a statement can begin. */
export const keywords: ReadonlySet<string> = new Set(
  (
    'VERSION NS_ BS_ BU_ BO_ SG_ BO_TX_BU_ EV_ EV_DATA_ ENVVAR_DATA_ VAL_TABLE_ VAL_ CM_ ' +
    'BA_DEF_ BA_DEF_DEF_ BA_ BA_DEF_REL_ BA_DEF_DEF_REL_ BA_REL_ SIG_VALTYPE_ SG_MUL_VAL_ ' +
    'SIG_GROUP_ SGTYPE_ SGTYPE_VAL_ BA_DEF_SGTYPE_ BA_SGTYPE_ SIG_TYPE_REF_ SIGTYPE_VALTYPE_ ' +
    'CAT_DEF_ CAT_ FILTER NS_DESC_ BU_SG_REL_ BU_EV_REL_ BU_BO_REL_'
  ).split(' '),
);

const longestKeyword = Math.max(...Array.from(keywords, (word) => word.length));

/**
 * Longer words are cut to this, wherever they stand, so that references still meet what they name. C names of 32
 * characters are the rule; a name of megabytes would be written again for every frame.
 */
export const maxNameChars = 256;

/** A statement that cannot be read further; the reader reports it and resynchronises. */
export class SyntaxFault extends Error {
  constructor(
    readonly code: DbcCode,
    readonly offset: number,
    message: string,
  ) {
    super(message);
    this.name = 'SyntaxFault';
  }
}

const markPattern = /[;"\n]/g;
/** Characters that end a word, for codes below 128: control characters, blanks and punctuation. */
const endsWord = Uint8Array.from({ length: 128 }, (_, code) =>
  code <= 0x20 || ':;,|@()[]"'.includes(String.fromCharCode(code)) ? 1 : 0,
);

/** A cursor over the text of a DBC file. Blanks, line ends and // comments separate tokens. */
export class Scanner {
  pos = 0;
  /** where the last string that spans lines began, or −1; reset by the reader for each statement */
  longStringStart = -1;
  #noQuoteFrom = Number.POSITIVE_INFINITY;

  constructor(readonly text: string) {}

  get isAtEnd(): boolean {
    return this.pos >= this.text.length;
  }

  skipBlank(): void {
    const { text } = this;
    for (;;) {
      const code = text.charCodeAt(this.pos);
      if (code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0 || code === 0xfeff) this.pos++;
      else if (code === 0x2f && text.charCodeAt(this.pos + 1) === 0x2f) this.pos = this.lineEnd(this.pos);
      else return;
    }
  }

  /** Like skipBlank, but stays on the line. */
  skipBlankOnLine(): void {
    const { text } = this;
    for (;;) {
      const code = text.charCodeAt(this.pos);
      if (isBlankCode(code)) this.pos++;
      else if (code === 0x2f && text.charCodeAt(this.pos + 1) === 0x2f) this.pos = this.lineEnd(this.pos);
      else return;
    }
  }

  /** Offset behind the last character before the cursor that is not blank. */
  lastTokenEnd(): number {
    let at = this.pos;
    while (at > 0 && (isBlankCode(this.text.charCodeAt(at - 1)) || this.text.charCodeAt(at - 1) === 0x0a))
      at--;
    return at;
  }

  /** Offset of the end of the line that holds `offset`. */
  lineEnd(offset: number): number {
    const end = this.text.indexOf('\n', offset);
    return end < 0 ? this.text.length : end;
  }

  get isAtLineEnd(): boolean {
    return this.isAtEnd || this.text.charCodeAt(this.pos) === 0x0a;
  }

  /** The character after blanks, '' at the end. */
  peek(): string {
    this.skipBlank();
    return this.text.charAt(this.pos);
  }

  /** Takes `char` if it comes next. */
  take(char: string): boolean {
    if (this.peek() !== char) return false;
    this.pos++;
    return true;
  }

  expect(char: string, what: string): void {
    if (!this.take(char)) this.fail(`expected ${what}`);
  }

  /** Moves to the next ';', quote or line end and says which; behind a line end. '' at the end of the file. */
  seekMark(): string {
    markPattern.lastIndex = this.pos;
    const match = markPattern.exec(this.text);
    if (match === null) {
      this.pos = this.text.length;
      return '';
    }
    this.pos = match[0] === '\n' ? match.index + 1 : match.index;
    return match[0];
  }

  /** A run of characters without blanks and punctuation, cut to `maxNameChars`; '' if none comes next. */
  tryWord(): string {
    this.skipBlank();
    const start = this.pos;
    this.pos = this.#wordEnd(start);
    return this.text.slice(start, Math.min(this.pos, start + maxNameChars));
  }

  #wordEnd(from: number): number {
    const { text } = this;
    let at = from;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code < 128 ? endsWord[code] === 1 : isBlankCode(code)) break;
    }
    return at;
  }

  word(what: string): string {
    const word = this.tryWord();
    if (word === '') this.fail(`expected ${what}`);
    return word;
  }

  /** NaN if no number comes next. Locale plays no part: '.' is the decimal sign, `.25` and `1E-007` are fine. */
  tryNumber(): number {
    this.skipBlank();
    const { text } = this;
    const start = this.pos;
    let at = start;
    const sign = text.charCodeAt(at);
    if (sign === 0x2b || sign === 0x2d) at++;
    const whole = at;
    at = this.#digitsEnd(at);
    let digits = at - whole;
    // Nearly all numbers of a DBC are short integers: no text is made for them.
    let isShortInteger = digits > 0 && digits <= 15;
    if (text.charCodeAt(at) === 0x2e) {
      const fraction = at + 1;
      at = this.#digitsEnd(fraction);
      digits += at - fraction;
      isShortInteger = false;
    }
    if (digits === 0) return Number.NaN;
    const exponentMark = text.charCodeAt(at) | 0x20;
    if (exponentMark === 0x65) {
      const signed = text.charCodeAt(at + 1);
      const exponent = signed === 0x2b || signed === 0x2d ? at + 2 : at + 1;
      const end = this.#digitsEnd(exponent);
      if (end > exponent) {
        at = end;
        isShortInteger = false;
      }
    }
    this.pos = at;
    if (!isShortInteger) return Number(text.slice(start, at));
    let value = 0;
    for (let i = whole; i < at; i++) value = value * 10 + (text.charCodeAt(i) - 0x30);
    return sign === 0x2d ? -value : value;
  }

  #digitsEnd(from: number): number {
    let at = from;
    for (let code = this.text.charCodeAt(at); code >= 0x30 && code <= 0x39; code = this.text.charCodeAt(at))
      at++;
    return at;
  }

  number(what: string): number {
    const value = this.tryNumber();
    if (!Number.isFinite(value)) this.fail(`expected ${what}`);
    return value;
  }

  /** A non-negative integer, up to 2^53 − 1. */
  unsigned(what: string): number {
    this.skipBlank();
    const start = this.pos;
    const value = this.number(what);
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new SyntaxFault('syntax_error', start, `expected ${what}`);
    }
    return value;
  }

  /** A string in double quotes; `\"` is a quote inside. A unit is one line; comments may span lines. */
  string(what: string, extent: 'line' | 'lines' = 'lines'): string {
    this.skipBlank();
    const { text } = this;
    const start = this.pos;
    if (text.charCodeAt(start) !== 0x22) this.fail(`expected ${what} in quotes`);
    const end = extent === 'line' ? this.#quoteOnLine(start + 1) : this.#quote(start + 1);
    if (end < 0) {
      this.longStringStart = -1;
      throw new SyntaxFault('unterminated_string', start, `${what} has no closing quote`);
    }
    this.pos = end + 1;
    const raw = text.slice(start + 1, end);
    const value = raw.includes('\\"') ? raw.replaceAll('\\"', '"') : raw;
    if (!raw.includes('\n')) return value;
    this.longStringStart = start;
    return value.replaceAll('\r\n', '\n');
  }

  #quoteOnLine(from: number): number {
    const { text } = this;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x0a) return -1;
      if (code === 0x22 && text.charCodeAt(at - 1) !== 0x5c) return at;
    }
    return -1;
  }

  #quote(from: number): number {
    // Remembered, so that many unterminated strings do not each search to the end of a long file.
    if (from >= this.#noQuoteFrom) return -1;
    const { text } = this;
    let at = text.indexOf('"', from);
    while (at > from && text.charCodeAt(at - 1) === 0x5c) at = text.indexOf('"', at + 1);
    if (at < 0) this.#noQuoteFrom = from;
    return at;
  }

  fail(message: string): never {
    this.skipBlank();
    if (this.isAtEnd) throw new SyntaxFault('unexpected_end', this.pos, `${message}, the file ends here`);
    const next = this.text.slice(this.pos, this.pos + 24).split(/[\r\n]/, 1)[0] ?? '';
    throw new SyntaxFault('syntax_error', this.pos, `${message}, found '${printable(next)}'`);
  }

  /** True where a keyword stands next as the first word of its line. */
  isAtStatement(): boolean {
    this.skipBlank();
    if (!this.#isKeywordAt(this.pos)) return false;
    let at = this.pos - 1;
    while (at >= 0 && isBlankCode(this.text.charCodeAt(at))) at--;
    return at < 0 || this.text.charCodeAt(at) === 0x0a;
  }

  /** Moves to the first line from `offset` on that begins with a keyword; a line is considered from its start. */
  seekStatement(offset: number): void {
    const { text } = this;
    for (let line = text.lastIndexOf('\n', offset - 1) + 1; line < text.length; ) {
      let at = line;
      while (isBlankCode(text.charCodeAt(at))) at++;
      if (at >= offset && this.#isKeywordAt(at)) {
        this.pos = at;
        return;
      }
      line = this.lineEnd(line) + 1;
    }
    this.pos = text.length;
  }

  #isKeywordAt(offset: number): boolean {
    const first = this.text.charCodeAt(offset);
    if (first < 0x41 || first > 0x5a) return false;
    const end = this.#wordEnd(offset);
    return end - offset <= longestKeyword && keywords.has(this.text.slice(offset, end));
  }
}

function isBlankCode(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d || code === 0xa0 || code === 0xfeff;
}

/** Control characters would disturb a terminal; the text comes from an untrusted file. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}
