/** What OBD and UDS answers say: the corpus, the rules where public sources are wrong, and cut answers. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { decodeRequest, decodeResponse } from '../../daemon/vehicles/diagnostics/decode-response.js';
import {
  type DiagnosticContent,
  newEcuContext,
} from '../../daemon/vehicles/diagnostics/diagnostic-content.js';
import { encodeRequest, type ReadRequest } from '../../daemon/vehicles/diagnostics/encode-request.js';
import { pidTable } from '../../daemon/vehicles/diagnostics/pid-table.js';
import { codeOf, codeValue, stateOf } from '../../daemon/vehicles/diagnostics/trouble-code.js';
import { hasRightCheckDigit, isVin } from '../../daemon/vehicles/diagnostics/vin.js';
import { vssCatalogue } from '../../daemon/vehicles/vss/catalogue.js';
import { corpusFile, corpusMissing } from '../helpers/paths.js';
import { bytesOf, hear } from './diagnostic-frames.js';

const tablePath = corpusFile('can', 'vectors', 'obd', 'mode01_table.json');
const vectorsPath = corpusFile('can', 'vectors', 'obd', 'mode01_vectors.json');
const answer = (hex: string, request: string | null = null): DiagnosticContent =>
  decodeResponse(request === null ? null : bytesOf(request), bytesOf(hex));
const value = (hex: string, name: string) => answer(hex).values?.[name]?.value;
const codes = (hex: string): string[] | undefined =>
  answer(hex).dtcs?.map(({ code, ftb, state }) => `${code}${ftb === undefined ? '' : `-${ftb}`} ${state}`);
const textHex = (text: string): string => Buffer.from(text, 'latin1').toString('hex');

interface TableEntry {
  readonly pid: string;
  readonly bytes: number;
  readonly kind: string;
  readonly signals: readonly { readonly name: string; readonly unit?: string }[];
}

t.test(
  'the table has the parameters, names and units of the corpus',
  { skip: tablePath === null ? corpusMissing : false },
  async (t) => {
    const { pids } = JSON.parse(readFileSync(tablePath!, 'utf8')) as { pids: TableEntry[] };
    t.equal(pids.length, pidTable.size);
    for (const { pid, bytes, kind, signals } of pids) {
      const entry = pidTable.get(Number.parseInt(pid, 16));
      t.match(entry, { bytes, kind }, pid);
      const ours = entry !== undefined && 'signals' in entry ? entry.signals : [];
      const units = new Map(ours.map((signal) => [signal.name, 'unit' in signal ? signal.unit : undefined]));
      for (const { name, unit } of signals)
        t.equal(units.has(name) && units.get(name), unit, `${pid} ${name}`);
    }
  },
);

t.test(
  'every value of the corpus, to the last bit',
  { skip: vectorsPath === null ? corpusMissing : false },
  async (t) => {
    const { vectors } = JSON.parse(readFileSync(vectorsPath!, 'utf8')) as {
      vectors: {
        pid: string;
        data: string;
        values: Record<string, number | null>;
        frames: [string, string][];
      }[];
    };
    let compared = 0;
    for (const { pid, data, values, frames } of vectors) {
      const messages = hear(frames.map(([id, bytes], i) => [i / 100, id, bytes]));
      const found = Object.fromEntries(
        Object.entries(messages[0]?.values ?? {}).map(([name, one]) => [name, one.value]),
      );
      compared++;
      if (messages.length !== 1 || !sameValues(found, values)) t.same(found, values, `${pid} ${data}`);
    }
    t.ok(compared > 1000, `${compared} answers`);
  },
);

function sameValues(found: Record<string, unknown>, wanted: Record<string, number | null>): boolean {
  const names = Object.keys(wanted);
  return names.length === Object.keys(found).length && names.every((name) => found[name] === wanted[name]);
}

t.test('where public sources are wrong', async (t) => {
  t.equal(value('410600', 'SHRTFT1'), -100);
  t.equal(value('41140080', 'O2S_TRIM'), 0);
  t.equal(value('41145aff', 'O2S_TRIM'), null, 'not used for the trim');
  t.equal(value('4124ffffffff', 'O2S_V'), (65535 * 8) / 65536);
  t.equal(value('41448000', 'LAMBDA_CMD'), 1);
  t.equal(value('4132ff01', 'EVAP_VP'), -63.75);
  t.equal(value('4134800080ff', 'LAMBDA'), 1);
  t.equal(value('4154ffff', 'EVAP_VP_WIDE'), -1);
  t.equal(value('415d6900', 'FUEL_TIMING'), 0);
  t.match(answer('410185076504').values, {
    MIL: { value: 1 },
    DTC_CNT: { value: 5 },
    CAT_INCOMPLETE: { value: 0 },
  });
  t.equal(answer('414185076504').values?.['MIL'], undefined, '41 tells of the drive cycle, not of the lamp');
  t.equal(value('41030300', 'FUELSYS1'), null, 'two bits at once mean nothing');
  t.match(answer('41030204').values, { FUELSYS1: { value: 2, label: 'closed loop' } });
  t.equal(value('4167015a00', 'ECT1'), 50);
  t.equal(value('4167015a00', 'ECT2'), null, 'no such sensor');
  t.match(answer('410680').values, { SHRTFT1: { value: 0 } });
  t.match(answer('41068090').values, { SHRTFT1: { value: 0 }, SHRTFT3: { value: 12.5 } });
  t.same(answer('4100be1fa813').supported?.slice(0, 5), [1, 3, 4, 5, 6]);
  for (const { signals } of [...pidTable.values()].filter((entry) => entry.kind === 'linear')) {
    for (const { vss } of signals) {
      if (vss !== null && !/\.(MAP|MAF)$/.test(vss)) t.ok(vssCatalogue.has(vss), vss);
    }
  }
});

t.test('announced limits stretch the scales of the unit that announced them', async (t) => {
  const context = newEcuContext();
  const decoded = (hex: string) => decodeResponse(null, bytesOf(hex), context).values;
  decoded('414f040a0a33');
  t.match(decoded('4124800040000'.slice(0, 12)), { LAMBDA: { value: 2 }, O2S_V: { value: 2.5 } });
  t.match(decoded('41348000c000'), { O2S_MA: { value: 5 } });
  t.match(decoded('410bff'), { MAP: { value: 510 } });
  decoded('415064000000');
  t.match(decoded('4110ffff'), { MAF: { value: 1000 } });
  t.equal(value('410bff', 'MAP'), 255, 'not those of another');
});

t.test('several parameters in one answer', async (t) => {
  t.match(answer('410c1af80d32'), {
    pid: 12,
    pids: [12, 13],
    values: { RPM: { value: 1726 }, VSS: { value: 50 } },
  });
  t.match(answer('410c1af80d32', '010c'), { pids: undefined }, 'only one was asked for');
  t.match(answer('41068007900c1af8', '0106070c').pids, [6, 7, 12]);
  t.match(answer('41140a8015148f').values, { O2S_V: { value: 0.05 }, O2S_V_15: { value: 0.1 } });
  t.match(
    answer('410c1af8aaaa'),
    { values: { RPM: { value: 1726 } }, pids: undefined },
    'filler is no parameter',
  );
});

t.test('what is too short is an error, not a zero', async (t) => {
  for (const entry of pidTable.values()) {
    const full = Uint8Array.of(0x41, entry.pid, ...new Uint8Array(entry.bytes).fill(0xff));
    t.equal(decodeResponse(null, full).error, undefined, entry.name);
    const cut = decodeResponse(null, full.subarray(0, 1 + entry.fewestBytes));
    t.match(cut, { error: 'short', values: undefined, dtcs: undefined, supported: undefined }, entry.name);
  }
  for (const hex of [
    '41',
    '42',
    '4204',
    '43',
    '49',
    '4902',
    '490201',
    '4904',
    '59',
    '5902',
    '5901ff',
    '62',
    '62f1',
    '62f190',
    '7f',
    '7f22',
  ]) {
    t.equal(answer(hex).error, 'short', hex);
  }
});

t.test('trouble codes', async (t) => {
  t.same(codes('43010133'), ['P0133 confirmed'], 'an odd number of bytes: a count comes first');
  t.same(codes('43013303004123'), ['P0133 confirmed', 'P0300 confirmed', 'C0123 confirmed'], 'without count');
  t.same(codes('4300'), []);
  t.same(codes('4702013382340000'.slice(0, 12)), ['P0133 pending', 'B0234 pending']);
  t.same(codes('4a01c100'), ['U0100 permanent']);
  t.match(answer('430301330300'), { error: 'short' }, 'fewer codes than announced');
  t.equal(answer('43050133030041'.slice(0, 12)).error, 'short');
  t.same(codes('42020001' + '33'), ['P0133 confirmed'], 'the code of the freeze frame');
  t.match(answer('4202000000'), { frame: 0, dtcs: [], values: { DTCFRZF: { value: null } } });
  t.match(answer('420c011af8'), { service: 2, pid: 12, frame: 1, values: { RPM: { value: 1726 } } });
  t.same(codes('5902ffc100872f0a80115c12345650'), [
    'U0100-87 failing',
    'P0A80-11 confirmed',
    'P1234-56 never_tested',
  ]);
  t.same(
    codes('590209c100872f0a801154'),
    ['U0100-87 failing', 'P0A80-11 passed'],
    'only what the mask allows',
  );
  t.match(answer('5902ffc100872f0a80'), { error: 'short', dtcs: [{ code: 'U0100', status: '2F' }] });
  t.match(answer('5901ff010003').values, { DTC_COUNT: { value: 3 } });
  t.match(answer('5908ff4010c1008709').dtcs, [{ code: 'U0100', details: { severity: 0x40 } }]);
  t.match(answer('5914c10087ff').dtcs, [{ code: 'U0100', details: { fault_counter: -1 } }]);
  t.match(answer('594233ffff0420c1008709').dtcs, [{ code: 'U0100', details: { severity: 0x20 } }]);
  t.same(codes('5906c10087080105'), ['U0100-87 confirmed']);
  t.same(codes('5915ffc1008708'), ['U0100-87 permanent']);
  for (let bits = 0; bits < 65_536; bits++) if (codeValue(codeOf(bits)) !== bits) t.fail(`${bits}`);
  t.equal(codeOf(0x0a80), 'P0A80');
  t.equal(codeOf(0xffff), 'U3FFF');
  t.same([0x50, 0x01, 0x08, 0x04, 0x20, 0x2f, 0x00, 0x40].map(stateOf), [
    'never_tested',
    'failing',
    'confirmed',
    'pending',
    'history',
    'failing',
    'passed',
    'passed',
  ]);
});

t.test('who the vehicle is', async (t) => {
  const vin = 'WVWZZZ1JZ3W386750';
  t.equal(answer(`490201${textHex(vin)}`).vin, vin, 'a 0 at the end is a digit');
  t.equal(answer(`490201000000${textHex(vin)}`).vin, vin);
  t.equal(answer(`490201${textHex(vin)}0000ff`).vin, vin);
  t.equal(answer(`62f190${textHex(vin)}`).vin, vin);
  t.equal(answer(`62f802${textHex(vin)}`).vin, vin);
  t.match(answer(`490201${textHex(vin.slice(1))}`), { vin: null, error: 'short' });
  for (const bad of [
    'WVWZZZ1JZ3W38675O',
    'wvwzzz1jz3w386750',
    'WVWZZZ1JZ3W38675I',
    'WVWZZZ1J\0\0W386750',
    `${vin}1`,
  ]) {
    t.match(answer(`490201${textHex(bad)}`), { vin: null, error: 'malformed' }, JSON.stringify(bad));
  }
  t.match(answer(`490201${'ff'.repeat(17)}`), { vin: null, error: undefined }, 'not programmed');
  t.equal(hasRightCheckDigit('1M8GDM9AXKP042788'), true);
  t.equal(hasRightCheckDigit('1M8GDM9A1KP042788'), false);
  t.equal(hasRightCheckDigit(vin), null);
  t.equal(isVin('1M8GDM9AXKP04278Q'), false);
  const ids = ['37805-RBB-J520\0\0', 'JMB*36761500\0\0\0\0'];
  t.same(value(`490402${ids.map(textHex).join('')}`, 'CALID'), ['37805-RBB-J520', 'JMB*36761500']);
  t.match(answer(`490402${textHex(ids[0]!)}`), { error: 'short', values: undefined });
  t.same(value('4906021791bc820a0b0c0d', 'CVN'), ['1791BC82', '0A0B0C0D']);
  t.same(value(`490a01${textHex('ECM\0-EngineControl\0\0')}`, 'ECUNAME'), ['ECM-EngineControl']);
  t.match(answer('490802000a0014').values, { OBDCOND: { value: 10 }, IGNCNTR: { value: 20 } });
  t.match(answer('490b02000a0014').values, { OBDCOND: { value: 10 } });
  t.same(answer('490054000000').supported, [2, 4, 6]);
  t.equal(value(`62f18c${textHex('AB123')}ffff`, 'ECU_SERIAL_NUMBER'), 'AB123');
  t.equal(value('62f18900011b', 'ECU_SOFTWARE_VERSION'), '00011b', 'bytes that are no text stay bytes');
  t.match(answer('62f40c1af8'), { did: 0xf40c, pid: undefined, values: { RPM: { value: 1726 } } });
  t.match(answer('620101fff7'), { did: 0x0101, values: undefined, error: undefined });
});

t.test('refusals, and what a message is about', async (t) => {
  t.match(answer('7f2231', '22f190'), { service: 0x22, did: 0xf190, nrc: 0x31 });
  t.match(answer('7f0112'), { service: 1, nrc: 0x12, pid: undefined });
  t.match(answer('7f2278', '1902ff'), { service: 0x22, sub: undefined }, 'a refusal of something else');
  t.match(answer('6101ffff'), { service: 0x21, pid: 1 });
  t.match(answer('7e80'), { service: 0x3e, sub: 0 });
  t.match(answer('030a11'), { service: null, error: undefined }, 'no answer at all');
  t.match(decodeRequest(bytesOf('1902ff')), { service: 0x19, sub: 2 });
  t.match(decodeRequest(bytesOf('22f190')), { service: 0x22, did: 0xf190 });
  t.match(decodeRequest(bytesOf('020c00')), { service: 2, pid: 12 });
});

t.test('nothing but reading can be encoded', async (t) => {
  const requests: [ReadRequest, string][] = [
    [{ service: 1, pids: [12, 13] }, '010c0d'],
    [{ service: 2, pid: 2, frame: 0 }, '020200'],
    [{ service: 3 }, '03'],
    [{ service: 9, infoType: 2 }, '0902'],
    [{ service: 0x22, did: 0xf190 }, '22f190'],
    [{ service: 0x19, sub: 2, statusMask: 0xff }, '1902ff'],
    [{ service: 0x19, sub: 10 }, '190a'],
  ];
  for (const [request, hex] of requests) t.equal(Buffer.from(encodeRequest(request)).toString('hex'), hex);
  const refused: ReadRequest[] = [
    { service: 1, pids: [] },
    { service: 1, pids: [1, 2, 3, 4, 5, 6, 7] },
    { service: 1, pids: [256] },
    { service: 2, pid: 2, frame: -1 },
    { service: 0x22, did: 0x0101 },
    { service: 0x22, did: 0x1_f190 },
  ];
  for (const request of refused) t.throws(() => encodeRequest(request), RangeError, JSON.stringify(request));
});

t.test('any bytes decode to something, and never to a part of a VIN', async (t) => {
  const services = fc.constantFrom(0x41, 0x42, 0x43, 0x47, 0x49, 0x4a, 0x59, 0x61, 0x62, 0x7f);
  fc.assert(
    fc.property(
      fc.option(fc.uint8Array({ maxLength: 8 })),
      services,
      fc.uint8Array({ maxLength: 64 }),
      (request, service, rest) => {
        const content = decodeResponse(request, Uint8Array.of(service, ...rest));
        if (typeof content.vin === 'string' && !isVin(content.vin)) t.fail(content.vin);
        for (const { value: one } of Object.values(content.values ?? {})) {
          if (typeof one === 'number' && !Number.isFinite(one)) t.fail(String(one));
        }
      },
    ),
    { numRuns: 3000 },
  );
});
