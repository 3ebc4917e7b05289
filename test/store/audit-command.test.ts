import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import { drivemcp } from '../helpers/command.js';
import { filledStore } from './store-fixture.js';

t.test('audit verify, show and export of a store', async (t) => {
  const stateDir = t.testdir({});
  const state = ['--state', stateDir];
  await filledStore(stateDir, 30, 'run-1');
  await filledStore(stateDir, 10, 'run-2');

  const verified = await drivemcp(['audit', 'verify', ...state, '--json']);
  t.equal(verified.code, 0);
  const [report] = verified.objects();
  t.match(report, { ok: true, records: 44, head: { epoch: 1, seq: 44 }, epochs: [{ problem: null }] });
  t.match((await drivemcp(['audit', 'verify', ...state])).stdout, /the chain is whole: 44 records\n$/);

  const exported = await drivemcp(['audit', 'export', ...state]);
  t.equal(exported.stderr, '');
  t.equal(exported.objects().length, 44);
  const file = join(stateDir, 'chain.jsonl');
  writeFileSync(file, exported.stdout);
  const again = await drivemcp(['audit', 'verify', '--file', file, '--json']);
  t.match(again.objects(), [{ ok: true, records: 44, begins_inside: false, head: report?.['head'] }]);
  const inside = await drivemcp(['audit', 'export', ...state, '--run', 'run-2']);
  t.equal(inside.objects().length, 12);
  const piped = await drivemcp(['audit', 'verify', '--file', '-', '--json'], { stdin: inside.stdout });
  t.match(piped.objects(), [{ ok: true, records: 12, begins_inside: true, head: report?.['head'] }]);
  const late = await drivemcp(['audit', 'export', ...state, '--from-seq', '40', '--epoch', '1']);
  t.strictSame(
    late.objects().map((record) => record['seq']),
    [40, 41, 42, 43, 44],
  );

  const runs = await drivemcp(['audit', 'show', ...state, '--json']);
  t.match(runs.objects(), [
    { run_id: 'run-1', first_seq: 1, last_seq: 32, decision_hash: 'ab'.repeat(32), summary: { ticks: 30 } },
    { run_id: 'run-2' },
  ]);
  t.match(
    (await drivemcp(['audit', 'show', ...state])).stdout,
    /^run +started[\s\S]*\nrun-1 +2023-11-14 22:13:20 +ended +30/,
  );
  const shown = [
    'audit',
    'show',
    ...state,
    '--run',
    'run-1',
    '--kind',
    'decision',
    '--from-tick',
    '5',
    '--to-tick',
    '9',
  ];
  const records = await drivemcp([...shown, '--json']);
  t.strictSame(
    records.objects().map((record) => record['tick']),
    [5, 6, 7, 8, 9],
  );
  t.equal(records.stdout.split('\n')[0], exported.stdout.split('\n')[6], 'the same bytes as an export');
  const few = await drivemcp([...shown, '--limit', '2']);
  t.match(few.stdout, /… more records/);
});

t.test('what is broken is named, with exit code 1', async (t) => {
  const stateDir = t.testdir({});
  await filledStore(stateDir, 30);
  const { stdout } = await drivemcp(['audit', 'export', '--state', stateDir]);
  const changed = stdout.replace('"tick":12,', '"tick":13,');
  const broken = await drivemcp(['audit', 'verify', '--file', '-'], { stdin: changed });
  t.equal(broken.code, 1);
  t.match(broken.stdout, /^-:14: broken at record 14: the hash is not that of the record/);
  const db = new Database(join(stateDir, 'audit-1.db'));
  db.exec(`UPDATE runs SET preset = 'paper-literal'`);
  db.close();
  const row = await drivemcp(['audit', 'verify', '--state', stateDir]);
  t.equal(row.code, 1);
  t.match(row.stdout, /broken at record 1: the table of runs has another preset for run-1/);
});

t.test('hostile and missing input is answered, never believed', async (t) => {
  const stateDir = t.testdir({ 'audit-1.db': 'not a database', empty: '' });
  const cases: [string[], number, RegExp, string | Buffer | undefined][] = [
    [['verify', '--state', join(stateDir, 'none')], 69, /FILE_MISSING/, undefined],
    [['show', '--state', join(stateDir, 'none')], 69, /FILE_MISSING/, undefined],
    [['show', '--state', stateDir], 69, /STORE_CORRUPT/, undefined],
    [['export', '--state', stateDir, '--epoch', '-1'], 2, /USAGE/, undefined],
    [['verify', '--file', join(stateDir, 'none')], 69, /no such file/, undefined],
    [['verify', '--file', stateDir], 69, /FILE_UNREADABLE/, undefined],
    [['verify', '--file', '-'], 1, /CHAIN_BROKEN/, Buffer.alloc(17 * 1024 * 1024, 0x61)],
    [['verify', '--file', '-'], 1, /CHAIN_BROKEN.*/, Buffer.from([0xff, 0xfe, 0x0a])],
  ];
  for (const [args, code, message, stdin] of cases) {
    const result = await drivemcp(['audit', ...args], stdin === undefined ? {} : { stdin });
    t.equal(result.code, code, args.join(' '));
    t.match(result.stderr, message);
  }
  const damaged = await drivemcp(['audit', 'verify', '--state', stateDir]);
  t.equal(damaged.code, 1);
  t.match(damaged.stdout, /epoch 1: broken at record 0: file is not a database/);
  const nothing = await drivemcp(['audit', 'verify', '--file', join(stateDir, 'empty')]);
  t.equal(nothing.code, 1);
  t.match(nothing.stdout, /holds no record/);
  for (const text of ['[]\n', '5\n', '{"a":1}\n', '{}', 'null\n', '{"hash":"x"']) {
    const { code, stdout } = await drivemcp(['audit', 'verify', '--file', '-', '--json'], { stdin: text });
    t.equal(code, 1, text);
    t.match(JSON.parse(stdout), { ok: false, records: 0, problem: { line: 1 } });
  }
});

t.test(
  'what stands in the place of files, what is missing and what cannot be read has its answer',
  async (t) => {
    const stateDir = t.testdir({});
    const state = ['--state', stateDir];
    await filledStore(stateDir, 5);
    const far = await drivemcp(['audit', 'export', ...state, '--epoch', '99']);
    t.equal(far.code, 69);
    t.match(far.stderr, /there is no epoch 99: the epochs here are 1 \[FILE_MISSING\]/);
    rmSync(join(stateDir, 'audit-1.db'));
    await filledStore(stateDir, 5);
    const gone = await drivemcp(['audit', 'verify', ...state]);
    t.equal(gone.code, 1);
    t.match(
      gone.stdout,
      /^ +1 +MISSING[\s\S]*^epoch 1 is missing; its head says that 7 records were written/m,
    );
    writeFileSync(join(stateDir, 'audit-2.head'), 'x');
    t.match(await drivemcp(['audit', 'verify', ...state, '--epoch', '2', '--json']), { code: 1 });
    rmSync(join(stateDir, 'audit-2.head'));
    const headless = await drivemcp(['audit', 'verify', ...state, '--epoch', '2']);
    t.equal(headless.code, 0);
    t.match(headless.stdout, /epoch 2: warning: the head kept beside the database is missing/);
    spawnSync('mkfifo', [join(stateDir, 'audit-2.head')]);
    for (const command of ['verify', 'show', 'export']) {
      const refused = await drivemcp(['audit', command, ...state]);
      t.equal(refused.code, 69, command);
      t.match(refused.stderr, /a FIFO stands where a regular file belongs.*\[FILE_UNREADABLE\]/);
    }
    const file = join(stateDir, 'audit-1.head');
    const noFolder = await drivemcp(['audit', 'verify', '--state', file]);
    t.equal(noFolder.code, 69);
    t.match(noFolder.stderr, /cannot read the state directory.*\[FILE_UNREADABLE\]/);
  },
);

t.test('an escape sequence in a record does not reach the terminal', async (t) => {
  const stateDir = t.testdir({});
  await filledStore(stateDir, 1, 'run-\u001b[2J\u202e');
  const { stdout } = await drivemcp(['audit', 'show', '--state', stateDir]);
  t.match(stdout, /run-�\[2J�/);
  t.notMatch(stdout, /\u001b|\u202e/);
  const verified = await drivemcp(['audit', 'verify', '--state', stateDir]);
  t.equal(verified.code, 0);
  t.ok(readFileSync(join(stateDir, 'audit-1.head'), 'latin1').startsWith('1 3 '));
});
