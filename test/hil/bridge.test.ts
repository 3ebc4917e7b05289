/** The ego of a served world as a car on a bus: what the frames say, how it ends, what is put back. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { drivemcp } from '../helpers/command.js';
import { busyTown, serveWorld } from './serve-world.js';

t.test(
  'hil bridge writes a log that an unmodified run decides on, and leaves the server as it was',
  async (t) => {
    const { server } = await serveWorld(t, '0.9.15', busyTown);
    const dir = t.testdir();
    const log = join(dir, 'drive.log');
    const car = join(dir, 'car');
    const args = [
      'hil',
      'bridge',
      `127.0.0.1:${server.ports.rpc}`,
      '--pacing',
      'lockstep',
      '--duration-s',
      '10',
    ];
    const bridged = await drivemcp([...args, '--candump', log, '--write-dbc', car, '--json']);
    t.equal(bridged.code, 0, bridged.stderr);
    const ended = bridged.objects().at(-1) as Record<string, unknown>;
    t.match(ended, { event: 'ended', steps: 200, is_ours: true, reconnects: 0 });
    t.match(bridged.stderr, /spawned vehicle.drivemcp.estate as the ego/);
    t.equal(server.settings.synchronousMode, false);
    t.equal(server.episode.sensors.size, 0);
    t.notOk([...server.episode.world.actors.values()].some(({ roleName }) => roleName === 'hero'));

    const lines = readFileSync(log, 'utf8').trim().split('\n');
    t.match(ended['outputs'], { can: { frames: lines.length, 'candump.frames': lines.length } });
    // 100 messages of 10 ms, 5 × 50 of 20 ms … a second, a first step without them.
    t.ok(Math.abs(lines.length / 10 - 326) < 8, `${lines.length / 10} frames a second`);
    const run = await drivemcp([
      'run',
      '--source',
      log,
      '--profile',
      car,
      '--state',
      join(dir, 'state'),
      '--json',
    ]);
    t.equal(run.code, 0, run.stderr);
    const { summary } = run.objects().at(-1) as { summary: Record<string, unknown> };
    t.match(summary['input'], { frames: lines.length });
  },
);

t.test('what cannot be is refused before anything is asked of a server', async (t) => {
  t.match(await drivemcp(['hil', 'bridge']), { code: 2, stderr: /where to/ });
  t.match(await drivemcp(['hil', 'bridge', '--candump', '-', '--json']), {
    code: 2,
    stderr: /both want standard/,
  });
  t.match(await drivemcp(['hil', 'bridge', '--candump', '-', '--step-ms', '0']), { code: 2 });
  t.match(await drivemcp(['hil', 'bridge', '--candump', '-', '--sync', 'async', '--step-ms', '20']), {
    code: 2,
  });
  t.match(await drivemcp(['hil', 'bridge', 'a:b:c', '--candump', '-']), { code: 2, stderr: /HOST:PORT/ });
});
