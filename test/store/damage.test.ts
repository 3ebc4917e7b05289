import { spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import t from 'tap';
import { genesisHash, type StoredRecord } from '../../daemon/store/chain.js';
import { openEpoch } from '../../daemon/store/open-epoch.js';
import { openStore } from '../../daemon/store/open-store.js';
import { openAuditReader } from '../../daemon/store/reader.js';
import { allRecords, appendTicks, entry, filledStore, runStart, until, verify } from './store-fixture.js';

/** What opening makes of a state directory, without the thread around it. */
function reopen(stateDir: string): { epoch: number; notices: string[]; error: string | null } {
  try {
    const { db, epoch, notices } = openEpoch(stateDir, 0);
    db.close();
    return { epoch, notices, error: null };
  } catch (error) {
    return { epoch: 0, notices: [], error: (error as { code?: string }).code ?? String(error) };
  }
}

const rounds = Number(process.env['DRIVEMCP_FLIP_ROUNDS'] ?? 100);

t.test('a flipped bit is harmless, or it is told; either way the chain goes on', async (t) => {
  t.setTimeout(60_000 + rounds * 500);
  const dir = t.testdir({ whole: {} });
  const whole = join(dir, 'whole');
  await filledStore(whole, 120);
  const original = allRecords(whole);
  const bytes = readFileSync(join(whole, 'audit-1.db'));
  const seen = { harmless: 0, replaced: 0, refused: 0, linked: 0 };
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (offset, bit) => {
      const stateDir = join(dir, `flip-${round++}`);
      await cp(whole, stateDir, { recursive: true });
      const flipped = Buffer.from(bytes);
      flipped[offset]! ^= 1 << bit;
      writeFileSync(join(stateDir, 'audit-1.db'), flipped);
      const { epoch, notices, error } = reopen(stateDir);
      if (error !== null) {
        // The header's schema number: a newer program's database is refused untouched.
        seen.refused++;
        return error === 'STORE_VERSION';
      }
      if (epoch === 1) {
        seen.harmless++;
        const now = allRecords(stateDir);
        rmSync(stateDir, { recursive: true });
        return JSON.stringify(now) === JSON.stringify(original);
      }
      seen.replaced++;
      const [note] = allRecords(stateDir, 2);
      const isLinked = note?.prev_hash === original.at(-1)?.hash;
      if (isLinked) seen.linked++;
      const isTold = notices.length === 1 && existsSync(join(stateDir, 'audit-1.damaged.db'));
      const body = JSON.parse(note?.body ?? '{}') as { event?: string };
      rmSync(stateDir, { recursive: true });
      return epoch === 2 && isTold && body.event === 'epoch_started' && (isLinked || isKnown(note, original));
    }),
    // The schema format number, which SQLite refuses with a plain error.
    { numRuns: rounds, examples: [[47, 0]] },
  );
  t.comment(JSON.stringify(seen));
  t.ok(seen.replaced > 0 && seen.linked > 0);
});

/** Linked to another record of the chain, or honestly to none. */
function isKnown(note: StoredRecord | undefined, original: readonly StoredRecord[]): boolean {
  if (note === undefined) return false;
  return note.prev_hash === genesisHash || original.some((record) => record.hash === note.prev_hash);
}

t.test('a write-ahead log that was cut loses nothing silently', async (t) => {
  const dir = t.testdir({ live: {} });
  const live = join(dir, 'live');
  const store = await openStore({ stateDir: live });
  store.beginRun(runStart('run-1'));
  appendTicks(store, 0, 60);
  await store.flush();
  const head = store.head()!;
  const size = statSync(join(live, 'audit-1.db-wal')).size;
  const cuts = [0, 1, 31, 32, 33, ...fc.sample(fc.nat(size), { numRuns: 30, seed: 3 })];
  for (const [i, cut] of cuts.entries()) {
    const stateDir = join(dir, `cut-${i}`);
    await cp(live, stateDir, { recursive: true });
    rmSync(join(stateDir, 'audit-1.db-shm'));
    truncateSync(join(stateDir, 'audit-1.db-wal'), cut);
    const { epoch, notices } = reopen(stateDir);
    if (epoch === 1) {
      t.equal(allRecords(stateDir).length, head.seq, `cut at ${cut}`);
    } else {
      t.equal(epoch, 2);
      t.match(notices, [/gone|missing|damaged|malformed|not an audit/], `cut at ${cut}: ${notices[0]}`);
      t.match(JSON.parse(allRecords(stateDir, 2)[0]!.body), { event: 'epoch_started' });
      t.ok((await verify(stateDir)).some((report) => report.set_aside || report.problem !== null));
    }
  }
  await store.close();
});

t.test('each kind of ruin begins a linked epoch', async (t) => {
  const ruins: [string, (stateDir: string) => void, boolean][] = [
    ['no database any more', (dir) => rmSync(join(dir, 'audit-1.db')), true],
    ['text in its place', (dir) => writeFileSync(join(dir, 'audit-1.db'), 'x'.repeat(5000)), true],
    ['an empty file', (dir) => writeFileSync(join(dir, 'audit-1.db'), ''), true],
    ['half of it', (dir) => truncateSync(join(dir, 'audit-1.db'), 20_000), true],
    [
      'text in the place of both',
      (dir) => {
        writeFileSync(join(dir, 'audit-1.db'), 'x'.repeat(5000));
        writeFileSync(join(dir, 'audit-1.head'), 'x'.repeat(112));
      },
      false,
    ],
    ['a body changed', (dir) => change(dir, `UPDATE audit SET body = '{"tick":99}' WHERE seq = 7`), true],
    ['a record removed', (dir) => change(dir, 'DELETE FROM audit WHERE seq = 7'), true],
    ['the last record removed', (dir) => change(dir, 'DELETE FROM audit WHERE seq = 42'), true],
    [
      'the head moved back',
      (dir) => change(dir, 'DELETE FROM audit WHERE seq = 42; UPDATE chain SET seq = 41'),
      true,
    ],
    ['another epoch', (dir) => change(dir, 'UPDATE chain SET epoch = 5'), true],
    ['no head', (dir) => change(dir, 'DELETE FROM chain'), true],
  ];
  for (const [what, ruin, isLinked] of ruins) {
    const stateDir = t.testdir({});
    await filledStore(stateDir, 40);
    const last = allRecords(stateDir).at(-1)!;
    ruin(stateDir);
    const store = await openStore({ stateDir });
    t.ok(store.state().healthy, what);
    t.equal(store.notices.length, 1, `${what}: ${store.notices[0]}`);
    store.beginRun(runStart('after'));
    await store.close();
    const [note, start] = allRecords(stateDir, 2);
    t.match(JSON.parse(note!.body), { event: 'epoch_started', linked: isLinked, previous_epoch: 1 }, what);
    if (isLinked && !/removed|back/.test(what)) t.equal(note!.prev_hash, last.hash, what);
    if (!isLinked) t.equal(note!.prev_hash, genesisHash, what);
    t.match(start, { epoch: 2, seq: 2, kind: 'run' });
    const again = reopen(stateDir);
    t.strictSame(again, { epoch: 2, notices: [], error: null }, 'the new epoch is sound');
    rmSync(stateDir, { recursive: true });
  }
});

function change(stateDir: string, sql: string): void {
  const db = new Database(join(stateDir, 'audit-1.db'));
  db.exec(sql);
  db.close();
}

t.test('damage that shows in the middle of a run: the run goes on in the next epoch', async (t) => {
  const stateDir = t.testdir({});
  const maxBytes = 3_000_000;
  const padding = 'x'.repeat(4500);
  const store = await openStore({ stateDir, maxBytes });
  store.beginRun(runStart('run-1'));
  for (let tick = 0; tick < 500; tick += 100) {
    appendTicks(store, tick, tick + 100, padding);
    await store.flush();
  }
  await store.close();
  const again = await openStore({ stateDir, maxBytes });
  again.beginRun(runStart('run-2'));
  await again.flush();
  const before = again.head()!;
  // Under a writer that has checked it and holds the newest pages only: a disk that goes bad.
  const path = join(stateDir, 'audit-1.db');
  const fd = openSync(path, 'r+');
  writeSync(fd, Buffer.alloc(1_000_000, 0x5a), 0, 1_000_000, 8 * 4096);
  closeSync(fd);
  for (let tick = 0; tick < 200; tick += 50) {
    appendTicks(again, tick, tick + 50, padding);
    await again.flush();
  }
  await until(() => again.notices.length > 0);
  t.match(again.notices[0], /malformed.*epoch 2 begins/);
  appendTicks(again, 200, 210);
  await again.close();
  t.equal(again.head()?.epoch, 2);
  const ticks = (epoch: number) =>
    readable(stateDir, epoch, before.seq)
      .filter((record) => record.kind === 'decision')
      .map((record) => record.tick);
  t.strictSame(
    [...ticks(1), ...ticks(2)],
    Array.from({ length: 210 }, (_, i) => i),
    'nothing acknowledged is lost',
  );
  const reader = openAuditReader(stateDir);
  t.match(reader.run('run-2'), { epoch: 2 }, 'the run is listed where it went on');
  reader.close();
  t.match(await verify(stateDir), [
    { set_aside: true, problem: {} },
    { epoch: 2, problem: null },
  ]);
});

/** Records of an epoch behind `seq`, as far as they can be read. */
function readable(stateDir: string, epoch: number, seq: number): StoredRecord[] {
  const reader = openAuditReader(stateDir);
  const fromSeq = epoch === 1 ? seq + 1 : 1;
  const records = [...reader.records({ epoch, fromSeq })];
  reader.close();
  return records;
}

t.test('a large database is checked beside the run, and replaced when damage is found', async (t) => {
  const stateDir = t.testdir({});
  const store = await openStore({ stateDir });
  store.beginRun(runStart('run-1'));
  for (let tick = 0; tick < 2400; tick += 200) {
    appendTicks(store, tick, tick + 200, 'x'.repeat(4500));
    await store.flush();
  }
  await store.close();
  change(stateDir, `UPDATE audit SET body = '{}' WHERE seq = 500`);
  const again = await openStore({ stateDir });
  again.beginRun(runStart('run-2'));
  await until(() => again.notices.length > 0);
  t.match(again.notices[0], /chain broken at record 500/);
  appendTicks(again, 0, 5);
  await again.close();
  t.equal(again.head()?.epoch, 2);
  t.match(await verify(stateDir), [
    { epoch: 1, set_aside: true, problem: { seq: 500 } },
    { epoch: 2, set_aside: false, problem: null },
  ]);
  t.ok(readdirSync(stateDir).includes('audit-1.damaged.db'));
});

t.test('files that are removed or replaced during a run: unhealthy, told, never acknowledged', async (t) => {
  const losses: [string, (stateDir: string) => void][] = [
    ['the directory', (dir) => rmSync(dir, { recursive: true })],
    [
      'the directory, made again',
      (dir) => {
        rmSync(dir, { recursive: true });
        mkdirSync(dir);
      },
    ],
    ['the directory, moved', (dir) => renameSync(dir, `${dir}-moved`)],
    ['the database', (dir) => rmSync(join(dir, 'audit-1.db'))],
    ['the write-ahead log', (dir) => rmSync(join(dir, 'audit-1.db-wal'))],
    ['the lock', (dir) => rmSync(join(dir, 'daemon.lock'))],
    [
      'the database, replaced by a copy',
      (dir) => {
        cpSync(join(dir, 'audit-1.db'), join(dir, 'copy'));
        renameSync(join(dir, 'copy'), join(dir, 'audit-1.db'));
      },
    ],
  ];
  for (const [what, lose] of losses) {
    const stateDir = join(t.testdir({}), 'state');
    const store = await openStore({ stateDir });
    store.beginRun(runStart('run-1'));
    appendTicks(store, 0, 5);
    await store.flush();
    t.ok(store.state().healthy);
    lose(stateDir);
    store.append(5, 250_000, 0, [entry('act', {}, 'now')]);
    t.equal(await store.whenDurable(5, 500), false, `${what}: no durable record, no ACT`);
    t.match(store.state(), { healthy: false, durableTick: 4 }, what);
    t.match(store.trouble, /was removed or replaced while in use: records up to 1\/\d/, what);
    await t.rejects(store.flush(), { code: 'STORE_FAILED' }, `${what}: it stays so`);
    await t.rejects(store.close(), { code: 'STORE_FAILED', message: /1 audit records could not/ }, what);
    t.match(store.notices.at(-1), /no ACT until records are durable again/, what);
    t.notOk(existsSync(join(stateDir, 'audit-2.db')), 'nothing is begun in its place');
  }
});

t.test('a head that is removed during a run is written again', async (t) => {
  const stateDir = t.testdir({});
  const store = await openStore({ stateDir });
  store.beginRun(runStart('run-1'));
  await store.flush();
  rmSync(join(stateDir, 'audit-1.head'));
  appendTicks(store, 0, 3);
  await store.close();
  t.match(await verify(stateDir), [{ head_file: 'sound', head: { seq: 4 }, problem: null }]);
});

t.test(
  'nothing but regular files is opened: links, FIFOs, sockets and directories are refused',
  async (t) => {
    const folder = t.testdir({ victim: 'precious' });
    const victim = join(folder, 'victim');
    let round = 0;
    const names = [
      'audit-1.db',
      'audit-1.db-wal',
      'audit-1.db-shm',
      'audit-1.head',
      'daemon.lock',
      'daemon.pid',
    ];
    const kinds: [RegExp, (path: string) => void][] = [
      [/a symbolic link stands/, (path) => symlinkSync(victim, path)],
      [/a symbolic link stands/, (path) => symlinkSync(`${victim}-none`, path)],
      [/a FIFO stands/, (path) => spawnSync('mkfifo', [path])],
      [/a directory stands/, (path) => mkdirSync(path)],
    ];
    for (const isFilled of [false, true]) {
      for (const name of names) {
        for (const [message, put] of kinds) {
          const stateDir = join(folder, `state-${round++}`);
          mkdirSync(stateDir);
          if (isFilled) await filledStore(stateDir, 3);
          const path = join(stateDir, name);
          rmSync(path, { force: true });
          put(path);
          const refusal = { code: 'FILE_UNREADABLE', message, location: { file: path } };
          await t.rejects(openStore({ stateDir }), refusal, `${name}: ${message}`);
          t.throws(() => openAuditReader(stateDir), refusal);
          await t.rejects(verify(stateDir), refusal);
          t.equal(readFileSync(victim, 'utf8'), 'precious');
          t.notOk(existsSync(`${victim}-none`));
        }
      }
    }
  },
);

t.test('a head that is missing, empty or changed is told', async (t) => {
  const heads: [string, string | null, string, number][] = [
    ['missing', null, 'missing', 0],
    ['empty', '', 'empty', 0],
    ['zeros', '\0'.repeat(112), 'empty', 0],
    ['text', 'x'.repeat(112), 'garbage', 1],
    ['of another epoch', `2 5 ${'a'.repeat(64)}`.padEnd(111).concat('\n'), 'garbage', 1],
    ['too long', `1 5 ${'a'.repeat(64)}`.padEnd(500).concat('\n'), 'garbage', 1],
  ];
  for (const [what, text, state, problems] of heads) {
    const stateDir = t.testdir({});
    await filledStore(stateDir, 3);
    const path = join(stateDir, 'audit-1.head');
    if (text === null) rmSync(path);
    else writeFileSync(path, text);
    const [report] = await verify(stateDir);
    t.equal(report?.head_file, state, what);
    t.equal(report?.problem === null ? 0 : 1, problems, what);
    const store = await openStore({ stateDir });
    t.match(store.notices, [/audit-1\.head (is|was) .*: records lost from the end/], what);
    await store.close();
    t.match(await verify(stateDir), [{ head_file: 'sound', problem: null }]);
  }
});

t.test('an epoch whose database is gone is missing, wherever it stood', async (t) => {
  const stateDir = t.testdir({});
  for (let epoch = 1; epoch <= 3; epoch++) {
    await filledStore(stateDir, 5, `run-${epoch}`);
    rmSync(join(stateDir, `audit-${epoch}.db`));
  }
  t.match(await verify(stateDir), [
    { epoch: 1, is_missing: true, problem: { reason: /^epochs 1 to 3 are missing; its head says that 7/ } },
  ]);
  await filledStore(stateDir, 5, 'run-4');
  const reports = await verify(stateDir);
  t.match(reports, [
    { epoch: 1, is_missing: true },
    { epoch: 4, is_missing: false, problem: null },
  ]);
  writeFileSync(join(stateDir, 'audit-999999999.head'), '');
  t.match(await verify(stateDir), [
    {},
    {},
    { epoch: 5, problem: { reason: 'epochs 5 to 999999999 are missing' } },
  ]);
});
