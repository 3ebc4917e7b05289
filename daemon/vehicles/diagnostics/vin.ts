/** Vehicle identification numbers: ISO 3779 (alphabet, 17 characters), 49 CFR 565.15 (check digit). */

const vinForm = /^[0-9A-HJ-NPR-Z]{17}$/;

/** Seventeen characters without I, O and Q. */
export function isVin(text: string): boolean {
  return vinForm.test(text);
}

const values = new Map(
  [...'0123456789']
    .map((digit, value) => [digit, value] as const)
    .concat(
      // A–H, J–R and S–Z count upwards within their row.
      [...'ABCDEFGH'].map((letter, i) => [letter, i + 1] as const),
      [...'JKLMN'].map((letter, i) => [letter, i + 1] as const),
      [
        ['P', 7],
        ['R', 9],
      ],
      [...'STUVWXYZ'].map((letter, i) => [letter, i + 2] as const),
    ),
);
const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];

/** Whether character 9 is right; null where the maker need not set it (outside North America, WMI 1–5). */
export function hasRightCheckDigit(vin: string): boolean | null {
  if (!/^[1-5]/.test(vin)) return null;
  const sum = weights.reduce((total, weight, i) => total + weight * (values.get(vin[i]!) ?? 0), 0);
  return vin[8] === '0123456789X'[sum % 11];
}

export type ReadVin =
  | { readonly kind: 'vin'; readonly vin: string }
  /** nothing but 00 and FF: not programmed */
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'short' }
  | { readonly kind: 'illegal' };

/** A VIN in `bytes`; only 00 and FF are taken off its ends, so that a digit 0 stays. Never a part of one. */
export function readVin(bytes: Uint8Array): ReadVin {
  const text = asciiField(bytes);
  if (text === '') return bytes.length < 17 ? { kind: 'short' } : { kind: 'unavailable' };
  if (isVin(text)) return { kind: 'vin', vin: text };
  return { kind: bytes.length < 17 ? 'short' : 'illegal' };
}

/** Text of a fixed field: 00 and FF at both ends are padding. Bytes are Latin-1, as no standard says more. */
export function asciiField(bytes: Uint8Array): string {
  let from = 0;
  let to = bytes.length;
  while (from < to && isPadding(bytes[from]!)) from++;
  while (to > from && isPadding(bytes[to - 1]!)) to--;
  let text = '';
  for (let i = from; i < to; i++) text += String.fromCharCode(bytes[i]!);
  return text;
}

const isPadding = (byte: number): boolean => byte === 0 || byte === 0xff;
