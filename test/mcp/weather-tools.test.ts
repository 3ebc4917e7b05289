import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import type { JsonObject } from '../../daemon/core/tick.js';
import { roadSurfaces } from '../../daemon/core/world/facts.js';
import { outsideFile } from '../../mcp/weather/outside/file-source.js';
import { outsideHttp } from '../../mcp/weather/outside/http-source.js';
import type { OutsideSource } from '../../mcp/weather/outside/outside-weather.js';
import { weatherTools } from '../../mcp/weather/weather-tools.js';

const nowWallMs = Date.UTC(2026, 10, 30, 12, 0, 0);
const context = { signal: new AbortController().signal, nowWallMs };

function assess(args: unknown, outside: OutsideSource | null = null): Promise<JsonObject> {
  return weatherTools({ outside })[0]!.call(args, context);
}
const reportOf = (answer: JsonObject): JsonObject => answer['outside'] as JsonObject;

function document(changes: Record<string, unknown> = {}): string {
  return JSON.stringify({
    observed_at: '2026-11-30T11:55:00Z',
    provider: 'roadside station',
    wetness: 80,
    ...changes,
  });
}

function fileWith(text: string | Uint8Array): string {
  const path = join(mkdtempSync(join(tmpdir(), 'weather-')), 'now.json');
  writeFileSync(path, text);
  return path;
}

const percent = fc.option(fc.double({ min: 0, max: 100, noNaN: true }));
const cues = fc.record({
  precipitation: percent,
  precipitation_deposits: percent,
  wetness: percent,
  weather_tag: fc.option(fc.constantFrom(...roadSurfaces)),
  wiper: fc.option(fc.integer({ min: 0, max: 3 })),
  v_mps: fc.option(fc.double({ min: 0, max: 60, noNaN: true })),
  tyre_kpa: fc.option(fc.double({ min: 50, max: 400, noNaN: true })),
  ambient_c: fc.option(fc.double({ min: -40, max: 50, noNaN: true })),
  abs_active: fc.boolean(),
  ax_mps2: fc.option(fc.double({ min: -12, max: 12, noNaN: true })),
  limit_mps: fc.constant(25),
  with_gap: fc.constant(true),
});

t.test('the lower bound is never above the estimate, and only falls with what is worse', async (t) => {
  await t.resolves(
    fc.assert(
      fc.asyncProperty(
        cues,
        fc.constantFrom('wetness', 'precipitation', 'precipitation_deposits'),
        async (args, name) => {
          const base = await assess(args);
          const lo = base['mu_lo'] as number;
          if (lo > (base['mu_est'] as number) || lo < 0) return false;
          const worse = await assess({ ...args, [name]: Math.min(100, (args[name] ?? 0) + 20) });
          const colder = await assess({ ...args, ambient_c: Math.min(args.ambient_c ?? 50, 0) });
          const slower = (worse['speed_factor'] as number) <= (base['speed_factor'] as number) + 1e-9;
          return (
            (worse['mu_lo'] as number) <= lo + 1e-12 && (colder['mu_lo'] as number) <= lo + 1e-12 && slower
          );
        },
      ),
      { numRuns: 300 },
    ),
  );
});

t.test('a word about the road is a prior of the table, and says nothing where it is unknown', async (t) => {
  const wet = await assess({ weather_tag: 'wet' });
  t.same([wet['mu_est'], wet['mu_lo'], wet['confidence'], wet['surface']], [0.55, 0.4, 0.5, 'wet']);
  t.same(wet['reasons'], ['weather_tag']);
  t.same(await assess({ weather_tag: 'unknown' }), await assess({}));
  const dry = await assess({ weather_tag: 'dry', wetness: 90 });
  t.equal(dry['mu_est'], (await assess({ wetness: 90 }))['mu_est'], 'dry cannot raise what was seen');
  await t.rejects(assess({ weather_tag: 'slick' }), { code: 'TOOL_ARGS_INVALID', message: /"dry"/ });
});

t.test('gap and slip are answered where they are asked for', async (t) => {
  const plain = await assess({ v_mps: 25, wetness: 0 });
  t.notOk('gap_m' in plain || 'low_friction' in plain || 'outside' in plain);
  const dry = await assess({ v_mps: 25, wetness: 0, with_gap: true });
  const wet = await assess({ v_mps: 25, wetness: 60, with_gap: true });
  t.ok((wet['gap_m'] as number) > (dry['gap_m'] as number));
  t.equal(wet['headway_s'], Math.max(2, (wet['gap_m'] as number) / 25));
  t.same((await assess({ with_gap: true }))['gap_m'], null);
  t.equal((await assess({ stability_active: true }))['low_friction'], true);
  t.equal((await assess({ wheel_slip: false }))['low_friction'], false);
});

t.test('a report from outside lowers and never raises', async (t) => {
  const outside = outsideFile(fileWith(document()));
  const own = await assess({ wiper: 0 });
  const told = await assess({ wiper: 0 }, outside);
  t.ok((told['mu_lo'] as number) < (own['mu_lo'] as number));
  t.equal(told['confidence'], own['confidence']);
  t.same(reportOf(told), {
    state: 'used',
    source: outside.description,
    provider: 'roadside station',
    age_s: 300,
    problem: null,
  });
  t.equal((await assess({}, outside))['confidence'], 0.5);

  const report = fc.record(
    {
      precipitation: fc.double({ min: 0, max: 100, noNaN: true }),
      wetness: fc.double({ min: 0, max: 100, noNaN: true }),
      precipitation_deposits: fc.double({ min: 0, max: 100, noNaN: true }),
      ambient_c: fc.double({ min: -40, max: 50, noNaN: true }),
      weather_tag: fc.constantFrom(...roadSurfaces),
    },
    { requiredKeys: [] },
  );
  await t.resolves(
    fc.assert(
      fc.asyncProperty(cues, report, async (args, hint) => {
        const bytes = Buffer.from(document({ wetness: undefined, ...hint }));
        const source: OutsideSource = { description: 'test', read: async () => bytes };
        const [without, withHint] = [await assess(args), await assess(args, source)];
        return (['mu_est', 'mu_lo', 'speed_factor'] as const).every(
          (name) => (withHint[name] as number) <= (without[name] as number),
        );
      }),
      { numRuns: 300 },
    ),
  );
});

t.test('a report that cannot be believed changes nothing and is told', async (t) => {
  const own = await assess({ wetness: 10 });
  const folder = mkdtempSync(join(tmpdir(), 'weather-'));
  const toDevice = join(folder, 'zero.json');
  symlinkSync('/dev/zero', toDevice);
  const cases: [name: string, source: OutsideSource, state: string, problem: RegExp][] = [
    ['old', outsideFile(fileWith(document({ observed_at: '2026-11-30T11:00:00Z' }))), 'stale', /too old/],
    ['future', outsideFile(fileWith(document({ observed_at: '2026-11-30T12:05:00Z' }))), 'stale', /future/],
    ['missing', outsideFile(join(folder, 'none.json')), 'failed', /ENOENT/],
    ['folder', outsideFile(folder), 'failed', /regular/],
    ['device', outsideFile(toDevice), 'failed', /regular/],
    ['large', outsideFile(fileWith(Buffer.alloc(70_000, 0x20))), 'failed', /65536/],
    ['no JSON', outsideFile(fileWith('{')), 'failed', /document/],
    ['no UTF-8', outsideFile(fileWith(Uint8Array.of(0x22, 0xff, 0x22))), 'failed', /document/],
    ['range', outsideFile(fileWith(document({ wetness: -5 }))), 'failed', /wetness/],
    ['other keys', outsideFile(fileWith(document({ mu_lo: 1 }))), 'failed', /mu_lo/],
  ];
  for (const [name, source, state, problem] of cases) {
    const answer = await assess({ wetness: 10 }, source);
    t.equal(reportOf(answer)['state'], state, name);
    t.match(reportOf(answer)['problem'], problem, name);
    t.equal(answer['mu_lo'], own['mu_lo'], name);
  }
});

t.test('an HTTP source is local, bounded and does not follow', async (t) => {
  for (const address of [
    'https://127.0.0.1/',
    'http://localhost:1/',
    'http://192.0.2.1/',
    'http://127.0.0.1.example/',
    'http://a:b@127.0.0.1/',
    'file:///etc/passwd',
    'x',
  ]) {
    t.throws(() => outsideHttp(address), { code: 'CONFIG_INVALID' }, address);
  }
  const serve = async (listener: RequestListener): Promise<OutsideSource> => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    t.teardown(() => {
      server.closeAllConnections();
      server.close();
    });
    return outsideHttp(`http://127.0.0.1:${(server.address() as AddressInfo).port}/weather`);
  };
  const good = await serve((_request, response) => response.end(document()));
  t.equal(reportOf(await assess({}, good))['state'], 'used');
  const endless = await serve((_request, response) => {
    const write = (): void => {
      while (!response.destroyed && response.write(' '.repeat(8192)));
    };
    response.on('drain', write);
    write();
  });
  t.match(reportOf(await assess({}, endless))['problem'], /more than 65536/);
  const silent = await serve(() => undefined);
  t.match(reportOf(await assess({}, silent))['problem'], /no answer within/);
  const moved = await serve((_request, response) => response.writeHead(302, { location: '/x' }).end());
  t.equal(reportOf(await assess({}, moved))['state'], 'failed');
  const broken = await serve((_request, response) => response.writeHead(500).end());
  t.match(reportOf(await assess({}, broken))['problem'], /500/);
});
