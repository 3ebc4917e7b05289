/** The daemon as a service: ready, alive, stopping, told to a real datagram socket; and the unit that starts it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { type LivenessEvidence, standingStill } from '../../daemon/core/modes/liveness.js';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { serviceManager, watchdogPeriodUs } from '../../daemon/runtime/service-manager.js';
import { loadHost } from '../../native/index.js';
import { drivemcpScript } from '../helpers/paths.js';

const alive: LivenessEvidence = { tick: 10, receivers: [5, 5], isStoreHealthy: true, storeLagUs: 0 };

t.test('what stands still is named; a store that says what is wrong with it does not count', async (t) => {
  const later = (change: Partial<LivenessEvidence>) => ({ ...alive, tick: 30, receivers: [6, 7], ...change });
  t.same(standingStill(alive, later({})), []);
  t.same(standingStill(alive, later({ tick: 10 })), ['ticks']);
  t.same(standingStill(alive, later({ receivers: [6, 5] })), ['receiver 1']);
  t.same(standingStill(alive, later({ storeLagUs: 10_000_000 })), [], 'at the bound');
  t.same(standingStill(alive, later({ storeLagUs: 10_000_001 })), ['store']);
  t.same(standingStill(alive, later({ storeLagUs: 99e6, isStoreHealthy: false })), []);
});

t.test('the watchdog is for this process only, and half its time is ours', async (t) => {
  t.equal(watchdogPeriodUs({ WATCHDOG_USEC: '2000000' }, 7), 1_000_000);
  t.equal(watchdogPeriodUs({ WATCHDOG_USEC: '2000000', WATCHDOG_PID: '7' }, 7), 1_000_000);
  t.equal(watchdogPeriodUs({ WATCHDOG_USEC: '2000000', WATCHDOG_PID: '8' }, 7), null);
  for (const WATCHDOG_USEC of [undefined, '', '0', '-1', 'x', '1.5'])
    t.equal(watchdogPeriodUs({ WATCHDOG_USEC }, 7), null);
});

t.test('told in order; withheld while something stands still', async (t) => {
  const told: string[] = [];
  const said: string[] = [];
  let nowUs = 0;
  let turns = 0;
  const manager = serviceManager({
    notify: (state) => told.push(state) * 0,
    monoUs: () => nowUs,
    receivers: () => [turns],
    store: () => ({ healthy: true, lagUs: 0 }),
    notice: (text) => said.push(text),
    environment: { NOTIFY_SOCKET: '/x', WATCHDOG_USEC: '2000000' },
    pid: 1,
  });
  const tick = (number: number, mode = 'NORMAL') => {
    nowUs = number * 50_000;
    manager?.watch(number, mode);
  };
  tick(0, 'MONITOR');
  for (let number = 1; number <= 40; number++) {
    turns++;
    tick(number);
  }
  t.same(told, ['READY=1\nSTATUS=MONITOR', 'STATUS=NORMAL', 'WATCHDOG=1', 'WATCHDOG=1']);
  for (let number = 41; number <= 80; number++) tick(number);
  t.equal(told.length, 4, 'a receive thread stands still');
  t.same(said, ['the watchdog is not told that we live: receiver 0 stand still']);
  turns++;
  tick(101);
  t.equal(told.at(-1), 'WATCHDOG=1', 'and lives again');
  manager?.stopping('signal');
  t.equal(told.at(-1), 'STOPPING=1\nSTATUS=signal');
  t.equal(serviceManager({ environment: {} } as never), null, 'without a manager nothing');
});

/** A datagram socket that prints what it is told, as systemd's would receive it. */
const listener = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind(sys.argv[1]); print("bound", flush=True)
while True: print(repr(s.recv(4096).decode()), flush=True)`;

const skip = loadHost().module === null ? 'native module missing' : false;

t.test('a live run under a service manager', { skip }, async (t) => {
  const folder = t.testdir();
  // The path of a socket holds 107 characters at most.
  const short = mkdtempSync(join(tmpdir(), 'notify-'));
  t.teardown(() => rmSync(short, { recursive: true }));
  const socket = join(short, 'notify');
  const python = spawn('/usr/bin/python3', ['-c', listener, socket], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => python.kill());
  let heard = '';
  python.stdout.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  const until = async (what: string, holds: () => boolean, child?: ChildProcess): Promise<void> => {
    const deadlineMs = performance.now() + 30_000;
    while (!holds()) {
      if (performance.now() > deadlineMs || (child && child.exitCode !== null))
        throw new Error(`in vain: ${what}; heard ${heard}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await until('the socket', () => heard.includes('bound'));
  const args = [
    'run',
    '--source',
    '-',
    '--profile',
    'sim-car',
    '--state',
    join(folder, 'state'),
    '--live',
    '--json',
  ];
  const daemon = spawn(process.execPath, [drivemcpScript, ...args], {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: { ...process.env, NOTIFY_SOCKET: socket, WATCHDOG_USEC: '400000' },
  });
  t.teardown(() => daemon.kill('SIGKILL'));
  daemon.stdin.write('(1000000000.000000) can0 123#00\n');
  await until('a sign of life', () => heard.split('WATCHDOG=1').length > 3, daemon);
  daemon.kill('SIGTERM');
  await new Promise((resolve) => daemon.on('close', resolve));
  await until('the end', () => heard.includes('STOPPING=1'));
  const lines = heard.split('\n');
  t.match(lines[1], /READY=1\\nSTATUS=/, 'ready first');
  t.match(lines.filter(Boolean).at(-1), /STOPPING=1\\nSTATUS=signal/);
});

const unit = packageFile('systemd', 'drivemcp@.service');

t.test('the unit', async (t) => {
  const text = readFileSync(unit, 'utf8');
  for (const line of [
    'Type=notify',
    'WatchdogSec=2',
    'ExecStartPre=+/usr/lib/drivemcp/can-egress-drop %i',
    'CapabilityBoundingSet=',
    'NoNewPrivileges=yes',
  ])
    t.ok(text.split('\n').includes(line), line);
  t.notMatch(text, /CAP_NET_ADMIN\s*$/m, 'no right to change the interface');
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
t.test(
  'systemd reads the unit without a complaint',
  { skip: hasSystemd ? false : 'systemd-analyze is not installed' },
  async (t) => {
    // Its executables are not installed here: stand-ins, so that only the unit itself is judged.
    const folder = t.testdir();
    const installed = join(folder, 'drivemcp@can0.service');
    const text = readFileSync(unit, 'utf8').replace(/(ExecStart(?:Pre)?=\+?)\S+/g, '$1/bin/true');
    writeFileSync(installed, text);
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', installed], {
      encoding: 'utf8',
    });
    const ours = stderr.split('\n').filter((line) => line.includes('drivemcp'));
    t.same(ours, []);
    t.equal(status, 0, stderr);
  },
);
