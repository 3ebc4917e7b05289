import { spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { openStore } from '../../daemon/store/open-store.js';
import { fixtureScript } from '../helpers/paths.js';
import { smallDisk } from '../helpers/small-disk.js';
import { allRecords, appendTicks, entry, filledStore, runStart, until, verify } from './store-fixture.js';

t.test('a full disk: unhealthy, nothing acknowledged is lost, recovers by itself', async (t) => {
  const disk = smallDisk(t, '1m');
  if (disk === null) return;
  const stateDir = join(disk.path, 'state');
  const store = await openStore({ stateDir });
  store.beginRun(runStart('run-1'));
  appendTicks(store, 0, 20);
  await store.flush();
  disk.fill();
  let tick = 20;
  while (store.state().healthy) {
    appendTicks(store, tick, ++tick, 'x'.repeat(2000));
    await store.flush().catch(() => undefined);
  }
  t.match(store.trouble, /cannot grow/);
  const { durableTick } = store.state();
  t.equal(durableTick, tick - 2, 'all but the last');
  await t.rejects(store.flush(), { code: 'STORE_FULL' });
  store.append(tick, tick * 50_000, 0, [entry('act', {}, 'now')]);
  t.equal(await store.whenDurable(tick, 50), false, 'no durable record, no ACT');
  t.ok(store.state().lagUs > 0);
  disk.free();
  t.equal(await store.whenDurable(tick, 20_000), true);
  t.match(store.state(), { healthy: true, durableTick: tick });
  t.equal(store.trouble, null);
  await store.close();
  const records = allRecords(stateDir);
  t.strictSame(
    records.filter((record) => record.tick >= 0).map((record) => record.tick),
    Array.from({ length: tick + 1 }, (_, i) => i),
  );
  t.equal((await verify(stateDir))[0]?.problem, null);
});

t.test('a disk that stays full: memory stays bounded, and what was given up is told', async (t) => {
  const disk = smallDisk(t, '1m');
  if (disk === null) return;
  const stateDir = join(disk.path, 'state');
  const store = await openStore({ stateDir, queueMaxRecords: 50 });
  store.beginRun(runStart('run-1'));
  await store.flush();
  disk.fill();
  for (let tick = 0; tick < 400; tick++) {
    store.append(tick, tick * 50_000, 0, [
      entry('decision', { tick, text: 'x'.repeat(500) }),
      entry('heartbeat'),
    ]);
  }
  await t.rejects(store.flush(), { code: 'STORE_FULL' });
  const { queued, droppedHeartbeats, foldedRecords } = store.counters();
  t.ok(queued <= 200 && droppedHeartbeats === 400 && foldedRecords === 400 - queued, `${queued}`);
  t.equal(store.state().healthy, false);
  disk.free();
  await until(() => store.state().healthy);
  await store.flush();
  await store.close();
  const bodies = allRecords(stateDir).map((record) => JSON.parse(record.body) as Record<string, unknown>);
  t.match(
    bodies.find((body) => body['event'] === 'records_folded'),
    { count: foldedRecords, last_tick: 399 },
  );
  t.match(
    bodies.find((body) => body['event'] === 'heartbeats_dropped'),
    { count: 400 },
  );
  t.equal((await verify(stateDir))[0]?.problem, null);
});

t.test('a full disk at the start and at the end', async (t) => {
  const disk = smallDisk(t, '1m');
  if (disk === null) return;
  disk.fill();
  const store = await openStore({ stateDir: disk.path });
  t.match(store.state(), { healthy: false, durableTick: -1 });
  t.match(store.notices, [/cannot/]);
  store.beginRun(runStart('run-1'));
  appendTicks(store, 0, 3);
  await t.rejects(store.close(), {
    code: /STORE_(FULL|FAILED)/,
    message: /4 audit records could not be written/,
  });
  disk.free();
  const after = await openStore({ stateDir: disk.path });
  t.ok(after.state().healthy, 'the lock was given back');
  await after.close();
});

t.test('a read-only disk: the daemon is refused, readers read a copy', async (t) => {
  const disk = smallDisk(t, '4m');
  if (disk === null) return;
  const stateDir = join(disk.path, 'state');
  await filledStore(stateDir, 5);
  disk.remount('ro');
  await t.rejects(openStore({ stateDir }), { code: 'STATE_UNWRITABLE' });
  await t.rejects(openStore({ stateDir: join(disk.path, 'other') }), { code: 'STATE_UNWRITABLE' });
  t.equal(allRecords(stateDir).length, 7);
  t.equal((await verify(stateDir))[0]?.problem, null);
  disk.remount('rw');
});

/** Numbers of the write that fails; DRIVEMCP_EIO_ROUNDS=500 for every one up to that. */
const sweep = Number(process.env['DRIVEMCP_EIO_ROUNDS'] ?? 0);
const failAt =
  sweep > 0 ? Array.from({ length: sweep }, (_, i) => i + 1) : [1, 2, 3, 5, 8, 12, 17, 24, 40, 60];

t.test(`the n-th write fails, ${failAt.length} places: told, recovered, nothing lost`, async (t) => {
  t.setTimeout(60_000 + failAt.length * 10_000);
  const dir = t.testdir({});
  const library = join(dir, 'failing-disk.so');
  const source = packageFile('test', 'store', 'failing-disk.c');
  const compiled = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], {
    encoding: 'utf8',
  });
  if (compiled.status !== 0) {
    t.pass('skipped', { skip: `no C compiler: ${compiled.error?.message ?? compiled.stderr}` });
    return;
  }
  let told = 0;
  for (const n of failAt) {
    const stateDir = join(dir, `fail-${n}`);
    const { code, lines } = await appendUnder(stateDir, {
      LD_PRELOAD: library,
      FAIL_AT: String(n),
      FAIL_COUNT: n % 2 === 0 ? '1' : '3',
    });
    const trouble = lines.filter((line) => line.startsWith('trouble'));
    told += trouble.length;
    const acks = lines.filter((line) => line.startsWith('ack')).map((line) => line.split(' '));
    const hashes = new Map(
      allRecords(stateDir).map((record) => [`${record.epoch}/${record.seq}`, record.hash]),
    );
    const lost = acks.filter(([, epoch, seq, hash]) => hashes.get(`${epoch}/${seq}`) !== hash);
    const reports = await verify(stateDir);
    t.strictSame(
      {
        code,
        lost,
        epochs: reports.length,
        problem: reports.at(-1)?.problem,
        isTold: !/though/.test(trouble.join()),
      },
      { code: 0, lost: [], epochs: 1, problem: null, isTold: true },
      `write ${n}: ${trouble.join('; ') || 'no commit failed'}`,
    );
    rmSync(stateDir, { recursive: true });
  }
  t.ok(told > failAt.length / 2, 'the shim does fail writes');
});

function appendUnder(
  stateDir: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; lines: string[] }> {
  const script = fixtureScript('store', 'append-child.js');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, stateDir, '100000000', '60'], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, lines: text.split('\n') }));
  });
}
