/** ELM327 adapters: their text, what they may be told, and `obd poll --elm` against a simulated one on TCP and a pty. */
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import {
  addressingOf,
  headerCommand,
  isAllowedAtCommand,
  voltageOf,
} from '../../daemon/core/elm327/at-commands.js';
import type { ElmFailure } from '../../daemon/core/elm327/elm-failures.js';
import { parseElmReply } from '../../daemon/core/elm327/elm-reply.js';
import { bundledEcus, parseEcuScript } from '../../hil/ecu/ecu-script.js';
import { loadObdTx } from '../../native/index.js';
import { type CommandResult, drivemcp } from '../helpers/command.js';
import { type AdapterQuirks, ElmAdapter, onPty, onTcp } from './elm-adapter.js';

const native = loadObdTx();
const skip = native.module === null && `native module missing: ${native.reason}`;
const noPython = spawnSync('python3', ['--version']).error !== undefined && 'no python3 to open a pty with';

const vinHex = '490201574452564d4350534d304c415445303137';
const told = (text: string, command = '0902') => {
  const { answers, failures, brokenAnswers } = parseElmReply(text, command);
  return [
    answers.map(({ answerId, payload }) => [answerId, Buffer.from(payload).toString('hex')]),
    failures,
    brokenAnswers,
  ];
};

t.test('the same answer in every form adapters have for it', async (t) => {
  for (const hasHeaders of [false, true]) {
    for (const hasBlanks of [false, true]) {
      for (const hasEcho of [false, true]) {
        let printed = '';
        const adapter = new ElmAdapter(bundledEcus, {}, (text) => (printed += text));
        adapter.receive(
          `${hasEcho ? '' : 'ATE0\r'}${hasBlanks ? '' : 'ATS0\r'}${hasHeaders ? 'ATH1\r' : ''}`,
        );
        printed = '';
        adapter.receive('0902\r');
        const id = hasHeaders ? 0x7e8 : null;
        t.same(told(printed), [[[id, vinHex]], [], 0], printed);
      }
    }
  }
  t.same(
    told('014\r490201574452\r564D4350534D30\r4C415445303137\r>'),
    [[[null, vinHex]], [], 0],
    'no line numbers',
  );
  t.same(told('SEARCHING...41 00 BE 3F A8 13', '0100'), [[[null, '4100be3fa813']], [], 0]);
  t.same(told('BUS INIT: ...OK\r\n41 05 7B\r\n', '0105'), [[[null, '41057b']], [], 0]);
  t.same(told('\u0000\u0000' + '010C\r\n7E8 04 41 0C 1A F8\r\n7E9 04 41 0C 1A F9\r\n\r\n>', '01 0c'), [
    [
      [0x7e8, '410c1af8'],
      [0x7e9, '410c1af9'],
    ],
    [],
    0,
  ]);
  t.same(told('18 DA F1 10 03 41 0D 32\r18DAF11103410D33', '010D'), [
    [
      [0x18daf110, '410d32'],
      [0x18daf111, '410d33'],
    ],
    [],
    0,
  ]);
});

t.test('two long answers, line by line in turn', async (t) => {
  const lines = [
    '7E8 10 09 43 04 01 33 01 34',
    '7E9 10 08 43 03 C1 00 C1 01',
    '7E9 21 C1 02',
    '7E8 21 01 35 01 AA',
  ];
  t.same(told(lines.join('\r'), '03'), [
    [
      [0x7e9, '4303c100c101c102'],
      [0x7e8, '430401330134013501'],
    ],
    [],
    0,
  ]);
});

t.test('what is cut, lost or mixed up is no answer', async (t) => {
  const broken = (text: string) => {
    const [answers, , count] = told(text);
    return [answers, count];
  };
  t.same(broken('7E8 04 41 0C 1A'), [[], 1], 'fewer bytes than told');
  t.same(broken('7E8 10 14 49 02 01 57 44 52\r7E8 21 56 4D 43 50 53 4D 30'), [[], 1], 'the end is missing');
  t.same(
    broken('7E8 10 14 49 02 01 57 44 52\r7E8 22 4C 41 54 45 30 31 37'),
    [[], 1],
    'the middle is missing',
  );
  t.same(broken('7E8 21 56 4D 43 50 53 4D 30'), [[], 1], 'the beginning is missing');
  t.same(broken('014\r0:490201574452\r0:490201574452\r'), [[], 1], 'two ECUs without headers');
  t.same(broken('7E8 10 14 49 02'), [[], 1]);
  t.same(broken('7E8 00 00'), [[], 1]);
});

const failureTexts: readonly (readonly [text: string, failure: ElmFailure])[] = [
  ['NO DATA', 'no_data'],
  ['NODATA', 'no_data'],
  ['CAN ERROR', 'can_error'],
  ['BUFFER FULL', 'buffer_full'],
  ['UNABLE TO CONNECT', 'unable_to_connect'],
  ['SEARCHING...UNABLE TO CONNECT', 'unable_to_connect'],
  ['STOPPED', 'stopped'],
  ['BUS INIT: ERROR', 'bus_init'],
  ['BUS INIT: ...ERROR', 'bus_init'],
  ['BUS BUSY', 'bus_busy'],
  ['BUS ERROR', 'bus_error'],
  ['FB ERROR', 'feedback_error'],
  ['DATA ERROR', 'data_error'],
  ['7E8 04 41 0C 1A F8 <DATA ERROR', 'data_error'],
  ['7E8 04 41 0C 1A <RX ERROR', 'rx_error'],
  ['ACT ALERT', 'low_power'],
  ['LV RESET', 'reset'],
  ['ELM327 v1.5', 'reset'],
  ['ERR94', 'adapter_error'],
  ['?', 'unknown_command'],
  ['hello', 'garbage'],
  ['410C1', 'garbage'],
  ['123 04 41 0C 1A F8', 'garbage'],
];

t.test('each failure text by its name, and no answer with it', async (t) => {
  for (const [text, failure] of failureTexts) t.same(told(`${text}\r\r>`, '010C'), [[], [failure], 0], text);
});

t.test('any text ends in something: no throw, bounded, nothing invented', async () => {
  const line = fc.oneof(
    fc.constantFrom(
      ...failureTexts.map(([text]) => text),
      'OK',
      'SEARCHING...',
      '014',
      '0:490201574452',
      '7E8 21 01',
    ),
    fc.stringMatching(/^[0-9A-F ]{0,40}$/),
    fc.string({ maxLength: 30 }),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const text = lines.join('\r');
      const { answers, failures, brokenAnswers } = parseElmReply(text, '0902');
      const bytes = answers.reduce((sum, { payload }) => sum + payload.length, 0);
      return (
        bytes * 2 <= text.length &&
        failures.length + answers.length + brokenAnswers <= 2 * lines.length * 2 + 2
      );
    }),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.boolean(), (payload, hasBlanks) => {
      const bytes = [...payload];
      const hex = (frame: number[]) =>
        Buffer.from(frame)
          .toString('hex')
          .match(/../g)!
          .join(hasBlanks ? ' ' : '');
      const frames =
        bytes.length <= 7 ? [[bytes.length, ...bytes]] : [[0x10, bytes.length, ...bytes.slice(0, 6)]];
      if (bytes.length > 7)
        for (let at = 6, n = 1; at < bytes.length; at += 7, n++)
          frames.push([0x20 | (n & 15), ...bytes.slice(at, at + 7)]);
      const reply = parseElmReply(
        frames.map((frame) => `7E8${hasBlanks ? ' ' : ''}${hex(frame)}`).join('\r'),
        '22F190',
      );
      return Buffer.from(reply.answers[0]?.payload ?? []).equals(Buffer.from(payload));
    }),
  );
});

t.test('AT commands: what stores, sends or goes elsewhere is not on the list', async (t) => {
  for (const command of [
    'ATPP0CSV23',
    'ATPPFFON',
    'ATSP6',
    'ATSPA6',
    'ATSD00',
    'AT@312345',
    'ATRTR',
    'ATWM0',
    'ATSW96',
    'ATBRD23',
    'ATSH7E8',
    'ATSH123',
    'ATSHDA10F2',
    'ATSHDB33F2',
    'ATSH7DF0',
    'ATFCSM1',
    'ATCEA',
    'ATMA',
    'ATCSM0',
    'ATLP',
    'ATIB10',
    'ATPB',
    'ATZ\rATPP',
    '',
    'STPX',
    'at z',
  ])
    t.notOk(isAllowedAtCommand(command), command);
  const guard = native.module;
  for (let id = 0; id < 2048; id++) {
    const isAsked = guard === null || guard.checkRequest(id, false, Uint8Array.of(3)) === 0;
    if (guard !== null) t.equal(isAllowedAtCommand(headerCommand(id)), isAsked, headerCommand(id));
  }
  for (let x = 0; x < 256; x++) {
    t.ok(isAllowedAtCommand(headerCommand(0x18da00f1 + x * 256)));
    t.equal(isAllowedAtCommand(headerCommand(0x18db00f1 + x * 256)), x === 0x33);
  }
  t.same(['A6', '7', 'A8', '9', 'A3', '5', 'AA', '', 'x'].map(addressingOf), [
    '11',
    '29',
    '11',
    '29',
    null,
    null,
    null,
    null,
    null,
  ]);
  t.same(['12.6V', ' 14.10\r', '0.0V', '99.9V', '-1', '?', '12V'].map(voltageOf), [
    12.6,
    14.1,
    null,
    null,
    null,
    null,
    null,
  ]);
});

interface Result extends CommandResult {
  readonly summary: Record<string, number> & { end: string };
}

async function poll(where: string, ...args: string[]): Promise<Result> {
  const result = await drivemcp(['obd', 'poll', '--elm', where, '--allow-requests', '--json', ...args]);
  const line = result.stderr.split('\n').find((text) => text.startsWith('{"summary"')) ?? '{"summary":{}}';
  return { ...result, ...(JSON.parse(line) as Pick<Result, 'summary'>) };
}

async function overTcp(t: Test, quirks: AdapterQuirks, ...args: string[]) {
  const { where, adapter } = await onTcp(t, bundledEcus, quirks);
  const result = await poll(where, ...args);
  return { result, commands: adapter()?.commands ?? [] };
}

t.test('over TCP: one round, as on a bus', { skip }, async (t) => {
  const { result, commands } = await overTcp(t, { identity: 'ELM327 v9.9 (honest)' }, '--once');
  t.equal(result.code, 0, result.stderr);
  const lines = result.objects();
  t.match(
    lines.find((line) => line['pid'] === '0C'),
    { ecu: '7E8', values: { RPM: { value: 820 } } },
  );
  t.match(
    lines.find((line) => line['pid'] === '02'),
    { ecu: '7E8', vin: 'WDRVMCPSM0LATE017' },
  );
  t.match(
    lines.find((line) => line['ecu'] === '7E9' && line['service'] === '03'),
    { dtcs: [{ code: 'U0100' }] },
  );
  t.match(result.stderr, 'v9.9');
  const at = commands.filter((command) => command.startsWith('AT'));
  t.same(
    at.filter((command) => !isAllowedAtCommand(command)),
    [],
  );
  t.ok(commands.indexOf('ATRV') < commands.indexOf('0100'), 'the voltage comes before the first question');
});

t.test('29 bits, a clone that lacks what is optional, other vehicles', { skip }, async (t) => {
  const script = parseEcuScript({ ecus: [{ answer: '18DAF110', pids: { '0C': '0CD0', '42': '3714' } }] });
  const { where, adapter } = await onTcp(t, script, {
    protocol: 'A7',
    refuses: ['ATAT1', 'ATAL', 'ATM0', 'ATI', 'ATRV', 'ATL0'],
  });
  const result = await poll(where, '--once', '--pids', '0C');
  t.equal(result.code, 0, result.stderr);
  t.match(result.objects().at(-1), { id: '18DAF110', values: { RPM: { value: 820 } } });
  t.ok(adapter()?.commands.includes('ATSHDA10F1'));
  const kLine = await overTcp(t, { protocol: 'A3' }, '--once');
  t.match([kLine.result.code, kLine.result.stderr], [69, /K-line/]);
  const noHeaders = await overTcp(t, { refuses: ['ATH1'] }, '--once');
  t.match([noHeaders.result.code, noHeaders.result.stderr], [69, /ATH1/]);
  t.notOk(
    noHeaders.commands.some((command) => !command.startsWith('AT')),
    'and nothing was asked',
  );
  for (const words of [
    'SEARCHING...\rUNABLE TO CONNECT',
    'NO DATA',
    'CAN ERROR',
    'BUS INIT: ERROR',
    'garbage!',
  ]) {
    const dead = await overTcp(t, { says: { '0100': words } }, '--once');
    t.match([dead.result.code, dead.result.stderr], [69, /no control unit answers/], words);
  }
});

t.test('failures in the middle are counted by name; the rest is still right', { skip }, async (t) => {
  const says = {
    '0104': 'BUFFER FULL',
    '0105': 'CAN ERROR',
    '010D': '7E8 03 41 0D',
    '010E': 'STOPPED',
    '010F': '7E8 03 41 0F 41 <RX ERROR',
    '011F': 'DATA ERROR',
    '0121': '?',
    '0902': '7E81014490201574452\r7E82256',
  };
  const { result } = await overTcp(t, { says }, '--once');
  t.equal(result.code, 0, result.stderr);
  t.match(result.summary, {
    adapter_buffer_full: 1,
    adapter_can_error: 1,
    adapter_stopped: 1,
    adapter_rx_error: 1,
    adapter_data_error: 1,
    adapter_unknown_command: 1,
  });
  t.ok(Number(result.summary['broken']) >= 2);
  t.notOk(result.objects().some((line) => 'vin' in line));
  t.match(
    result.objects().find((line) => line['pid'] === '0C'),
    { values: { RPM: { value: 820 } } },
  );
});

t.test('a line that is cut, an adapter that is reset, hangs, is not there', { skip }, async (t) => {
  const cut = await overTcp(t, { dropsAtRequest: 6 }, '--once');
  t.match([cut.result.code, cut.result.summary.end], [69, 'transport_lost']);
  const reset = await overTcp(t, { says: { '010C': 'LV RESET' } }, '--once');
  t.match([reset.result.code, reset.result.summary.end], [69, 'transport_lost']);
  const hung = await overTcp(t, { hangsOn: '010D' }, '--once', '--pids', '0D,05');
  t.equal(hung.result.summary['adapter_timeouts'], 1, hung.result.stderr);
  t.match(
    hung.result.objects().find((line) => line['pid'] === '05'),
    { values: {} },
    'it is woken and goes on',
  );
  for (const where of ['tcp://127.0.0.1:1', '/dev/nosuchtty'])
    t.equal((await poll(where, '--once', '--seconds', '600')).code, 69, `${where}: told at once`);
  for (const where of ['tcp://', 'tcp://h:0', 'tcp://h:99999', 'ttyUSB0', '/dev/null@7', ''])
    t.equal((await poll(where, '--once')).code, 2, where);
});

t.test(
  'on a serial line (a pty): one round, then the plug is pulled',
  { skip: skip || noPython },
  async (t) => {
    const first = await onPty(t, bundledEcus, {});
    const result = await poll(first.where, '--once', '--pids', '05,0C');
    t.equal(result.code, 0, result.stderr);
    t.match(result.objects().at(-1), { pid: '0C', values: { RPM: { value: 820 } } });
    const second = await onPty(t, bundledEcus, { dropsAtRequest: 5 });
    const lost = await poll(second.where, '--pids', '05,0C');
    t.match([lost.code, lost.summary.end], [69, 'transport_lost']);
  },
);
