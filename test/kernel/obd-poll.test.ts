/**
 * `obd poll` on a real kernel against simulated control units: what it finds out, what really was on the bus, how it takes
 * answers that are late, double, foreign or broken, and when it does not ask at all.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { FRAME_STRIDE, FrameBatch } from '../../daemon/core/can/frame-batch.js';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { NativePort } from '../../daemon/sources/can/native-port.js';
import { type CanRxModule, loadCanRx, loadObdTx, type ObdTxModule } from '../../native/index.js';
import { drivemcpScript } from '../helpers/paths.js';
import { addVcan, ip, kernelSkip, sender, until } from './bus.js';

const obdTx = loadObdTx();
const skip = kernelSkip() || (obdTx.module === null && `native module missing: ${obdTx.reason}`);
const timeout = 120_000;

interface Frame {
  readonly tUs: number;
  readonly id: number;
  readonly data: readonly number[];
}

/** Everything that is on a bus, with the kernel's receive times. */
function recorder(t: Test, name: string): () => Frame[] {
  const port = new NativePort(loadCanRx().module as CanRxModule, name);
  t.teardown(() => port.close());
  const frames: Frame[] = [];
  return () => {
    const batch = new FrameBatch(4096);
    const times = new Float64Array(4096);
    port.drain(batch, 0, times);
    for (let i = 0; i < batch.count; i++) {
      const at = i * FRAME_STRIDE;
      frames.push({
        tUs: times[i]!,
        id: batch.id[i]!,
        data: [...batch.data.subarray(at, at + batch.length[i]!)],
      });
    }
    return frames;
  };
}

const isRequestId = (id: number): boolean =>
  id === 0x7df || (id >= 0x7e0 && id <= 0x7e7) || id >> 16 === 0x18db || (id & 0xffff00ff) === 0x18da00f1;
const requestsOf = (frames: readonly Frame[]): Frame[] =>
  frames.filter(({ id, data }) => isRequestId(id) && data[0]! >> 4 !== 3);

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly lines: Record<string, unknown>[];
  readonly summary: Record<string, number> & { end: string; ecus: unknown[] };
}

function command(
  t: Test,
  args: readonly string[],
): { child: ChildProcess; stderr(): string; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [drivemcpScript, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (code) => {
      const told = stderr.split('\n').find((line) => line.startsWith('{"summary"'));
      const { summary } = JSON.parse(told ?? '{"summary":{}}') as Pick<Ended, 'summary'>;
      const lines = stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      resolve({ code, stdout, stderr, lines, summary });
    }),
  );
  return { child, stderr: () => stderr, ended };
}

async function ecus(t: Test, name: string, script?: object): Promise<{ stop(): Promise<Ended> }> {
  addVcan(name);
  t.teardown(() => spawnSync('ip', ['link', 'del', name]));
  const args = ['hil', 'ecu', name, '--json'];
  if (script !== undefined) {
    const file = join(t.testdir(), 'ecus.json');
    writeFileSync(file, JSON.stringify(script));
    args.push('--script', file);
  }
  const running = command(t, args);
  await until(() => running.stderr().includes('answer on') || running.child.exitCode !== null);
  return {
    stop: () => {
      running.child.kill('SIGINT');
      return running.ended;
    },
  };
}

const poll = (t: Test, name: string, ...args: string[]): Promise<Ended> =>
  command(t, ['obd', 'poll', name, '--allow-requests', '--json', ...args]).ended;

t.test('values, codes and VIN of two control units; what was on the bus', { skip, timeout }, async (t) => {
  const units = await ecus(t, 'vcan20');
  const frames = recorder(t, 'vcan20');
  const result = await poll(t, 'vcan20', '--once', '--addressing', '11');
  t.equal(result.code, 0, result.stderr);
  const find = (ecu: string, service: string, pid?: string) =>
    result.lines.find((line) => line['ecu'] === ecu && line['service'] === service && line['pid'] === pid);
  t.match(find('7E8', '01', '0C'), { values: { RPM: { value: 820 } } });
  t.match(find('7E9', '01', '0D'), { values: { VSS: { value: 0 } } });
  t.match(find('7E8', '09', '02'), { vin: 'WDRVMCPSM0LATE017' }, 'three frames, put together by the kernel');
  t.match(find('7E8', '03'), { dtcs: [{ code: 'P0133' }] });
  t.match(find('7E9', '03'), { dtcs: [{ code: 'U0100' }] }, 'both answers to one functional question');
  t.match(find('7E8', '07'), { dtcs: [{ code: 'P0420' }] });
  t.match(result.summary, { end: 'done', unexpected: 0, wrong_source: 0, malformed: 0 });
  const requests = requestsOf(frames());
  t.equal(requests.length, result.summary['requests']);
  const guard = obdTx.module as ObdTxModule;
  for (const { id, data } of requests)
    t.equal(guard.checkRequest(id, id > 0x7ff, Uint8Array.from(data.slice(1, 1 + data[0]!))), 0);
  t.ok(
    requests.every(
      ({ data }) => data.length === 8 && data.slice(1 + data[0]!).every((byte) => byte === 0xcc),
    ),
    'eight bytes, padded',
  );
  // Stamped where they are received, after the sender's own clock: hence the tolerance, for the stamps alone.
  const gaps = requests.slice(1).map(({ tUs }, i) => tUs - requests[i]!.tUs);
  const spanUs = requests.at(-1)!.tUs - requests[0]!.tUs;
  t.ok(
    spanUs >= (requests.length - 1) * 99_000,
    `${requests.length} requests in ${spanUs} µs, least gap ${Math.min(...gaps)}`,
  );
  const controls = frames().filter(({ id, data }) => isRequestId(id) && data[0]! >> 4 === 3);
  t.same(
    [...new Set(controls.map(({ id }) => id))],
    [0x7e0],
    'flow controls to the one that answers at length',
  );
  t.match((await units.stop()).lines[0], { functional_flow_controls: 0, forbidden: 0 });
});

t.test('29-bit identifiers, found by themselves', { skip, timeout }, async (t) => {
  const vin = 'WDRVMCPSM0LATE018';
  const pids = { '0C': '0CD0', '42': '3714' };
  await ecus(t, 'vcan21', {
    ecus: [
      { answer: '18DAF110', pids, vin },
      { answer: '18DAF118', pids: { '0D': '00' } },
    ],
  });
  const result = await poll(t, 'vcan21', '--once');
  t.equal(result.code, 0, result.stderr);
  t.match(
    result.lines.find((line) => line['pid'] === '0D'),
    { id: '18DAF118', values: { VSS: { value: 0 } } },
  );
  t.match(
    result.lines.find((line) => line['pid'] === '02'),
    { id: '18DAF110', vin },
  );
});

const idling = { '0C': '0CD0', '0D': '00', '05': '7B', '10': '0190', '11': '26', '42': '3714' };

t.test(
  'slow, double, foreign, pending, busy, refused: counted by name, the rest goes on',
  { skip, timeout },
  async (t) => {
    const calm = Array<string>(4).fill('answers');
    const behaviour = [
      ...calm,
      'slow',
      'twice',
      'for_another',
      'wrong_source',
      'pending',
      'busy',
      'refuses',
      'short',
      'silent',
    ];
    await ecus(t, 'vcan22', { ecus: [{ answer: '7E8', pids: idling, behaviour }] });
    const result = await poll(
      t,
      'vcan22',
      '--addressing',
      '11',
      '--pids',
      '05,0C,0D,10,11,42',
      '--seconds',
      '12',
      '--interval',
      '0.1',
    );
    const { summary } = result;
    for (const name of [
      'late',
      'duplicates',
      'unexpected',
      'wrong_source',
      'pending',
      'negative',
      'unanswered',
    ])
      t.ok(Number(summary[name]) > 0, `${name}: ${summary[name]}`);
    t.ok(Number(summary['answers']) > 10, 'and what is right is taken');
    for (const line of result.lines) {
      if (line['pid'] === '0C' && line['values'] !== undefined)
        t.match(line, { ecu: '7E8', values: { RPM: { value: 820 } } }, 'no value of another question or ECU');
    }
  },
);

t.test('a long answer that breaks off or loses a frame gives no VIN', { skip, timeout }, async (t) => {
  for (const [i, damage] of ['breaks_off', 'skips_a_frame'].entries()) {
    const name = `vcan2${3 + i}`;
    await ecus(t, name, {
      ecus: [{ answer: '7E8', pids: idling, vin: 'WDRVMCPSM0LATE017', behaviour: [damage] }],
    });
    const result = await poll(t, name, '--addressing', '11', '--once');
    t.equal(result.code, 0, result.stderr);
    t.notOk(
      result.lines.some((line) => 'vin' in line),
      damage,
    );
    t.ok(Number(result.summary['broken']) > 0, `${damage}: ${result.summary['broken']} broken`);
    t.match(
      result.lines.find((line) => line['pid'] === '0C'),
      { values: { RPM: { value: 820 } } },
    );
  }
});

t.test(
  'not one frame without permission, on a silent bus, or into a bus that takes none',
  { skip, timeout },
  async (t) => {
    addVcan('vcan25');
    t.teardown(() => spawnSync('ip', ['link', 'del', 'vcan25']));
    const frames = recorder(t, 'vcan25');
    const refused = await command(t, ['obd', 'poll', 'vcan25', '--silent-bus']).ended;
    t.equal(refused.code, 2);
    t.match(refused.stderr, '--allow-requests');
    const silent = await poll(t, 'vcan25', '--seconds', '3');
    t.match([silent.code, silent.summary['requests'], silent.summary.end], [0, 0, 'interrupted']);
    t.same(frames(), []);
    const drop = packageFile('systemd', 'can-egress-drop');
    if (spawnSync(drop, ['install', 'vcan25']).status === 0) {
      const full = await poll(t, 'vcan25', '--silent-bus', '--addressing', '11');
      t.match([full.code, full.summary.end, full.summary['requests']], [69, 'no_answers', 0]);
      t.ok(Number(full.summary['send_retries']) > 3, 'ENOBUFS is tried again');
      t.equal(full.summary['send_failures'], 3, 'until the deadline, and three rounds of it');
      t.same(frames(), []);
      spawnSync(drop, ['remove', 'vcan25']);
    }
    const nobody = await poll(t, 'vcan25', '--silent-bus', '--addressing', '11');
    t.match([nobody.code, nobody.summary.end], [69, 'no_answers']);
    t.equal(requestsOf(frames()).length, 3, 'three questions, then silence');
    const gone = await poll(t, 'nosuch0');
    t.equal(gone.code, 69);
  },
);

t.test('low voltage, another tester, an interface that goes away', { skip, timeout }, async (t) => {
  await ecus(t, 'vcan26', { ecus: [{ answer: '7E8', pids: { ...idling, '0C': '0000', '42': '3060' } }] });
  const frames = recorder(t, 'vcan26');
  const low = await poll(t, 'vcan26', '--addressing', '11');
  t.match([low.code, low.summary.end], [1, 'low_voltage']);
  t.ok(requestsOf(frames()).length <= 5, 'maps, voltage, engine speed, no more');

  await ecus(t, 'vcan27', { ecus: [{ answer: '7E8', pids: idling }] });
  const disturbed = command(t, ['obd', 'poll', 'vcan27', '--allow-requests', '--json', '--addressing', '11']);
  const seen = recorder(t, 'vcan27');
  await until(() => requestsOf(seen()).length >= 8);
  const other = sender('vcan27');
  other.send(0x7df, [2, 1, 0, 0, 0, 0, 0, 0]);
  const ended = await disturbed.ended;
  other.stop();
  t.match([ended.code, ended.summary.end], [69, 'other_tester']);

  await ecus(t, 'vcan28', { ecus: [{ answer: '7E8', pids: idling }] });
  const cut = command(t, [
    'obd',
    'poll',
    'vcan28',
    '--allow-requests',
    '--json',
    '--addressing',
    '11',
    '--interval',
    '0.1',
  ]);
  const heard = recorder(t, 'vcan28');
  await until(() => requestsOf(heard()).length >= 8);
  ip('link set vcan28 down');
  await until(() => cut.stderr().includes('vcan28 is down'));
  ip('link set vcan28 up');
  const neighbour = sender('vcan28'); // the simulated unit does not outlive its interface
  t.teardown(() => neighbour.stop());
  const before = requestsOf(heard()).length;
  await until(() => {
    neighbour.send(0x100, [0]);
    return requestsOf(heard()).length > before;
  });
  spawnSync('ip', ['link', 'del', 'vcan28']);
  const after = await cut.ended;
  t.match([after.code, after.summary.end], [69, 'transport_lost'], after.stderr);
});

t.test('the process is sealed: its sockets send through the guard alone', { skip, timeout }, async (t) => {
  const child = spawnSync(process.execPath, [fileURLToPath(new URL('./obd-sealed.js', import.meta.url))], {
    encoding: 'utf8',
  });
  t.equal(child.status, 0, child.stderr);
  const told = JSON.parse(child.stdout) as Record<string, string>;
  t.match(told, {
    sealed: '0',
    locked: '0',
    write: 'EPERM',
    inherit: /EPERM|spawn/,
    secondSocket: 'refused',
    guarded: '0',
    tooSoon: '16',
    forbidden: 'RangeError',
  });
});
