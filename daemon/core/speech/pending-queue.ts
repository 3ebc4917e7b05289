/** The queue `speech`: what is to be said, by importance, and when each item is ready, moot or too old. */
import type { MessageKind } from '../explain/message.js';
import type { Situation } from '../fuse/situation.js';
import { count, type TickNotes } from '../tick-notes.js';
import type { PendingMessage, SpeechContext, SpeechState } from './speech-state.js';

const maxPending = 8;
/** An announcement this old is no news. */
const pendingForUs = 10_000_000;
/** Rules have 300 ms; after that the message goes out with what is known. */
const waitForLawUs = 300_000;
const waitForGripUs = 100_000;
/** A limit that is more likely right than not is not called unclear. */
const settledConf = 0.5;
/** Grace after a limit drop, as in the definition of an overspeed infraction. */
const limitDropGraceUs = 2_000_000;
/** Below this a car stands, as far as its speed signal can tell. */
const standingMps = 0.5;
/** Who is slowing down by this much has seen the limit. */
const slowingMps2 = 0.2;
/** Slowing down by 50 km/h without braking hard (1.4 m/s²) takes about ten seconds. */
const slowDownUs = 10_000_000;
/** By falling importance; also the order of the queue. */
const priorities: readonly MessageKind[] = [
  'mode_monitor',
  'vehicle_fault',
  'low_friction',
  'jurisdiction_change',
  'dynamic_limit_update',
  'driver_query',
  'uncertain_limit',
  'foreign_sign',
  'overspeed',
  'mode_resumed',
];

export function enqueue(
  state: SpeechState,
  situation: Situation,
  context: SpeechContext,
  notes: TickNotes,
): SpeechState {
  const { tUs } = situation;
  const arrived: PendingMessage[] = [];
  for (const event of context.fired) {
    if (event.type === 'hazard_rss') continue;
    // Where the drive begins is no border.
    if (event.type === 'jurisdiction_change' && event.payload['from'] === null) continue;
    arrived.push({ kind: event.type, payload: event.payload, sinceUs: tUs });
  }
  if (context.mode !== context.modeBefore) {
    if (context.mode === 'MONITOR') arrived.push({ kind: 'mode_monitor', payload: {}, sinceUs: tUs });
    else if (context.modeBefore === 'MONITOR') {
      arrived.push({ kind: 'mode_resumed', payload: {}, sinceUs: tUs });
    }
  }
  if (arrived.length === 0) return state;
  // News of a kind replaces what was to be said of it before.
  const others = state.pending.filter((item) => !arrived.some((news) => news.kind === item.kind));
  const pending = [...others, ...arrived];
  pending.sort((a, b) => priorities.indexOf(a.kind) - priorities.indexOf(b.kind) || a.sinceUs - b.sinceUs);
  if (pending.length > maxPending) {
    count(notes, 'speech_queue_full', pending.length - maxPending);
    pending.length = maxPending;
  }
  return { ...state, pending };
}

/** Waits for the expert that was asked because of the event, but only for its deadline. */
export function isReady(
  item: PendingMessage,
  state: SpeechState,
  situation: Situation,
  context: SpeechContext,
): boolean {
  const waitedUs = situation.tUs - item.sinceUs;
  switch (item.kind) {
    case 'uncertain_limit':
      // It asks to slow down: nothing that helps a car that stands.
      if (isStanding(situation)) return false;
      return hasLawAnswered(situation, waitedUs, context);
    case 'jurisdiction_change':
    case 'dynamic_limit_update':
      return hasLawAnswered(situation, waitedUs, context);
    case 'low_friction':
      return situation.grip.est !== null || waitedUs >= waitForGripUs + 2 * context.periodUs;
    case 'foreign_sign': {
      const sign = situation.foreignSign;
      const isSame = sign?.seen.fact.value.id === item.payload['sign'];
      return (isSame && sign?.isAnswered === true) || waitedUs >= waitForLawUs + 2 * context.periodUs;
    }
    case 'driver_query':
      return waitedUs >= context.periodUs;
    case 'overspeed': {
      // Who was just told of a lower limit is given time to slow down.
      const { told } = state;
      const wasTold = told !== null && told.advice === adviceKey(situation);
      return (
        situation.tUs - situation.law.sinceUs >= limitDropGraceUs &&
        !isSlowing(situation) &&
        !(wasTold && situation.tUs - told.atUs < slowDownUs)
      );
    }
    default:
      return true;
  }
}

function hasLawAnswered(situation: Situation, waitedUs: number, context: SpeechContext): boolean {
  return situation.law.source === 'rules' || waitedUs >= waitForLawUs + 2 * context.periodUs;
}

function isStanding({ view }: Situation): boolean {
  return view.speedMps !== null && Math.abs(view.speedMps) < standingMps;
}

function isSlowing(situation: Situation): boolean {
  const { accelerationMps2 } = situation.view;
  return accelerationMps2 !== null && accelerationMps2 <= -slowingMps2;
}

/** An overspeed and an unclear limit stay to be said as long as they last; everything else is news and ages. */
export function isStale(item: PendingMessage, tUs: number): boolean {
  return item.kind !== 'overspeed' && item.kind !== 'uncertain_limit' && tUs - item.sinceUs > pendingForUs;
}

export function adviceKey(situation: Situation): string {
  const { limit, speed, unit } = situation.advice;
  return `${limit ?? '-'}:${speed ?? '-'}:${unit}`;
}

function isLimitSettled({ law }: Situation): boolean {
  return law.source !== 'none' && !law.isConservative && law.conf >= settledConf;
}

/** What has resolved itself while it waited is not said. */
export function isMoot(item: PendingMessage, situation: Situation, context: SpeechContext): boolean {
  switch (item.kind) {
    case 'uncertain_limit':
      return isLimitSettled(situation);
    case 'overspeed':
      return !context.active.includes('overspeed');
    case 'mode_monitor':
      return context.mode !== 'MONITOR';
    case 'mode_resumed':
      return context.mode === 'MONITOR';
    default:
      return false;
  }
}
