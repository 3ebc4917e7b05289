/** What the commands that look at interfaces share: which ones, how long, the loop, and the end. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FrameBatch } from '../core/can/frame-batch.js';
import { DriveMcpError } from '../core/errors.js';
import { systemClock } from '../runtime/clock.js';
import { printable } from '../runtime/printable.js';
import type { InterfaceNews } from '../sources/can/can-interface.js';
import { InterfacePump, interfaceObject, lostFrames } from '../sources/can/interface-pump.js';
import { lockOut, openInterfaces } from '../sources/can/open-interfaces.js';
import { type OptionSpec, type OptionValues, stringOption } from './command.js';
import type { Terminal } from './terminal.js';

/** The ring of an interface holds seconds of a full bus; this often it is emptied. */
const turnMs = 10;

export const secondsOption: OptionSpec = {
  type: 'string',
  value: 'N',
  help: 'end after this long; default: Ctrl-C ends it',
};

/** Throws USAGE. */
export function secondsOf(values: OptionValues): number | null {
  const text = stringOption(values, 'seconds');
  if (text === undefined) return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new DriveMcpError('USAGE', `--seconds takes a number above 0, got '${text}'`);
}

export interface BusWish {
  /** `can0,can1` */
  readonly names: string;
  readonly filters: Uint32Array | undefined;
  readonly seconds: number | null;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  /** the interfaces are open */
  readonly onOpen?: () => void;
  readonly onFrames: (batch: FrameBatch, timesUs: Float64Array) => void;
  /** after each turn; true ends it */
  readonly afterTurn: (pump: InterfacePump, elapsedUs: number) => boolean;
}

/**
 * Opens the interfaces, makes sending impossible for this process, and takes frames until the end.
 * @returns the pump, closed: its counters are final
 */
export async function watchBuses(wish: BusWish): Promise<InterfacePump> {
  const { terminal, signal, seconds } = wish;
  const say = (text: string) => terminal.message(`drivemcp: ${printable(text)}`);
  const opened = openInterfaces({
    names: [...new Set(wish.names.split(','))],
    driver: 'native',
    requireListenOnly: false,
    ...(wish.filters ? { filters: wish.filters } : {}),
  });
  for (const text of opened.notices) say(text);
  lockOut(opened.host);
  const pump = new InterfacePump(opened, wish.onFrames, (news) => say(newsLine(news)));
  const startUs = systemClock.monoUs();
  try {
    wish.onOpen?.();
    for (;;) {
      const elapsedUs = systemClock.monoUs() - startUs;
      pump.turn(elapsedUs);
      if (wish.afterTurn(pump, elapsedUs)) break;
      if (signal.aborted || (seconds !== null && elapsedUs >= seconds * 1e6)) break;
      await sleep(turnMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    pump.close();
  }
  return pump;
}

function newsLine({ tUs, name, from, to, events }: InterfaceNews): string {
  const change = from === to ? '' : ` ${from} → ${to}`;
  return `${(tUs / 1e6).toFixed(2)} s: ${name}${change}${events.length > 0 ? ` (${events.join(', ')})` : ''}`;
}

/** What was lost, said on stderr; an object an interface for --json. */
export function interfaceEnd(pump: InterfacePump, elapsedUs: number, terminal: Terminal) {
  for (const one of pump.interfaces) {
    const { kernelDrops, ringDrops, malformed } = one.port.counters();
    if (lostFrames(one) + malformed === 0) continue;
    terminal.message(
      `drivemcp: ${one.port.name}: ${kernelDrops} frames lost in the kernel, ${ringDrops} lost here, ${malformed} malformed`,
    );
  }
  return pump.interfaces.map((one) => interfaceObject(one, elapsedUs));
}
