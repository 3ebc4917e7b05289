/** Faults that `hil bridge` puts into frames: from options, and from a scenario file. */
import { DriveMcpError } from '../core/errors.js';
import { booleanOption, listOption, type OptionSpec, type OptionValues, stringOption } from './command.js';
import { loadScenario } from './scenario-files.js';

const form = /^([a-z_]+)(?::([A-Z_]+))?@(\d+(?:\.\d+)?)(?:-(\d+(?:\.\d+)?))?$/;
/** A leak that is noticed within a quarter of a minute. */
const leakKpaPerS = 10;

export const faultOptions = {
  fault: {
    type: 'string',
    multiple: true,
    value: 'KIND@S',
    help: 'a fault in the frames alone, S seconds from the first step on: abs@20, tyre_leak:FL@20, frame_lost:STEERING@20-30',
  },
  'faults-of': {
    type: 'string',
    value: 'ID|FILE',
    help: 'the can_faults of a scenario, in the frames alone',
  },
  'no-fault-reading': {
    type: 'boolean',
    help: 'without the exchanges of diagnostics every five seconds that tell the trouble codes',
  },
} as const satisfies Record<string, OptionSpec>;

/** @throws DriveMcpError USAGE, and what `loadScenario` throws */
export async function faultsOf(values: OptionValues) {
  const { toFault } = await import('../../hil/scenarios/fault-event.js');
  const { faultSchema } = await import('../../hil/scenarios/scenario-schema.js');
  const own = listOption(values, 'fault').map((text) => {
    const [, kind, what, from, until] = form.exec(text) ?? [];
    const data = {
      kind,
      at_s: Number(from),
      ...(kind === 'tyre_leak' ? { wheel: what, kpa_per_s: leakKpaPerS } : {}),
      ...(kind?.startsWith('frame_') === true ? { message: what } : {}),
      ...(until === undefined ? {} : { until_s: Number(until) }),
    };
    const read = faultSchema.safeParse(data);
    if (kind !== undefined && read.success) return toFault(read.data);
    const issue = kind === undefined ? undefined : read.error?.issues[0]?.message;
    throw new DriveMcpError('USAGE', `--fault '${text.slice(0, 60)}': ${issue ?? 'no fault of that form'}`, {
      hint: 'abs@20, esc@20, brake_fluid_low@20, tyre_leak:FL@20, frame_lost:WHEEL_SPEEDS@20-30',
    });
  });
  const name = stringOption(values, 'faults-of');
  const scenario = name === undefined ? [] : ((await loadScenario(name)).world.faults ?? []);
  return { scripted: [...own, ...scenario], hasReadings: !booleanOption(values, 'no-fault-reading') };
}
