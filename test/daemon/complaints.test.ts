/**
 * What users of other CAN tools complained about in public trackers, row by row of the corpus' list (sources and DBC):
 * each row is put to our own tools and must come out right. Rows about diagnostics are tested with the diagnostics.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { FrameBatch } from '../../daemon/core/can/frame-batch.js';
import { interfaceAdvice } from '../../daemon/core/can/interface-life.js';
import { CanInterface } from '../../daemon/sources/can/can-interface.js';
import type { CanCounters, CanPort } from '../../daemon/sources/can/can-port.js';
import { parseDbc } from '../../daemon/vehicles/dbc/parse-dbc.js';
import { drivemcp } from '../helpers/command.js';
import { corpusFile, corpusMissing } from '../helpers/paths.js';

interface Complaint {
  readonly id: string;
  readonly symptom: string;
  readonly input: string;
  readonly expect: string;
}

const path = corpusFile('can', 'issues_A.json');
const complaints = path === null ? [] : (JSON.parse(readFileSync(path, 'utf8')) as Complaint[]);
const edgeCases = corpusFile('can', 'vectors', 'dbc_edge_cases.json');

const dbcHead = 'VERSION ""\n\nNS_ :\n\nBS_:\n\nBU_: A\n\n';
const message = (id: number, name: string, length: number, ...signals: string[]): string =>
  `BO_ ${id} ${name}: ${length} A\n${signals.map((signal) => ` SG_ ${signal} [0|0] "" A\n`).join('')}\n`;

interface DecodedFrame {
  readonly id: number;
  readonly ext: boolean;
  readonly name?: string;
  readonly signals?: Readonly<Record<string, unknown>>;
}

/** `can decode` of a log with a DBC text, and `can stats` of the same. */
async function decode(t: Test, dbc: string | Buffer, lines: string, ...more: string[]) {
  const folder = t.testdir({ 'a.log': lines, 'a.dbc': dbc });
  const log = join(folder, 'a.log');
  const files = ['--dbc', join(folder, 'a.dbc'), '--json'];
  const decoded = await drivemcp(['can', 'decode', log, ...files, ...more]);
  const stats = await drivemcp(['can', 'stats', log, ...files]);
  t.equal(decoded.code, 0, decoded.stderr);
  return {
    frames: decoded.objects() as unknown as DecodedFrame[],
    stats: stats.objects() as Record<string, unknown>[],
    stderr: decoded.stderr,
  };
}

/** An interface whose socket is told what to give: frames by number, or an error that the kernel would report. */
class ScriptedPort implements CanPort {
  readonly name = 'can0';
  readonly driver = 'native';
  readonly isReceiveOnly = true;
  readonly isBound = true;
  waiting: { id: number; data: readonly number[]; flags?: number }[] = [];
  rebinds = 0;
  #failures = 0;
  #errno = 0;
  #frames = 0;

  fail(errno: number): void {
    this.#failures++;
    this.#errno = errno;
  }
  drain(batch: FrameBatch, bus: number, timesUs: Float64Array): number {
    const frames = this.waiting.splice(0);
    for (const [i, { id, data, flags = 0 }] of frames.entries()) {
      const slot = batch.count++;
      batch.id[slot] = id;
      batch.bus[slot] = bus;
      batch.flags[slot] = flags;
      batch.length[slot] = data.length;
      batch.data.set(data, slot * 64);
      timesUs[i] = 0;
    }
    this.#frames += frames.length;
    return frames.length;
  }
  rebind(): number {
    this.rebinds++;
    return 0;
  }
  counters(): CanCounters {
    const [failures, lastErrno] = [this.#failures, this.#errno];
    return {
      frames: this.#frames,
      errorFrames: 0,
      malformed: 0,
      kernelDrops: 0,
      ringDrops: 0,
      failures,
      lastErrno,
      heartbeat: null,
      timeSource: 'kernel',
    };
  }
  close(): void {}
}

const up = (isUp: boolean, index = 3) =>
  ({ kind: 'link', index, name: 'can0', isUp, family: 'can', controller: null }) as const;
const take = (one: CanInterface, tUs: number): number => {
  const batch = new FrameBatch(64, ['can0']);
  return one.drain(batch, 0, new Float64Array(64), tUs);
};
const errorFlag = 32;
const ENETDOWN = 100;

const checks: Readonly<Record<string, (t: Test, row: Complaint) => Promise<void>>> = {
  async A1(t) {
    const port = new ScriptedPort();
    const one = new CanInterface(port, 0);
    one.onLink(up(true), 0);
    const three = [1, 2, 3].map((id) => ({ id, data: [id] }));
    port.waiting = [...three];
    let delivered = take(one, 1000);
    port.fail(ENETDOWN);
    t.ok(one.checkPort(2000), 'the kernel is asked what became of the link');
    one.onLink(up(false), 2000);
    t.equal(one.life.state, 'down');
    one.onLink(up(true), 2_002_000);
    port.waiting = [...three];
    delivered += take(one, 2_003_000);
    t.equal(delivered, 6);
    t.same(
      one.takeNews().map(({ to }) => to),
      ['up', 'down', 'up'],
    );
    t.match(one.life, { outages: 1, outageUs: 2_000_000 });
  },
  async A2(t) {
    const port = new ScriptedPort();
    const one = new CanInterface(port, 0);
    one.onLink(up(true), 0);
    port.waiting = [{ id: 0x40, data: [0, 0, 0, 0, 0, 0, 0, 0], flags: errorFlag }];
    take(one, 1000);
    t.equal(one.life.state, 'bus_off');
    t.match(interfaceAdvice.bus_off, /restart/, 'with advice');
    port.waiting = [
      { id: 0x100, data: [0, 0, 0, 0, 0, 0, 0, 0], flags: errorFlag },
      { id: 0x123, data: [1] },
    ];
    take(one, 2000);
    t.equal(one.life.state, 'up');
    const dbc =
      dbcHead +
      message(0x40, 'FORTY', 8, 'X : 0|8@1+ (1,0)') +
      message(0x100, 'HUNDRED', 8, 'Y : 0|8@1+ (1,0)');
    const lines =
      '(1.0) can0 20000040#0000000000000000\n(2.0) can0 20000100#0000000000000000\n(3.0) can0 123#01\n';
    const { frames } = await decode(t, dbc, lines, '--all');
    t.same(
      frames.map((frame) => frame.name ?? null),
      [null, null, null],
      'an error frame is no message',
    );
  },
  async A3(t, row) {
    const line = row.input.replace(/^"|"$/g, '');
    const { stats, stderr } = await decode(
      t,
      dbcHead + message(0x123, 'M', 1, 'S : 0|8@1+ (1,0)'),
      `${line}\n  can0  123   [1]  01\n`,
    );
    t.match(JSON.stringify(stats.at(-1)), /"errors":1/);
    t.match(JSON.stringify(stats.at(-1)), /"frames":2/, 'and the next line was read');
    t.notMatch(stderr, /damaged/);
  },
  async A4(t, row) {
    const line = row.input.replace(/^"|"$/g, '');
    const dbc = dbcHead + message(0x123, 'M', 3, 'A : 0|8@1+ (1,0)', 'B : 8|8@1+ (1,0)', 'C : 16|8@1+ (1,0)');
    const { frames } = await decode(t, dbc, `${line}\n`);
    t.match(frames[0]?.signals, { A: 0x11, B: 0x22, C: 0x33 });
  },
  async A5(t) {
    if (edgeCases === null) throw new Error('the corpus lacks dbc_edge_cases.json');
    const cases = JSON.parse(readFileSync(edgeCases, 'utf8')) as
      | { cases?: { name: string; dbc: string }[] }
      | { name: string; dbc: string }[];
    const list = Array.isArray(cases) ? cases : (cases.cases ?? []);
    const simple = list.find(({ name }) => /simple multiplex/i.test(name));
    const id = Number(/^BO_ (\d+)/m.exec(simple?.dbc ?? '')?.[1]);
    t.ok(id > 0, 'the case is there');
    const { frames } = await decode(
      t,
      simple?.dbc ?? '',
      `(1.0) can0 ${id.toString(16).padStart(3, '0')}#0005000000000009\n`,
    );
    t.match(frames[0]?.signals, { M: 0, A0: 5, ALL: 9 });
    t.notOk('A1' in (frames[0]?.signals ?? {}));
  },
  async A6(t) {
    const dbc = dbcHead + message(0x64, 'M', 8, 'A : 11|4@0+ (1,0)', 'C : 23|16@0+ (1,0)');
    const { frames } = await decode(t, dbc, '(1.0) can0 064#03410d3712345678\n');
    t.match(frames[0]?.signals, { A: 1, C: 3383 });
  },
  async A7(t) {
    const dbc =
      dbcHead +
      message(1536, 'STD', 1, 'S : 0|8@1+ (1,0)') +
      message(2147485184, 'EXT', 1, 'E : 0|8@1+ (1,0)');
    const { frames } = await decode(t, dbc, '(1.0) can0 600#01\n(2.0) can0 00000600#01\n');
    t.same(
      frames.map((frame) => [frame.name, frame.ext]),
      [
        ['STD', false],
        ['EXT', true],
      ],
    );
  },
  async A8(t) {
    const dbc = `${dbcHead}${message(2364540158, 'EEC1', 8, 'EngineSpeed : 24|16@1+ (0.125,0)')}BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","reserved","J1939PG";\nBA_DEF_DEF_ "VFrameFormat" "J1939PG";\nBA_ "VFrameFormat" BO_ 2364540158 3;\n`;
    const { frames } = await decode(t, dbc, '(1.0) can0 18F00427#FFFFFF6813FFFFFF\n');
    t.match(frames[0]?.signals, { EngineSpeed: 621 });
  },
  async A9(t) {
    const dbc = dbcHead + message(0x64, 'M', 8, 'A : 0|8@1+ (1,0)', 'B : 16|8@1+ (1,0)', 'C : 24|8@1+ (1,0)');
    const { frames, stats } = await decode(t, dbc, '(1.0) can0 064#010203\n');
    t.same(frames[0]?.signals, { A: 1, B: 3 });
    t.match(JSON.stringify(stats.at(-1)), /"short":1/);
  },
  async A10(t) {
    const dbc = dbcHead + message(0x64, 'M', 8, 'LAT : 7|32@0- (1E-007,0)');
    const { frames } = await decode(t, dbc, '(1.0) can0 064#1c9c380000000000\n');
    t.equal(frames[0]?.signals?.['LAT'], 48);
  },
  async A11(t) {
    const dbc = dbcHead + message(0x64, 'M', 8, 'S : 0|64@1+ (1,0)');
    const { frames } = await decode(t, dbc, '(1.0) can0 064#0123456789abcdef\n');
    t.equal(frames[0]?.signals?.['S'], '17279655951921914625');
  },
  async A12(t) {
    for (const [unit, shown] of [
      [[0xb0, 0x43], '°C'],
      [[0xa1, 0xe6], null],
    ] as const) {
      const [before, after] = (dbcHead + message(0x64, 'M', 8, 'T : 0|8@1+ (1,0)'))
        .replace('[0|0] ""', '[0|0] "\u0000"')
        .split('\u0000');
      const dbc = Buffer.concat([Buffer.from(before ?? ''), Buffer.from(unit), Buffer.from(after ?? '')]);
      const { frames } = await decode(t, dbc, '(1.0) can0 064#0700000000000000\n');
      t.match(frames[0]?.signals, { T: 7 });
      const read = parseDbc(dbc).database.messages[0]?.signals[0]?.unit;
      t.ok(shown === null ? read !== undefined : read === shown, `unit ${read}`);
    }
  },
};

for (const row of complaints.filter(({ id }) => id in checks)) {
  t.test(`${row.id}: ${row.symptom}`, async (t) => {
    t.comment(`${row.input} → ${row.expect}`);
    await checks[row.id]?.(t, row);
  });
}

t.test(
  'every row about sources and DBC is there',
  { skip: path === null ? corpusMissing : false },
  async (t) => {
    const known = new Set(complaints.map(({ id }) => id));
    for (const id of Object.keys(checks)) t.ok(known.has(id), id);
  },
);
