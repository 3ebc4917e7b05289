/** Which identifiers carry diagnostics, and who talks to whom with them. */
import { DriveMcpError } from '../../core/errors.js';

export interface IdRole {
  readonly direction: 'request' | 'response';
  /** identifier (and address byte) of the answers: the name of the control unit; null for a functional request */
  readonly ecu: string | null;
  readonly addressByte: number | null;
}

/** A request and a response identifier that belong together. */
export interface IdPair {
  readonly request: PairId;
  readonly response: PairId;
}

export interface PairId {
  readonly id: number;
  readonly isExtendedId: boolean;
  readonly addressByte: number | null;
}

const shortId = (id: number): PairId => ({ id, isExtendedId: false, addressByte: null });

/**
 * ISO 15765-4: 7E0–7E7 are answered by the identifier 8 above. Beside them, pairs of makers that are seen on
 * diagnostic connectors without OBD: battery controllers of Nissan (79B/7BB) and of Hyundai and Kia (7B3/7BB),
 * air conditioning 7B0/7B8, instruments 7C0/7C8 and 7C6/7CE.
 */
export const defaultPairs: readonly IdPair[] = [
  ...[0x7e0, 0x7e1, 0x7e2, 0x7e3, 0x7e4, 0x7e5, 0x7e6, 0x7e7, 0x7b0, 0x7b3, 0x7c0, 0x7c6].map((id) => ({
    request: shortId(id),
    response: shortId(id + 8),
  })),
  { request: shortId(0x79b), response: shortId(0x7bb) },
];

export const functionalId = 0x7df;

/** Upper-case hexadecimal, 3 or 8 digits by the width of the identifier. */
export function idText(id: number, isExtendedId: boolean): string {
  return id
    .toString(16)
    .toUpperCase()
    .padStart(isExtendedId ? 8 : 3, '0');
}

export function ecuName({ id, isExtendedId, addressByte }: PairId): string {
  const name = idText(id, isExtendedId);
  return addressByte === null ? name : `${name}/${addressByte.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** From this address on a 29-bit participant is a tester (ISO 15765-4 F1, SAE J1939 F9 and FA). */
const firstTester = 0xf0;

/**
 * What a 29-bit identifier means by its form: 18DB..F1 functional, 18DAxxF1 and 18DAF1xx physical (ISO 15765-2
 * normal fixed addressing, any priority), 17FC.... and 17FE.... (Volkswagen). Null: no diagnostics.
 */
export function fixedRole(id: number): IdRole | null {
  const format = (id >>> 16) & 0x3ff;
  const target = (id >>> 8) & 0xff;
  const source = id & 0xff;
  if (format === 0xdb && source >= firstTester) {
    return { direction: 'request', ecu: null, addressByte: null };
  }
  if (format === 0xda) {
    const priority = id & 0x1c000000;
    if (source >= firstTester && target < firstTester) {
      const answer = (priority | 0xda0000 | (source << 8) | target) >>> 0;
      return { direction: 'request', ecu: idText(answer, true), addressByte: null };
    }
    if (target >= firstTester) return { direction: 'response', ecu: idText(id, true), addressByte: null };
    return null;
  }
  if (id >>> 16 === 0x17fc) {
    return { direction: 'request', ecu: idText(id + 0x20000, true), addressByte: null };
  }
  if (id >>> 16 === 0x17fe) return { direction: 'response', ecu: idText(id, true), addressByte: null };
  return null;
}

const pairForm = /^([0-9a-f]{1,8})(?:\/([0-9a-f]{2}))?:([0-9a-f]{1,8})(?:\/([0-9a-f]{2}))?$/i;

/**
 * `REQ:RSP`, e.g. `7E0:7E8` or `18DA10F1:18DAF110`; with extended addressing each with its address byte, e.g.
 * `6F1/12:612/F1`. More than 3 digits: a 29-bit identifier.
 */
export function parsePair(text: string): IdPair {
  const found = pairForm.exec(text.trim());
  const request = found === null ? null : pairId(found[1]!, found[2]);
  const response = found === null ? null : pairId(found[3]!, found[4]);
  if (request === null || response === null) {
    throw new DriveMcpError('USAGE', `--pair ${JSON.stringify(text)} is no pair of identifiers`, {
      hint: 'REQ:RSP in hexadecimal, e.g. 7E0:7E8 or 18DA10F1:18DAF110; extended addressing: 6F1/12:612/F1',
    });
  }
  if (ecuName(request) === ecuName(response)) {
    throw new DriveMcpError('USAGE', `--pair ${JSON.stringify(text)}: an identifier cannot answer itself`);
  }
  return { request, response };
}

function pairId(digits: string, address: string | undefined): PairId | null {
  const id = Number.parseInt(digits, 16);
  const isExtendedId = digits.length > 3;
  if (id > (isExtendedId ? 0x1fffffff : 0x7ff)) return null;
  return { id, isExtendedId, addressByte: address === undefined ? null : Number.parseInt(address, 16) };
}
