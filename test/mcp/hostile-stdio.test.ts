/** Clients that mean harm, over stdio: everything is refused, memory stays bounded, and the server answers afterwards. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { RawStdio } from './raw-stdio.js';
import { sampleCalls } from './sample-calls.js';

const fine = sampleCalls['weather_assess'];

t.test(
  'ten thousand calls at once: a bounded number waits, the others are refused, memory is bounded',
  async (t) => {
    const client = new RawStdio(t, ['weather']);
    await client.open();
    const before = client.peakMb();
    const ids = Array.from({ length: 10_000 }, () =>
      client.send('tools/call', { name: 'weather_assess', arguments: fine }),
    );
    const answers = await Promise.all(ids.map((id) => client.answer(id)));
    const refused = answers.filter(({ result }) => result?.isError === true);
    t.ok(answers.length - refused.length >= 16, `${answers.length - refused.length} were answered`);
    for (const { result } of refused) {
      if (!/SERVER_BUSY/.test(result?.content?.[0]?.text ?? '')) t.fail('refused for another reason');
    }
    t.ok(client.peakMb() - before < 200, `memory grew by ${Math.round(client.peakMb() - before)} MB`);
    t.notOk((await client.call('weather_assess', fine)).result?.isError, 'alive afterwards');
  },
);

t.test('a storm of withdrawals leaves nothing behind', async (t) => {
  const client = new RawStdio(t, ['rules', '--state', t.testdir()]);
  await client.open();
  for (let i = 0; i < 1000; i++) {
    const id = client.send('tools/call', { name: 'rules_search', arguments: sampleCalls['rules_search'] });
    client.write(
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }),
    );
  }
  t.notOk((await client.call('rules_list_packs', {})).result?.isError, 'alive afterwards');
});

t.test('arguments that abuse a schema', async (t) => {
  const client = new RawStdio(t, ['drivemcp', '--state', join(t.testdir(), 'none')]);
  await client.open();
  let deep: unknown = 1;
  for (let i = 0; i < 2000; i++) deep = { deep };
  const world = { speed_mps: 20 };
  const abuses: readonly [string, unknown][] = [
    ['not an object', 'text'],
    ['null', null],
    ['nested', { world_state: deep }],
    ['a number as text', { world_state: { speed_mps: 'NaN' } }],
    ['beyond its range', { world_state: { speed_mps: 1e308 } }],
    ['too many actors', { world_state: { ...world, leads: Array(33).fill({ gap_m: 1, closing_mps: 0 }) } }],
    ['too many members', { world_state: { ...world, leads: Array(5000).fill(0) } }],
    ['an unknown signal', { world_state: { ...world, signals: { 'Vehicle.Nothing': 1 } } }],
    ['a prototype', { world_state: JSON.parse('{"speed_mps":1,"__proto__":{"a":1}}') as unknown }],
    ['an unknown word', { world_state: world, preset: 'aggressive' }],
    ['an order to act', { world_state: world, act: true }],
    ['text that cannot be seen', { world_state: { ...world, jurisdiction: 'DEU\u202e' } }],
    ['tags', { world_state: { ...world, jurisdiction: 'DEU\u{e0041}' } }],
  ];
  for (const [what, args] of abuses) {
    const { result, error } = await client.call('drivemcp_advise', args);
    t.ok(error !== undefined || result?.isError === true, `${what} is refused`);
    t.notMatch(JSON.stringify(result ?? error), /node_modules|at .*\.js:\d/, 'without a stack');
  }
  const valid = (await client.call('drivemcp_advise', { world_state: world, preset: 'x' })).result
    ?.content?.[0]?.text;
  t.match(valid, /default.*paper-literal/, 'an unknown word lists the valid ones');
});

t.test('paths, writes and what is no message', async (t) => {
  const state = join(t.testdir(), 'none');
  const client = new RawStdio(t, ['drivemcp', '--state', state]);
  await client.open();
  for (const uri of [
    'audit://run/..%2f..%2fetc%2fpasswd',
    'audit://run/../../../etc/passwd',
    'audit://run/%00',
    'audit://run/%e2%80%ae',
    'file:///etc/passwd',
    'world://current/../../x',
    `audit://run/${'a'.repeat(100_000)}`,
    'not a uri',
    'audit://run/%zz',
  ]) {
    t.ok((await client.ask('resources/read', { uri })).error, `${uri.slice(0, 40)} is refused`);
  }
  for (const run_id of ['../x', '/etc/passwd', 'a/b', '.', '']) {
    const { result } = await client.call('drivemcp_explain', { tick: 1, run_id });
    t.match(result?.content?.[0]?.text, /TOOL_ARGS_INVALID/, `run ${run_id}`);
  }
  for (const method of ['resources/write', 'tools/register', 'drivemcp/act', 'constructor', '__proto__']) {
    t.equal((await client.ask(method, {})).error?.code, -32_601, `${method} does not exist`);
  }
  for (const name of ['drivemcp_act', 'can_clear_dtcs', '__proto__', 'constructor', 'toString']) {
    const { result, error } = await client.call(name, {});
    t.ok(error !== undefined || result?.isError === true, `there is no tool ${name}`);
  }
  for (const line of [
    '',
    '{',
    '[]',
    'null',
    '{"jsonrpc":"1.0"}',
    '\u0000',
    '{"jsonrpc":"2.0","id":{}}',
    '"x"',
  ]) {
    client.write(line);
  }
  const { result } = await client.call('drivemcp_status', {});
  t.match(result?.content?.[0]?.text, /"absent"/, 'alive afterwards');
  t.notOk(existsSync(state), 'nothing was written where nothing was');
  const ended = new Promise((resolve) => client.child.once('close', resolve));
  client.child.stdin.end();
  t.equal(await ended, 0, 'and it leaves when its client leaves');
});

t.test('a message without end closes the connection, not the machine', async (t) => {
  const client = new RawStdio(t, ['weather']);
  await client.open();
  const ended = new Promise((resolve) => client.child.once('close', resolve));
  const chunk = Buffer.alloc(262_144, 'a');
  const more = (): void => {
    while (client.child.exitCode === null && client.child.stdin.writable && client.child.stdin.write(chunk));
  };
  client.child.stdin.on('drain', more);
  more();
  t.type(await ended, 'number', 'it ends by itself');
});
