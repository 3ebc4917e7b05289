/** The picture of a drive: nothing visible is lost on the way to pixels, no text gets out of its place, any drive can be drawn. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { bundledDrive } from '../../daemon/cli/bundled-drive.js';
import { drawDrive, type PlotHead } from '../../daemon/cli/drive-plot/drive-plot.js';
import { DriveTrace } from '../../daemon/cli/drive-plot/drive-trace.js';
import { linePath } from '../../daemon/cli/drive-plot/line-path.js';
import { type Sample, SampledSeries, thinToColumns } from '../../daemon/cli/drive-plot/sampled-series.js';
import { linearScale, logScale, logTicks, roundTicks } from '../../daemon/cli/drive-plot/scales.js';
import { SpanSeries, stripesOf } from '../../daemon/cli/drive-plot/spans.js';
import { element, escapeXml, fitText, textWidthPx } from '../../daemon/cli/drive-plot/svg-text.js';
import { timeAxis, timeTicks } from '../../daemon/cli/drive-plot/time-axis.js';
import { createParams } from '../../daemon/core/params.js';
import { defaultSettings } from '../../daemon/core/settings.js';
import type { JsonObject, TickOutputs } from '../../daemon/core/tick.js';
import { readRecording } from '../../daemon/record/recording-reader.js';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { drivemcp } from '../helpers/command.js';
import { tiny, tinyFiles } from './tiny-drive.js';

const settings = defaultSettings;

/** Samples in order of time, with gaps and equal times. */
const drives: fc.Arbitrary<Sample[]> = fc
  .array(
    fc.record({
      afterUs: fc.integer({ min: 0, max: 300_000 }),
      value: fc.option(fc.double({ min: -50, max: 200, noNaN: true }), { nil: null, freq: 6 }),
    }),
    { maxLength: 400 },
  )
  .map((steps) => {
    let tUs = 0;
    return steps.map(({ afterUs, value }) => {
      tUs += afterUs;
      return { tUs, value };
    });
  });
const known = (samples: readonly Sample[]) =>
  samples.map(({ value }) => value).filter((value) => value !== null);

t.test('thinning keeps the extremes and the ends of every column, and makes nothing up', async (t) => {
  fc.assert(
    fc.property(drives, fc.integer({ min: 1, max: 5_000_000 }), (samples, columnUs) => {
      const thin = thinToColumns(samples, 0, columnUs);
      // Some of the samples themselves, in their order.
      let at = 0;
      for (const sample of thin) {
        at = samples.indexOf(sample, at) + 1;
        if (at === 0) return false;
      }
      const columns = (all: readonly Sample[]) => {
        const byColumn = new Map<number, Sample[]>();
        for (const sample of all) {
          const column = Math.floor(sample.tUs / columnUs);
          byColumn.set(column, [...(byColumn.get(column) ?? []), sample]);
        }
        return byColumn;
      };
      const before = columns(samples);
      const after = columns(thin);
      for (const [column, all] of before) {
        const kept = after.get(column) ?? [];
        const values = known(all);
        const ends = [all[0], all.at(-1)];
        if (kept.length > 6 || kept[0] !== ends[0] || kept.at(-1) !== ends[1]) return false;
        if (Math.min(...known(kept)) !== Math.min(...values)) return false;
        if (Math.max(...known(kept)) !== Math.max(...values)) return false;
        if (known(kept)[0] !== values[0] || known(kept).at(-1) !== values.at(-1)) return false;
      }
      return after.size === before.size;
    }),
  );
  t.same(thinToColumns([{ tUs: 0, value: 1 }], 0, 0), [{ tUs: 0, value: 1 }]);
});

t.test('a series of any length stays bounded and keeps its extremes', async (t) => {
  const series = new SampledSeries();
  for (let i = 0; i < 200_000; i++) {
    const value = i === 77_777 ? 99 : i === 123_456 ? -7 : Math.sin(i / 50) + (i % 2);
    series.add(i * 50_000, i % 1000 === 13 ? Number.NaN : value);
  }
  t.ok(series.samples.length < 16_384, `${series.samples.length} samples`);
  t.ok(series.samples.length > 2000);
  t.equal(series.samples.find(({ value }) => value === 99)?.tUs, 77_777 * 50_000);
  t.equal(series.samples.find(({ value }) => value === -7)?.tUs, 123_456 * 50_000);
  t.equal(series.samples.at(-1)?.tUs, 199_999 * 50_000);

  const flat = new SampledSeries();
  for (let i = 0; i < 1000; i++) flat.add(i, i < 500 ? 3 : null);
  t.same(flat.samples, [
    { tUs: 0, value: 3 },
    { tUs: 499, value: 3 },
    { tUs: 500, value: null },
    { tUs: 999, value: null },
  ]);
  flat.add(5, 8);
  flat.add(1000, Number.POSITIVE_INFINITY);
  t.equal(flat.samples.length, 4, 'time does not go back, infinity is no value');
});

t.test('scales: ends on ends, in order, never outside; ticks round, within, few', async (t) => {
  const ends = fc.tuple(fc.double({ min: 0.01, max: 1e5 }), fc.double({ min: 0.01, max: 1e5 }));
  fc.assert(
    fc.property(
      ends.filter(([a, b]) => Number.isFinite(a + b) && b > a * 1.001),
      fc.double(),
      fc.double(),
      fc.integer({ min: 2, max: 12 }),
      ([min, max], one, two, most) => {
        for (const scale of [linearScale([min, max], [140, 0]), logScale([min, max], [140, 0])]) {
          if (Math.abs(scale.at(min) - 140) > 1e-9 || Math.abs(scale.at(max)) > 1e-9) return false;
          const [low, high] = [Math.min(one, two), Math.max(one, two)];
          const [a, b] = [scale.at(low), scale.at(high)];
          if (!(a >= 0 && a <= 140 && b >= 0 && b <= 140)) return false;
          if (!Number.isNaN(low) && a < b) return false;
        }
        const linear = roundTicks(min, max, most);
        if (linear.length > most) return false;
        for (const ticks of [linear, logTicks(min, max)]) {
          if (
            ticks.some((tick, i) => tick < min * 0.999 || tick > max * 1.001 || tick <= (ticks[i - 1] ?? 0))
          )
            return false;
        }
        return true;
      },
    ),
  );
  t.same(roundTicks(0, 143, 8), [0, 20, 40, 60, 80, 100, 120, 140]);
  t.same(roundTicks(-3, 3, 4), [-2, 0, 2]);
  t.same(logTicks(1, 200), [1, 2, 5, 10, 20, 50, 100, 200]);
  t.equal(logScale([1, 100], [0, 10]).at(0), 0, 'contact is drawn at the foot of a logarithmic axis');
});

t.test('the time axis names seconds on a short drive, clock times on a long one', async (t) => {
  const texts = (fromS: number, toS: number) =>
    timeTicks(timeAxis(fromS * 1e6, toS * 1e6, 0, 800), 9).map(({ text }) => text);
  t.same(texts(0, 4), ['0.0 s', '0.5 s', '1.0 s', '1.5 s', '2.0 s', '2.5 s', '3.0 s', '3.5 s', '4.0 s']);
  t.same(texts(0, 165), ['0 s', '20 s', '40 s', '60 s', '80 s', '100 s', '120 s', '140 s', '160 s']);
  t.same(texts(0, 3 * 3600).slice(0, 3), ['0:00:00', '0:30:00', '1:00:00']);
  t.same(texts(7195, 7225).slice(0, 3), ['1:59:55', '2:00:00', '2:00:05']);
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1e7, noNaN: true }),
      fc.double({ min: 0.02, max: 1e7, noNaN: true }),
      (from, s) => {
        const found = texts(from, from + s);
        return found.length <= 10 && new Set(found).size === found.length;
      },
    ),
  );
  const dot = timeAxis(5, 5, 10, 20);
  t.equal(dot.x(5), 10);
  t.equal(dot.x(-1e9), 10);
  t.equal(dot.x(Number.MAX_VALUE), 20);
});

t.test('a path goes through its corners and through nothing else', async (t) => {
  const path = (values: (number | null)[], form?: 'steps') =>
    linePath(
      values.map((value, i) => ({ tUs: i, value })),
      (tUs) => tUs * 10,
      (value) => value,
      form,
    );
  t.equal(path([1, 1, 1, 3]), 'M0 1h20l10 2');
  t.equal(path([1, 3, 1], 'steps'), 'M0 1h10v2h10v-2');
  t.equal(path([null, 2, null, 5, 5, null]), 'M10 2h0M30 5h10');
  t.equal(path([4, null], 'steps'), 'M0 4h10', 'a step holds until it is known to be gone');
  t.equal(path([0.04, -0.26, 0.5]), 'M0 0l10-.3l10 .8');
  t.equal(path([]), '');
});

t.test('spans: short ones are seen, touching ones are one', async (t) => {
  const spans = new SpanSeries<string>();
  for (const [tUs, value] of [
    [0, 'a'],
    [5, 'a'],
    [6, 'b'],
    [7, 'a'],
    [20, 'a'],
  ] as const)
    spans.add(tUs, value);
  t.same(spans.spans, [
    { fromUs: 0, toUs: 6, value: 'a' },
    { fromUs: 6, toUs: 7, value: 'b' },
    { fromUs: 7, toUs: 20, value: 'a' },
  ]);
  t.same(
    stripesOf(spans.spans.slice(1, 2), (tUs) => tUs / 10, 2),
    [{ left: 0.6, right: 2.6 }],
  );
  t.same(
    stripesOf(spans.spans, (tUs) => tUs, 1),
    [{ left: 0, right: 20 }],
  );
});

t.test('no text gets out of its place', async () => {
  const legal = /^(?:[\t\n\r\u0020-\ud7ff\ue000-\ufffd]|[\ud800-\udbff][\udc00-\udfff])*$/;
  const hostile = fc.string({ unit: 'binary' }).map((text) => `${text}\ud800<\u0000&"'>\u202e\uffff`);
  fc.assert(
    fc.property(hostile, (text) => {
      const safe = escapeXml(text);
      if (!legal.test(safe) || /[<>"']|&(?!#\d+;)/.test(safe)) return false;
      const read = safe.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
      return read.length === text.length && element('a', { b: text }) === `<a b="${safe}"/>`;
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 20, max: 400 }), (text, width) => {
      const fitting = fitText(text, width, 12);
      return textWidthPx(fitting, 12) <= width && (fitting === text || fitting.endsWith('…'));
    }),
  );
});

const head: PlotHead = {
  source: 'a test',
  isSimulated: true,
  preset: 'default',
  ticks: 0,
  periodMs: 50,
  decisionHash: 'ab'.repeat(32),
  verdict: 'equal',
};
const params = createParams('default');
const quiet: TickOutputs = {
  tick: 0,
  tUs: 0,
  mode: 'NORMAL',
  requests: [],
  cancels: [],
  events: [],
  decision: { kind: 'none', blockedBy: [], confirm: 0, held: false, intent: null },
  utterance: null,
  safety: {
    ...{ v: null, d: null, dv: null, mu_used: 0.8, a_brake: 7.8, dmin: null, ttc: null, ttc_term: 0 },
    ...{ rss_viol: 0, h_used: 0, r: 0, u_act: 0, u_speak: 0, score: 0, delta: 0.2, c_min: 0.6, conf: 0 },
    flags: [],
  },
  audit: [],
  counts: {},
};

function record(place: string | null, limitMps: number | null): JsonObject {
  return {
    world_state: { jurisdiction: place },
    fused: { legal: limitMps === null ? null : { mps: limitMps }, advice: null },
  };
}

/** Fails where Python's expat does not take it as XML; then only our own checks stand. */
function parses(t: Test, svg: string, what: string): void {
  const code = 'import sys,xml.dom.minidom as m; m.parseString(sys.stdin.buffer.read())';
  const { status, error, stderr } = spawnSync('python3', ['-c', code], { input: svg, encoding: 'utf8' });
  if (error !== undefined) t.pass(what, { skip: 'python3 is not there' });
  else t.equal(status, 0, `${what}: ${stderr}`);
}

t.test('drives with nothing in them are drawn as what they are', async (t) => {
  const nothing = drawDrive(head, new DriveTrace(params, settings));
  parses(t, nothing, 'no tick');
  t.match(nothing, /no tick was recorded/);
  t.notMatch(nothing, /NaN|Infinity|undefined/);

  const trace = new DriveTrace(params, settings);
  trace.add(quiet, {});
  const one = drawDrive({ ...head, source: '', isSimulated: false }, trace);
  parses(t, one, 'one empty tick');
  for (const words of [
    /neither a speed nor a limit was known/,
    /no vehicle ahead was known/,
    /own speed: none/,
    /place unknown/,
    /source not named/,
    /gap too short: never/,
  ])
    t.match(one, words);
  t.notMatch(one, /NaN|Infinity|undefined|simulated/);

  const literal = new DriveTrace(createParams('paper-literal'), settings);
  literal.add(quiet, {});
  t.match(drawDrive(head, literal), /ACT: never</, 'a level that no risk reaches is not drawn');
});

t.test('eight hostile hours: bounded, well-formed, nothing urgent left out', async (t) => {
  const evil = '</text><script>alert(1)</script>&\u0000\u202e"\ud800';
  const trace = new DriveTrace(params, settings);
  const modes = ['NORMAL', 'ADVISORY', 'MONITOR'] as const;
  const ticks = 8 * 3600 * 10;
  for (let i = 0; i < ticks; i++) {
    const isUrgent = i === ticks - 5;
    const noise = (i * 7919) % 101;
    trace.add(
      {
        ...quiet,
        tick: i,
        tUs: i * 100_000 + (i > 1000 ? 5_000_000 : 0),
        mode: modes[i % 3]!,
        events: i % 7 === 0 ? [{ type: 'overspeed', score: 1, eta: 1, payload: {} }] : [],
        decision: i % 10_000 < 5 ? { ...quiet.decision, kind: 'act' } : quiet.decision,
        utterance:
          i % 50 === 0 || isUrgent
            ? {
                key: `${evil}:1`,
                urgent: isUrgent,
                lang: 'en',
                l1: isUrgent ? `Brake ${evil}` : evil,
                l2: '',
              }
            : null,
        safety: {
          ...quiet.safety,
          ...{
            v: noise,
            d: noise,
            dmin: 101 - noise,
            ttc: noise / 10,
            r: noise / 100,
            h_used: 1 - noise / 100,
          },
          rss_viol: noise > 50 ? 1 : 0,
        },
      },
      record(i % 2 === 0 ? 'GBR' : evil, noise / 2),
    );
  }
  trace.add({ ...quiet, tUs: Number.NaN }, {});
  trace.add({ ...quiet, tUs: 3 }, {});
  const svg = drawDrive({ ...head, source: evil, verdict: evil, preset: evil, decisionHash: evil }, trace);
  parses(t, svg, 'eight hours');
  t.ok(svg.length < 600_000, `${svg.length} characters`);
  t.notMatch(svg, /<script|NaN|Infinity|undefined/);
  t.match(svg, /Brake &#60;/);
  t.match(svg, /more that are not listed here/);
  t.match(svg, /2 ticks out of order/);
});

t.test('units: each side of a border is labelled in its own', async (t) => {
  const trace = new DriveTrace(params, settings);
  for (let i = 0; i <= 100; i++) {
    const safety = { ...quiet.safety, v: 25 };
    trace.add({ ...quiet, tUs: i * 50_000, safety }, record(i < 50 ? 'DEU' : 'GBR/WLS', 31.2928));
  }
  const svg = drawDrive(head, trace);
  t.match(svg, />120 km\/h</);
  t.match(svg, />70 mph<|>60 mph</);
  t.match(svg, />DEU</);
  t.match(svg, />GBR\/WLS</);
  const chosen = new DriveTrace(params, { ...settings, displayUnit: 'mph' });
  chosen.add({ ...quiet, safety: { ...quiet.safety, v: 25 } }, record('DEU', null));
  t.notMatch(drawDrive(head, chosen), /km\/h/, 'a driver who wants miles gets miles');
});

t.test('replay --plot draws what was recorded; a path that is none is refused before the work', async (t) => {
  const { at, state, drive } = tiny(t, tinyFiles({ seconds: 2, kmh: (tS) => 60 + tS }));
  t.equal((await drivemcp(['run', ...drive, ...state])).code, 0);
  const file = at('drive.svg');
  const drawn = await drivemcp(['replay', ...state, '--plot', file, '--json']);
  t.equal(drawn.code, 0, drawn.stderr);
  t.match(drawn.objects().at(-1), { summary: { plot: file, equal: true } });
  const svg = readFileSync(file, 'utf8');
  parses(t, svg, 'a short drive');
  t.match(svg, /own speed</);
  t.match(svg, /no vehicle ahead was known/);
  t.notMatch(svg, />simulated</);
  t.match(svg, />drive\.log/, 'the file is named, not the folder it lies in');
  t.notMatch(svg, /fixtures/);
  const again = await drivemcp(['replay', ...state, '--plot', file]);
  t.match(again.stdout, /picture .*drive\.svg/);
  t.equal(readFileSync(file, 'utf8'), svg, 'the same bytes again');

  const [recording = ''] = readdirSync(at('state', 'recordings'));
  const before = readFileSync(at('state', 'recordings', recording));
  for (const [path, code, says] of [
    [
      at('no', 'folder', 'x.svg'),
      69,
      /cannot write the picture: there is no such file or folder.*FILE_UNWRITABLE/s,
    ],
    ['/dev/null/x.svg', 69, /FILE_UNWRITABLE/],
    [at('state', 'recordings', recording), 2, /--plot takes the name of an \.svg file/],
    ['', 2, /--plot takes the name of an \.svg file/],
    ['.svg', 2, /--plot/],
  ] as const) {
    const { code: got, stderr, stdout } = await drivemcp(['replay', ...state, '--plot', path]);
    t.equal(got, code, path);
    t.match(stderr, says);
    if (code === 69) t.ok(stderr.includes(path), 'says where');
    t.equal(stdout, '');
  }
  t.same(readFileSync(at('state', 'recordings', recording)), before);
  t.same(
    readdirSync(at()).filter((name) => name.includes('.part')),
    [],
    'nothing is left behind',
  );

  // Cut before the first tick: the head is whole, nothing else is there.
  const whole = await readRecording(at('state', 'recordings', recording));
  await whole.close();
  writeFileSync(at('cut.drec'), before.subarray(0, whole.chunks[0]!.offset));
  const cut = await drivemcp(['replay', at('cut.drec'), '--plot', at('cut.svg')]);
  t.equal(cut.code, 0, cut.stderr);
  const empty = readFileSync(at('cut.svg'), 'utf8');
  parses(t, empty, 'a recording without a tick');
  t.match(empty, /no tick was recorded/);
  t.match(empty, /0 ticks of 50 ms/);
});

t.test('the picture beside the bundled drive is that of its decisions now', async (t) => {
  const { pin } = bundledDrive();
  const folder = t.testdir({});
  const run = await drivemcp(['run', '--state', folder]);
  t.equal(run.code, 0, run.stderr);
  const file = `${folder}/now.svg`;
  const { code, stderr } = await drivemcp(['replay', '--state', folder, '--plot', file]);
  t.equal(code, 0, stderr);
  const now = readFileSync(file, 'utf8');
  t.ok(now.length < 200_000, `${now.length} characters`);
  parses(t, now, 'the bundled drive');
  for (const words of [/>simulated</, /km\/h/, / mph/, />ACT</, /Brake!/]) t.match(now, words);
  const shown = packageFile('hil', 'drives', pin.drive.replace(/\.drive$/, '.svg'));
  t.ok(
    readFileSync(shown, 'utf8') === now,
    `${shown} shows other decisions than are made now. Where they were meant to change (the pin changes too), ` +
      `draw it again: drivemcp run, then drivemcp replay --plot ${shown}`,
  );
});
