/** Carries out what the scheduler decides: hands it what was heard, puts its questions on their way, waits. */
import type { Ask } from '../../core/obd-poll/exchange.js';
import type { PollScheduler, StopReason } from '../../core/obd-poll/poll-scheduler.js';
import type { Clock } from '../../ports.js';
import type { ObdTransport, TransportEvent } from './obd-transport.js';

/** While an answer is due, what has come is looked at this often; idle, this often. */
const busyTurnUs = 3_000;
const idleTurnUs = 20_000;

export interface PollListener {
  /** a positive or negative answer to the question on its way */
  onAnswer(tUs: number, ask: Ask, answerId: number, payload: Uint8Array): void;
  /** a question that somebody left open, or a broken answer, for people */
  onNote(tUs: number, text: string): void;
  /** after each turn */
  onTurn(tUs: number): void;
}

export type PollEnd = StopReason | 'interrupted' | 'transport_lost';

/** Runs until the scheduler stops, the signal aborts or the transport is gone. */
export async function pollUntilEnd(
  scheduler: PollScheduler,
  transport: ObdTransport,
  clock: Clock,
  signal: AbortSignal,
  listener: PollListener,
): Promise<PollEnd> {
  for (;;) {
    const nowUs = clock.monoUs();
    for (const event of transport.poll(nowUs)) {
      if (event.kind === 'lost') {
        listener.onNote(nowUs, event.why);
        return 'transport_lost';
      }
      take(scheduler, event, nowUs, listener);
    }
    listener.onTurn(nowUs);
    if (signal.aborted) return 'interrupted';
    const action = scheduler.next(nowUs);
    if (action.kind === 'stop') return action.reason;
    if (action.kind === 'ask') {
      const outcome = transport.send(action.ask);
      // Stamped after the call, so that the gap to the next request is never shorter than the guard's own.
      const sentUs = clock.monoUs();
      if (outcome === 'sent') scheduler.sent(sentUs);
      else scheduler.sendFailed(sentUs, outcome);
      continue;
    }
    const turnUs = scheduler.outstanding === null ? idleTurnUs : busyTurnUs;
    await clock.sleepUntilUs(Math.min(action.untilUs, nowUs + turnUs), signal);
    // A wait that is over at once must not keep the loop from its events.
    if (action.untilUs <= nowUs) await new Promise((resolve) => setImmediate(resolve));
  }
}

function take(scheduler: PollScheduler, event: TransportEvent, nowUs: number, listener: PollListener): void {
  switch (event.kind) {
    case 'heard':
      scheduler.heard(nowUs);
      break;
    case 'other_tester':
      scheduler.heardOtherTester();
      break;
    case 'progress':
      scheduler.progress(nowUs, event.answerId);
      break;
    case 'complete':
      scheduler.completed();
      break;
    case 'voltage':
      scheduler.vitals.takeVoltage(nowUs, event.voltageV);
      break;
    case 'note':
      listener.onNote(nowUs, event.text);
      break;
    case 'broken':
      scheduler.broken();
      listener.onNote(nowUs, event.what);
      break;
    case 'answer': {
      const ask = scheduler.outstanding;
      const verdict = scheduler.answered(nowUs, event.answerId, event.payload);
      if (ask !== null && (verdict === 'accepted' || verdict === 'negative'))
        listener.onAnswer(nowUs, ask, event.answerId, event.payload);
      break;
    }
    case 'lost': // the loop ends with it
      break;
  }
}
