import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { collectPiped, type Frame } from './collect-frames.js';

/** `t bus id#data dlc flags` of each frame. */
function brief(frames: readonly Frame[]): string[] {
  return frames.map(
    (f) => `${f.t} ${f.bus} ${f.id}#${f.data} ${f.dlc}${f.flags === '' ? '' : ` ${f.flags}`}`,
  );
}

/** Lines of a log beside the frames that they hold; null: none, by design. */
type Table = readonly (readonly [string, string | null])[];

function expected(table: Table): string[] {
  return table.flatMap(([, frame]) => (frame === null ? [] : [frame]));
}

async function check(t: Test, format: string, table: Table, lineEnd = '\n'): Promise<void> {
  const { frames, source, codes } = await collectPiped(table.map(([line]) => line + lineEnd).join(''));
  t.equal(source.format, format);
  t.same(brief(frames), expected(table));
  t.same(codes, {});
  t.equal(source.ignored, table.filter(([, frame]) => frame === null).length);
  t.notOk(source.hasAbsoluteTime);
}

const trcTables: Record<string, Table> = {
  '1.0 without a header': [
    ['     1)        17  00000100  3  00 01 FF', '0.017  00000100#0001ff 3 ext'],
    ['     2)        18  FFFFFFFF  4  00 00 00 08 -- -- -- -- BUSHEAVY', null],
    ['     3)        19      0704  1  RTR', '0.019  704# 1 remote'],
    ['     4)        20      0704  0  ', '0.02  704# 0'],
  ],
  '1.1': [
    [';$FILEVERSION=1.1', null],
    [';$STARTTIME=44548.6028595139', null],
    ['     1)     17535.4  Tx     00000100  2  00 01 ', '17.5354  00000100#0001 2 ext tx'],
    ['     2)     17540.3  Warng  FFFFFFFF  4  00 00 00 08  BUSHEAVY', null],
    ['     3)     17541.3  Error      0004  4  00 02 00 00', '17.5413  004#00020000 4 error'],
    ['     4)     17541.5  Rx      0FEEE00  1  00', '17.5415  00FEEE00#00 1 ext'],
    ['     4)     17542.0  Rx         07FF  1  00', '17.542  7FF#00 1'],
  ],
  '1.2': [
    [';$FILEVERSION=1.2', null],
    ['     1)      1059.900 1  Rx         0300  7  00 00 00 00 04 00 00', '1.0599 1 300#00000000040000 7'],
  ],
  '1.3': [
    [';$FILEVERSION=1.3', null],
    ['     1)      1059.900 2  Rx         0300 -  2    00 01', '1.0599 2 300#0001 2'],
    [
      '     2)      1060.000 2  Rx     18FEEE00 -  9    00 01 02 03 04 05 06 07',
      '1.06 2 18FEEE00#0001020304050607 9 ext',
    ],
  ],
  '2.0': [
    [';$FILEVERSION=2.0', null],
    [';$COLUMNS=N,O,T,I,d,l,D', null],
    ['      1         1.001 DT     0300 Rx 2  00 01', '0.001001  300#0001 2'],
    [
      '      2         1.002 FD 00000300 Tx 12 00 01 02 03 04 05 06 07 08 09 0A 0B',
      '0.001002  00000300#000102030405060708090a0b 9 ext fd tx',
    ],
    ['      3         1.003 RR     0704 Rx 1', '0.001003  704# 1 remote'],
    ['      4         1.004 ST          Rx    00 00 00 08', null],
    ['      5         1.005 ER          Rx    04 00 02 00 00', '0.001005  000#0400020000 5 error'],
    ['      6         1.006 EV User-defined event', null],
  ],
  '2.1': [
    [';$FILEVERSION=2.1', null],
    [';$COLUMNS=N,O,T,B,I,d,R,L,D', null],
    [
      '      1      1059.900 FB 1      0300 Rx -  9    00 01 02 03 04 05 06 07 08 09 0A 0B',
      '1.0599 1 300#000102030405060708090a0b 9 fd brs',
    ],
    ['      2      1060.000 BI 1      0300 Rx -  0', '1.06 1 300# 0 fd brs esi'],
    ['      3      1061.000 FE 3      0300 Rx -  1    AA', '1.061 3 300#aa 1 fd esi'],
    ['      4      1062.000 ER 1         - Rx -  5    04 00 02 00 00', '1.062 1 000#0400020000 5 error'],
    ['      5      1063.000 EC 1         - Rx -  2    00 01', null],
  ],
  '2.1 that has lost its header': [
    ['      1      1059.900 DT 1      0300 Rx -  1    00', '1.0599 1 300#00 1'],
  ],
};

for (const [name, table] of Object.entries(trcTables)) {
  t.test(`PCAN trace ${name}`, (t) => check(t, 'pcan-trc', table, '\r\n'));
}

const ascHead: Table = [
  ['date Sam Sep 30 15:06:13.191 2017', null],
  ['base hex  timestamps absolute', null],
  ['no internal events logged', null],
  ['// version 9.0.0', null],
  ['Begin Triggerblock Sam Sep 30 03:06:13.191 pm 2017', null],
];

t.test('Vector ASC', (t) =>
  check(t, 'vector-asc', [
    ...ascHead,
    ['   0.000000 Start of measurement', null],
    ['   0.015991 CAN 1 Status:chip status error passive - TxErr: 132 RxErr: 0', null],
    ['   1.015991 1  Statistic: D 0 R 0 XD 0 XR 0 E 0 O 0 B 0.00%', null],
    ['   1.100000 SV: 2 0 1 ::Wheels::Speed = 3', null],
    ['   1.200000 Li 3c Rx 8 00 01 02 03 04 05 06 07 checksum = ff', null],
    ['   2.501000 1 ErrorFrame', '2.501 1 000# 0 error'],
    ['   2.5010 2   C8             Tx   d 2 09 08', '2.501 2 0C8#0908 2 tx'],
    [
      '   2.510001 12  18EBFF00x  Rx   d 1 05  Length = 240015 BitCount = 124 ID = 1785',
      '2.510001 12 18EBFF00#05 1 ext',
    ],
    ['   2.520000 1  18EBFF00X  Rx   d 0 Length = 240015', '2.52 1 18EBFF00# 0 ext'],
    ['   2.530000 1  3FF  TxRq  d 1 55', null],
    ['   2.540000 1  3FF  Tx   d D 55 AA 01 02 03 04 05 06  Length = 0', '2.54 1 3FF#55aa010203040506 13 tx'],
    [`   2.550000 1  123x Rx   d 40 ${'0A '.repeat(64)}`, `2.55 1 00000123#${'0a'.repeat(64)} 15 ext fd`],
    ['   2.560000 3 200 Tx r Length = 1704000 BitCount = 145 ID = 88888888x', '2.56 3 200# 0 remote tx'],
    ['   2.570000 4 300 Rx r 8', '2.57 4 300# 8 remote'],
    ['   2.580000 1  J1939TP FEE3p  6  0  0  -  Rx  d 23 A0 0F', null],
    [
      '  30.1 CANFD   1 Rx  300    1 0 8  8 11 c2 03 04 05 06 07 08 102203 133 303000 e0006659',
      '30.1 1 300#11c2030405060708 8 fd brs',
    ],
    [
      '  30.2 CANFD   2 Tx  1C4D80A7x  Some_Name  0 1 9 12 11 c2 03 04 05 06 07 08 09 0a 0b 0c 1 2 303000 0',
      '30.2 2 1C4D80A7#11c20304050607080' + '90a0b0c 9 ext fd esi tx',
    ],
    ['  30.3 CANFD   2 Rx  300    0 0 2  2 11 c2 102203 133 200000 0', '30.3 2 300#11c2 2'],
    ['  30.4 CANFD   3 Tx  50005x 0 1 5 0 140000 73 200050 7a60', '30.4 3 00050005# 5 ext fd esi remote tx'],
    [
      '  30.5 CANFD   5 Tx ErrorFrame Not Acknowledge error, dominant error flag',
      '30.5 5 000# 0 fd error tx',
    ],
    ['End TriggerBlock', null],
  ]),
);

t.test('Vector ASC with decimal numbers and relative times', (t) =>
  check(t, 'vector-asc', [
    ['date Mon Nov 30 22:00:00 2026', null],
    ['base dec  timestamps relative', null],
    ['   0.100000 Start of measurement', null],
    ['   0.100000 1  255  Rx   d 2 160 15', '0.2 1 0FF#a00f 2'],
    ['   0.000010 1  256x Rx   d 1 255', '0.20001 1 00000100#ff 1 ext'],
  ]),
);

t.test('GVRET CSV with and without a column for the direction', async (t) => {
  await check(t, 'gvret-csv', [
    ['Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2,D3,D4,D5,D6,D7,D8', null],
    ['7100,0000013A,false,Rx,0,3,3F,00,8C,', '0.0071 0 13A#3f008c 3'],
    ['17100,18FEEE00,true,Tx,1,0,', '0.0171 1 18FEEE00# 0 ext tx'],
    ['1634567890123456,0000013A,false,Rx,0,1,3F,', '1634567890.123456 0 13A#3f 1'],
  ]);
  await check(t, 'gvret-csv', [
    ['7100,0000013A,false,0,2,3F,00', '0.0071 0 13A#3f00 2'],
    [`7200,0000013A,false,0,12,${'AA,'.repeat(12)}`, `0.0072 0 13A#${'aa'.repeat(12)} 9 fd`],
  ]);
});

t.test('BUSMASTER log over midnight', (t) =>
  check(t, 'busmaster', [
    ['***BUSMASTER Ver 3.2.2***', null],
    ['***HEX***', null],
    ['***SYSTEM MODE***', null],
    ['23:59:59:5000 Rx 1 0x13A s 2 3F 00', '0 1 13A#3f00 2'],
    ['23:59:59:9000 Tx 2 0x18FEEE00 x 1 AA', '0.4 2 18FEEE00#aa 1 ext tx'],
    ['00:00:00:1000 Rx 1 0x13A sr 4', '0.6 1 13A# 4 remote'],
    ['00:00:00:200 Rx 1 0x13A s 1 00 ', '0.7 1 13A#00 1'],
  ]),
);

t.test('a damaged line costs that line', async (t) => {
  const cases: [string, string, string][] = [
    [
      ';$FILEVERSION=1.1',
      '     1)     17535.4  Rx     0100  2  00 01',
      '     1)     17535.4  Rx     0100  2  00',
    ],
    [
      ';$FILEVERSION=1.1',
      '     1)     17535.4  Rx     0100  2  00 01',
      '     1)     17535.4  Rz     0100  2  00 01',
    ],
    [
      ';$FILEVERSION=1.1',
      '     1)     17535.4  Rx     0100  2  00 01',
      '     1)     17535.4  Rx     010  2  00 01',
    ],
    ['base hex  timestamps absolute', '1.0 1 100 Rx d 2 00 01', '1.0 1 100 Rx d 2 00'],
    ['base hex  timestamps absolute', '1.0 1 100 Rx d 2 00 01', '1.0 1 1G0 Rx d 2 00 01'],
    ['base hex  timestamps absolute', '1.0 1 100 Rx d 2 00 01', '1.0 q 100 Rx d 2 00 01'],
    ['base hex  timestamps absolute', '1.0 1 100 Rx d 2 00 01', '1.x 1 100 Rx d 2 00 01'],
    ['base hex  timestamps absolute', '1.0 1 100 Rx d 2 00 01', '1.0 CANFD 1 Rx 300 1 0 8 8 11'],
    [
      'Time Stamp,ID,Extended,Dir,Bus,LEN,D1',
      '7100,0000013A,false,Rx,0,1,3F,',
      '7100,0000013A,false,Rx,0,8,3F,',
    ],
    ['Time Stamp,ID,Extended,Dir,Bus,LEN,D1', '7100,0000013A,false,Rx,0,1,3F,', '7100,0000013A,f'],
    ['***BUSMASTER Ver 3.2.2***', '11:16:42:3720 Rx 1 0x13A s 1 3F', '11:16:42:3720 Rx 1 0x13A z 1 3F'],
  ];
  for (const [head, good, bad] of cases) {
    const { frames, source } = await collectPiped(`${[head, good, bad, good].join('\n')}\n`);
    t.equal(frames.length, 2, bad);
    t.equal(source.damaged, 1, bad);
    t.equal(source.firstDiagnostics[0]?.line, 3, bad);
  }
});

t.test('numbers that no clock reaches are no times', async (t) => {
  const digits = '9'.repeat(23);
  const texts: [string, string][] = [
    [`(1.0) can0 123#11\n(${digits}.0) can0 123#22\n(99999999999.5) can0 123#33\n`, 'candump'],
    [
      `Time Stamp,ID,Extended,Dir,Bus,LEN,D1\n1000000,123,false,Rx,0,1,11\n${digits},123,false,Rx,0,1,22\n${'9'.repeat(17)},123,false,Rx,0,1,33\n`,
      'gvret-csv',
    ],
  ];
  for (const [text, format] of texts) {
    const { frames, codes, source } = await collectPiped(text);
    t.equal(source.format, format);
    t.same(
      frames.map((frame) => frame.data),
      ['11', '33'],
      format,
    );
    t.equal(codes['time_invalid'], 1, format);
  }
});

t.test('gzip: whole, several members, cut, damaged, inside gzip', async (t) => {
  const text = Array.from(
    { length: 2000 },
    (_, i) =>
      `(1.${String(i * 37).padStart(6, '0')}) can0 123#${((i * 2654435761) >>> 0).toString(16).padStart(8, '0')}\n`,
  );
  const packed = gzipSync(text.join(''));
  const whole = await collectPiped(packed);
  t.same([whole.frames.length, whole.codes], [2000, {}]);
  t.match(whole.source.description, /gzip/);
  t.equal((await collectPiped(Buffer.concat([packed, packed]))).frames.length, 4000);

  const cut = await collectPiped(packed.subarray(0, packed.length / 2));
  t.ok(cut.frames.length > 500 && cut.frames.length < 2000);
  t.same(cut.frames, whole.frames.slice(0, cut.frames.length));
  t.equal(cut.codes['gzip_cut'], 1);

  const damaged = Buffer.from(packed);
  damaged.fill(0xff, packed.length / 2, packed.length / 2 + 40);
  const readable = await collectPiped(damaged);
  t.ok(readable.frames.length > 500);
  t.equal(readable.codes['gzip_damaged'], 1);

  await t.rejects(collectPiped(gzipSync(packed)), {
    code: 'LOG_FORMAT_UNKNOWN',
    context: { looksLike: /gzip/ },
  });
  await t.rejects(collectPiped(gzipSync('')), { code: 'LOG_NO_FRAMES' });
  await t.rejects(collectPiped(gzipSync(Buffer.alloc(300_000_000))), { code: 'LOG_FORMAT_UNKNOWN' });
});

t.test('what is no log is refused and named', async (t) => {
  const cases: [string | Uint8Array, RegExp][] = [
    ['=~=~=~=~= PuTTY log 2020.08.24 11:16:42 =~=~=~=~=\nATZ\n', /PuTTY/],
    ['VERSION "1"\nBU_: A B\nBO_ 1 M: 8 A\n', /DBC/],
    ['time\trpm\tspeed\n0\t900\t0\n', /tab-separated/],
    ['{"a":1}', /JSON/],
    [Buffer.from('504b030414000000', 'hex'), /ZIP/],
    [Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)), /binary/],
    ['hello\n', /text without CAN frames/],
  ];
  for (const [content, looksLike] of cases) {
    await t.rejects(
      collectPiped(content),
      { code: 'LOG_FORMAT_UNKNOWN', message: looksLike },
      String(looksLike),
    );
  }
});
