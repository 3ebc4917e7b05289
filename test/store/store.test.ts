import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import t from 'tap';
import { systemClock } from '../../daemon/runtime/clock.js';
import { genesisHash } from '../../daemon/store/chain.js';
import { openStore } from '../../daemon/store/open-store.js';
import { openAuditReader } from '../../daemon/store/reader.js';
import { migrate, migrations } from '../../daemon/store/schema.js';
import { fixtureScript } from '../helpers/paths.js';
import { allRecords, appendTicks, entry, filledStore, runStart, until, verify } from './store-fixture.js';

t.test('records get numbers without gaps, linked, durable before they are acknowledged', async (t) => {
  const stateDir = join(t.testdir({}), 'made', 'anew');
  const store = await openStore({ stateDir });
  t.strictSame(store.state(), { healthy: true, durableTick: -1, lagUs: 0 });
  t.equal(store.head(), null);
  store.beginRun(runStart('run-1'));
  store.append(0, 0, 1, []);
  appendTicks(store, 1, 100);
  t.equal(store.state().durableTick, -1, 'the start of the run is not durable yet');
  store.append(100, 5e6, 2, [entry('act', { intent: 'brake_assist' }, 'now')]);
  t.equal(await store.whenDurable(100, 10_000), true);
  t.equal(store.state().durableTick, 100);
  const beside = allRecords(stateDir);
  t.equal(beside.length, 101, 'a reader beside the writer sees what was acknowledged');
  store.append(101, 5.05e6, 3, []);
  t.equal(store.state().durableTick, 101, 'a tick without records has nothing to wait for');
  t.equal(await store.whenDurable(101, 1), true);
  store.append(102, 5.1e6, 3, [entry('heartbeat')]);
  t.equal(store.state().durableTick, 101);
  await store.flush();
  t.equal(store.state().durableTick, 102);
  store.endRun({ summary: { ticks: 103 }, decisionHash: 'ff', wallMs: 9 });
  await store.close();

  const records = allRecords(stateDir);
  t.strictSame(
    records.map((record) => record.seq),
    records.map((_, i) => i + 1),
  );
  t.equal(records[0]?.prev_hash, genesisHash);
  t.strictSame(
    records.map((record) => record.kind).filter((kind) => kind !== 'decision'),
    ['run', 'act', 'heartbeat', 'run'],
  );
  t.strictSame(store.counters().committed, 103);
  const [report] = await verify(stateDir);
  t.equal(report?.problem, null);
  t.strictSame(report?.head, store.head());
});

t.test('a second opener is told who holds the directory, also from another process', async (t) => {
  const stateDir = t.testdir({});
  const store = await openStore({ stateDir });
  await t.rejects(openStore({ stateDir }), { code: 'STATE_LOCKED', message: new RegExp(`${process.pid}`) });
  await store.close();
  const child = spawn(process.execPath, [fixtureScript('store', 'append-child.js'), stateDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) if (line === 'phase append') break;
  await t.rejects(openStore({ stateDir }), { code: 'STATE_LOCKED', message: new RegExp(`${child.pid}`) });
  child.kill('SIGKILL');
  await once(child, 'exit');
  const after = await openStore({ stateDir });
  t.ok(after.state().healthy, 'the kernel gave the lock back');
  await after.close();
});

t.test('a directory that cannot be written is refused', async (t) => {
  const dir = t.testdir({ file: 'in the way' });
  await t.rejects(openStore({ stateDir: join(dir, 'file') }), { code: 'STATE_UNWRITABLE' });
  await t.rejects(openStore({ stateDir: '/proc/nowhere' }), { code: 'STATE_UNWRITABLE' });
});

t.test('runs are listed with what they were; ticks count anew in each', async (t) => {
  const stateDir = t.testdir({});
  await filledStore(stateDir, 10, 'run-1');
  const store = await openStore({ stateDir });
  store.beginRun(runStart('run-2'));
  t.equal(store.state().durableTick, -1);
  appendTicks(store, 0, 5);
  await store.close();
  const reader = openAuditReader(stateDir);
  t.match(reader.runs(), [
    { run_id: 'run-1', first_seq: 1, last_seq: 12, summary: { ticks: 10 }, decision_hash: 'ab'.repeat(32) },
    { run_id: 'run-2', first_seq: 13, last_seq: 18, end_ms: null, summary: null, simulated: true },
  ]);
  const run = reader.run('run-2');
  t.strictSame(
    [...reader.records({ run, kind: 'decision', fromTick: 1, toTick: 2 })].map((record) => record.seq),
    [15, 16],
  );
  t.equal(reader.run().run_id, 'run-2');
  t.throws(() => reader.run('run-3'), { code: 'RUN_UNKNOWN' });
  reader.close();
});

t.test('a newer schema is refused untouched, an older one is brought forward', async (t) => {
  const stateDir = t.testdir({});
  await filledStore(stateDir, 3);
  const path = join(stateDir, 'audit-1.db');
  const db = new Database(path);
  const steps = [...migrations, 'ALTER TABLE runs ADD COLUMN note TEXT', 'CREATE TABLE later(x)'];
  t.equal(migrate(db, steps), 2, 'only the steps it has not seen');
  t.equal(migrate(db, steps), 0);
  t.equal(db.prepare('SELECT count(*) FROM audit').pluck().get(), 5);
  t.throws(() => migrate(db, [...steps, 'CREATE TABLE half(x); SELECT nonsense']), /nonsense/);
  t.equal(
    db.pragma('user_version', { simple: true }),
    migrations.length + 2,
    'a step that fails leaves nothing',
  );
  t.equal(db.prepare(`SELECT count(*) FROM sqlite_schema WHERE name = 'half'`).pluck().get(), 0);
  db.close();
  await t.rejects(openStore({ stateDir }), { code: 'STORE_VERSION', location: { file: path } });
  await t.rejects(openStore({ stateDir }), { code: 'STORE_VERSION' }, 'the lock was given back');
  t.throws(() => allRecords(stateDir), { code: 'STORE_VERSION' });
});

t.test('retention removes the oldest records; the rest verifies from the checkpoint', async (t) => {
  const stateDir = t.testdir({});
  const maxBytes = 300_000;
  const store = await openStore({ stateDir, maxBytes });
  for (let run = 1; run <= 6; run++) {
    store.beginRun(runStart(`run-${run}`));
    for (let tick = 0; tick < 200; tick += 50) {
      appendTicks(store, tick, tick + 50, 'x'.repeat(1000));
      await store.flush();
    }
    store.endRun({ summary: {}, decisionHash: `${run}`, wallMs: 1 });
    await store.flush();
  }
  await store.close();
  const again = await openStore({ stateDir, maxBytes });
  await again.close();
  const [report] = await verify(stateDir);
  t.equal(report?.problem, null);
  const checkpoint = report?.checkpoint;
  t.ok(checkpoint && checkpoint.seq > 400, 'most of it is gone');
  const reader = openAuditReader(stateDir);
  const runs = reader.runs();
  t.notOk(runs.some((run) => run.last_seq <= checkpoint!.seq));
  t.equal(runs.at(-1)?.run_id, 'run-6', 'the latest run stays');
  const notes = [...reader.records({ kind: 'store' })].map((record) => JSON.parse(record.body) as object);
  t.match(
    notes.at(-1),
    { event: 'pruned', through_hash: /^[0-9a-f]{64}$/ },
    'the chain says what was removed',
  );
  reader.close();
  const db = new Database(join(stateDir, 'audit-1.db'), { readonly: true });
  const pages = db.pragma('page_count', { simple: true }) as number;
  db.close();
  t.ok(pages * 4096 < 3 * maxBytes, 'the file shrinks');
});

t.test('runs that ended too long ago go, where an age is configured', async (t) => {
  const stateDir = t.testdir({});
  await filledStore(stateDir, 20, 'old');
  const store = await openStore({
    stateDir,
    maxAgeMs: 1000,
    clock: { ...systemClock, wallMs: () => 1_700_000_200_000 },
  });
  store.beginRun(runStart('new'));
  await store.flush();
  await store.close();
  const reader = openAuditReader(stateDir);
  t.strictSame(
    reader.runs().map((run) => run.run_id),
    ['new'],
  );
  reader.close();
  t.match(await verify(stateDir), [{ problem: null, checkpoint: { seq: 22 } }]);
});

t.test('bodies without canonical form are recorded with what was wrong', async (t) => {
  const stateDir = t.testdir({});
  const store = await openStore({ stateDir });
  store.append(0, 0, 0, [
    entry('decision', { ttc: Number.POSITIVE_INFINITY, deep: { list: [1, '\ud800!'] } }),
  ]);
  t.throws(() => store.append(1, Number.NaN, 0, [entry('decision')]), { code: 'INVARIANT' });
  await store.close();
  const [record] = allRecords(stateDir);
  t.strictSame(JSON.parse(record!.body), {
    ttc: null,
    deep: { list: [1, '\ufffd!'] },
    not_canonical: ['ttc', 'deep.list[1]'],
  });
  t.equal((await verify(stateDir))[0]?.problem, null);
});

t.test('a thread that dies is replaced; nothing is lost, nothing is written twice', async (t) => {
  const stateDir = t.testdir({});
  let worker: Worker | null = null;
  const remember = (started: Worker) => {
    worker = started;
  };
  process.on('worker', remember);
  t.teardown(() => process.off('worker', remember));
  const store = await openStore({ stateDir });
  const told: string[] = [];
  store.tell((notice) => told.push(notice));
  store.beginRun(runStart('run-1'));
  for (let round = 0; round < 3; round++) {
    appendTicks(store, round * 100, round * 100 + 100);
    const dying = worker as unknown as Worker;
    // Somewhere between sending, committing and acknowledging.
    setImmediate(() => void dying.terminate());
    await until(() => told.length === round * 2 + 1);
    t.match(store.state(), { healthy: false });
    await until(() => store.state().healthy && store.counters().queued === 0);
    t.equal(store.state().durableTick, round * 100 + 99);
    t.equal(told.length, round * 2 + 2);
  }
  t.match(told[0], /thread ended.*no ACT/);
  t.match(told[1], /durable again/);
  await store.close();
  t.strictSame(
    allRecords(stateDir)
      .filter((record) => record.kind === 'decision')
      .map((record) => record.tick),
    Array.from({ length: 300 }, (_, i) => i),
  );
  t.equal((await verify(stateDir))[0]?.problem, null);
});

t.test('a state directory with foreign files is left alone', async (t) => {
  const stateDir = t.testdir({});
  for (const name of ['audit-x.db', 'audit-01.db', 'audit-2.db.bak'])
    writeFileSync(join(stateDir, name), 'mine');
  const store = await openStore({ stateDir });
  t.strictSame(store.notices, []);
  await store.close();
  t.match(await verify(stateDir), [{ epoch: 1, records: 0, problem: null }]);
});
