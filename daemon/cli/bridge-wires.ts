/** The CAN interfaces that `hil bridge` sends on: which ones, and what has to be said before. */
import { DriveMcpError } from '../core/errors.js';
import type { LinkSights } from '../sources/can/link-sights.js';
import { booleanOption, listOption, type OptionSpec, type OptionValues, stringOption } from './command.js';

/** Shorter than this nobody's cycle is heard: the slow messages of a car come once a second. */
const shortestListenS = 1;

export const wireOptions = {
  can: { type: 'string', value: 'IF', multiple: true, help: 'a virtual interface to send on, e.g. vcan0' },
  'real-can': {
    type: 'string',
    value: 'IF',
    help: 'a real interface to send on: a bench, with --no-vehicle-connected',
  },
  'no-vehicle-connected': {
    type: 'boolean',
    help: 'you say so: no vehicle and no part of one hangs on the bus of --real-can',
  },
  'share-bus': { type: 'boolean', help: 'others may speak on the virtual interfaces too, such as hil ecu' },
  'listen-s': {
    type: 'string',
    value: 'N',
    help: 'how long each bus is listened to before the first frame; 1 (default) to 60',
  },
} as const satisfies Record<string, OptionSpec>;

export interface Wire {
  readonly name: string;
  readonly isReal: boolean;
  readonly isShared: boolean;
  readonly listenMs: number;
}

/** @throws DriveMcpError USAGE */
export function wiresOf(values: OptionValues): readonly Wire[] {
  const virtual = [...new Set(listOption(values, 'can').flatMap((names) => names.split(',')))];
  const real = stringOption(values, 'real-can');
  const isSure = booleanOption(values, 'no-vehicle-connected');
  const isShared = booleanOption(values, 'share-bus');
  const listenMs = readListenS(values) * 1000;
  if (real !== undefined && !isSure)
    throw new DriveMcpError('USAGE', `--real-can ${real} sends on wires`, {
      hint: 'only where no vehicle and no part of one hangs on that bus, and you say so: --no-vehicle-connected',
    });
  if (real === undefined && isSure)
    throw new DriveMcpError('USAGE', '--no-vehicle-connected goes with --real-can');
  if (real !== undefined && isShared)
    throw new DriveMcpError('USAGE', 'a real bus is never shared: leave out --share-bus');
  if (real !== undefined && virtual.includes(real))
    throw new DriveMcpError('USAGE', `${real} is named twice`);
  for (const name of [...virtual, ...(real === undefined ? [] : [real])])
    if (!/^[A-Za-z0-9_.-]{1,15}$/.test(name))
      throw new DriveMcpError('USAGE', `'${name}' is no name of an interface`);
  return [
    ...(real === undefined ? [] : [{ name: real, isReal: true, isShared: false, listenMs }]),
    ...virtual.map((name) => ({ name, isReal: false, isShared, listenMs })),
  ];
}

export async function wireSinks(
  wires: readonly Wire[],
  links: LinkSights,
  around: { readonly nowMs: () => number; readonly notice: (text: string) => void },
) {
  const { WireSink } = await import('../../hil/bridge/wire-sink.js');
  const { CanChannel } = await import('../../hil/transmit/can-channel.js');
  return wires.map(
    (wire) =>
      new WireSink({
        ...wire,
        ...around,
        look: () => links.look(wire.name),
        openChannel: (name, ears) => new CanChannel(name, ears),
      }),
  );
}

function readListenS(values: OptionValues): number {
  const text = stringOption(values, 'listen-s');
  if (text === undefined) return shortestListenS;
  const seconds = Number(text);
  if (text !== '' && seconds >= shortestListenS && seconds <= 60) return seconds;
  throw new DriveMcpError('USAGE', `--listen-s takes ${shortestListenS} to 60, got '${text.slice(0, 40)}'`);
}
