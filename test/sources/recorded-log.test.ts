/** Logs that we write: what our own reader (and so every candump reader) gets back; whole lines on a full disk. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import {
  FRAME_BRS,
  FRAME_ERROR,
  FRAME_ESI,
  FRAME_EXT,
  FRAME_FD,
  FRAME_REMOTE,
  FrameBatch,
} from '../../daemon/core/can/frame-batch.js';
import { BusTable } from '../../daemon/sources/can/bus-table.js';
import { candumpLine } from '../../daemon/sources/logs/candump-line.js';
import { openLog } from '../../daemon/sources/logs/open-log.js';
import { WholeLineFile } from '../../daemon/sources/logs/whole-line-file.js';
import { compilePlan } from '../../daemon/vehicles/dbc/compile-plan.js';
import { readDbcFile } from '../../daemon/vehicles/dbc/dbc-file.js';
import { fixture } from '../helpers/paths.js';
import { smallDisk } from '../helpers/small-disk.js';
import { framesOf } from '../vehicles/frames-of.js';

t.test('every kind of frame comes back as it was', async (t) => {
  const kinds: readonly [id: number, flags: number, data: readonly number[], dlc: number][] = [
    [0x123, 0, [], 0],
    [0x7ff, 0, [0, 255, 16, 1, 2, 3, 4, 5], 8],
    [0x1fffffff, FRAME_EXT, [1], 1],
    [0x123, FRAME_EXT, [1], 1],
    [0x321, FRAME_REMOTE, [], 0],
    [0x321, FRAME_REMOTE, [], 5],
    [0x100, FRAME_FD, Array.from({ length: 12 }, (_, i) => i), 9],
    [
      0x18fef100,
      FRAME_EXT | FRAME_FD | FRAME_BRS | FRAME_ESI,
      Array.from({ length: 64 }, (_, i) => 255 - i),
      15,
    ],
    [0x004, FRAME_ERROR, [0, 4, 0, 0, 0, 0, 0, 0], 8],
  ];
  const batch = new FrameBatch(kinds.length, ['can0', 'vcan_long.name']);
  let text = '';
  for (const [i, [id, flags, data, dlc]] of kinds.entries()) {
    batch.id[i] = id;
    batch.flags[i] = flags;
    batch.length[i] = data.length;
    batch.dlc[i] = dlc;
    batch.bus[i] = i % 2;
    batch.data.set(data, i * 64);
    text += candumpLine(batch, i, 1_700_000_000_000_001 + i * 1e6);
  }
  batch.count = kinds.length;
  const path = join(t.testdir(), 'all.log');
  writeFileSync(path, text);
  const log = await openLog(path);
  const read = (await log.next()) as FrameBatch;
  t.equal(log.damaged, 0, text);
  t.equal(read.count, kinds.length);
  for (const [i, [id, flags, data, dlc]] of kinds.entries()) {
    t.equal(read.id[i], id, `line ${i + 1}`);
    t.equal(read.flags[i], flags);
    t.equal(read.dlc[i], dlc);
    t.same([...read.payload(i)], data);
    t.equal(read.busNames[read.bus[i]!], batch.busNames[i % 2]);
    t.ok(Math.abs(read.tS[i]! - (1_700_000_000.000001 + i)) < 1e-6);
  }
  await log.close();
});

t.test('a full disk: a located error, and a file that ends with a whole line', async (t) => {
  const disk = smallDisk(t, '64k');
  if (disk === null) return;
  const path = join(disk.path, 'drive.log');
  const file = new WholeLineFile(path);
  const lines = Array.from({ length: 97 }, (_, i) => `line ${i} of a part\n`).join('');
  let error: unknown = null;
  for (let i = 0; i < 1000 && error === null; i++) {
    try {
      file.write(lines);
    } catch (cause) {
      error = cause;
    }
  }
  t.match(error, { code: 'FILE_UNWRITABLE', location: { file: path } });
  const text = readFileSync(path, 'utf8');
  t.ok(text.endsWith('\n'), 'no line is cut');
  t.equal(text.split('\n').length - 1, file.lines, 'and it is known how many there are');
  t.equal(statSync(path).size, file.bytes);
  t.ok(file.lines > 1000);
  file.close();
  t.throws(() => new WholeLineFile(path), { code: 'USAGE' }, 'never written over');
});

t.test(
  'the table of a bus: rates, last values with labels, and a bound on what noise can make it keep',
  async (t) => {
    const plan = compilePlan([readDbcFile(fixture('vehicles', 'test-car.dbc')).database]);
    const table = new BusTable(plan);
    const { batch } = framesOf([
      { id: 256, data: [0x13, 0x88, 0, 0, 0, 0, 0, 0] },
      { id: 256, data: [0x27, 0x10, 0, 0, 0, 0, 0, 0], bus: 1 },
      { id: 256, data: [0x27] },
      { id: 256, ext: true, data: [1] },
      { id: 4, data: [0, 0, 0, 0, 0, 0, 0, 0], flags: FRAME_ERROR },
      { id: 256, data: [], flags: FRAME_REMOTE },
    ]);
    table.consume(batch, Float64Array.from([1, 2, 3, 4, 5, 6]));
    const rows = table.rows();
    t.same(
      rows.map(({ bus, id, ext, frames, lastUs }) => [bus, id, ext, frames, lastUs]),
      [
        [0, 256, false, 2, 3],
        [0, 256, true, 1, 4],
        [1, 256, false, 1, 2],
      ],
    );
    t.equal(
      rows[0]!.values[plan.signalName.indexOf('VEH_SPEED')],
      50,
      'a short frame leaves the value before',
    );
    t.same([table.errorFrames, table.remoteFrames, table.frames], [1, 1, 6]);
    table.nextWindow();
    t.same(
      table.rows().map((row) => row.framesInWindow),
      [0, 0, 0],
    );
    const noise = framesOf(Array.from({ length: 5000 }, (_, i) => ({ id: i, ext: true, data: [] })));
    table.consume(noise.batch, noise.tUs);
    t.equal(table.rows().length, 4096);
    t.equal(table.others, 5000 - (4096 - 3) - 1, 'one of them was there already, the rest is counted');
  },
);
