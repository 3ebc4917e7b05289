import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BitRateTrial,
  type BitRateVerdict,
  isClear,
  judgeBitRate,
  usualBitRates,
} from '../core/can/bit-rate.js';
import { DriveMcpError } from '../core/errors.js';
import { systemClock } from '../runtime/clock.js';
import type { CanInterface } from '../sources/can/can-interface.js';
import { InterfacePump } from '../sources/can/interface-pump.js';
import { openInterfaces } from '../sources/can/open-interfaces.js';
import { booleanOption, type CommandSpec, type Invocation } from './command.js';
import { columns } from './table.js';

/** The slowest usual bus, 10 kbit/s, carries some hundred frames in this time when it is busy. */
const listenMs = 1500;

export const detectCommand: CommandSpec = {
  path: ['can', 'detect'],
  summary: 'finds the bit rate of a bus, in listen-only mode',
  positionals: 'IF',
  arity: [1, 1],
  options: {
    'yes-reconfigure': {
      type: 'boolean',
      help: 'take the interface down and set its bit rate and listen-only mode, again and again',
    },
  },
  details: [
    'Sets one usual rate after the other with ip(8), always with listen-only on, so that the controller neither',
    'acknowledges nor sends error flags, and judges by good frames against error frames. It ends at the first clear',
    'rate and leaves the interface there, up and in listen-only mode; where none is found the interface stays down.',
    '',
    'Needs root and a controller that knows listen-only mode. It does nothing without --yes-reconfigure. What the',
    'kernel reports was tested with recorded answers, not on hardware: distrust it there until you have seen it work.',
  ].join('\n'),
  examples: [
    ['drivemcp can detect can0 --yes-reconfigure', 'tries the usual rates; a table, then the verdict'],
  ],
  run: detect,
};

async function detect({ values, positionals, terminal, signal }: Invocation): Promise<number> {
  const name = positionals[0]!;
  const opened = openInterfaces({ names: [name], driver: 'native', requireListenOnly: false });
  const pump = new InterfacePump(
    opened,
    () => {},
    () => {},
  );
  const trials: BitRateTrial[] = [];
  try {
    const one = pump.interfaces[0]!;
    refuse(one, booleanOption(values, 'yes-reconfigure'));
    for (const bitrate of usualBitRates) {
      if (signal.aborted) break;
      terminal.progress(`${name}: listening at ${kilo(bitrate)}`);
      setBitRate(name, bitrate);
      const trial = await listen(pump, one, bitrate, signal);
      trials.push(trial);
      if (isClear(trial)) break;
    }
    const verdict = judgeBitRate(trials);
    if (verdict.kind !== 'found') ip('link', 'set', name, 'down');
    terminal.clearProgress();
    if (terminal.json) {
      terminal.object({
        interface: name,
        verdict: verdict.kind,
        bitrate: 'bitrate' in verdict ? verdict.bitrate : null,
        trials: trials.map(({ bitrate, frames, errorFrames }) => ({
          bitrate,
          frames,
          error_frames: errorFrames,
        })),
      });
    } else {
      const rows = trials.map((trial) => [
        kilo(trial.bitrate),
        String(trial.frames),
        String(trial.errorFrames),
      ]);
      for (const line of columns(
        [['bit rate', 'frames', 'error frames'], ...rows],
        ['right', 'right', 'right'],
      ))
        terminal.line(line);
      terminal.line(said(name, verdict));
    }
    return verdict.kind === 'found' ? 0 : 1;
  } finally {
    pump.close();
  }
}

/** @throws DriveMcpError where it cannot be done, or was not agreed to: nothing has been changed then */
function refuse(one: CanInterface, isAgreed: boolean): void {
  const name = one.port.name;
  if (one.family === null) {
    throw new DriveMcpError('CAN_UNAVAILABLE', `there is no CAN interface ${name}`);
  }
  if (one.family !== 'can') {
    throw new DriveMcpError(
      'CAN_UNAVAILABLE',
      `${name} is a ${one.family} interface: it has no bit rate to find`,
      {
        hint: 'bit rates are a matter of real controllers (can0, slcan0)',
      },
    );
  }
  if (process.getuid?.() !== 0) {
    throw new DriveMcpError('CAN_UNAVAILABLE', `setting the bit rate of ${name} needs root`, {
      hint: 'run it with sudo; everything else of this program needs no root',
    });
  }
  if (isAgreed) return;
  throw new DriveMcpError(
    'USAGE',
    `this would take ${name} down and set its bit rate ${usualBitRates.length} times`,
    {
      hint: 'whoever else uses the interface is cut off meanwhile; --yes-reconfigure does it',
    },
  );
}

function setBitRate(name: string, bitrate: number): void {
  ip('link', 'set', name, 'down');
  ip('link', 'set', name, 'type', 'can', 'bitrate', String(bitrate), 'listen-only', 'on');
  ip('link', 'set', name, 'up');
}

async function listen(
  pump: InterfacePump,
  one: CanInterface,
  bitrate: number,
  signal: AbortSignal,
): Promise<BitRateTrial> {
  const before = one.port.counters();
  const untilUs = systemClock.monoUs() + listenMs * 1000;
  while (systemClock.monoUs() < untilUs && !signal.aborted) {
    pump.turn(systemClock.monoUs());
    await sleep(10);
  }
  // Believed only where the controller says so itself: a driver may take the setting and not have the mode.
  if (one.controller !== null && !one.controller.isListenOnly) {
    ip('link', 'set', one.port.name, 'down');
    throw new DriveMcpError(
      'CAN_NOT_LISTEN_ONLY',
      `${one.port.name} did not go into listen-only mode; it is down now`,
    );
  }
  const after = one.port.counters();
  const errorFrames = after.errorFrames - before.errorFrames;
  return { bitrate, frames: after.frames - before.frames - errorFrames, errorFrames };
}

/** @throws DriveMcpError CAN_UNAVAILABLE with what ip(8) says */
function ip(...words: string[]): void {
  try {
    execFileSync('ip', words, { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (cause) {
    const said = String((cause as { stderr?: unknown }).stderr ?? (cause as Error).message).trim();
    throw new DriveMcpError('CAN_UNAVAILABLE', `ip ${words.join(' ')}: ${said}`, { cause });
  }
}

function said(name: string, verdict: BitRateVerdict): string {
  switch (verdict.kind) {
    case 'found':
      return `${name} has ${kilo(verdict.bitrate)}; it is up at this rate, in listen-only mode`;
    case 'unsure':
      return `perhaps ${kilo(verdict.bitrate)}, but with many errors or few frames; ${name} is down now. Check wiring and termination`;
    case 'errors_only':
      return `traffic, but none of these rates reads it; ${name} is down now. Check wiring and termination, or the rate is unusual`;
    case 'silent':
      return `nothing was heard at any rate; ${name} is down now. Is the bus awake, is the adapter connected?`;
  }
}

function kilo(bitrate: number): string {
  return `${Number((bitrate / 1000).toFixed(1))} kbit/s`;
}
