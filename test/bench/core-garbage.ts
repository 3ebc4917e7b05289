/**
 * Bytes that one tick of the core allocates, printed as JSON. Runs as a child with a young generation so large
 * that nothing is collected while it measures, and with `--expose-gc`.
 */
import { createInitialState, step } from '../../daemon/core/step.js';
import { defaultParams } from '../core/step-drive.js';
import { busyInputs } from './core-drive.js';

const warmUp = 1200;
const measured = 1200;
const inputs = busyInputs(warmUp + measured);
const collect = globalThis.gc;
if (collect === undefined) throw new Error('run with --expose-gc');

let state = createInitialState(defaultParams);
for (const input of inputs.slice(0, warmUp)) state = step(state, input, defaultParams).state;
collect();
const before = process.memoryUsage().heapUsed;
let audited = 0;
for (let index = warmUp; index < inputs.length; index++) {
  const result = step(state, inputs[index] as (typeof inputs)[number], defaultParams);
  state = result.state;
  audited += result.outputs.audit.length;
}
const after = process.memoryUsage().heapUsed;
collect();
const kept = process.memoryUsage().heapUsed;
process.stdout.write(
  `${JSON.stringify({
    bytesPerTick: (after - before) / measured,
    keptBytesPerTick: (kept - before) / measured,
    audited,
    stateBytes: JSON.stringify(state).length,
  })}\n`,
);
