import { constants, setPriority } from 'node:os';
import { DriveMcpError } from '../core/errors.js';
import { PollScheduler } from '../core/obd-poll/poll-scheduler.js';
import type { PollSettings } from '../core/obd-poll/poll-settings.js';
import { requestBytes } from '../core/obd-poll/question.js';
import { systemClock } from '../runtime/clock.js';
import { loadConfig } from '../runtime/config.js';
import { printable } from '../runtime/printable.js';
import type { ObdTransport } from '../sources/obd/obd-transport.js';
import { type PollEnd, pollUntilEnd } from '../sources/obd/poll-loop.js';
import { requiredObdTx } from '../sources/obd/request-guard.js';
import { booleanOption, type CommandSpec, type Invocation, stringOption } from './command.js';
import { configFile } from './config-file.js';
import { AnswerDecoder, ecuText } from './obd-answer.js';
import { type Comparison, type ComparisonResult, openComparison } from './obd-compare.js';
import { pollOptions, pollSettingsOf, secondsOf } from './obd-poll-options.js';
import { PollView } from './obd-poll-view.js';

export const pollCommand: CommandSpec = {
  path: ['obd', 'poll'],
  summary: 'asks control units for values, VIN and trouble codes; sends, so it must be allowed',
  positionals: '[IF]',
  arity: [0, 1],
  options: pollOptions,
  details:
    'A process of its own, never the daemon. It sends: OBD services 01 02 03 07 09 0A, at most ten requests a second,\n' +
    'one at a time, only for what the control unit says it supports, to 7DF, 7E0–7E7, 18DB33F1, 18DAxxF1. Other\n' +
    'services (clearing codes, sessions, tests, writing) and other identifiers are refused in native code. It asks only\n' +
    'while other nodes are heard and the battery has 12.4 V or the engine runs, and ends after three silent rounds or\n' +
    'when another tester asks. The first questions (which PIDs there are, voltage, engine speed) come before the voltage\n' +
    'is known. Off unless --allow-requests or [obd] allow_requests = true.\n' +
    'Exit 0 done or interrupted, 1 low or unknown voltage or nothing supported, 69 no answers or a silent bus.',
  examples: [
    ['drivemcp obd poll can0 --allow-requests', 'all supported PIDs every second, until Ctrl-C'],
    ['drivemcp obd poll can0 --allow-requests --once --json', 'one round, one object an answer'],
    ['drivemcp obd poll can0 --allow-requests --pids 0C,0D --interval 0.5', 'engine and vehicle speed'],
    ['drivemcp obd poll --elm /dev/ttyUSB0 --allow-requests', 'through an ELM327 adapter'],
    ['drivemcp obd poll --elm tcp://192.168.0.10:35000 --allow-requests', 'through one on the network'],
  ],
  run: poll,
};

const ends: Readonly<Record<PollEnd, readonly [code: 0 | 1 | 69, text: string]>> = {
  done: [0, 'done'],
  interrupted: [0, 'ended on request'],
  low_voltage: [1, 'the battery has less than 12.4 V and the engine does not run: not asked any further'],
  voltage_unknown: [
    1,
    'no control unit tells voltage or engine speed: not asked any further (--unknown-voltage goes on)',
  ],
  nothing_supported: [1, 'control units answer, but support nothing of what is wanted'],
  no_answers: [69, 'nobody answered for three rounds: ended, so that no control unit is kept awake'],
  bus_silent: [69, 'no frame of another node for 30 s: ended (--silent-bus asks all the same)'],
  other_tester: [69, 'another tester asks on this bus: ended, the two would take each other’s answers'],
  transport_lost: [69, 'the way to the vehicle is gone'],
};

async function poll(invocation: Invocation): Promise<number> {
  const { values } = invocation;
  const wanted = pollSettingsOf(values);
  const seconds = stringOption(values, 'seconds');
  const limitMs = seconds === undefined ? null : secondsOf(seconds, 'seconds') * 1000;
  const open = transportChoice(invocation, wanted);
  mustBeAllowed(values);
  // A daemon on the same machine has ticks to keep; a question that leaves a millisecond later is none the worse.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const oracle = stringOption(values, 'compare');
  // Before the transport, which seals this process off: then it can start no other.
  const comparison = oracle === undefined ? null : await openComparison(oracle);
  const limit = new AbortController();
  const timer = limitMs === null ? undefined : setTimeout(() => limit.abort(), limitMs);
  const signal = AbortSignal.any([invocation.signal, limit.signal]);
  try {
    return await pollThrough(await open(signal), comparison, signal, invocation);
  } finally {
    // A timer that is left would keep a command from ending that no transport could be opened for.
    clearTimeout(timer);
    await comparison?.end();
  }
}

async function pollThrough(
  { transport, settings }: OpenedTransport,
  comparison: Comparison | null,
  signal: AbortSignal,
  invocation: Invocation,
): Promise<number> {
  const { terminal } = invocation;
  const scheduler = new PollScheduler(settings);
  const decoder = new AnswerDecoder(transport.name);
  const view = new PollView(terminal);
  const say = (text: string) => terminal.message(`drivemcp: ${printable(text)}`);
  let end: PollEnd;
  try {
    end = await pollUntilEnd(scheduler, transport, systemClock, signal, {
      onAnswer: (tUs, ask, answerId, payload) => {
        const tS = systemClock.wallMs() / 1000;
        const message = decoder.decode(tS, requestBytes(ask.question), answerId, payload);
        view.answer(tUs, message);
        comparison?.give(message);
      },
      onNote: (_tUs, text) => say(text),
      onTurn: (tUs) => view.turn(tUs),
    });
  } finally {
    transport.close();
  }
  const compared = await comparison?.end();
  const [code, text] = ends[end];
  say(`${transport.name}: ${text}`);
  summarise(scheduler, transport, end, compared, invocation);
  return code;
}

/** Nothing is sent to a vehicle because somebody mistyped a command. */
function mustBeAllowed(values: Invocation['values']): void {
  if (booleanOption(values, 'allow-requests')) return;
  if (loadConfig(configFile(values)).config.obd.allow_requests) return;
  throw new DriveMcpError('USAGE', 'obd poll sends requests to control units, and that is off', {
    hint: '--allow-requests permits it for this run, [obd] allow_requests = true in the configuration for all',
  });
}

interface OpenedTransport {
  readonly transport: ObdTransport;
  readonly settings: PollSettings;
}
type OpenTransport = (signal: AbortSignal) => Promise<OpenedTransport>;

/** How the vehicle is reached; nothing is opened yet. @throws DriveMcpError USAGE */
function transportChoice(
  { values, positionals, terminal }: Invocation,
  settings: PollSettings,
): OpenTransport {
  const elm = stringOption(values, 'elm');
  const [name] = positionals;
  const say = (text: string) => terminal.message(`drivemcp: ${printable(text)}`);
  if (elm !== undefined && name === undefined) {
    return async (signal) => {
      const { openElm } = await import('../sources/obd/elm-transport.js');
      const transport = await openElm(requiredObdTx(), elm, systemClock, signal);
      const { identity, addressing, voltageV } = transport.found;
      const volts = voltageV === null ? 'it measures no voltage' : `${voltageV} V`;
      say(
        `${elm}: adapter says it is ${identity || 'nameless'}; ${volts}; identifiers of ${addressing} bits`,
      );
      return { transport, settings: { ...settings, addressing } };
    };
  }
  if (elm !== undefined || name === undefined) {
    throw new DriveMcpError('USAGE', 'obd poll takes an interface or --elm, one of them', {
      hint: 'drivemcp obd poll can0 --allow-requests',
    });
  }
  return async () => {
    const { IsotpTransport } = await import('../sources/obd/isotp-transport.js');
    const { addressing, requestIds } = settings;
    const transport = new IsotpTransport(requiredObdTx(), { interface: name, addressing, requestIds });
    say(`asking on ${name}; beside the guarded requests, ${transport.lock}`);
    return { transport, settings };
  };
}

function summarise(
  { counters, plan }: PollScheduler,
  transport: ObdTransport,
  end: PollEnd,
  compared: ComparisonResult | undefined,
  { terminal }: Invocation,
): void {
  const all = { ...counters, given_up: plan.givenUp, refused: plan.refused, ...transport.counters() };
  if (terminal.json) {
    const ecus = plan.answerIds.map((id) => ({
      ecu: ecuText(id),
      pids: plan.supportedPids(id).map((pid) => pid.toString(16).toUpperCase().padStart(2, '0')),
    }));
    terminal.errorObject({ summary: { end, ecus, ...all, ...(compared ? { compared } : {}) } });
    return;
  }
  if (compared) {
    terminal.message(
      `drivemcp: ${compared.equal} of ${compared.compared} values as the other decoder has them` +
        compared.different.map(({ raw, ours, theirs }) => `; ${raw}: ${ours} here, ${theirs} there`).join(''),
    );
  }
  const trouble = Object.entries(all).filter(
    ([name, number]) => number > 0 && !['requests', 'answers', 'rounds'].includes(name),
  );
  terminal.message(
    `drivemcp: ${counters.requests} requests, ${counters.answers} answers of ${plan.answerIds.map(ecuText).join(', ') || 'nobody'}` +
      trouble.map(([name, number]) => `, ${number} ${name.replaceAll('_', ' ')}`).join(''),
  );
}
