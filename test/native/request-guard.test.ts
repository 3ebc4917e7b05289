/**
 * What may leave: every 11-bit identifier × 256 services, both 29-bit families × 256, random identifiers, every length,
 * every sub-function and data identifier, against a list written down here a second time; and the guard with each of its
 * conditions broken once, to see that this sweep would notice.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { loadObdTx, type ObdTxModule, requestVerdicts } from '../../native/index.js';

const loaded = loadObdTx();
const skip = loaded.module === null && `native module missing: ${loaded.reason}`;
const guard = loaded.module as ObdTxModule;

/** Request lengths by service, ISO 15031-5 and ISO 14229-1. */
const plainLengths = new Map([
  [0x01, 2],
  [0x02, 3],
  [0x03, 1],
  [0x07, 1],
  [0x09, 2],
  [0x0a, 1],
]);
/** Lengths of the read sub-functions of 19. */
const dtcLengths = new Map(
  Object.entries({
    '01': 3,
    '02': 3,
    '03': 2,
    '04': 6,
    '06': 6,
    '07': 4,
    '08': 4,
    '09': 5,
    '0A': 2,
    '0B': 2,
    '0C': 2,
    '0D': 2,
    '0E': 2,
    '14': 2,
    '15': 2,
  }).map(([sub, length]) => [Number.parseInt(sub, 16), length]),
);
const dataIdentifiers = new Set(
  ['87', '88', '89', '8A', '8B', '8C', '90', '91', '92', '93', '94', '95', '97'].map((low) =>
    Number.parseInt(`F1${low}`, 16),
  ),
);
const elevenBit = new Set([
  0x7df, 0x7e0, 0x7e1, 0x7e2, 0x7e3, 0x7e4, 0x7e5, 0x7e6, 0x7e7, 0x7b0, 0x7c0, 0x79b,
]);

function isAllowedId(id: number, isExtended: boolean): boolean {
  if (!isExtended) return elevenBit.has(id);
  const hex = id.toString(16).toUpperCase().padStart(8, '0');
  return hex === '18DB33F1' || /^18DA..F1$/.test(hex);
}

function expected(id: number, isExtended: boolean, request: readonly number[]): string {
  const [service = -1, second = -1, third = -1] = request;
  if (!isAllowedId(id, isExtended)) return 'identifier';
  if (request.length === 0) return 'length';
  const plain = plainLengths.get(service);
  if (plain !== undefined) return request.length === plain ? 'allowed' : 'length';
  if (service === 0x22) {
    if (request.length !== 3) return 'length';
    return dataIdentifiers.has(second * 256 + third) ? 'allowed' : 'data_identifier';
  }
  if (service !== 0x19) return 'service';
  if (request.length < 2) return 'length';
  const wanted = dtcLengths.get(second);
  if (wanted === undefined) return 'sub_function';
  return request.length === wanted ? 'allowed' : 'length';
}

/** A request that its service would be allowed with, as far as there is one. */
function bestRequest(service: number): number[] {
  if (service === 0x22) return [0x22, 0xf1, 0x90];
  if (service === 0x19) return [0x19, 0x02, 0xff];
  return [service, 0x0c, 0x00].slice(0, plainLengths.get(service) ?? 2);
}

type Case = readonly [id: number, isExtended: boolean, request: readonly number[]];

function* sweep(): Generator<Case> {
  for (let service = 0; service < 256; service++) {
    const request = bestRequest(service);
    for (let id = 0; id < 2048; id++) yield [id, false, request];
    for (let x = 0; x < 256; x++) {
      yield [0x18da00f1 + x * 256, true, request];
      yield [0x18db00f1 + x * 256, true, request];
      yield [0x18daf100 + x, true, request]; // the answers' family
    }
    for (let length = 0; length <= 8; length++) {
      for (const second of [0x00, 0x02, 0x0c, 0x82, 0xf1])
        yield [0x7e0, false, [service, second, 0x90, 0, 0, 0, 0, 0].slice(0, length)];
    }
  }
  for (let sub = 0; sub < 256; sub++) {
    for (let length = 2; length <= 8; length++)
      yield [0x7e7, false, [0x19, sub, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff].slice(0, length)];
  }
  for (let did = 0; did < 65_536; did++) yield [0x18da10f1, true, [0x22, did >> 8, did & 255]];
  // Identifiers of one kind with the flag of the other, flag bits of the kernel, one bit away from each allowed one.
  const near = [...elevenBit, 0x18db33f1, 0x18da00f1, 0x18da10f1, 0x18daf1f1, 0x18daf110];
  for (const id of near) {
    for (let bit = 0; bit < 32; bit++) {
      for (const isExtended of [false, true]) {
        yield [id, isExtended, [0x03]];
        yield [(id ^ (1 << bit)) >>> 0, isExtended, [0x03]];
      }
    }
  }
}

t.test('exactly the allowed requests pass', { skip }, async (t) => {
  const counts = { allowed: 0, refused: 0 };
  for (const [id, isExtended, request] of sweep()) {
    const verdict = requestVerdicts[guard.checkRequest(id, isExtended, Uint8Array.from(request))];
    const wanted = expected(id, isExtended, request);
    if (verdict !== wanted) {
      t.equal(verdict, wanted, `${id.toString(16)} ${isExtended} ${Buffer.from(request).toString('hex')}`);
      return;
    }
    counts[verdict === 'allowed' ? 'allowed' : 'refused']++;
  }
  t.ok(counts.allowed > 2000, `${counts.allowed} allowed`);
  t.ok(counts.refused > 700_000, `${counts.refused} refused`);
});

t.test('a million random 29-bit identifiers', { skip }, async (t) => {
  let state = 0x9e3779b9;
  const request = Uint8Array.of(0x01, 0x0c);
  let allowed = 0;
  for (let i = 0; i < 1_000_000; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const id = state >>> 3;
    const isAllowed = guard.checkRequest(id, true, request) === 0;
    if (isAllowed !== isAllowedId(id, true)) t.fail(`0x${id.toString(16)}`);
    if (isAllowed) allowed++;
  }
  t.ok(allowed < 1000, `${allowed} allowed`);
});

t.test('arguments of other kinds are refused, not converted', { skip }, async (t) => {
  const check = guard.checkRequest as (...args: unknown[]) => number;
  for (const id of [0x7e0 + 0.5, -1, 2 ** 32 + 0x7e0, Number.NaN, '2016', null, {}])
    t.throws(() => check(id, false, Uint8Array.of(3)), TypeError);
  for (const flag of [0, 1, undefined, 'true'])
    t.throws(() => check(0x7e0, flag, Uint8Array.of(3)), TypeError);
  for (const bytes of [[3], '03', undefined, new Uint16Array(1), new DataView(new ArrayBuffer(1))])
    t.throws(() => check(0x7e0, false, bytes), TypeError);
  t.equal(check(0x7e0, false, new Uint8Array(0)), requestVerdicts.indexOf('length'));
  t.equal(check(0x7e0, false, new Uint8Array(100_000)), requestVerdicts.indexOf('service'));
});

t.test('a socket is refused for an address that the guard does not know', { skip }, async (t) => {
  for (const [id, isExtended] of [
    [0x123, false],
    [0x7e8, false],
    [0x7df, true],
    [0x18db33f1, false],
    [0x18daf110, true],
  ] as const) {
    const error = t.throws(() => new guard.IsotpSocket('lo', id, isExtended)) as { errno?: number };
    t.equal(error.errno, 13, `EACCES for ${id.toString(16)}`);
  }
});

const noCompiler = spawnSync('g++', ['--version']).error !== undefined && 'no g++ to build mutants with';

/** Each line of the guard that decides something, changed so that it decides otherwise. */
function mutants(source: string): { what: string; text: string }[] {
  const lines = source.split('\n');
  const out: { what: string; text: string }[] = [];
  const change = (i: number, line: string): void => {
    const text = lines.map((each, k) => (k === i ? line : each)).join('\n');
    out.push({ what: `${lines[i]!.trim()}  →  ${line.trim()}`, text });
  };
  for (const [i, line] of lines.entries()) {
    if (/^\s*\/\//.test(line)) continue;
    if (/^\s*(case 0x|\{0x).*[^{]$/.test(line)) change(i, ''); // an entry dropped
    const exact = /Exactly\(length, (\d)\)/.exec(line);
    if (exact) change(i, line.replace(exact[0], 'Verdict::kAllowed'));
    const wanted = /: return (\d);/.exec(line);
    if (wanted) change(i, line.replace(wanted[0], `: return ${Number(wanted[1]) + 1};`));
    const condition = /\bif \((.*?)\) (return)/.exec(line);
    if (condition) {
      change(i, line.replace(`if (${condition[1]})`, 'if (false)'));
      change(i, line.replace(`if (${condition[1]})`, 'if (true)'));
      for (const part of condition[1]!.split(' && '))
        if (condition[1]!.includes(' && ')) change(i, line.replace(part, 'true'));
    }
    const choice = /return (.*) \? (.*) : (.*);/.exec(line);
    if (choice) {
      change(i, `return ${choice[2]};`);
      change(i, `return ${choice[3]};`);
    }
    if (/default: return/.test(line))
      change(i, line.replace(/return .*;/, /Verdict/.test(line) ? 'return Verdict::kAllowed;' : 'return 2;'));
    const constant = /^constexpr uint32_t \w+ = (0x[0-9A-F]+);/.exec(line);
    if (constant) change(i, line.replace(constant[1]!, `0x${(Number(constant[1]) ^ 1).toString(16)}`));
  }
  return out;
}

function verdictsOf(folder: string, text: string, cases: Uint8Array): Buffer | null {
  const source = join(folder, 'obd_tx', 'guard.cc');
  mkdirSync(dirname(source), { recursive: true });
  writeFileSync(source, text);
  const target = join(folder, 'sweep');
  const build = spawnSync(
    'g++',
    [
      '-std=c++17',
      '-O0',
      `-I${packageFile('native')}`,
      source,
      packageFile('native', 'test', 'sweep_guard.cc'),
      '-o',
      target,
    ],
    { encoding: 'utf8' },
  );
  if (build.status !== 0) return null;
  return spawnSync(target, { input: cases, maxBuffer: 1 << 26 }).stdout;
}

t.test(
  'no condition of the guard can be dropped unnoticed',
  { skip: noCompiler, timeout: 600_000 },
  async (t) => {
    const rows: Buffer[] = [];
    const wanted: number[] = [];
    for (const [id, isExtended, request] of sweep()) {
      const row = Buffer.alloc(16);
      row.writeUInt32LE(id, 0);
      row[4] = isExtended ? 1 : 0;
      row[5] = request.length;
      row.set(request, 6);
      rows.push(row);
      wanted.push(
        requestVerdicts.indexOf(expected(id, isExtended, request) as (typeof requestVerdicts)[number]),
      );
    }
    const cases = Buffer.concat(rows);
    const expectedBytes = Buffer.from(wanted);
    const source = readFileSync(packageFile('native', 'obd_tx', 'guard.cc'), 'utf8');
    const folder = t.testdir();
    t.ok(verdictsOf(folder, source, cases)?.equals(expectedBytes), 'the guard as it is');
    const all = mutants(source).filter(({ what }) => !/pair\.answer|0x18DAF100/.test(what));
    t.ok(all.length > 60, `${all.length} mutants`);
    for (const { what, text } of all) {
      const verdicts = verdictsOf(folder, text, cases);
      t.notOk(verdicts?.equals(expectedBytes), verdicts === null ? `does not compile: ${what}` : what);
    }
  },
);
