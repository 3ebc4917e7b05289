/**
 * Control units behind an ELM327 adapter. The guard in native code decides what may be asked, as on CAN; the adapter gets
 * requests and AT commands that store nothing. Which version an adapter claims to be is shown and never relied on.
 */
import type { ObdTxModule } from '../../../native/index.js';
import { addressingOf, headerCommand, voltageOf } from '../../core/elm327/at-commands.js';
import { type ElmFailure, elmFailures } from '../../core/elm327/elm-failures.js';
import { parseElmReply } from '../../core/elm327/elm-reply.js';
import { DriveMcpError } from '../../core/errors.js';
import type { Ask } from '../../core/obd-poll/exchange.js';
import { functionalExtendedId, functionalId } from '../../core/obd-poll/obd-address.js';
import { minimumGapUs, vitalsUs } from '../../core/obd-poll/poll-settings.js';
import { requestBytes } from '../../core/obd-poll/question.js';
import type { Clock } from '../../ports.js';
import { openAdapterLine } from './adapter-line.js';
import { ElmSession } from './elm-session.js';
import type { ObdTransport, TransportEvent } from './obd-transport.js';
import { mustBeAllowed } from './request-guard.js';

const atTimeoutUs = 2_000_000;
/** a reset, and a search through all protocols */
const slowTimeoutUs = 15_000_000;
const requestTimeoutUs = 2_500_000;
/** commands in a row without a prompt, then the adapter is given up */
const timeoutsMaxCount = 3;
const turnUs = 5_000;

/** What an adapter is told first. Those marked optional only make answers shorter or safer; clones lack some. */
const initial: readonly (readonly [command: string, isRequired: boolean])[] = [
  ['ATE0', false],
  ['ATM0', false],
  ['ATL0', false],
  ['ATS0', false],
  ['ATAL', false],
  ['ATAT1', false],
  ['ATCAF1', false],
  ['ATH1', true],
];

type Step = { readonly at: string } | { readonly request: Uint8Array };

export class ElmTransport implements ObdTransport {
  readonly name: string;
  readonly #obdTx: ObdTxModule;
  readonly #session: ElmSession;
  readonly #clock: Clock;
  readonly #counts = new Map<ElmFailure, number>();
  readonly #told = new Set<ElmFailure>();
  #steps: Step[] = [];
  #header: string | null = null;
  #requestUs: number;
  #voltageUs: number;
  /** measured before the first question */
  #firstVoltageV: number | null;
  #timeouts = 0;
  #timeoutsInARow = 0;

  constructor(
    obdTx: ObdTxModule,
    session: ElmSession,
    clock: Clock,
    readonly found: {
      readonly identity: string;
      readonly addressing: '11' | '29';
      readonly voltageV: number | null;
    },
  ) {
    this.#obdTx = obdTx;
    this.#session = session;
    this.#clock = clock;
    this.name = session.line?.name ?? '';
    this.#requestUs = clock.monoUs();
    this.#firstVoltageV = found.voltageV;
    this.#voltageUs = this.#requestUs;
  }

  send(ask: Ask): 'sent' | 'queue_full' | 'failed' {
    const nowUs = this.#clock.monoUs();
    const request = Uint8Array.from(requestBytes(ask.question));
    mustBeAllowed(this.#obdTx, ask.requestId, request);
    if (this.#session.isBusy || this.#steps.length > 0 || nowUs - this.#requestUs < minimumGapUs)
      return 'queue_full';
    const header = headerCommand(ask.requestId);
    if (nowUs - this.#voltageUs >= vitalsUs) this.#steps.push({ at: 'ATRV' });
    if (header !== this.#header) this.#steps.push({ at: header });
    this.#header = header;
    this.#steps.push({ request });
    this.#nextStep(nowUs);
    return 'sent';
  }

  poll(nowUs: number): TransportEvent[] {
    const events: TransportEvent[] = [];
    if (this.#firstVoltageV !== null) events.push({ kind: 'voltage', voltageV: this.#firstVoltageV });
    this.#firstVoltageV = null;
    if (this.#session.gone !== null) return [{ kind: 'lost', why: this.#session.gone }];
    const outcome = this.#session.outcome(nowUs);
    if (outcome === null) return events;
    const isRequest = !outcome.command.text.startsWith('AT');
    if (outcome.kind === 'timeout') {
      this.#timeouts++;
      this.#timeoutsInARow++;
      this.#steps = [];
      this.#header = null; // what it has understood is unknown
      if (this.#timeoutsInARow >= timeoutsMaxCount)
        return [{ kind: 'lost', why: 'the adapter does not answer any more' }];
      return [{ kind: 'broken', what: 'no prompt of the adapter in time' }, { kind: 'complete' }];
    }
    this.#timeoutsInARow = 0;
    if (isRequest) this.#takeReply(outcome.text, outcome.command.text, events);
    else this.#takeAt(nowUs, outcome.text, outcome.command.text, events);
    if (events.every(({ kind }) => kind !== 'lost')) this.#nextStep(nowUs);
    return events;
  }

  counters(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {
      adapter_timeouts: this.#timeouts,
      stray_chars: this.#session.strayChars,
    };
    for (const failure of elmFailures) counts[`adapter_${failure}`] = this.#counts.get(failure) ?? 0;
    return counts;
  }

  close(): void {
    this.#session.close();
  }

  #nextStep(nowUs: number): void {
    const step = this.#steps.shift();
    if (step === undefined) return;
    if ('at' in step) this.#session.at(nowUs, step.at, atTimeoutUs);
    else {
      this.#session.request(nowUs, step.request, requestTimeoutUs);
      this.#requestUs = nowUs;
    }
  }

  #takeAt(nowUs: number, text: string, command: string, events: TransportEvent[]): void {
    if (command === 'ATRV') {
      this.#voltageUs = nowUs;
      const voltageV = voltageOf(withoutEcho(text, command));
      if (voltageV !== null) events.push({ kind: 'voltage', voltageV });
      return;
    }
    if (withoutEcho(text, command).includes('OK')) return;
    // A header that was not taken would send the request to somebody else.
    this.#steps = [];
    this.#header = null;
    events.push({ kind: 'broken', what: `the adapter refuses ${command}` }, { kind: 'complete' });
  }

  #takeReply(text: string, command: string, events: TransportEvent[]): void {
    const { answers, failures, brokenAnswers } = parseElmReply(text, command);
    for (const { answerId, payload } of answers) {
      if (answerId === null) events.push({ kind: 'broken', what: 'an answer without its sender' });
      else events.push({ kind: 'answer', answerId, payload });
    }
    for (let i = 0; i < brokenAnswers; i++)
      events.push({ kind: 'broken', what: 'an answer was cut short or mixed up' });
    for (const failure of failures) {
      this.#counts.set(failure, (this.#counts.get(failure) ?? 0) + 1);
      if (failure === 'reset' || failure === 'low_power') {
        // Its settings are gone: headers, echo, protocol.
        events.push({ kind: 'lost', why: `the adapter was reset (${failure.replaceAll('_', ' ')})` });
        return;
      }
      if (failure === 'no_data' || this.#told.has(failure)) continue;
      this.#told.add(failure);
      events.push({ kind: 'note', text: `the adapter says: ${failure.replaceAll('_', ' ')}` });
    }
    events.push({ kind: 'complete' });
  }
}

/**
 * Opens an adapter, sets it up, measures the voltage and lets it find the vehicle's protocol.
 * @throws DriveMcpError USAGE, CAN_UNAVAILABLE
 */
export async function openElm(
  obdTx: ObdTxModule,
  where: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<ElmTransport> {
  const session = new ElmSession();
  session.line = await openAdapterLine(where, session.listener);
  try {
    return await setUp(obdTx, session, clock, signal);
  } catch (error) {
    session.close();
    throw error;
  }
}

async function setUp(
  obdTx: ObdTxModule,
  session: ElmSession,
  clock: Clock,
  signal: AbortSignal,
): Promise<ElmTransport> {
  const say = (text: string, timeoutUs = atTimeoutUs) => {
    session.at(clock.monoUs(), text, timeoutUs);
    return replyTo(session, clock, signal);
  };
  // The first prompt may belong to what another program left behind: reset twice where the first is not understood.
  const reset = (await say('ATZ', 3_000_000)) ?? (await say('ATZ', 3_000_000));
  if (reset === null)
    throw refused(session, 'nothing that answers to AT Z', 'is the ignition on, the baud rate right?');
  for (const [command, isRequired] of initial) {
    const reply = await say(command);
    if (reply?.includes('OK') === true || !isRequired) continue;
    throw refused(
      session,
      `the adapter refuses ${command}`,
      'answers could not be told apart without headers',
    );
  }
  const identity = withoutEcho((await say('ATI')) ?? '', 'ATI')
    .trim()
    .slice(0, 40);
  const voltageV = voltageOf(withoutEcho((await say('ATRV')) ?? '', 'ATRV'));
  await say('ATTP0');
  const request = Uint8Array.of(0x01, 0x00);
  for (const id of [functionalId, functionalExtendedId]) mustBeAllowed(obdTx, id, request);
  session.request(clock.monoUs(), request, slowTimeoutUs);
  const reply = parseElmReply((await replyTo(session, clock, signal)) ?? '', '0100');
  const addressing = addressingOf(withoutEcho((await say('ATDPN')) ?? '', 'ATDPN'));
  if (reply.answers.length === 0) {
    const words = reply.failures.map((failure) => failure.replaceAll('_', ' ')).join(', ');
    throw refused(
      session,
      `no control unit answers${words === '' ? '' : ` (${words})`}`,
      'is the ignition on?',
    );
  }
  if (addressing === null)
    throw refused(session, 'the vehicle speaks no CAN by ISO 15765-4', 'K-line vehicles are not supported');
  const transport = new ElmTransport(obdTx, session, clock, { identity, addressing, voltageV });
  if (addressing === '29') {
    const priority = await say('ATCP18');
    if (priority?.includes('OK') !== true)
      throw refused(session, 'the adapter refuses ATCP18', '29-bit addresses need it');
  }
  return transport;
}

function refused(session: ElmSession, what: string, hint: string): DriveMcpError {
  return new DriveMcpError('CAN_UNAVAILABLE', `${session.line?.name ?? ''}: ${what}`, { hint });
}

/** The reply of the running command, null where none came in time. @throws DriveMcpError CAN_UNAVAILABLE, INTERRUPTED */
async function replyTo(session: ElmSession, clock: Clock, signal: AbortSignal): Promise<string | null> {
  for (;;) {
    if (session.gone !== null) throw refused(session, session.gone, 'plug it in again');
    if (signal.aborted) throw new DriveMcpError('INTERRUPTED', 'stopped while the adapter was set up');
    const outcome = session.outcome(clock.monoUs());
    if (outcome !== null) return outcome.kind === 'reply' ? outcome.text : null;
    await clock.sleepUntilUs(clock.monoUs() + turnUs, signal);
  }
}

function withoutEcho(text: string, command: string): string {
  return text
    .split(/[\r\n]+/)
    .filter((line) => line.trim().toUpperCase() !== command)
    .join('\n');
}
