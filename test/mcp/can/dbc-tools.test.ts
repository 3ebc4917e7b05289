import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { Page } from '../../../mcp/can/files/page.js';
import { corpusFile, corpusMissing } from '../../helpers/paths.js';
import { allPages, caller, carFolder, list, toolsOver } from './tool-car.js';

t.test('tools say what they are, and their schemas are closed', (t) => {
  const tools = toolsOver([]);
  for (const { name, title, description, input, output } of tools) {
    t.match(name, /^can_[a-z_]+$/);
    t.ok(title.length > 0 && description.length < 500, `${name}: ${description.length}`);
    t.match(description, /^[\x20-\x7e]+$/, name);
    t.match(description, /never in their place/, name);
    t.equal(input.safeParse({ nothing_of_that_name: 1 }).success, false, name);
    t.ok(output);
  }
  t.equal(new Set(tools.map(({ name }) => name)).size, tools.length);
  t.end();
});

t.test('every entry is on exactly one page, whatever the sizes', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 40_000 }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      (texts, limit) => {
        const seen: string[] = [];
        let cursor: string | null | undefined;
        for (let pages = 0; cursor !== null && pages <= texts.length; pages++) {
          const page: Page<string> = new Page('0123456789abcdef', { limit, cursor: cursor ?? undefined });
          for (const text of texts) page.offer(() => text);
          if (page.items.length > limit) return false;
          if (page.items.length > 1 && JSON.stringify(page.items).length > 101_000) return false;
          seen.push(...page.items);
          cursor = page.nextCursor;
        }
        return cursor === null && seen.length === texts.length && seen.every((text, i) => text === texts[i]);
      },
    ),
    { numRuns: 100 },
  );
  const subject = '0123456789abcdef';
  for (const cursor of ['', 'x', '-1.0123456789abcdef', '01.0123456789abcdef', '1e3.0123456789abcdef']) {
    t.throws(() => new Page(subject, { limit: 1, cursor }), { code: 'TOOL_ARGS_INVALID' }, cursor);
  }
  t.throws(() => new Page(subject, { limit: 1, cursor: '1.fedcba9876543210' }), {
    code: 'TOOL_CURSOR_STALE',
  });
  t.end();
});

t.test('a small car: info, search, layout, a frame', async (t) => {
  const folder = carFolder();
  const call = caller(toolsOver([folder]));
  const info = await call('can_dbc_info', { file: 'car.dbc', limit: 1 });
  t.match(list(info['messages'])[0], { message: 'ESP_STATE', id: 256, id_hex: '0x100', signals_count: 6 });
  t.same(info['findings'], { errors: 0, warnings: 0, notes: 0 });
  const found = await call('can_find_signals', { file: 'car.dbc', query: 'veh SPEED' });
  t.match(list(found['matches'])[0], { message: 'ESP_STATE', signal: { name: 'VEH_SPEED', unit: 'km/h' } });
  const nothing = await call('can_find_signals', { file: 'car.dbc', query: 'VEH_SPEEED' });
  t.match(nothing, { matches_count: 0, hint: /VEH_SPEED/ });
  const layout = await call('can_message_layout', { file: 'car.dbc', message: '0x100' });
  const grid = String(layout['grid']).split('\n');
  t.same(grid.slice(0, 5), [
    'byte   7  6  5  4  3  2  1  0',
    '   0   A  A  A  A  A  A  A  A',
    '   1   A  A  A  A  A  A  A  A',
    '   2   .  .  .  .  D  D  C  B',
    '   3   .  .  .  .  E  E  E  E',
  ]);
  t.match(String(layout['grid']), /^A {2}VEH_SPEED: 16 bit unsigned motorola from bit 7, raw x 0.01 km\/h$/m);
  t.same([layout['unused_bits'], layout['shared_bits']], [64 - 32, 0]);
  const frame = await call('can_decode_frame', {
    dbc: ['car.dbc'],
    id: '0x100',
    data: '27 10 03 00 00 00 00 ff',
  });
  t.same(list(frame['signals'])[0], {
    name: 'VEH_SPEED',
    value: 100,
    unit: 'km/h',
    raw: '10000',
    label: null,
  });
  t.equal(frame['message'], 'ESP_STATE');
  t.same((await call('can_decode_frame', { dbc: ['car.dbc'], id: '256', data: '2710' }))['findings'], [
    'short',
  ]);
  t.match(await call('can_decode_frame', { dbc: ['car.dbc'], id: '0x7FF', data: '' }), {
    message: null,
    signals: [],
  });
  for (const [args, key] of [
    [{ dbc: ['car.dbc'], id: '0x800', ext: false, data: '' }, 'id'],
    [{ dbc: ['car.dbc'], id: 'x', data: '' }, 'id'],
    [{ dbc: ['car.dbc'], id: '1', data: '123' }, 'data'],
    [{ dbc: ['car.dbc'], id: '1', data: '00'.repeat(65) }, 'data'],
    [{ dbc: [], id: '1', data: '' }, 'dbc'],
  ] as const) {
    await t.rejects(call('can_decode_frame', args), { code: 'TOOL_ARGS_INVALID', location: { key } });
  }
  await t.rejects(call('can_message_layout', { file: 'car.dbc', message: 'ESP_STATUS' }), {
    code: 'TOOL_ARGS_INVALID',
    message: /ESP_STATE/,
  });
});

t.test('a grid tells signals that share bits from those that exclude each other', async (t) => {
  const folder = carFolder();
  const call = caller(toolsOver([folder]));
  writeFileSync(
    join(folder, 'mux.dbc'),
    [
      'BO_ 5 MUX: 2 X',
      ' SG_ Mode M : 0|4@1+ (1,0) [0|15] "" X',
      ' SG_ One m1 : 8|8@1+ (1,0) [0|255] "" X',
      ' SG_ Two m2 : 8|8@1- (0.5,-3) [0|255] "A" X',
      'BO_ 6 BAD: 1 X',
      ' SG_ A : 0|4@1+ (1,0) [0|15] "" X',
      ' SG_ B : 3|2@1+ (1,0) [0|3] "" X',
      '',
    ].join('\n'),
  );
  const mux = await call('can_message_layout', { file: 'mux.dbc', message: 'MUX' });
  t.match(String(mux['grid']), /^ {3}1 {3}\* {2}\* /m);
  t.equal(mux['shared_bits'], 0);
  const one = await call('can_message_layout', { file: 'mux.dbc', message: 'MUX', mux_value: 1 });
  t.match(String(one['grid']), /^ {3}1 {3}B {2}B /m);
  t.equal(one['signals_count'], 2);
  const bad = await call('can_message_layout', { file: 'mux.dbc', message: '6' });
  t.equal(bad['shared_bits'], 1);
  t.match(String(bad['grid']), /#/);
  await t.rejects(call('can_message_layout', { file: 'mux.dbc', message: '6', mux_value: 1 }), {
    code: 'TOOL_ARGS_INVALID',
    location: { key: 'mux_value' },
  });
});

t.test('differences are told field by field, and a file equals itself', async (t) => {
  const folder = carFolder();
  const call = caller(toolsOver([folder]));
  const text = readFileSync(join(folder, 'car.dbc'), 'latin1');
  const changed = text
    .replace('(0.01,0) [0|400] "km/h"', '(0.02,0) [0|400] "mph"')
    .replace(/^ SG_ ABS_FAULT .*\n/m, '')
    .replace('BO_ 257 RAEDER', 'BO_ 300 RAEDER');
  writeFileSync(join(folder, 'new.dbc'), changed, 'latin1');
  t.match(await call('can_dbc_diff', { before: 'car.dbc', after: 'car.dbc' }), {
    is_same: true,
    changes_count: 0,
  });
  const { entries, pages } = await allPages(
    (cursor) => call('can_dbc_diff', { before: 'car.dbc', after: 'new.dbc', limit: 2, cursor }),
    'changes',
  );
  t.ok(pages > 1);
  t.same(
    entries.map(({ kind, message, signal, field, before, after }) => [
      kind,
      message,
      signal,
      field,
      before,
      after,
    ]),
    [
      ['signal_removed', 'ESP_STATE', 'ABS_FAULT', null, null, null],
      ['signal_changed', 'ESP_STATE', 'VEH_SPEED', 'factor', '0.01', '0.02'],
      ['signal_changed', 'ESP_STATE', 'VEH_SPEED', 'unit', 'km/h', 'mph'],
      ['message_removed', 'RAEDER', null, null, null, null],
      ['message_added', 'RAEDER', null, null, null, null],
    ],
  );
});

t.test('a cursor belongs to a question and to the file as it was', async (t) => {
  const folder = carFolder();
  const call = caller(toolsOver([folder]));
  const first = await call('can_dbc_info', { file: 'car.dbc', limit: 1 });
  const cursor = first['next_cursor'];
  const second = await call('can_dbc_info', { file: 'car.dbc', limit: 1, cursor });
  t.not(list(second['messages'])[0]?.['id'], 256);
  await t.rejects(call('can_dbc_check', { file: 'car.dbc', cursor }), { code: 'TOOL_CURSOR_STALE' });
  writeFileSync(join(folder, 'car.dbc'), `${readFileSync(join(folder, 'car.dbc'), 'latin1')}\n`, 'latin1');
  await t.rejects(call('can_dbc_info', { file: 'car.dbc', cursor }), { code: 'TOOL_CURSOR_STALE' });
});

const big = corpusFile('can', 'dbc', 'ford_lincoln_base_pt.dbc');
t.test('a large public DBC in pages', { skip: big === null ? corpusMissing : false }, async (t) => {
  const call = caller(toolsOver([corpusFile('can', 'dbc')!]));
  const file = 'ford_lincoln_base_pt.dbc';
  const info = await allPages((cursor) => call('can_dbc_info', { file, limit: 40, cursor }), 'messages');
  const head = await call('can_dbc_info', { file, limit: 1 });
  t.equal(info.entries.length, head['messages_count']);
  t.equal(new Set(info.entries.map(({ id, ext }) => `${id}${ext}`)).size, info.entries.length);
  const found = await allPages(
    (cursor) => call('can_find_signals', { file, query: 'speed', limit: 25, cursor }),
    'matches',
  );
  t.ok(found.entries.length > 20);
  for (const { message } of info.entries.slice(0, 30)) {
    t.match(await call('can_message_layout', { file, message }), { grid: /byte/ });
  }
});
