import { blfFile, canMessageBody } from './blf-writer.js';
import { mdf4File } from './mdf4-writer.js';

/** The same forty frames in every format. */
export interface LogSample {
  readonly name: string;
  readonly content: Buffer;
  /** the part of the content that holds the frames and nothing that explains how to read them */
  readonly bodyStart: number;
  readonly bodyEnd: number;
  /** of text: each line of the body is one frame */
  readonly isText: boolean;
  /** of binary formats: frames that one damaged place may cost at most */
  readonly lossMax: number;
}

export const sampleFrames = Array.from({ length: 40 }, (_, i) => ({
  tS: i * 0.0101,
  id: 0x100 + i,
  data: [i, (i * 37) & 255, 255 - i, 0x5a],
}));

/** `id#data` of the frames, unique for each. */
export const sampleKeys = sampleFrames.map(
  (frame) => `${hex(frame.id, 3)}#${spaced(frame.data, '').toLowerCase()}`,
);

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}

function spaced(data: readonly number[], between: string): string {
  return data.map((byte) => hex(byte, 2)).join(between);
}

type FrameLine = (frame: (typeof sampleFrames)[number], i: number) => string;

function textSample(name: string, head: readonly string[], line: FrameLine): LogSample {
  const start = head.map((text) => `${text}\n`).join('');
  const body = sampleFrames.map((frame, i) => `${line(frame, i)}\n`).join('');
  const content = Buffer.from(start + body);
  return { name, content, bodyStart: start.length, bodyEnd: content.length, isText: true, lossMax: 0 };
}

const blfRecords = sampleFrames.map((frame) => ({
  type: 1,
  tNs: Math.round(frame.tS * 1e9),
  body: canMessageBody(1, frame.id, frame.data),
}));
const mdf4 = mdf4File(
  sampleFrames.map((frame) => ({ tNs: Math.round(frame.tS * 1e9), bus: 1, id: frame.id, data: frame.data })),
  { isSorted: false, payload: 'group', storage: 'DT' },
);
// Only what stands between these two is data; the blocks around it lead to it.
const mdf4Data = mdf4.indexOf('##DT') + 24;
const mdf4DataEnd = mdf4.indexOf('##DG') - 8;
const blf = blfFile(blfRecords, 1e6, false);

export const logSamples: readonly LogSample[] = [
  textSample(
    'candump log',
    [],
    (f) => `(${(1.7e9 + f.tS).toFixed(6)}) can0 ${hex(f.id, 3)}#${spaced(f.data, '')}`,
  ),
  textSample(
    'candump console',
    [],
    (f) => ` (${(1.7e9 + f.tS).toFixed(6)})  can0  ${hex(f.id, 3)}   [4]  ${spaced(f.data, ' ')}`,
  ),
  textSample(
    'PCAN trace 1.1',
    [';$FILEVERSION=1.1'],
    (f, i) => `${i + 1})  ${(f.tS * 1000).toFixed(1)}  Rx  ${hex(f.id, 4)}  4  ${spaced(f.data, ' ')}`,
  ),
  textSample(
    'PCAN trace 2.1',
    [';$FILEVERSION=2.1', ';$COLUMNS=N,O,T,B,I,d,R,L,D'],
    (f, i) => `  ${i + 1}  ${(f.tS * 1000).toFixed(3)} DT 1  ${hex(f.id, 4)} Rx -  4  ${spaced(f.data, ' ')}`,
  ),
  textSample(
    'Vector ASC',
    ['date Sam Sep 30 15:06:13.191 2017', 'base hex  timestamps absolute'],
    (f) => `  ${f.tS.toFixed(6)} 1  ${hex(f.id, 3)}  Rx   d 4 ${spaced(f.data, ' ')}`,
  ),
  textSample(
    'GVRET CSV',
    ['Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2,D3,D4'],
    (f) => `${Math.round(f.tS * 1e6)},${hex(f.id, 8)},false,Rx,0,4,${spaced(f.data, ',')},`,
  ),
  textSample(
    'BUSMASTER',
    ['***BUSMASTER Ver 3.2.2***'],
    (f) =>
      `00:00:00:${String(Math.round(f.tS * 1e4)).padStart(4, '0')} Rx 1 0x${hex(f.id, 3)} s 4 ${spaced(f.data, ' ')}`,
  ),
  {
    name: 'Vector BLF',
    content: blf,
    bodyStart: 144 + 32,
    bodyEnd: blf.length,
    isText: false,
    lossMax: 3,
  },
  { name: 'ASAM MDF4', content: mdf4, bodyStart: mdf4Data, bodyEnd: mdf4DataEnd, isText: false, lossMax: 3 },
];
