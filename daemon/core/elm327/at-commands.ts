/**
 * The AT commands that an adapter may be given. An allow-list: a command that stores something in the adapter (AT PP, AT SP,
 * AT @3, AT SD), sends frames by itself (AT RTR, AT WM, AT SW) or sets an address outside the guard's list is not on it.
 */

/** Reset, identity, form of the answers, memory off, adaptive timing, voltage, protocol for this session alone (TP, never SP). */
const plain = new Set(
  'ATZ ATI ATE0 ATL0 ATS0 ATH1 ATM0 ATAT1 ATAL ATCAF1 ATRV ATDPN ATTP0 ATTP6 ATTP7 ATTP8 ATTP9 ATPC ATCP18'.split(
    ' ',
  ),
);

/** Headers of the requests that the guard knows; of 29 bits the upper five are set apart (AT CP 18). */
const header = /^ATSH(7DF|7E[0-7]|7B0|7C0|79B|DB33F1|DA[0-9A-F]{2}F1)$/;

export function isAllowedAtCommand(command: string): boolean {
  return plain.has(command) || header.test(command);
}

/** The header command for an address that may be asked, e.g. `ATSH7E0`. */
export function headerCommand(requestId: number): string {
  const digits = requestId > 0x7ff ? 6 : 3;
  const low = requestId > 0x7ff ? requestId % 0x1000000 : requestId;
  return `ATSH${low.toString(16).toUpperCase().padStart(digits, '0')}`;
}

/** Width of identifiers of a protocol number as AT DPN tells it (`A6` = found automatically); null: not CAN by ISO 15765-4. */
export function addressingOf(protocol: string): '11' | '29' | null {
  const found = /^A?([0-9A-C])$/.exec(protocol.trim().toUpperCase())?.[1];
  if (found === '6' || found === '8') return '11';
  return found === '7' || found === '9' ? '29' : null;
}

/** `12.6V` or `12.6`; null: something else, also where it cannot be a vehicle's. */
export function voltageOf(text: string): number | null {
  const found = /^\s*(\d{1,2}\.\d{1,2})\s*V?\s*$/i.exec(text)?.[1];
  if (found === undefined) return null;
  const volts = Number(found);
  return volts >= 5 && volts <= 32 ? volts : null;
}
