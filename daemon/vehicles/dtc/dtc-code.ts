/** Trouble codes in any spelling people and programs use (SAE J2012, ISO 14229-1, SAE J1939-73). */
import { DriveMcpError } from '../../core/errors.js';
import { codeOf, hexByte } from '../diagnostics/trouble-code.js';

export interface ObdCode {
  readonly kind: 'obd';
  /** five characters, upper case: `P0A80` */
  readonly code: string;
  /** failure type byte; null = none was given */
  readonly ftb: number | null;
}

export interface J1939Code {
  readonly kind: 'j1939';
  /** suspect parameter number, 0…524287 */
  readonly spn: number;
  /** failure mode identifier, 0…31 */
  readonly fmi: number;
}

export type DtcCode = ObdCode | J1939Code;

const spnMax = 0x7ffff;
const fmiMax = 31;

/**
 * `P0A80`, `p0a80-1c`, `U0100:87`, 16 or 24 bits in hexadecimal (`0A80`, `0x0A801C`), `SPN 100 FMI 3`, `100/3`.
 * Five characters that begin with P, C, B or U are always a code; four or six hexadecimal digits are bits.
 * @throws DriveMcpError USAGE
 */
export function parseDtc(text: string): DtcCode {
  const word = text.trim();
  return readObd(word) ?? readJ1939(word) ?? refuse(text);
}

function readObd(word: string): ObdCode | null {
  const spelt = /^([PCBU][0-3][0-9A-F]{3})(?:[-:_. /]?([0-9A-F]{2}))?$/i.exec(word);
  if (spelt?.[1] !== undefined && !/^[0-9A-F]{6}$/i.test(word)) {
    const ftb = spelt[2] === undefined ? null : Number.parseInt(spelt[2], 16);
    return { kind: 'obd', code: spelt[1].toUpperCase(), ftb };
  }
  const bits = /^(?:0x)?([0-9A-F]{4})([0-9A-F]{2})?$/i.exec(word);
  if (bits?.[1] === undefined) return null;
  const ftb = bits[2] === undefined ? null : Number.parseInt(bits[2], 16);
  return { kind: 'obd', code: codeOf(Number.parseInt(bits[1], 16)), ftb };
}

function readJ1939(word: string): J1939Code | null {
  const pair =
    /^SPN[ :=]*([0-9]{1,7})[ ,;/:-]*FMI[ :=]*([0-9]{1,3})$/i.exec(word) ??
    /^([0-9]{1,7})\/([0-9]{1,3})$/.exec(word);
  if (pair === null) return null;
  const spn = Number(pair[1]);
  const fmi = Number(pair[2]);
  return spn <= spnMax && fmi <= fmiMax ? { kind: 'j1939', spn, fmi } : null;
}

function refuse(text: string): never {
  const meant = text.trim().replace(/o/gi, '0');
  const isLetterO = meant !== text.trim() && readObd(meant) !== null;
  throw new DriveMcpError('USAGE', `'${text.slice(0, 40)}' is no trouble code`, {
    hint: isLetterO
      ? `with digits 0 in place of letters O it would be ${meant.toUpperCase()}`
      : 'spellings: P0A80, P0A80-1C, U0100:87, 0A80, 0x0A801C, "SPN 100 FMI 3" (SPN up to 524287, FMI up to 31)',
  });
}

/** As people read it: `P0A80`, `P0A80-1C`, `SPN 100 FMI 3`. */
export function dtcText(code: DtcCode): string {
  if (code.kind === 'j1939') return `SPN ${code.spn} FMI ${code.fmi}`;
  return code.ftb === null ? code.code : `${code.code}-${hexByte(code.ftb)}`;
}
