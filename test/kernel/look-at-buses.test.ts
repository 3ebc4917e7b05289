/** `can record` and `can monitor` on a real kernel: what was sent is what is in the log and on the table. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { drivemcp } from '../helpers/command.js';
import { drivemcpScript, fixture } from '../helpers/paths.js';
import { addVcan, ip, kernelSkip, sender, until } from './bus.js';

const skip = kernelSkip();

/** The command on an interface of its own; resolves when it has said that it is up. */
async function onBus(t: Test, name: string, args: readonly string[]) {
  addVcan(name);
  t.teardown(() => spawnSync('ip', ['link', 'del', name]));
  const child = spawn(process.execPath, [drivemcpScript, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await until(() => stderr.includes('→ up') || child.exitCode !== null);
  return { child, ended, stdout: () => stdout, stderr: () => stderr };
}

t.test('can record: every frame, as candump writes it, until Ctrl-C', { skip }, async (t) => {
  const out = join(t.testdir(), 'drive.log');
  const recorder = await onBus(t, 'vcan9', ['can', 'record', 'vcan9', '--out', out, '--json']);
  const bus = sender('vcan9');
  bus.send(0x123, [0xde, 0xad]);
  bus.send(0x18fef100, [1, 2, 3, 4, 5, 6, 7, 8], { ext: true });
  bus.send(0x7ff, [], { rtr: true });
  for (let i = 0; i < 5000; i++) bus.send(0x100, [i & 255, i >> 8]);
  bus.send(0x555, []);
  await until(() => readFileSync(out, 'utf8').includes('555#'));
  ip('link set vcan9 down');
  await until(() => recorder.stderr().includes('up → down'));
  bus.stop();
  recorder.child.kill('SIGINT');
  t.equal(await recorder.ended, 0, recorder.stderr());
  const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
  t.equal(lines.length, 5004);
  t.match(lines[0], /^\(\d{10}\.\d{6}\) vcan9 123#DEAD$/);
  t.match(lines[1], / vcan9 18FEF100#0102030405060708$/);
  t.match(lines[2], / vcan9 7FF#R$/);
  t.match(JSON.parse(recorder.stdout()), {
    frames: 5004,
    interfaces: [{ name: 'vcan9', state: 'down', kernel_drops: 0, ring_drops: 0, outages: 1 }],
  });
  const again = await drivemcp(['can', 'record', 'vcan0', '--out', out, '--seconds', '1']);
  t.equal(again.code, 2, 'never written over');
  t.equal(readFileSync(out, 'utf8').trimEnd().split('\n').length, 5004);
  const full = await drivemcp(['can', 'record', 'vcan0', '--out', '/proc/nowhere.log', '--seconds', '1']);
  t.equal(full.code, 69);
  t.match(full.stderr, 'FILE_UNWRITABLE');
});

t.test(
  'can record --count ends by itself, with --profile the kernel leaves out the rest',
  { skip },
  async (t) => {
    const folder = t.testdir();
    const profile = join(folder, 'profile.json');
    writeFileSync(
      profile,
      JSON.stringify({
        profile: 1,
        name: 'test',
        dbc: [{ file: 'test-car.dbc' }],
        signals: { 'ESP_STATE.VEH_SPEED': { vss: 'Vehicle.Speed' } },
      }),
    );
    const out = join(folder, 'speed.log');
    const recorder = await onBus(t, 'vcan10', [
      'can',
      'record',
      'vcan10',
      '--out',
      out,
      '--count',
      '3',
      '--profile',
      profile,
      '--dbc',
      fixture('vehicles', 'test-car.dbc'),
    ]);
    const bus = sender('vcan10');
    t.teardown(() => bus.stop());
    for (let i = 0; i < 4; i++) {
      bus.send(0x001, [1]);
      bus.send(0x100, [i, 0, 0, 0, 0, 0, 0, 0]);
    }
    t.equal(await recorder.ended, 0, recorder.stderr());
    t.same(readFileSync(out, 'utf8').match(/ \w+#/g), [' 100#', ' 100#', ' 100#']);
  },
);

t.test('can monitor: rates, values with unit, state with advice', { skip }, async (t) => {
  const dbc = fixture('vehicles', 'test-car.dbc');
  const monitor = await onBus(t, 'vcan11', ['can', 'monitor', 'vcan11', '--dbc', dbc, '--json']);
  const bus = sender('vcan11');
  const timer = setInterval(() => {
    bus.send(0x100, [0x13, 0x88, 0, 0, 0, 0, 0, 0]);
    bus.send(0x777, [1]);
  }, 20);
  t.teardown(() => clearInterval(timer));
  const objects = () =>
    monitor
      .stdout()
      .split('\n')
      .slice(0, -1)
      .map(
        (line) =>
          JSON.parse(line) as { messages: Record<string, unknown>[]; interfaces: Record<string, unknown>[] },
      );
  await until(() =>
    objects().some(({ messages }) => messages.length === 2 && Number(messages[0]!['rate_hz']) > 0),
  );
  t.match(objects().at(-1)?.messages, [
    { id: 0x100, name: 'ESP_STATE', signals: { VEH_SPEED: { value: 50, unit: 'km/h' } } },
    { id: 0x777, name: null, data: '01' },
  ]);
  clearInterval(timer);
  bus.stop();
  ip('link set vcan11 down');
  await until(() => objects().at(-1)?.interfaces[0]?.['state'] === 'down');
  t.match(objects().at(-1)?.interfaces[0], { advice: /ip link set vcan11/ });
  monitor.child.kill('SIGINT');
  t.equal(await monitor.ended, 0, monitor.stderr());
});

t.test('can detect: a virtual bus has no bit rate, and nothing is changed', { skip }, async (t) => {
  const result = await drivemcp(['can', 'detect', 'vcan0', '--yes-reconfigure']);
  t.equal(result.code, 69);
  t.match(result.stderr, 'no bit rate');
  t.equal((await drivemcp(['can', 'detect', 'nosuch0', '--yes-reconfigure'])).code, 69);
});
