import { blfFileMagic, blfObjectMagic } from './blf-object.js';
import { foreignContent } from './foreign-content.js';
import { mdfVersion } from './mdf4/read-structure.js';
import { trcLayouts } from './pcan-trc-layout.js';

/** The formats by what identifies them. */
export type TextFormatId = 'candump' | 'pcan-trc' | 'vector-asc' | 'gvret-csv' | 'busmaster';
export type BinaryFormatId = 'vector-blf' | 'asam-mdf4';

interface TextFormat {
  readonly id: TextFormatId;
  /** match lines that only this format has; linear in the length of the line */
  readonly lines: readonly RegExp[];
}

const textFormats: readonly TextFormat[] = [
  {
    id: 'candump',
    lines: [
      /^\s*(\([\d\-: ]{1,30}(\.\d{1,9})?\)\s+)?[^\s()#;,]{1,64}\s+((RX|TX)\s+[B-]\s+[E-]\s+)?([0-9A-F]{3}|[0-9A-F]{8})(#|\s+[[{][0-9A-F]{1,2}[\]}](\s|$))/i,
    ],
  },
  {
    id: 'pcan-trc',
    lines: [/^;\$(FILEVERSION|STARTTIME|COLUMNS)=/, ...trcLayouts.map((layout) => layout.line)],
  },
  {
    id: 'vector-asc',
    lines: [
      /^date\s+\S+\s+\S+\s+\d/i,
      /^base\s+(hex|dec)\s+timestamps\s/i,
      /^(begin|end) triggerblock/i,
      /^\s*\d+\.\d+\s+(start of measurement|CANFD\s+\d+\s|\d+\s+(errorframe|[0-9A-F]{1,9}x?\s+(Rx|Tx|TxRq)\s+[dr](\s|$)))/i,
    ],
  },
  { id: 'gvret-csv', lines: [/^Time Stamp,ID,Extended,/i, /^\d+,[0-9A-F]{1,8},(true|false),/i] },
  {
    id: 'busmaster',
    lines: [/^\*\*\*BUSMASTER/i, /^\d+:\d\d:\d\d:\d{3,4}\s+(Rx|Tx)\s+\d+\s+(0x)?[0-9A-F]+\s+[sx]/i],
  },
];

const lineCharsMax = 400;
const blfObjectWithin = 1024;
const mdfMagics = ['MDF     ', 'UnFinMF '];
const mdf4Header = '##HD';

export type Recognition =
  | { readonly kind: 'text'; readonly id: TextFormatId; readonly lines: readonly string[] }
  | { readonly kind: 'binary'; readonly id: BinaryFormatId }
  | { readonly kind: 'undecided' }
  | { readonly kind: 'foreign'; readonly looksLike: string };

/**
 * Recognises the format from the first bytes of the input, never from a name. Every line votes for the formats
 * it could belong to, so that damage at the beginning does not decide.
 * `isWhole`: no more bytes will come, the answer must be final.
 */
export function recognise(head: Uint8Array, isWhole: boolean): Recognition {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (bytes.toString('latin1', 0, 4) === blfFileMagic) return { kind: 'binary', id: 'vector-blf' };
  if (mdfMagics.includes(bytes.toString('latin1', 0, 8)) && (bytes.length > 64 || isWhole)) {
    return mdfVersion(bytes) < 400 && bytes.toString('latin1', 64, 68) !== mdf4Header
      ? { kind: 'foreign', looksLike: 'an MDF 3 file, which holds no bus logging; convert it to MDF 4' }
      : { kind: 'binary', id: 'asam-mdf4' };
  }
  const lines = wholeLines(bytes, isWhole);
  let best: TextFormat | null = null;
  let bestVotes = 0;
  for (const format of textFormats) {
    let votes = 0;
    for (const line of lines) if (format.lines.some((pattern) => pattern.test(line))) votes++;
    if (votes > bestVotes) {
      best = format;
      bestVotes = votes;
    }
  }
  if (best !== null) return { kind: 'text', id: best.id, lines };
  // A file whose first bytes are damaged is still one by its objects.
  if (bytes.toString('latin1', 64, 68) === mdf4Header) return { kind: 'binary', id: 'asam-mdf4' };
  if (bytes.subarray(0, blfObjectWithin).includes(blfObjectMagic))
    return { kind: 'binary', id: 'vector-blf' };
  return isWhole ? { kind: 'foreign', looksLike: foreignContent(head, lines) } : { kind: 'undecided' };
}

/** The lines of the head, one character a byte; the last one only where it is complete. */
function wholeLines(head: Buffer, isWhole: boolean): string[] {
  const hasMark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  const lines = head.toString('latin1', hasMark ? 3 : 0).split('\n');
  if (!isWhole) lines.pop();
  return lines.map((line) => line.slice(0, lineCharsMax).trimEnd());
}
