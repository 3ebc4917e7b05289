import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { adapt, initialAdaptation } from '../../daemon/core/arbiter/adaptation.js';
import { createParams } from '../../daemon/core/params.js';
import { AdaptationKeeper, loadAdaptation } from '../../daemon/runtime/adaptation-file.js';
import { contextOf, Decider } from '../../daemon/runtime/run-context.js';

const params = createParams('default');
const start = initialAdaptation(params);

t.test('learned thresholds survive a restart', async (t) => {
  const dir = t.testdir();
  t.same(
    loadAdaptation(dir, params),
    { state: start, notice: null },
    'nothing learned yet is nothing to tell',
  );
  const notices: string[] = [];
  const keeper = new AdaptationKeeper(dir, params, start, (text) => notices.push(text));
  let state = start;
  for (let minute = 0; minute < 3; minute++) {
    state = adapt(state, ['late_warning'], minute * 60_000_000, params).state;
    keeper.keep(state);
    keeper.keep(state);
  }
  await keeper.close();
  t.same(notices, []);
  t.same(readdirSync(dir), ['adaptation.json'], 'replaced as a whole');
  const loaded = loadAdaptation(dir, params);
  t.same([loaded.state.marginRatio, loaded.state.confidenceMinRatio, loaded.notice], [0.17, 0.54, null]);
  t.equal(adapt(loaded.state, ['late_warning'], 59_999_999, params).applied, 'none:rate');
  t.equal(adapt(loaded.state, ['late_warning'], 60_000_000, params).applied, 'late_warning');
  const literal = createParams('paper-literal');
  t.same(loadAdaptation(dir, literal), { state: initialAdaptation(literal), notice: null });
});

t.test('a damaged file is told and costs nothing but what was learned', async (t) => {
  const dir = t.testdir();
  const path = join(dir, 'adaptation.json');
  for (const text of [
    '',
    'x'.repeat(10_000),
    '{"version":1}',
    readFileSync(process.execPath, 'latin1').slice(0, 500),
  ]) {
    writeFileSync(path, text);
    const { state, notice } = loadAdaptation(dir, params);
    t.same(state, start);
    t.match(notice, /adaptation\.json is not usable/);
  }
});

t.test('a state directory that cannot be written is told once', async (t) => {
  const dir = t.testdir();
  mkdirSync(join(dir, 'adaptation.json.new'));
  const notices: string[] = [];
  const keeper = new AdaptationKeeper(dir, params, start, (text) => notices.push(text));
  const once = adapt(start, ['late_warning'], 0, params).state;
  keeper.keep(once);
  keeper.keep(adapt(once, ['late_warning'], 60_000_000, params).state);
  await keeper.close();
  t.equal(notices.length, 1);
  mkdirSync(join(dir, 'adaptation.json'));
  t.match(loadAdaptation(dir, params).notice, /cannot be read/);
});

t.test('a replay starts from the thresholds of its recording and refuses nonsense', async (t) => {
  const learned = adapt(start, ['false_positive'], 0, params).state;
  const settings = { periodUs: 50_000 };
  const head = JSON.parse(JSON.stringify({ params, settings, adaptation: learned })) as Record<
    string,
    unknown
  >;
  t.same(new Decider(contextOf(head, 'a.drec')).adaptation, learned);
  t.same(new Decider(contextOf({ params, settings }, 'a.drec')).adaptation, start);
  const bad = [
    { params: { ...params, act: { ...params.act, marginRatio: null } }, settings },
    { params: { ...params, risk: {} }, settings },
    { params: {}, settings },
    { params, settings: null },
  ];
  for (const context of bad) t.throws(() => contextOf(context, 'a.drec'), { code: 'RECORDING_INVALID' });
});
