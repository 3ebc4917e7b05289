import t from 'tap';
import { ByteQueue } from '../../daemon/sources/logs/byte-queue.js';
import {
  type BlfRecord,
  blfContainer,
  blfFile,
  blfFileOf,
  blfObject,
  canFdMessage64Body,
  canFdMessageBody,
  canMessageBody,
} from './blf-writer.js';
import { collectPiped, type Frame } from './collect-frames.js';

const eff = 0x80000000;
const bytes = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
const hex = (values: readonly number[]) => Buffer.from(values).toString('hex');

function brief(frames: readonly Frame[]): string[] {
  return frames.map(
    (f) => `${f.t} ${f.bus} ${f.id}#${f.data} ${f.dlc}${f.flags === '' ? '' : ` ${f.flags}`}`,
  );
}

const errorExt = Buffer.alloc(32);
errorExt.writeUInt16LE(2, 0);
errorExt[10] = 2;
errorExt.writeUInt32LE(eff + 0x1abcdef, 16);
errorExt.set([7, 8], 24);

const fdError = Buffer.alloc(48);
fdError[0] = 3;
fdError[1] = 4;
fdError[2] = 4;
fdError.writeUInt32LE(0x55, 12);
fdError.set([1, 2, 3, 4], 44);

const table: readonly (readonly [BlfRecord, string | null])[] = [
  [{ type: 1, tNs: 1_000_000_001, body: canMessageBody(1, 0x123, [1, 2]) }, '1.000000001 1 123#0102 2'],
  [
    { type: 1, tNs: 1_000_010_000, isCoarse: true, body: canMessageBody(1, eff + 5, [], { flags: 1 }) },
    '1.00001 1 00000005# 0 ext tx',
  ],
  [
    { type: 1, tNs: 2e9, body: canMessageBody(300, 0x7ff, bytes(8), { dlc: 13 }) },
    `2 300 7FF#${hex(bytes(8))} 13`,
  ],
  [{ type: 1, tNs: 2e9, body: canMessageBody(1, 0x123, [], { flags: 0x80, dlc: 4 }) }, '2 1 123# 4 remote'],
  [{ type: 1, tNs: 2e9, body: canMessageBody(1, 0x123, [9], { flags: 2 }) }, null],
  [
    {
      type: 86,
      tNs: 3e9,
      hasLongHeader: true,
      body: canMessageBody(2, eff + 0x18feee00, bytes(3), { isSecond: true }),
    },
    '3 2 18FEEE00#010203 3 ext',
  ],
  [{ type: 2, tNs: 4e9, body: Buffer.from([1, 0, 0, 0]) }, '4 1 000# 0 error'],
  [{ type: 73, tNs: 4e9, body: errorExt }, '4 2 01ABCDEF#0708 2 ext error'],
  [
    { type: 100, tNs: 5e9, body: canFdMessageBody(1, 0x321, bytes(12), 9, 3) },
    `5 1 321#${hex(bytes(12))} 9 fd brs`,
  ],
  [{ type: 100, tNs: 5e9, body: canFdMessageBody(1, 0x321, bytes(2), 2, 0) }, '5 1 321#0102 2'],
  [
    {
      type: 101,
      tNs: 6e9,
      body: canFdMessage64Body(4, eff + 1, bytes(64), { dlc: 15, flags: 0x7000, direction: 1 }),
    },
    `6 4 00000001#${hex(bytes(64))} 15 ext fd brs esi tx`,
  ],
  [
    {
      type: 101,
      tNs: 6e9,
      body: canFdMessage64Body(4, 1, [1, 2, 0, 0], { dlc: 4, flags: 0x1000, stored: 2 }),
    },
    '6 4 001#01020000 4 fd',
  ],
  [
    {
      type: 101,
      tNs: 6e9,
      body: canFdMessage64Body(4, 1, [1, 2, 0, 0], {
        dlc: 4,
        flags: 0x1000,
        stored: 2,
        extra: Buffer.alloc(8, 0xee),
      }),
    },
    '6 4 001#01020000 4 fd',
  ],
  [{ type: 101, tNs: 6e9, body: canFdMessage64Body(4, 1, [], { dlc: 3, flags: 0x10 }) }, '6 4 001# 3 remote'],
  [{ type: 104, tNs: 7e9, body: fdError }, '7 3 055#01020304 4 fd error'],
  [{ type: 65, tNs: 7e9, body: Buffer.from('a comment in the log') }, null],
  [{ type: 1, tNs: 8e9, body: canMessageBody(1, 0x124, [0xff]) }, '8 1 124#ff 1'],
];
const records = table.map(([record]) => record);
const expected = table.flatMap(([, frame]) => (frame === null ? [] : [frame]));

t.test('every CAN object, in containers of any size, packed or not, or in none', async (t) => {
  const files: [string, Buffer][] = [
    ['one container', blfFile(records, 1e6)],
    ['split anywhere', blfFile(records, 37)],
    ['not packed', blfFile(records, 100, false)],
    ['no container', blfFileOf(records.map(blfObject))],
    ['no file header', blfFile(records, 500).subarray(144)],
  ];
  for (const [name, file] of files) {
    const { frames, source, codes } = await collectPiped(file, 100);
    t.same(brief(frames), expected, name);
    t.same(codes, {}, name);
    t.equal(source.format, 'vector-blf');
    t.notOk(source.hasAbsoluteTime);
  }
});

const many: BlfRecord[] = Array.from({ length: 400 }, (_, i) => ({
  type: 1,
  tNs: i * 1_000_000,
  body: canMessageBody(1, i, [i & 255, (i * 7919) & 255, (i * 104729) & 255]),
}));

t.test('a file that ends in the middle gives what is whole', async (t) => {
  const file = blfFile(many, 4000);
  const whole = (await collectPiped(file)).frames;
  t.equal(whole.length, 400);
  let before = 0;
  for (const length of [400, 1000, 2000, 3000, file.length - 1]) {
    const { frames, codes } = await collectPiped(file.subarray(0, length));
    t.ok(frames.length > before && frames.length <= 400, `${frames.length} frames of ${length} bytes`);
    t.same(frames, whole.slice(0, frames.length));
    t.equal(codes['file_cut'], 1);
    before = frames.length;
  }
});

t.test('behind a damaged container the next one is read, the beginning of the damaged one too', async (t) => {
  const file = blfFile(many, 4000);
  const starts: number[] = [];
  for (let at = file.indexOf('LOBJ'); at >= 0; at = file.indexOf('LOBJ', at + 4)) starts.push(at);
  const second = starts[1]!;
  const third = starts[2]!;
  const damaged = Buffer.from(file);
  damaged.fill(0xff, (second + third) >> 1, third - 20);
  const { frames, codes } = await collectPiped(damaged);
  t.equal(codes['container_damaged'], 1);
  const ids = frames.map((frame) => Number.parseInt(frame.id, 16));
  t.ok(ids.includes(0) && ids.includes(90) && ids.includes(399));
  t.ok(frames.length > 320 && frames.length < 400);

  const checksum = Buffer.from(file);
  checksum.writeUInt8(checksum.readUInt8(third - 3) ^ 0xff, third - 3);
  t.equal((await collectPiped(checksum)).frames.length, 400);
});

t.test('sizes that lie cost one object', async (t) => {
  for (const size of [0, 5, 17, 100, 0x7fffffff]) {
    const objects = many.slice(0, 20).map(blfObject);
    objects[10]!.writeUInt32LE(size, 8);
    const { frames, source } = await collectPiped(blfFileOf([blfContainer(Buffer.concat(objects))]));
    t.equal(frames.length, 19, `size ${size}`);
    t.equal(source.damaged, 1, `size ${size}`);
  }
  const bomb = blfContainer(Buffer.alloc(64_000_000));
  const { frames, codes } = await collectPiped(blfFileOf([bomb, blfContainer(blfObject(many[0]!))]));
  t.equal(frames.length, 1);
  t.same(codes, { container_too_large: 1 }, 'and nothing of it is said to be delivered');
});

t.test('a file of bare magics costs as much as it is long', async (t) => {
  const magics = Buffer.from('LOBJ'.repeat(3_000_000));
  const { frames, codes } = await collectPiped(
    blfFileOf([magics, Buffer.alloc(16), blfContainer(blfObject(many[7]!))]),
    65_536,
  );
  t.equal(frames.length, 1, 'the object behind them is found');
  t.equal(codes['object_damaged'], 1);
});

t.test('a window on a stream moves its bytes no more often than it uses them up', async (t) => {
  const queue = new ByteQueue();
  let reads = 0;
  const input = {
    isLive: false,
    damage: null,
    read: async (target: Uint8Array, offset: number) => {
      reads++;
      if (reads > 100) return 0;
      const count = Math.min(10_000, target.length - offset);
      target.fill(reads, offset, offset + count);
      return count;
    },
    close: async () => {},
  };
  t.equal(await queue.ensure(2_000_000, input), false);
  const { length } = queue;
  t.equal(length, 1_000_000);
  for (let i = 0; i < 1000; i++) {
    queue.drop(4);
    t.equal(await queue.ensure(2_000_000, input), false);
  }
  t.equal(reads, 101, 'an input that is over is not asked again');
  t.equal(queue.view[0], 1);
  t.equal(queue.view.at(-1), 100);
  t.same([queue.length, queue.position], [length - 4000, 4000]);
});

t.test('no frames', async (t) => {
  await t.rejects(collectPiped(blfFileOf([])), { code: 'LOG_NO_FRAMES' });
  await t.rejects(collectPiped(blfFile([])), { code: 'LOG_NO_FRAMES' });
  await t.rejects(collectPiped('LOGG'), { code: 'LOG_NO_FRAMES' });
});
