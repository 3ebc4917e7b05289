/** Our decoder against npm `obd-parser` (GPL-3.0, a development dependency), for the five PIDs that it decodes rightly. */
import { createRequire } from 'node:module';
import fc from 'fast-check';
import t from 'tap';
import { decodeResponse } from '../../daemon/vehicles/diagnostics/decode-response.js';
import { bundledEcus } from '../../hil/ecu/ecu-script.js';
import { loadObdTx } from '../../native/index.js';
import { drivemcp } from '../helpers/command.js';
import { onTcp } from '../sources/elm-adapter.js';

interface Oracle {
  getPidByPidCode(pid: string): { getValueForBytes(bytes: readonly string[]): number } | null;
}
const oracle = createRequire(import.meta.url)('obd-parser/lib/pids/index') as Oracle;

const bytesOf = new Map([
  ['05', 1],
  ['0C', 2],
  ['0D', 1],
  ['10', 2],
  ['11', 1],
]);

t.test('coolant, engine speed, speed, air flow, throttle: every value, the same', async (t) => {
  for (const [pid, length] of bytesOf) {
    const theirs = oracle.getPidByPidCode(pid);
    t.ok(theirs, pid);
    fc.assert(
      fc.property(fc.uint8Array({ minLength: length, maxLength: length }), (data) => {
        const payload = Uint8Array.of(0x41, Number.parseInt(pid, 16), ...data);
        const ours = Object.values(decodeResponse(null, payload).values ?? {})[0]?.value;
        const hex = [...payload].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0'));
        const value = theirs?.getValueForBytes(hex) ?? Number.NaN;
        return typeof ours === 'number' && Math.abs(ours - value) <= 1e-12 * Math.abs(value);
      }),
      { numRuns: 500 },
    );
  }
});

t.test('where it is wrong we do not follow: 255 is a full load, not 102 %', async (t) => {
  const theirs = oracle.getPidByPidCode('04')?.getValueForBytes(['41', '04', 'FF']);
  const ours = Object.values(decodeResponse(null, Uint8Array.of(0x41, 0x04, 0xff)).values ?? {})[0]?.value;
  t.equal(ours, 100);
  t.not(theirs, ours);
});

t.test(
  'obd poll --compare: in a process of its own',
  { skip: loadObdTx().module === null && 'native module missing' },
  async (t) => {
    const { where } = await onTcp(t, bundledEcus, {});
    const args = ['obd', 'poll', '--elm', where, '--allow-requests', '--once', '--pids', '05,0C,0D,10,11'];
    const result = await drivemcp([...args, '--compare', 'obd-parser', '--json']);
    t.equal(result.code, 0, result.stderr);
    const line = result.stderr.split('\n').find((text) => text.startsWith('{"summary"')) ?? '{}';
    const { compared } = (JSON.parse(line) as { summary: { compared: Record<string, unknown> } }).summary;
    t.match(compared, { different: [], left_out: 0 });
    t.ok(Number(compared['compared']) >= 6);
  },
);
