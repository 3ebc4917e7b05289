import type { DbcMessage, DbcSignal } from '../../../daemon/vehicles/dbc/database.js';
import { areExclusive } from '../../../daemon/vehicles/dbc/mux-exclusion.js';
import { bitsInByte, signalLayout } from '../../../daemon/vehicles/dbc/signal-layout.js';
import { shownText } from '../../shared/shown-text.js';

/** A CAN FD frame; transport messages are longer, and their rest is told in a line. */
const bytesMaxCount = 64;
const legendMaxCount = 60;
/** Signals of one bit that are compared with each other, and ranges in all: a file may put everything on one bit. */
const comparedMaxCount = 64;
const comparisonsMaxCount = 200_000;

export interface BitGrid {
  readonly text: string;
  /** bits of the drawn bytes that no signal uses */
  readonly unusedBits: number;
  /** bits that signals share which can be in one payload */
  readonly sharedBits: number;
}

/**
 * Draws a payload as logs and standards do: a row a byte, bit 7 on the left. Each signal has a label; `.` is unused, `*`
 * are signals that exclude each other by their selector, `#` are signals that really share the bit.
 * @param signals those of the message that are to be drawn, in the order of the legend
 */
export function bitGrid(message: DbcMessage, signals: readonly DbcSignal[]): BitGrid {
  const drawn = signals.filter(({ flaw }) => flaw === null);
  const rows = Math.min(message.length, bytesMaxCount);
  const cells: number[][][] = Array.from({ length: rows }, () => Array.from({ length: 8 }, () => []));
  for (const [index, signal] of drawn.entries()) {
    const { firstByte, lastByte } = signalLayout(signal.startBit, signal.bitLength, signal.byteOrder);
    for (let byte = firstByte; byte <= Math.min(lastByte, rows - 1); byte++) {
      const mask = bitsInByte(signal, byte);
      for (let bit = 0; bit < 8; bit++) if ((mask & (1 << bit)) !== 0) cells[byte]![bit]!.push(index);
    }
  }
  const byName = new Map(message.signals.map((signal) => [signal.name, signal]));
  const budget = { left: comparisonsMaxCount };
  let unusedBits = 0;
  let sharedBits = 0;
  const mark = (at: readonly number[]): string => {
    if (at.length === 0) {
      unusedBits++;
      return '.';
    }
    if (at.length === 1) return label(at[0]!);
    const compared = at.slice(0, comparedMaxCount);
    const isShared = compared.some((a, i) =>
      compared.slice(i + 1).some((b) => !areExclusive(drawn[a]!, drawn[b]!, byName, budget)),
    );
    if (isShared) sharedBits++;
    return isShared ? '#' : '*';
  };
  const lines = ['byte   7  6  5  4  3  2  1  0'];
  for (const [byte, bits] of cells.entries()) {
    const marks = bits.map(mark).reverse();
    lines.push(`${String(byte).padStart(4)}   ${marks.map((text) => text.padEnd(2)).join(' ')}`.trimEnd());
  }
  if (message.length > rows) lines.push(`and ${message.length - rows} more bytes`);
  lines.push('', ...drawn.slice(0, legendMaxCount).map(legend));
  if (drawn.length > legendMaxCount) lines.push(`and ${drawn.length - legendMaxCount} more signals`);
  return { text: lines.join('\n'), unusedBits, sharedBits };
}

/** A … Z, a … z, then A1, B1, …; two characters reach for more signals than a legend holds. */
export function label(index: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const round = Math.floor(index / letters.length);
  return `${letters[index % letters.length]}${round === 0 ? '' : Math.min(round, 9)}`;
}

function legend(signal: DbcSignal, index: number): string {
  const { startBit, bitLength, byteOrder, isSigned, floatBits, scale, offset, unit } = signal;
  const kind = floatBits > 0 ? `float${floatBits}` : isSigned ? 'signed' : 'unsigned';
  const shift = offset === 0 ? '' : ` ${offset < 0 ? '-' : '+'} ${Math.abs(offset)}`;
  const what = `${bitLength} bit ${kind} ${byteOrder} from bit ${startBit}`;
  return `${label(index).padEnd(2)} ${shownText(signal.name, 60)}: ${what}, raw x ${scale}${shift} ${shownText(unit, 20)}`.trimEnd();
}
