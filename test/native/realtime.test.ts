/** Real-time priority is for the tick thread alone: at equal priority the collector's threads would compete with it. */
import { spawnSync } from 'node:child_process';
import t from 'tap';
import { loadHost } from '../../native/index.js';

const ERRNO_EPERM = 1;

/** In a process of its own, with a thread of each kind that Node makes, before and after the priority is asked for. */
const program = `
import { readdirSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
const { loadHost } = await import(process.argv[1]);
const host = loadHost().module;
// Valid as a module and as a script: which of them a worker takes it for depends on the version of Node.
const idle = 'import("node:worker_threads").then(({ parentPort }) => parentPort.on("message", () => {}))';
const online = (worker) => new Promise((resolve) => worker.once('online', () => resolve(worker)));
const before = await online(new Worker(idle, { eval: true }));
const errno = host.realtimeThread(10);
await Promise.all([1, 2, 3, 4, 5, 6].map(() => stat('/')));
const after = await online(new Worker(idle, { eval: true }));
// proc(5), stat: field 41 is the policy; the name of the thread, field 2, may hold anything.
const policies = readdirSync('/proc/self/task').map((thread) => {
  const text = readFileSync('/proc/self/task/' + thread + '/stat', 'utf8');
  return [Number(thread), Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[38])];
});
console.log(JSON.stringify({ errno, pid: process.pid, isRealtime: host.isRealtime(), policies }));
await Promise.all([before.terminate(), after.terminate()]);
`;

const loaded = loadHost();
t.test('SCHED_FIFO for one thread', { skip: loaded.module === null && loaded.reason }, async (t) => {
  const { href } = new URL('../../native/index.js', import.meta.url);
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', program, href], { encoding: 'utf8' });
  t.equal(run.status, 0, run.stderr);
  const { errno, pid, isRealtime, policies } = JSON.parse(run.stdout) as {
    errno: number;
    pid: number;
    isRealtime: boolean;
    policies: [thread: number, policy: number][];
  };
  t.ok(policies.length > 6, `${policies.length} threads`);
  const realtime = policies.filter(([, policy]) => policy === 1).map(([thread]) => thread);
  if (errno !== 0) {
    t.equal(errno, ERRNO_EPERM, 'not permitted is the one reason to go on without');
    t.same([isRealtime, realtime], [false, []]);
  } else t.same([isRealtime, realtime], [true, [pid]], 'the main thread, nobody else');
});

const sliceProgram = `
import { execFileSync } from 'node:child_process';
const { loadHost } = await import(process.argv[1]);
const host = loadHost().module;
const before = host.sliceUs();
const errno = host.shortSlice(100);
const after = host.sliceUs();
const child = Number(execFileSync(process.execPath, ['--input-type=module', '-e',
  'const { loadHost } = await import(process.argv[1]); console.log(loadHost().module.sliceUs());', process.argv[1]], { encoding: 'utf8' }));
const isRealtime = host.realtimeThread(10) === 0;
host.shortSlice(100);
console.log(JSON.stringify({ before, errno, after, child, stays: host.isRealtime() === isRealtime }));
`;

t.test('short turns for one thread', { skip: loaded.module === null && loaded.reason }, async (t) => {
  const { href } = new URL('../../native/index.js', import.meta.url);
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', sliceProgram, href], {
    encoding: 'utf8',
  });
  t.equal(run.status, 0, run.stderr);
  const { before, errno, after, child, stays } = JSON.parse(run.stdout) as {
    before: number;
    errno: number;
    after: number;
    child: number;
    stays: boolean;
  };
  t.equal(errno, 0);
  // A kernel before 6.12 keeps no slice of a thread and says 0.
  t.same([after, child], before === 0 ? [0, 0] : [100, before], 'its own, and not that of what it starts');
  t.ok(stays, 'real-time priority is not taken away');
});
