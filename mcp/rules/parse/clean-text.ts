/**
 * Makes untrusted text plain before it is read: compatibility forms (full-width digits), invisible and bidirectional
 * characters, letters of other scripts that look like Latin ones.
 */

export interface CleanText {
  readonly text: string;
  /** letters of another script stood for Latin ones, or something invisible was hidden in the text */
  readonly wasDisguised: boolean;
}

/** Nobody describes one sign at greater length; what follows is not read. */
export const longestAnswer = 2_000;

/** Letters of other scripts that are drawn as Latin ones (Unicode confusables, the ones near digits). */
const lookAlikes: Readonly<Record<string, string>> = {
  О: 'O',
  о: 'o',
  Ο: 'O',
  ο: 'o',
  І: 'I',
  і: 'i',
  Ι: 'I',
  ι: 'i',
  Ѕ: 'S',
  ѕ: 's',
  В: 'B',
  Β: 'B',
  Е: 'E',
  Ε: 'E',
  е: 'e',
  а: 'a',
  А: 'A',
  Α: 'A',
  К: 'K',
  к: 'k',
  Κ: 'K',
  М: 'M',
  Μ: 'M',
  м: 'm',
  Н: 'H',
  Η: 'H',
  һ: 'h',
  р: 'p',
  Р: 'P',
  Ρ: 'P',
  с: 'c',
  С: 'C',
  Ꮪ: 'S',
  З: '3',
  з: '3',
  Ӏ: 'l',
};

/** Controls, zero-width characters, direction marks and overrides, tags, variation selectors. */
const invisible =
  /(?!\n)[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\ufe00-\ufe0f]|[\u{e0000}-\u{e007f}]/gu;

export function cleanText(raw: string): CleanText {
  const bounded = raw.slice(0, longestAnswer);
  const compatible = bounded.normalize('NFKC').replace(/\r\n?/g, '\n');
  const visible = compatible.replace(invisible, '');
  let wasDisguised = visible !== compatible;
  const mixed = /[A-Za-z0-9]/.test(visible);
  const latin = mixed
    ? visible.replace(/[\u0370-\u03ff\u0400-\u04ff\u13a0-\u13ff]/gu, (letter) => {
        const plain = lookAlikes[letter];
        if (plain === undefined) return letter;
        wasDisguised = true;
        return plain;
      })
    : visible;
  return { text: latin.replace(/[‐‑‒–—−]/g, '-').replace(/[’‘`´]/g, "'"), wasDisguised };
}
