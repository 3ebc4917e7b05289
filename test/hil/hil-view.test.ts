/** `hil view`: what it draws, what it serves and refuses, how it follows a server, and the page in a real browser. */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { get, request } from 'node:http';
import { connect as tcpConnect } from 'node:net';
import { createInterface } from 'node:readline';
import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { carlaProfiles } from '../../hil/carla/profile/profile.js';
import { writeImage } from '../../hil/carla/stream/sensor-data.js';
import { readOpenDrive } from '../../hil/opendrive/read-map.js';
import { mapNames, mapText } from '../../hil/sim/maps/map-catalogue.js';
import { sensorProducers } from '../../hil/sim/server/producers.js';
import type { SensorMoment } from '../../hil/sim/server/sensor-actor.js';
import { SimServer } from '../../hil/sim/server/sim-server.js';
import type { WorldScenario } from '../../hil/sim/world/world-scenario.js';
import { drawingOf } from '../../hil/view/map-drawing.js';
import { ViewServer } from '../../hil/view/serve-view.js';
import { assemblePage } from '../../hil/view/view-page.js';
import type { ViewState } from '../../hil/view/view-state.js';
import { WorldWatch } from '../../hil/view/world-watch.js';
import { browserMissing, openBrowser } from '../helpers/browser.js';
import { drivemcp } from '../helpers/command.js';
import { drivemcpScript } from '../helpers/paths.js';
import { busyTown, quietTown } from './serve-world.js';

type Teardown = { teardown(run: () => unknown): void };

const part = (name: string): string => readFileSync(packageFile('hil', 'view', 'page', name), 'utf8');
const page = assemblePage({
  html: part('page.html'),
  css: part('page.css'),
  script: part('draw-world.js') + part('page.js'),
});

/** A camera that sees red on the left and blue on the right: the orders of rows and of colours show. */
function twoColours({ attribute }: SensorMoment): Buffer {
  const [widthPx, heightPx] = [attribute('image_size_x'), attribute('image_size_y')];
  const bgra = Buffer.alloc(4 * widthPx * heightPx);
  for (let i = 0; i < widthPx * heightPx; i++) bgra[4 * i + (i % widthPx < widthPx / 2 ? 2 : 0)] = 255;
  return writeImage({ widthPx, heightPx, fovDeg: 90, bgra });
}

async function simulator(t: Teardown, port = 0, isSynchronous = false, scenario: WorldScenario = quietTown) {
  const server = new SimServer({
    host: '127.0.0.1',
    port,
    profile: carlaProfiles['0.9.15'],
    scenario,
    producers: new Map([...sensorProducers('view'), ['sensor.camera.rgb', twoColours]]),
    version: '0.9.15',
    isSynchronous,
    speed: 1,
  });
  await server.start();
  t.teardown(() => server.stop());
  return server;
}

/** A simulator on a port whose next one is free too, so that another one can take its place. */
async function onPair(t: Teardown): Promise<SimServer> {
  for (let port = 21_000 + 2 * (process.pid % 4000); ; port += 2) {
    try {
      return await simulator(t, port);
    } catch (error) {
      if ((error as { code?: string }).code !== 'SIM_PORT_TAKEN') throw error;
    }
  }
}

async function watching(t: Teardown, port: number): Promise<WorldWatch> {
  const watch = new WorldWatch({
    host: '127.0.0.1',
    port,
    timeoutMs: 5000,
    wantsCamera: true,
    displays: () => null,
  });
  await watch.start();
  t.teardown(() => watch.stop());
  return watch;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
}

t.test('every bundled map as a drawing: closed, finite, within its bounds', (t) => {
  for (const name of mapNames) {
    const map = readOpenDrive(mapText(name), name);
    const { surfaces, marks, signs, bounds } = drawingOf(map);
    t.ok(marks.length > 0 && signs.length > 0, name);
    const [minX, minY, maxX, maxY] = bounds;
    let areaM2 = 0;
    for (const { points } of surfaces) {
      t.equal(points.every(Number.isFinite) && points.length >= 8, true, `${name}: a ring of numbers`);
      let twice = 0;
      for (let i = 0; i < points.length; i += 2) {
        const [x, y] = [points[i] as number, points[i + 1] as number];
        const [nextX, nextY] = [points[(i + 2) % points.length], points[(i + 3) % points.length]] as number[];
        twice += x * (nextY as number) - (nextX as number) * y;
        if (x < minX - 20 || x > maxX + 20 || y < minY - 20 || y > maxY + 20) t.fail(`${x}, ${y} is outside`);
      }
      areaM2 += Math.abs(twice) / 2;
    }
    // A lane is as long as its road and as wide as it says: between 1.5 and 3.75 m here.
    let laneM = 0;
    for (const road of map.roads.values())
      for (const section of road.sections)
        laneM += (section.toM - section.fromM) * (section.lanes.length - 1);
    t.ok(
      areaM2 > laneM * 1.4 && areaM2 < laneM * 4,
      `${name}: ${areaM2.toFixed(0)} m² on ${laneM.toFixed(0)} m`,
    );
  }
  t.end();
});

t.test(
  'it follows another map and another server on the same port, and says when the world stands still',
  async (t) => {
    const first = await onPair(t);
    const { rpc } = first.ports;
    const watch = await watching(t, rpc);
    await until(() => watch.state.status === 'live');
    t.match(watch.drawing, { name: 'town-deu' });
    const { map_version } = watch.state;
    first.load('rural-pol');
    await until(() => watch.state.status === 'live' && watch.state.map_version > map_version);
    t.match(watch.drawing, { signs: [{ unit: 'km/h' }] });
    await first.stop();
    await until(() => watch.state.status === 'connecting');
    const second = new SimServer({ ...first.options, port: rpc, isSynchronous: true });
    await second.start();
    t.teardown(() => second.stop());
    await second.tick();
    const ticking = setInterval(() => void second.tick(), 50);
    await until(() => watch.state.status === 'live');
    clearInterval(ticking);
    await until(() => watch.state.status === 'still');
    t.match(watch.state.message, /nobody ticks/);
  },
);

t.test('a viewer that does not read misses states, then is cut off; others see them all', async (t) => {
  const server = await simulator(t, 0, false, busyTown);
  const watch = await watching(t, server.ports.rpc);
  await until(() => watch.state.actors.length > 20);
  const view = new ViewServer(watch, page, { periodMs: 1, maxWaitingBytes: 65_536, cutAfterMs: 50 });
  const port = await view.listen(0);
  t.teardown(() => view.close());
  const slow = tcpConnect(port, '127.0.0.1');
  slow.write(`GET /state HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  slow.pause();
  t.teardown(() => slow.destroy());
  let states = 0;
  const reader = get({ host: '127.0.0.1', port, path: '/state' }, (response) => {
    response.on('data', () => states++);
    response.on('error', () => {});
  });
  reader.on('error', () => {});
  await until(() => view.counters.cutViewers > 0);
  t.ok(view.counters.skippedStates > 0);
  const seen = states;
  await until(() => states > seen + 5);
  for (let i = 0; i < 20; i++)
    get({ host: '127.0.0.1', port, path: '/state' }, (response) => response.resume()).on('error', () => {});
  await until(() => view.counters.refusedViewers > 0);
});

const [car] = quietTown.vehicles;
const withEgo: WorldScenario = {
  ...quietTown,
  ego:
    car === undefined
      ? null
      : { ...car, roleName: 'hero', place: { ...car.place, lane: 1 }, brain: 'driver' },
};

/** A picture, however long a busy machine draws it: 204 says that there is none yet. */
async function pictureOf(port: number, path: string): ReturnType<typeof ask> {
  for (;;) {
    const answer = await ask(port, path);
    if (answer.status !== 204) return answer;
  }
}

t.test('the camera is hung on the ego when somebody looks, and is gone at the end', async (t) => {
  const server = await simulator(t, 0, false, withEgo);
  const watch = await watching(t, server.ports.rpc);
  const view = new ViewServer(watch, page);
  const port = await view.listen(0);
  t.teardown(() => view.close());
  await until(() => watch.state.status === 'live');
  t.equal(server.episode.sensors.size, 0, 'nobody has looked');
  const first = await pictureOf(port, '/camera');
  t.match(first, { status: 200, headers: { 'x-width': '640', 'x-height': '360' } });
  t.equal(server.episode.sensors.size, 1);
  const second = await pictureOf(port, `/camera?after=${first.headers['x-frame']}`);
  t.ok(Number(second.headers['x-frame']) > Number(first.headers['x-frame']), 'a newer one');
  server.episode.world.destroy(server.episode.world.egoId ?? 0);
  await watch.stop();
  t.equal(server.episode.sensors.size, 0);
});

t.test('no ego, no picture: the reason comes instead', async (t) => {
  const server = await simulator(t);
  const watch = await watching(t, server.ports.rpc);
  const view = new ViewServer(watch, page);
  const port = await view.listen(0);
  t.teardown(() => view.close());
  const { status, headers } = await ask(port, '/camera');
  t.equal(status, 204);
  t.match(decodeURIComponent(String(headers['x-note'])), /role hero/);
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

function ask(port: number, path: string, options: { host?: string; method?: string } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { host = `127.0.0.1:${port}`, method = 'GET' } = options;
    request({ host: '127.0.0.1', port, path, method, headers: { Host: host } }, (response) => {
      const chunks: Buffer[] = [];
      const done = (): void =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        });
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        // An event stream does not end: its first message is enough.
        if (path === '/state' && chunk.includes('\n\n')) {
          done();
          response.destroy();
        }
      });
      response.on('end', done);
      response.on('error', () => {});
    })
      .on('error', reject)
      .end();
  });
}

async function viewCommand(t: Teardown, args: readonly string[]) {
  const child = spawn(process.execPath, [drivemcpScript, 'hil', 'view', '--json', '--port', '0', ...args]);
  t.teardown(() => child.kill('SIGKILL'));
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async () => JSON.parse((await lines.next()).value as string) as Record<string, unknown>;
  const { url } = await read();
  return {
    url: String(url),
    port: Number(new URL(String(url)).port),
    async end() {
      child.kill('SIGINT');
      return { last: await read(), code: await exit };
    },
  };
}

t.test('the command: page, policy, map, states; other hosts, methods and paths are refused', async (t) => {
  const view = await viewCommand(t, ['--scenario', 'gantries']);
  const { status, headers, text } = await ask(view.port, '/');
  t.equal(status, 200);
  const policy = String(headers['content-security-policy']);
  t.match(policy, /default-src 'none'/);
  for (const tag of ['style', 'script']) {
    const inner = new RegExp(`<${tag}>([\\s\\S]*)</${tag}>`).exec(text)?.[1] ?? '';
    t.match(policy, `sha256-${createHash('sha256').update(inner).digest('base64')}`);
  }
  t.notMatch(text, /(src|href)=["']?(https?:)?\/\//, 'no resource from elsewhere');
  const map = JSON.parse((await ask(view.port, '/map')).text) as { drawing: { signs: unknown[] } };
  t.ok(map.drawing.signs.length > 10);
  let state: ViewState | null = null;
  while (state?.status !== 'live')
    state = JSON.parse((await ask(view.port, '/state')).text.slice('data: '.length)) as ViewState;
  t.match(state, {
    ego: { place: 'DEU motorway', unit: 'km/h', limit: null },
    displays: { 'gantry-2-1': { value: 120 } },
  });
  t.ok(state.actors.some(({ id, k, v }) => id === state?.ego?.id && k === 'v' && v > 20));
  const picture = await pictureOf(view.port, '/camera');
  t.match(
    picture,
    { status: 200, headers: { 'x-width': '640', 'x-height': '360' } },
    "the simulator's own camera",
  );
  t.equal((await ask(view.port, '/', { host: 'evil.example' })).status, 403);
  t.equal((await ask(view.port, '/', { method: 'POST' })).status, 405);
  for (const path of ['/../package.json', '//', '//[', 'http://['])
    t.equal((await ask(view.port, path)).status, 404, path);
  t.match(await view.end(), { code: 0, last: { event: 'ended', refused_requests: 6 } });
});

t.test('nobody there, or two worlds at once', async (t) => {
  const [nobody, both] = await Promise.all([
    drivemcp(['hil', 'view', '127.0.0.1:9', '--port', '0']),
    drivemcp(['hil', 'view', '127.0.0.1:2000', '--scenario', 'border']),
  ]);
  t.equal(nobody.code, 69);
  t.match(nobody.stderr, /no CARLA at 127\.0\.0\.1:9/);
  t.equal(both.code, 2);
});

const missing = browserMissing();
t.test('the page in a browser, light, dark and on a phone', { skip: missing ?? false }, async (t) => {
  const view = await viewCommand(t, ['--scenario', 'town-rain']);
  const browser = await openBrowser(view.url);
  t.teardown(() => browser.close());
  await browser.until(
    "document.body.dataset.status === 'live' && Number(document.getElementById('speed').textContent) > 0",
  );
  const [light, dark] = [await look('light'), await look('dark')];
  t.ok(light !== dark && light.length > 5000 && dark.length > 5000, 'two different pictures');
  await browser.send('Emulation.setDeviceMetricsOverride', {
    width: 360,
    height: 740,
    deviceScaleFactor: 2,
    mobile: true,
  });
  t.equal(
    await browser.evaluate('document.documentElement.scrollWidth'),
    360,
    'nothing beyond the edge of a phone',
  );
  t.ok(
    Number(
      await browser.evaluate(
        "Math.min(...[...document.querySelectorAll('button')].map((b) => b.offsetHeight))",
      ),
    ) >= 44,
  );
  const pressed = "document.getElementById('follow').getAttribute('aria-pressed')";
  for (const [key, is] of [
    ['ArrowLeft', 'false'],
    ['f', 'true'],
    ['0', 'false'],
    ['n', 'true'],
  ] as const) {
    await browser.send('Input.dispatchKeyEvent', { type: 'keyDown', key });
    t.equal(await browser.evaluate(pressed), is, key);
  }
  const shifted = await browser.evaluate(
    "new Promise((resolve) => { new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0))).observe({ type: 'layout-shift', buffered: true }); setTimeout(() => resolve(0), 300); })",
  );
  t.ok(Number(shifted) < 0.1, `layout shift ${shifted}`);
  t.same(browser.complaints, []);
  t.match(await view.end(), { code: 0 });

  async function look(scheme: string): Promise<string> {
    await browser.send('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-color-scheme', value: scheme }],
    });
    await browser.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    );
    return String((await browser.send('Page.captureScreenshot', { format: 'png' }))['data']);
  }
});

t.test(
  'the picture in the browser has its colours in their places',
  { skip: missing ?? false },
  async (t) => {
    const server = await simulator(t, 0, false, withEgo);
    const watch = await watching(t, server.ports.rpc);
    const pictures = new ViewServer(watch, page);
    const port = await pictures.listen(0);
    t.teardown(() => pictures.close());
    const browser = await openBrowser(`http://127.0.0.1:${port}/`);
    t.teardown(() => browser.close());
    await browser.until("document.getElementById('note')?.textContent.startsWith('camera on the ego')");
    const colour = (x: number): string =>
      `[...document.getElementById('picture').getContext('2d').getImageData(${x}, 180, 1, 1).data].join()`;
    t.equal(await browser.evaluate(colour(10)), '255,0,0,255');
    t.equal(await browser.evaluate(colour(630)), '0,0,255,255');
  },
);
