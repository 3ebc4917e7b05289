import t from 'tap';
import { DriveMcpError } from '../../daemon/core/errors.js';
import { collectPiped, type Frame } from './collect-frames.js';

/** `bus id#data dlc flags` of each frame. */
function brief(frames: readonly Frame[]): string[] {
  return frames.map((f) => `${f.bus} ${f.id}#${f.data} ${f.dlc}${f.flags === '' ? '' : ` ${f.flags}`}`);
}

t.test('log form: widths of ids, CAN FD, remote, error frames, direction letters', async (t) => {
  const lines: [string, string][] = [
    ['(1.000000) can0 123#DEADBEEF', 'can0 123#deadbeef 4'],
    ['(1.000000) can0 00000123#', 'can0 00000123# 0 ext'],
    ['(1.000000) vcan12 18FEEE00#0102030405060708', 'vcan12 18FEEE00#0102030405060708 8 ext'],
    ['(1.000000) can0 123##1112233', 'can0 123#112233 3 fd brs'],
    [`(1.000000) can0 123##3${'ab'.repeat(64)}`, `can0 123#${'ab'.repeat(64)} 15 fd brs esi`],
    [`(1.000000) can0 00000123##0${'01'.repeat(12)}`, `can0 00000123#${'01'.repeat(12)} 9 ext fd`],
    ['(1.000000) can0 123#R', 'can0 123# 0 remote'],
    ['(1.000000) can0 123#R5', 'can0 123# 5 remote'],
    ['(1.000000) can0 12345678#R8_F', 'can0 12345678# 15 ext remote'],
    ['(1.000000) can0 123#1122334455667788_9', 'can0 123#1122334455667788 9'],
    ['(1.000000) can0 123#11.22.33', 'can0 123#112233 3'],
    ['(1.000000) can0 123#11 T', 'can0 123#11 1 tx'],
    ['(1.000000) can0 123#11 R\r', 'can0 123#11 1'],
    ['(1.000000) can0 20000004#0004000000000000', 'can0 004#0004000000000000 8 error'],
    ['(1.000000)  can0  123#11', 'can0 123#11 1'],
  ];
  const { frames, source } = await collectPiped(`${lines.map(([line]) => line).join('\n')}\n`);
  t.same(
    brief(frames),
    lines.map(([, expected]) => expected),
  );
  t.same(
    frames.map((frame) => frame.line),
    lines.map((_, i) => i + 1),
  );
  t.equal(source.damaged, 0);
});

t.test('console form: columns of direction, ASCII, remote request, ERRORFRAME', async (t) => {
  const lines: [string, string][] = [
    ['  can0  123   [2]  11 22', 'can0 123#1122 2'],
    ['  can0  00000123   [0]', 'can0 00000123# 0 ext'],
    ["  can0  123   [4]  64 00 00 27   'd..''", 'can0 123#64000027 4'],
    ['  can0  RX - -  123   [1]  11', 'can0 123#11 1'],
    ['  can0  TX B E  123  [03]  11 22 33', 'can0 123#112233 3 fd brs esi tx'],
    [`  can0       123  [12]  ${'aa '.repeat(12)}`, `can0 123#${'aa'.repeat(12)} 9 fd`],
    ['  can0  123   [0]  remote request', 'can0 123# 0 remote'],
    ['  can0  1F334455   [6]  remote request', 'can0 1F334455# 6 ext remote'],
    ['  can0  123   {D}  01 02 03 04 05 06 07 08', 'can0 123#0102030405060708 13'],
    ['  can0  20000004   [8]  00 04 00 00 00 00 00 00   ERRORFRAME', 'can0 004#0004000000000000 8 error'],
  ];
  const explanation = '\tcontroller-problem{rx-error-warning}\n';
  const { frames, codes, source } = await collectPiped(
    `${lines.map(([line]) => line).join('\n')}\n${explanation}  can0  124   [1]  01\n`,
  );
  t.same(brief(frames), [...lines.map(([, expected]) => expected), 'can0 124#01 1']);
  t.same(codes, { no_timestamps: 1 });
  t.same([source.damaged, source.ignored], [0, 1]);
  t.notOk(source.hasAbsoluteTime);
});

t.test('time stamps: absolute, dated, since start, differences', async (t) => {
  const times = async (stamps: readonly string[]) => {
    const { frames, source } = await collectPiped(stamps.map((stamp) => `(${stamp}) can0 123#11\n`).join(''));
    return {
      t: frames.map((frame) => frame.t),
      absolute: source.hasAbsoluteTime,
      codes: source.diagnosticsByCode,
    };
  };
  const absolute = await times(['1757617431.821276', '1757617431.821275']);
  t.same(absolute.t, [1757617431.821276, 1757617431.821275]);
  t.ok(absolute.absolute);
  t.equal(absolute.codes.get('time_backwards'), 1);

  const dated = await times(['2010-01-01 12:00:00.123456']);
  t.same(dated.t, [1262347200.123456]);
  t.ok(dated.absolute);
  t.equal(dated.codes.get('local_time'), 1);

  const zero = await times(['000.000000', '000.000100', '000.000250', '010.000000']);
  t.same(zero.t, [0, 0.0001, 0.00025, 10]);
  t.notOk(zero.absolute);

  const delta = await times([
    '000.000000',
    '000.000100',
    '000.000050',
    '000.000200',
    '000.000010',
    '000.000020',
  ]);
  t.same(delta.t, [0, 0.0001, 0.00015, 0.00035, 0.00036, 0.00038]);
  t.notOk(delta.absolute);
  t.equal(delta.codes.size, 0);

  const nanoseconds = await times(['1757617431.821276123']);
  t.same(nanoseconds.t, [Number('1757617431.821276123')]);
});

t.test('whole seconds alone make a log too', async (t) => {
  const { frames } = await collectPiped('(17) can0 7E8#04410C1AF8\n');
  t.same(
    frames.map((frame) => frame.t),
    [17],
  );
});

t.test('damaged lines are located and counted, the others are read', async (t) => {
  const good = '(1.000000) can0 123#11\n';
  const cases: [string, string][] = [
    ['(1606770', 'time_invalid'],
    ['(1.0.0) can0 123#11', 'time_invalid'],
    ['can0 123#11', 'time_invalid'],
    ['(1.000000) can0', 'line_unreadable'],
    ['(1.000000) can0 12#11', 'id_invalid'],
    ['(1.000000) can0 1234#11', 'id_invalid'],
    ['(1.000000) can0 8FF#11', 'id_range'],
    ['(1.000000) can0 123#1', 'data_invalid'],
    ['(1.000000) can0 123#1G', 'data_invalid'],
    ['(1.000000) can0 123#112233445566778899', 'data_long'],
    [`(1.000000) can0 123##1${'00'.repeat(65)}`, 'data_long'],
    ['(1.000000) can0 123##', 'data_invalid'],
    ['(1.000000) can0 123#R9', 'length_invalid'],
    ['(1.000000) can0 123#11 X', 'direction_invalid'],
    ['(1.000000)  can0  123   [8]  11 22', 'data_short'],
    ['(1.000000)  can0  123   [1]  11 22', 'data_long'],
    ['(1.000000)  can0  123   [9]  11 22 33 44 55 66 77 88 99', 'length_invalid'],
    [`(1.000000) ${'x'.repeat(100)} 123#11`, 'bus_invalid'],
    ['\u0000\u0001\u0002', 'time_invalid'],
    ['Grüße', 'time_invalid'],
  ];
  for (const [line, code] of cases) {
    const { frames, codes, source } = await collectPiped(`${good}${line}\n${good}`);
    t.equal(frames.length, 2, line);
    t.same(codes, { [code]: 1 }, line);
    t.same([source.damaged, source.firstDiagnostics[0]?.line], [1, 2], line);
  }
});

t.test('the end: a cut line, a missing line end, nothing at all', async (t) => {
  const cut = await collectPiped('\n(1.000000) can0 123#11\n(160');
  t.same([cut.frames.length, cut.codes], [1, { line_cut: 1 }]);
  const open = await collectPiped('(1.000000) can0 123#11\n(1.000000) can0 123#1122');
  t.same([open.frames.length, open.codes], [2, { no_final_newline: 1 }]);
  for (const content of ['', '(1.000000) can0 123#1122334455667788AA\n']) {
    await t.rejects(collectPiped(content), { code: 'LOG_NO_FRAMES' }, JSON.stringify(content));
  }
  await t.rejects(collectPiped('no frame\nanywhere\n'), { code: 'LOG_FORMAT_UNKNOWN' });
  await t.rejects(collectPiped('\n'), DriveMcpError);
});

t.test('many findings are all counted and the first are kept', async (t) => {
  const { source, codes } = await collectPiped(
    `(1.000000) can0 123#11\n${'(1.000000) can0 123#1\n'.repeat(5000)}`,
  );
  t.same([source.damaged, source.firstDiagnostics.length], [5000, 20]);
  t.same(codes, { data_invalid: 5000 });
  t.equal(source.firstDiagnostics[19]?.line, 21);
});

t.test('a byte order mark is no part of the first line', async (t) => {
  const { frames, source } = await collectPiped('\ufeff(1.000000) can0 123#11\n');
  t.same([frames.length, source.damaged], [1, 0]);
});

t.test('lines without end are skipped in bounded memory', async (t) => {
  const good = '(1.000000) can0 123#11\n';
  const { frames, codes } = await collectPiped(`${good}${'7'.repeat(900_000)}\n${good}`);
  t.same([frames.length, codes], [2, { line_too_long: 1 }]);
  t.same(
    frames.map((frame) => frame.line),
    [1, 3],
  );
});

t.test('a pipe is answered with what is there', async (t) => {
  const whole = Array.from(
    { length: 300 },
    (_, i) => `(1.${String(i).padStart(6, '0')}) can0 123#${'11'.repeat(i % 9)}\n`,
  );
  for (const chunkBytes of [1, 7, 30, 4096]) {
    const { frames, source } = await collectPiped(whole.join(''), chunkBytes);
    t.same([frames.length, source.damaged], [300, 0], `chunks of ${chunkBytes}`);
  }
});
