/** How long one tick of the core takes and how much it allocates. */
import { performance } from 'node:perf_hooks';
import type { CoreState } from '../../daemon/core/state.js';
import { createInitialState, step } from '../../daemon/core/step.js';
import type { TickInputs } from '../../daemon/core/tick.js';
import { defaultParams } from '../core/step-drive.js';
import type { BenchRow } from './bench-row.js';
import { busyInputs } from './core-drive.js';
import { measureCoreGarbage } from './measure-garbage.js';

const warmUp = 2400;
const measured = 12_000;

/** Rows p50 and p99 of `step` and its garbage, on a busy drive at 20 Hz. */
export async function benchCoreStep(): Promise<BenchRow[]> {
  const inputs = busyInputs(warmUp + measured);
  let state = createInitialState(defaultParams);
  const onceUs: number[] = [];
  const bestUs: number[] = [];
  for (const [index, input] of inputs.entries()) {
    const first = timed(state, input);
    // Step is pure, so a tick can be decided again: the best of three is the core's own time, without what
    // other processes of a busy machine took in between.
    if (index >= warmUp) {
      onceUs.push(first.us);
      bestUs.push(Math.min(first.us, timed(state, input).us, timed(state, input).us));
    }
    state = first.state;
  }
  const garbage = await measureCoreGarbage();
  return [
    { name: 'core step p50, best of 3', unit: 'µs', value: quantile(bestUs, 0.5) },
    { name: 'core step p99, best of 3', unit: 'µs', value: quantile(bestUs, 0.99), target: 500 },
    { name: 'core step p99, once', unit: 'µs', value: quantile(onceUs, 0.99) },
    { name: 'core step garbage', unit: 'bytes/tick', value: garbage.bytesPerTick, target: 100_000 },
    { name: 'core state', unit: 'bytes as JSON', value: garbage.stateBytes },
  ];
}

function timed(state: CoreState, input: TickInputs): { readonly state: CoreState; readonly us: number } {
  const startedMs = performance.now();
  const result = step(state, input, defaultParams);
  return { state: result.state, us: (performance.now() - startedMs) * 1000 };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number;
}
