import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { canonicalJson } from '../../daemon/core/canonical.js';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { exportLine, genesisHash, link, type StoredRecord } from '../../daemon/store/chain.js';
import { ChainVerifier, parseExportLine } from '../../daemon/store/chain-verifier.js';
import { exportLines } from '../../daemon/store/export-lines.js';
import { verifyExport } from '../../daemon/store/reader-verify.js';
import { canonicalBody } from '../../daemon/store/record-body.js';
import { RecordQueue } from '../../daemon/store/record-queue.js';

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.maxSafeInteger(),
);
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('\u2028', '\u007f', '"\\', '\u0001', '\ufeff'),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    number,
    text,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
}));
const body = fc.dictionary(text, value, { maxKeys: 5 });
const kinds = fc.constantFrom('decision', 'act', 'mode', 'heartbeat', 'run');

/** A chain of one epoch over the given bodies. */
function chain(bodies: readonly unknown[], kind = 'decision'): StoredRecord[] {
  let prev = genesisHash;
  return bodies.map((item, i) => {
    const record = link({
      epoch: 1,
      seq: i + 1,
      tick: i,
      mono_us: i * 50_000,
      wall_ms: 1_700_000_000_000 + i,
      kind,
      body: canonicalBody(item),
      prev_hash: prev,
    });
    prev = record.hash;
    return record;
  });
}

/** Number of records before the first that does not fit, or null. */
function firstBreak(lines: readonly string[]): number | null {
  const verifier = new ChainVerifier();
  for (const [i, line] of lines.entries()) {
    const record = parseExportLine(line);
    if (typeof record === 'string' || verifier.add(record) !== null) return i;
  }
  return null;
}

t.test('every exported chain verifies', async () => {
  fc.assert(
    fc.property(fc.array(body, { minLength: 1, maxLength: 8 }), kinds, (bodies, kind) => {
      return firstBreak(chain(bodies, kind).map(exportLine)) === null;
    }),
  );
});

t.test('no change of a line, no loss, no exchange goes unseen', async () => {
  const change = fc.record({
    line: fc.nat(100),
    at: fc.nat(10_000),
    how: fc.nat(4),
    by: fc.integer({ min: 1, max: 60 }),
  });
  fc.assert(
    fc.property(fc.array(body, { minLength: 2, maxLength: 6 }), change, (bodies, { line, at, how, by }) => {
      const lines = chain(bodies).map(exportLine);
      const n = line % lines.length;
      const old = lines[n]!;
      const place = at % old.length;
      if (how === 0) lines[n] = `${old.slice(0, place)}${old.slice(place + 1)}`;
      if (how === 1) lines[n] = `${old.slice(0, place)} ${old.slice(place)}`;
      if (how === 2) {
        const code = ((old.charCodeAt(place) - 32 + by) % 95) + 32;
        lines[n] = `${old.slice(0, place)}${String.fromCharCode(code)}${old.slice(place + 1)}`;
      }
      if (how === 3 && n < lines.length - 1) lines.splice(n, 1);
      if (how === 4) lines.splice(n, 0, old);
      const isChanged = lines.length !== bodies.length || lines[n] !== old;
      // Without the first record the rest is a chain that begins inside another: that is told, not a break.
      const isHeadless = how === 3 && n === 0;
      return !isChanged || isHeadless || firstBreak(lines) !== null;
    }),
    { numRuns: 500 },
  );
});

t.test('members that JSON.parse would hide are seen', async (t) => {
  const [line] = chain([{ decision: 'none' }]).map(exportLine);
  const twice = line!.replace('{"body":', '{"body":{"decision":"act"},"body":');
  t.strictSame((JSON.parse(twice) as { body: unknown }).body, { decision: 'none' });
  t.equal(firstBreak([twice]), 0);
});

t.test('epochs follow each other by hash, or by a note that says the hash is lost', async (t) => {
  const one = chain([{}, {}]);
  const next = (prev: string, kind: string, event: object) =>
    link({ ...one[0]!, epoch: 2, seq: 1, kind, body: canonicalBody(event), prev_hash: prev });
  const lost = { event: 'epoch_started', linked: false };
  const lines = (record: StoredRecord) => [...one, record].map(exportLine);
  t.equal(firstBreak(lines(next(one[1]!.hash, 'decision', {}))), null);
  t.equal(firstBreak(lines(next(genesisHash, 'store', lost))), null);
  t.equal(firstBreak(lines(next(genesisHash, 'store', { event: 'epoch_started', linked: true }))), 2);
  t.equal(firstBreak(lines(next(genesisHash, 'decision', lost))), 2);
  t.equal(firstBreak(lines(next(one[0]!.hash, 'store', lost))), 2);
});

t.test('the verifier in Python agrees, and sees what was changed', async (t) => {
  const python = (lines: readonly string[]) =>
    spawnSync('python3', [packageFile('test', 'store', 'verify_chain.py')], {
      input: lines.map((line) => `${line}\n`).join(''),
      encoding: 'utf8',
    });
  if (python([]).error !== undefined) {
    t.pass('skipped', { skip: 'python3 is not there' });
    return;
  }
  const numbers = [
    5e-324,
    1.7976931348623157e308,
    1e21,
    123456789012345680000,
    1e-7,
    1.5e-6,
    -0.1,
    2 ** 53,
    1 / 3,
  ];
  const bodies = [{ numbers }, ...fc.sample(body, { numRuns: 200, seed: 7 })];
  const lines = chain(bodies).map(exportLine);
  const whole = python(lines);
  t.equal(whole.status, 0, whole.stderr);
  t.match(whole.stdout, `201 records fit, head ${chain(bodies).at(-1)!.hash}`);
  t.equal(python(lines.slice(5)).status, 0, 'an export may begin inside the chain');
  const tampered: [string, string[]][] = [
    ['a number', lines.with(0, lines[0]!.replace('5e-324', '1e-323'))],
    ['a tick', lines.with(7, lines[7]!.replace('"tick":7', '"tick":8'))],
    ['a hash', lines.with(9, lines[9]!.replace(/"hash":"./, '"hash":"g').replace('"hash":"g', '"hash":"0'))],
    ['a record lost', lines.toSpliced(100, 1)],
    ['a record twice', lines.toSpliced(100, 0, lines[100]!)],
    ['two exchanged', lines.with(20, lines[21]!).with(21, lines[20]!)],
    ['white space', lines.with(3, `${lines[3]!.slice(0, -1)} }`)],
    ['a member twice', lines.with(4, lines[4]!.replace('{"body":', '{"body":{},"body":'))],
    ['a record cut', lines.with(200, lines[200]!.slice(0, -9))],
    [
      'a chain rewritten from the middle',
      [...lines.slice(0, 50), ...chain(bodies.slice(50)).map(exportLine)],
    ],
  ];
  for (const [what, changed] of tampered) {
    if (changed.every((line, i) => line === lines[i]) && changed.length === lines.length) continue;
    t.not(python(changed).status, 0, what);
    t.not(firstBreak(changed), null, what);
  }
});

/** Both verifiers over the same bytes: TypeScript as `audit verify --file` reads them, and Python. */
async function verdicts(input: string | Buffer): Promise<{ typescript: boolean; python: boolean }> {
  const chunks = async function* () {
    yield Buffer.from(input);
  };
  let typescript = false;
  try {
    const report = await verifyExport(exportLines(chunks()), async () => undefined);
    typescript = report.problem === null && report.records > 0;
  } catch {
    // Bytes that are not UTF-8.
  }
  const { status, stderr } = spawnSync('python3', [packageFile('test', 'store', 'verify_chain.py')], {
    input,
    encoding: 'utf8',
  });
  if (/Traceback/.test(stderr)) throw new Error(stderr);
  return { typescript, python: status === 0 };
}

t.test('both verifiers give the strict answer to every kind of tampered export', async (t) => {
  if (spawnSync('python3', ['--version']).error !== undefined) {
    t.pass('skipped', { skip: 'python3 is not there' });
    return;
  }
  const [first, second] = chain([{ a: 1 }, { b: 2 }]) as [StoredRecord, StoredRecord];
  const epochNote = { event: 'epoch_started', linked: false };
  /** A record with other members and the hash that fits them: what a forger would write. */
  const forged = (from: StoredRecord, changes: Readonly<Record<string, unknown>>, without = '') => {
    const { hash: _, ...members } = { ...from, body: JSON.parse(from.body) as unknown, ...changes };
    const record: Record<string, unknown> = members;
    delete record[without];
    const prev = Buffer.from(String(record['prev_hash'] ?? genesisHash).replaceAll(' ', ''), 'hex');
    const hash = createHash('sha256').update(prev).update(canonicalJson(record)).digest('hex');
    return canonicalJson({ ...record, hash });
  };
  const next = (changes: Readonly<Record<string, unknown>>) =>
    forged(second, { epoch: 2, seq: 1, prev_hash: second.hash, kind: 'store', body: epochNote, ...changes });
  const one = exportLine(first);
  const two = exportLine(second);
  const table: [string, boolean, string | Buffer][] = [
    ['whole', true, `${one}\n${two}\n`],
    ['no line feed at the end', true, `${one}\n${two}`],
    ['begins inside', true, two],
    ['epoch 2 linked', true, [one, two, next({})].join('\n')],
    ['epoch 2 alone', true, next({})],
    ['epoch 2 with its link lost, said so', true, [one, two, next({ prev_hash: genesisHash })].join('\n')],
    [
      'epoch 2 with zeros, not said',
      false,
      [one, two, next({ prev_hash: genesisHash, body: {} })].join('\n'),
    ],
    [
      'epoch 2 with zeros, said elsewhere in the body',
      false,
      [one, two, next({ prev_hash: genesisHash, body: { event: 'x', of: epochNote, linked: false } })].join(
        '\n',
      ),
    ],
    [
      'epoch 2 with zeros and linked 0',
      false,
      [one, two, next({ prev_hash: genesisHash, body: { ...epochNote, linked: 0 } })].join('\n'),
    ],
    [
      'epoch 2 with zeros, of another kind',
      false,
      [one, two, next({ prev_hash: genesisHash, kind: 'run' })].join('\n'),
    ],
    ['epoch 2 linked to another record', false, [one, two, next({ prev_hash: first.hash })].join('\n')],
    ['epoch 2 from number 2', false, [one, two, next({ seq: 2 })].join('\n')],
    ['epoch 3 after 1', false, [one, two, next({ epoch: 3 })].join('\n')],
    ['epoch 1 again', false, [one, two, one].join('\n')],
    ['a later record with zeros', false, forged(second, { prev_hash: genesisHash })],
    ['a first record without zeros', false, forged(first, { prev_hash: second.hash })],
    ...['seq', 'epoch', 'tick'].flatMap((key) =>
      [true, false, null, '1', '', -2, 1.5, 1e21, 2 ** 53, [], {}].map((value): [string, boolean, string] => [
        `${key} ${JSON.stringify(value)}`,
        false,
        forged(first, { [key]: value }),
      ]),
    ),
    ...['seq', 'epoch'].map((key): [string, boolean, string] => [
      `${key} 0`,
      false,
      forged(first, { [key]: 0 }),
    ]),
    ...['mono_us', 'wall_ms'].flatMap((key) =>
      [true, null, '0', []].map((value): [string, boolean, string] => [
        `${key} ${JSON.stringify(value)}`,
        false,
        forged(first, { [key]: value }),
      ]),
    ),
    ...['nonsense', '', 'act\u001b[2J', null, 1, [], {}].map((kind): [string, boolean, string] => [
      `kind ${JSON.stringify(kind)}`,
      false,
      forged(first, { kind }),
    ]),
    ...[null, 1, 'x', [], true].map((body): [string, boolean, string] => [
      `body ${JSON.stringify(body)}`,
      false,
      forged(first, { body }),
    ]),
    ...Object.keys(first)
      .filter((key) => key !== 'hash')
      .map((key): [string, boolean, string] => [`without ${key}`, false, forged(first, {}, key)]),
    ['without hash', false, one.replace(/"hash":"[^"]*",/, '')],
    ['hash null', false, one.replace(/"hash":"[^"]*"/, '"hash":null')],
    [
      'hash in capitals',
      false,
      one.replace(/"hash":"[^"]*"/, (text) => text.toUpperCase().replace('HASH', 'hash')),
    ],
    ['prev_hash in capitals', false, forged(second, { prev_hash: second.prev_hash.toUpperCase() })],
    ['prev_hash short', false, forged(second, { prev_hash: 'ab' })],
    ['prev_hash with spaces', false, forged(second, { prev_hash: second.prev_hash.replace(/^../, '$& ') })],
    ['a member too many', false, forged(first, { note: 1 })],
    ['a member __proto__', false, one.replace('{"body"', '{"__proto__":1,"body"')],
    ['nothing', false, ''],
    ['a line feed', false, '\n'],
    ['a blank line before', false, `\n${one}\n`],
    ['a blank line between', false, `${one}\n\n${two}\n`],
    ['a blank line after', false, `${one}\n\n`],
    ['CR LF', false, `${one}\r\n${two}\r\n`],
    ['a byte order mark', false, `\ufeff${one}`],
    ['UTF-16', false, Buffer.from(one, 'utf16le')],
    ['not UTF-8', false, Buffer.from([0xff, 0xfe, 0x0a])],
    ['a lone surrogate', false, one.replace('{"a":1}', '{"a":"\\ud800"}')],
    ['NaN', false, one.replace('{"a":1}', '{"a":NaN}')],
    ['a number out of range', false, one.replace('{"a":1}', '{"a":1e999}')],
    ['-0', false, one.replace('{"a":1}', '{"a":-0}')],
    ...['[]', '5', 'null', '"x"', '{}', '[[', `${'['.repeat(50_000)}`].map(
      (text): [string, boolean, string] => [text.slice(0, 9), false, text],
    ),
  ];
  for (const [what, isWhole, input] of table) {
    t.strictSame(await verdicts(input), { typescript: isWhole, python: isWhole }, what);
  }
});

t.test('the queue keeps its bound: heartbeats go first, decisions never', async (t) => {
  const bounds = { maxRecords: 8, maxBytes: 1e9 };
  const record = (ordinal: number, kind: string) => ({
    ordinal,
    runId: 'r',
    tick: ordinal,
    monoUs: 0,
    wallMs: 0,
    kind,
    body: '{}',
    queuedAtUs: ordinal,
  });
  fc.assert(
    fc.property(fc.array(fc.nat(9), { maxLength: 200 }), (operations) => {
      const queue = new RecordQueue(bounds);
      const decisions: number[] = [];
      const durable: number[] = [];
      let ordinal = 0;
      for (const operation of operations) {
        if (operation === 9) {
          const batch = queue.take(4);
          durable.push(...batch.filter((item) => item.kind !== 'heartbeat').map((item) => item.ordinal));
          queue.acknowledge(batch.at(-1)?.ordinal ?? 0);
          for (const note of queue.takeNotes()) if (note['event'] === 'records_folded') return false;
        } else if (operation === 8) {
          queue.take(4);
          queue.release();
        } else {
          const kind = operation < 5 ? 'heartbeat' : 'decision';
          if (queue.length >= 30) continue;
          queue.push(record(++ordinal, kind));
          if (kind === 'decision') decisions.push(ordinal);
        }
      }
      const waiting = queue.take(1000).filter((item) => item.kind !== 'heartbeat');
      const kept = [...durable, ...waiting.map((item) => item.ordinal)];
      return kept.length === decisions.length && kept.every((item, i) => item === decisions[i]);
    }),
  );
  const queue = new RecordQueue(bounds);
  for (let i = 1; i <= 100; i++) queue.push(record(i, i % 2 === 0 ? 'decision' : 'heartbeat'));
  t.equal(queue.length, 32, 'four times the bound, never more');
  t.ok(queue.isOverfull);
  t.equal(queue.foldedRecords, 18, 'the 50 decisions but for those 32');
  t.equal(queue.droppedHeartbeats, 50);
  t.strictSame(queue.takeNotes(), [], 'no room for notes yet');
  queue.acknowledge(64);
  t.match(queue.takeNotes(), [
    { event: 'heartbeats_dropped', count: 50, first_tick: 1, last_tick: 99 },
    { event: 'records_folded', count: 18, first_tick: 66, last_tick: 100, bodies_sha256: /^[0-9a-f]{64}$/ },
  ]);
  t.notOk(queue.isOverfull);
});

t.test('the bound in bytes counts too', async (t) => {
  const queue = new RecordQueue({ maxRecords: 1000, maxBytes: 10_000 });
  const big = {
    ordinal: 1,
    runId: null,
    tick: 1,
    monoUs: 0,
    wallMs: 0,
    kind: 'heartbeat',
    body: 'x'.repeat(3000),
    queuedAtUs: 0,
  };
  for (let i = 0; i < 100; i++) queue.push({ ...big, ordinal: i });
  t.ok(queue.bytes <= 10_000);
  for (let i = 0; i < 100; i++) queue.push({ ...big, kind: 'decision', ordinal: 100 + i });
  t.ok(queue.bytes <= 40_000);
  t.equal(
    queue.take(1000).some((item) => item.kind === 'heartbeat'),
    false,
  );
});
