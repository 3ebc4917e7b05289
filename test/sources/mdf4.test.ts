import { gzipSync } from 'node:zlib';
import t from 'tap';
import { collectFrames, collectPiped, contentFile, type Frame } from './collect-frames.js';
import { type Mdf4Frame, type Mdf4Options, mdf4File, mdf4StartNs } from './mdf4-writer.js';

function brief(frames: readonly Frame[]): string[] {
  return frames.map(
    (f) => `${f.t} ${f.bus} ${f.id}#${f.data} ${f.dlc}${f.flags === '' ? '' : ` ${f.flags}`}`,
  );
}

const startS = Number(mdf4StartNs) / 1e9;
const records: readonly Mdf4Frame[] = Array.from({ length: 300 }, (_, i): Mdf4Frame => {
  const tNs = 1_000_000 * i + 1000;
  const bus = 1 + (i % 3);
  if (i % 50 === 7) return { kind: 'CAN_RemoteFrame', tNs, bus, id: i, dlc: 4 };
  if (i % 50 === 9) return { kind: 'CAN_ErrorFrame', tNs, bus, id: 0 };
  if (i % 10 === 3) {
    const data = Array.from({ length: 48 }, (_, k) => (i * 31 + k * 7) & 255);
    return { tNs, bus, id: i + 5000, isExt: true, isFd: true, isBrs: true, data, dlc: 14 };
  }
  return {
    tNs,
    bus,
    id: i,
    isTx: i % 4 === 0,
    data: Array.from({ length: i % 9 }, (_, k) => (i * 13 + k) & 255),
  };
});

const expected = records.map((r) => {
  const kind = r.kind ?? 'CAN_DataFrame';
  const flags = [
    [r.isExt, 'ext'],
    [r.isFd, 'fd'],
    [r.isBrs, 'brs'],
    [kind === 'CAN_RemoteFrame', 'remote'],
    [kind === 'CAN_ErrorFrame', 'error'],
    [r.isTx, 'tx'],
  ].flatMap(([is, name]) => (is === true ? [name] : []));
  const id = r.id
    .toString(16)
    .toUpperCase()
    .padStart(r.isExt === true ? 8 : 3, '0');
  const data = Buffer.from(r.data ?? []);
  const t = Math.floor(startS) + (0.5 + r.tNs / 1e9);
  return `${t} ${r.bus} ${id}#${data.toString('hex')} ${r.dlc ?? data.length}${flags.length === 0 ? '' : ` ${flags.join(' ')}`}`;
});

const layouts: readonly Mdf4Options[] = [
  { isSorted: false, payload: 'group', storage: 'DT' },
  { isSorted: false, payload: 'group', storage: 'DT', isUnfinished: true, reservedBytes: 5000 },
  { isSorted: false, payload: 'group', payloadOrder: 'before', storage: 'HL of DZ' },
  { isSorted: false, payload: 'group', storage: 'DT', isUnfinished: true, hasNoOffsets: true },
  {
    isSorted: false,
    payload: 'group',
    payloadOrder: 'before',
    storage: 'DT',
    isUnfinished: true,
    hasNoOffsets: true,
  },
  { isSorted: false, payload: 'group', payloadOrder: 'atEnd', storage: 'DL' },
  { isSorted: false, payload: 'record', storage: 'DL' },
  { isSorted: false, payload: 'signalData', storage: 'DZ', hasIntegerTime: true },
  { isSorted: true, payload: 'record', storage: 'DT', hasShortNames: true },
  { isSorted: true, payload: 'record', storage: 'DZ transposed' },
  { isSorted: true, payload: 'signalData', storage: 'DL' },
  { isSorted: true, payload: 'signalData', storage: 'HL of DZ', hasIntegerTime: true },
];

t.test('every layout gives the same frames', async (t) => {
  const folder = t.testdir();
  for (const layout of layouts) {
    const name = JSON.stringify(layout);
    const { frames, source, codes } = await collectFrames(
      contentFile(folder, 'log', mdf4File(records, layout)),
    );
    t.same(brief(frames), expected, name);
    t.same(codes, layout.isUnfinished === true ? { not_finalized: 1 } : {}, name);
    t.ok(source.hasAbsoluteTime);
    t.equal(source.format, 'asam-mdf4');
  }
});

t.test('compressed and piped files are read as well', async (t) => {
  const folder = t.testdir();
  const file = mdf4File(records, layouts[0]!);
  t.same(brief((await collectPiped(file)).frames), expected);
  t.same(brief((await collectPiped(gzipSync(file), 500)).frames), expected);
  const packed = await collectFrames(contentFile(folder, 'log', gzipSync(file)));
  t.same(brief(packed.frames), expected);
  t.match(packed.source.description, /gzip/);
});

t.test('a file that ends in the middle gives what is whole', async (t) => {
  // The data stands before the groups that lead to it, so only unfinished files can be cut and still be found.
  const file = mdf4File(records, layouts[1]!);
  const dataGroup = file.indexOf('##DG');
  const data = file.indexOf('##DT');
  const moved = Buffer.concat([
    file.subarray(0, data),
    file.subarray(dataGroup),
    file.subarray(data, dataGroup),
  ]);
  const shift = file.length - dataGroup;
  moved.writeBigUInt64LE(BigInt(data), 64 + 24);
  moved.writeBigUInt64LE(BigInt(data + shift), data + 24 + 16);
  for (const cutAt of [200, 1000, 5000, 9000]) {
    const { frames, codes } = await collectPiped(moved.subarray(0, data + shift + 24 + cutAt));
    t.same(brief(frames), expected.slice(0, frames.length));
    t.ok(frames.length >= Math.floor(cutAt / 90), `${frames.length} of ${cutAt} bytes`);
    t.equal(codes['file_cut'], 1);
    t.ok((codes['payload_missing'] ?? 0) <= 1);
  }
});

t.test('damage costs the records that it hits', async (t) => {
  const lost = async (layout: Mdf4Options, damage: (file: Buffer) => void) => {
    const file = mdf4File(records, layout);
    damage(file);
    const { frames, source } = await collectPiped(file);
    const all = new Set(expected);
    const good = brief(frames).filter((frame) => all.has(frame)).length;
    t.ok(source.damaged > 0 || good === expected.length, 'damage is counted');
    return expected.length - good;
  };
  const dataAt = (file: Buffer, type: string, index: number) => {
    let at = -1;
    for (let n = 0; n <= index; n++) at = file.indexOf(type, at + 1);
    return at;
  };
  // A record id and the length of a payload that are wrong.
  t.ok((await lost(layouts[0]!, (f) => f.writeUInt8(77, f.indexOf('##DT') + 24))) <= 1);
  for (const length of [3, 60, 200, 0xffffffff]) {
    t.ok(
      (await lost(layouts[0]!, (f) => f.writeUInt32LE(length, f.indexOf('##DT') + 24 + 25 + 5 + 26))) <= 2,
    );
  }
  // A compressed block of many.
  const block = await lost(layouts[2]!, (f) =>
    f.fill(0xff, dataAt(f, '##DZ', 3) + 60, dataAt(f, '##DZ', 3) + 80),
  );
  t.ok(block > 0 && block < 40, `${block} lost with a part of a block`);
  const sorted = await lost(layouts[10]!, (f) => f.write('XXXX', dataAt(f, '##DT', 2), 'latin1'));
  t.ok(sorted > 0 && sorted <= 50, `${sorted} lost with a whole block`);
});

t.test('links that lead nowhere or in circles end', async (t) => {
  const file = mdf4File(records, layouts[5]!);
  for (let at = 64; at < file.length - 32; at += 8) {
    if (file.toString('latin1', at, at + 2) !== '##' || file.toString('latin1', at, at + 4) === '##TX')
      continue;
    const links = Number(file.readBigUInt64LE(at + 16));
    for (let link = 0; link < Math.min(links, 3); link++) {
      for (const target of [at, 64, 8, 2 ** 52, file.length - 8]) {
        const damaged = Buffer.from(file);
        damaged.writeBigUInt64LE(BigInt(target), at + 24 + link * 8);
        await collectPiped(damaged).catch((error: { code?: string }) => {
          if (error.code !== 'LOG_NO_FRAMES') throw error;
        });
      }
    }
  }
  t.pass('all of them ended');
});

t.test('not MDF 4', async (t) => {
  const old = Buffer.alloc(300);
  old.write('MDF     3.30', 'latin1');
  old.writeUInt16LE(330, 28);
  await t.rejects(collectPiped(old), { code: 'LOG_FORMAT_UNKNOWN', message: /MDF 3/ });
  await t.rejects(collectPiped('MDF     4.10    TEST    '), { code: /LOG_/ });
  const headless = mdf4File(records, layouts[0]!);
  headless.write('XXXX', 64, 'latin1');
  await t.rejects(collectPiped(headless), { code: 'LOG_DAMAGED' });
});
