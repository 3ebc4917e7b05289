/** Scanning of ASCII in byte arrays without making strings: the inner loops of all text formats. */

/** Value of a hex digit by its byte, 255 for all others. */
export const hexValue = new Uint8Array(256).fill(255);
for (let digit = 0; digit < 10; digit++) hexValue[0x30 + digit] = digit;
for (let digit = 10; digit < 16; digit++) {
  hexValue[0x41 + digit - 10] = digit;
  hexValue[0x61 + digit - 10] = digit;
}

/** Skips spaces and tabs. */
export function skipBlanks(bytes: Uint8Array, start: number, end: number): number {
  while (start < end && (bytes[start] === 0x20 || bytes[start] === 0x09)) start++;
  return start;
}

/** End of the word that begins at `start`: the next space, tab or the end. */
export function wordEnd(bytes: Uint8Array, start: number, end: number): number {
  while (start < end && bytes[start] !== 0x20 && bytes[start] !== 0x09) start++;
  return start;
}

/** Unsigned hex number of 1–8 digits that fills `start` … `end` − 1; −1 where it does not. */
export function hexNumber(bytes: Uint8Array, start: number, end: number): number {
  if (end <= start || end - start > 8) return -1;
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = hexValue[bytes[i]!]!;
    if (digit > 15) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** Unsigned decimal integer of 1–15 digits that fills `start` … `end` − 1; −1 where it does not. */
export function decimalInteger(bytes: Uint8Array, start: number, end: number): number {
  if (end <= start || end - start > 15) return -1;
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = bytes[i]! - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** 10^0 … 10^22 are exact in float64. */
export const powersOfTen = Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));

/** Scales of `decimalNumber` that give seconds, for text in s, ms and µs. */
export const secondsScale = 0;
export const millisecondsScale = 3;
export const microsecondsScale = 6;

/** 11 digits of seconds reach 3,168 years; a longer number is no time that a recorder wrote. */
const wholeSecondsDigitsMax = 11;

/**
 * Decimal number `digits[.digits]` that fills `start` … `end` − 1, divided by 10^scale; NaN where it does not, and
 * where it has more than 11 digits before the point of the result.
 *
 * The digits form one integer below 2^53 that is divided once by an exact power of ten, so the result is the
 * float64 nearest to the decimal text. Longer texts go through the language's own parser.
 */
export function decimalNumber(bytes: Uint8Array, start: number, end: number, scale: number): number {
  let mantissa = 0;
  let fractionDigits = 0;
  let point = -1;
  for (let i = start; i < end; i++) {
    const digit = bytes[i]! - 0x30;
    if (digit >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit;
      continue;
    }
    if (bytes[i] !== 0x2e || point >= 0) return Number.NaN;
    point = i;
  }
  const digits = end - start - (point >= 0 ? 1 : 0);
  if (digits <= 0 || digits > 40) return Number.NaN;
  if (point >= 0) fractionDigits = end - point - 1;
  const power = fractionDigits + scale;
  if (digits - fractionDigits - scale > wholeSecondsDigitsMax) return Number.NaN;
  if (mantissa <= Number.MAX_SAFE_INTEGER && power < powersOfTen.length)
    return mantissa / powersOfTen[power]!;
  return Number(`${asciiText(bytes, start, end)}e-${scale}`);
}

/** The bytes as text, one character a byte. */
export function asciiText(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i]!);
  return text;
}

/** Whether the bytes at `start` are those of an ASCII word, capital letters or not. */
export function startsWithWord(bytes: Uint8Array, start: number, end: number, word: string): boolean {
  if (end - start < word.length) return false;
  for (let i = 0; i < word.length; i++) {
    let byte = bytes[start + i]!;
    if (byte >= 0x41 && byte <= 0x5a) byte += 0x20;
    if (byte !== word.charCodeAt(i)) return false;
  }
  return true;
}

/** Answers of `spacedBytes`: a word is no byte; the line ends before the last byte. */
export const bytesInvalid = -1;
export const bytesShort = -2;

/**
 * Reads `count` blank-separated bytes (radix 16: at most two digits, radix 10: at most three) into `target`
 * from `offset` on. Returns the position behind the last one, `bytesInvalid` or `bytesShort`.
 */
export function spacedBytes(
  bytes: Uint8Array,
  start: number,
  end: number,
  count: number,
  target: Uint8Array,
  offset: number,
  radix: 10 | 16 = 16,
): number {
  let position = start;
  for (let n = 0; n < count; n++) {
    position = skipBlanks(bytes, position, end);
    if (position === end) return bytesShort;
    const stop = wordEnd(bytes, position, end);
    const value = integer(bytes, position, stop, radix);
    if (value < 0 || value > 255 || stop - position > 3) return bytesInvalid;
    target[offset + n] = value;
    position = stop;
  }
  return position;
}

/** Unsigned integer in one of the two radices; −1 where it is none. */
export function integer(bytes: Uint8Array, start: number, end: number, radix: 10 | 16): number {
  return radix === 16 ? hexNumber(bytes, start, end) : decimalInteger(bytes, start, end);
}
