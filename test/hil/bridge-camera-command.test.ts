/** The camera of the built bridge: hung on the ego of a served world, seen by viewers, gone at the end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { drivemcp } from '../helpers/command.js';
import { drivemcpScript } from '../helpers/paths.js';
import { decode } from './camera-pictures.js';
import { RtspPlayer } from './rtsp-player.js';
import { busyTown, serveWorld } from './serve-world.js';

/** Runs the bridge until its camera listens. */
async function bridge(t: Test, rpcPort: number, ...more: string[]) {
  const args = ['hil', 'bridge', `127.0.0.1:${rpcPort}`, '--mjpeg', '0', '--rtsp', '0', '--json'];
  const child = spawn(process.execPath, [drivemcpScript, ...args, '--camera-size', '320x184@20', ...more]);
  t.teardown(() => child.kill('SIGKILL'));
  let [told, printed] = ['', ''];
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  child.stderr.on('data', (chunk) => {
    told += chunk;
  });
  while (!/rtsp:/.test(told)) await once(child.stderr, 'data');
  const base = /http:\/\/[^/]+/.exec(told)?.[0] ?? '';
  return {
    base,
    rtspPort: Number(/rtsp:\/\/[^:]+:(\d+)/.exec(told)?.[1]),
    told: () => told,
    /** the first picture that is not `but` */
    async snapshot(but: string | null = null): Promise<Response> {
      for (;;) {
        const response = await fetch(`${base}/snapshot.jpg`);
        if (response.status === 200 && response.headers.get('x-frame') !== but) return response;
        await response.arrayBuffer();
      }
    },
    async end(signal: NodeJS.Signals) {
      const closed = once(child, 'close');
      child.kill(signal);
      const [code] = await closed;
      return { code, last: JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Record<string, unknown> };
    },
  };
}

t.test('as owner of the ticks: there is something to see, for browsers and players', async (t) => {
  const { server } = await serveWorld(t, '0.9.15', busyTown);
  const running = await bridge(t, server.ports.rpc);
  const { width, height, rgb } = decode(Buffer.from(await (await running.snapshot()).arrayBuffer()));
  t.same([width, height], [320, 184]);
  for (const channel of [0, 1, 2]) {
    const values = rgb.filter((_, i) => i % 3 === channel);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    t.ok(Math.sqrt(variance) > 10, 'there is something to see');
  }
  const player = await RtspPlayer.open(running.rtspPort);
  const url = 'rtsp://127.0.0.1/camera';
  const set = await player.ask('SETUP', url, { Transport: 'RTP/AVP/TCP;interleaved=0-1' });
  await player.ask('PLAY', url, { Session: set.headers.get('session') ?? '' });
  t.match((await player.pictures(3))[2], { widthPx: 320, heightPx: 184 });
  t.match(await running.end('SIGINT'), { code: 0, last: { outputs: { camera: { lost: false } } } });
  t.equal(server.episode.sensors.size, 0);
  t.equal(server.settings.synchronousMode, false);
});

t.test(
  'in a world that others move: times of the picture itself; a camera that goes takes nothing along',
  async (t) => {
    const { server, open } = await serveWorld(t, '0.9.15', busyTown);
    const running = await bridge(t, server.ports.rpc, '--sync', 'async');
    const [one, other] = [await running.snapshot(), await running.snapshot('0')];
    const next = await running.snapshot(other.headers.get('x-frame'));
    const seconds = (response: Response, name: string): number => Number(response.headers.get(name));
    const between = (response: Response): number =>
      seconds(response, 'x-world-time-s') - seconds(response, 'x-simulated-time-s');
    t.ok(Math.abs(between(one) - between(next)) < 5e-6, 'one offset between the clock of the world and ours');
    for (const response of [one, next]) {
      const [came, ready, sent] = ['received', 'ready', 'sent'].map((what) =>
        seconds(response, `x-${what}-wall-s`),
      ) as [number, number, number];
      t.ok(
        came <= ready && ready <= sent && Math.abs(sent - Date.now() / 1000) < 60,
        `${came} ${ready} ${sent}`,
      );
    }
    const guest = await open({ sync: 'async' });
    const isCamera = ({ description }: { description: { id: string } }): boolean =>
      description.id === 'sensor.camera.rgb';
    const camera = [...server.episode.sensors.values()].find(isCamera)?.id ?? 0;
    await guest.rpc.call(guest.methods.destroyActor, camera);
    for (let status = 200; status !== 503; ) {
      const response = await fetch(`${running.base}/snapshot.jpg`);
      await response.arrayBuffer();
      ({ status } = response);
    }
    t.match(running.told(), /gives nothing any more/);
    const { code, last } = await running.end('SIGTERM');
    t.equal(code, 0);
    t.match(last, { event: 'ended', outputs: { camera: { lost: true }, can: {} } });
  },
);

t.test('what cannot be is refused before a server is asked', async (t) => {
  for (const [args, stderr] of [
    [['--mjpeg', '0.0.0.0:0'], /can be reached by other machines/],
    [['--rtsp', '[::]:8554'], /can be reached by other machines/],
    [['--rtsp', 'localhost.example:1'], /no address to listen at/],
    [['--mjpeg', '0', '--camera-size', '641x360'], /multiples of 8/],
    [['--mjpeg', '0', '--camera-size', '640x360@0'], /multiples of 8/],
    [['--candump', '-', '--camera-size', '640x360'], /--camera-size says how to serve/],
  ] as const)
    t.match(await drivemcp(['hil', 'bridge', '127.0.0.1:9', ...args]), { code: 2, stderr }, args.join(' '));
});
