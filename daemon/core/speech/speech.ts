/**
 * What is said when. Little: one utterance a tick at most, no repetition, few a minute. A hazard that begins or
 * escalates breaks every limit; nothing mutes it.
 */

import { composeMessage, isUrgent, type Message, type MessageKind } from '../explain/message.js';
import { messageClasses } from '../explain/message-class.js';
import type { Situation } from '../fuse/situation.js';
import type { Params } from '../params.js';
import type { OperatorCommand, Utterance } from '../tick.js';
import { count, type TickNotes } from '../tick-notes.js';
import { adviceKey, enqueue, isMoot, isReady, isStale } from './pending-queue.js';
import type { PendingMessage, SpeechContext, SpeechState, Spoken } from './speech-state.js';

const maxRemembered = 64;
/** Two utterances must not talk over each other; L1 takes about this long to say. */
const spacingUs = 2_500_000;
/** A hazard is over when it was not seen for as long as an event takes to re-arm. */
const hazardCalmUs = 2_000_000;
const minuteUs = 60_000_000;
/** Of the utterances a minute allows, those kept for what matters more. */
const reservedCount = 2;
const minor: ReadonlySet<MessageKind> = new Set([
  'overspeed',
  'foreign_sign',
  'uncertain_limit',
  'mode_resumed',
]);
const tellsAdvice: ReadonlySet<MessageKind> = new Set([
  'low_friction',
  'jurisdiction_change',
  'dynamic_limit_update',
  'uncertain_limit',
  'overspeed',
]);

/** Left out where little is to be said: nothing in them asks anything of the driver. */
const leftOutWhenBrief: ReadonlySet<MessageKind> = new Set([
  'foreign_sign',
  'uncertain_limit',
  'mode_resumed',
]);

export function speak(
  before: SpeechState,
  situation: Situation,
  context: SpeechContext,
  params: Params,
  notes: TickNotes,
): Spoken {
  const { tUs } = situation;
  const state = enqueue(applyMutes(before, context.commands), situation, context, notes);
  const isStatusOnly = context.mode === 'MONITOR' || context.mode === 'STOPPED';
  if (!isStatusOnly) {
    const hazard = speakOfHazard(state, situation, context, params);
    if (hazard !== null) return hazard;
  }
  const calm =
    state.hazardLevel > 0 && tUs - state.hazardSeenUs > hazardCalmUs ? { ...state, hazardLevel: 0 } : state;
  return speakPending(calm, situation, context, isStatusOnly, params, notes);
}

function speakOfHazard(
  state: SpeechState,
  situation: Situation,
  context: SpeechContext,
  params: Params,
): Spoken | null {
  const { tUs, safety } = situation;
  const isActive = context.active.includes('hazard_rss') && safety.record.u_speak > 0;
  const level = context.isActing ? 3 : !isActive ? 0 : isUrgent(situation) ? 2 : 1;
  if (level === 0) return null;
  const sinceUs = tUs - state.hazardSpokenUs;
  const isFired = context.fired.some((event) => event.type === 'hazard_rss');
  const isDue =
    level > state.hazardLevel ||
    sinceUs >= params.speech.hazardRepeatUs ||
    // Another vehicle is another hazard; a tracker that changes names is not.
    (isFired && sinceUs >= params.speech.hazardRepeatUs / 3);
  if (!isDue) return { state: { ...state, hazardSeenUs: tUs }, utterance: null, suppressed: [] };
  const kind: MessageKind = level === 3 ? 'act' : 'hazard_rss';
  if (safety.record.d === null || safety.record.ttc === null) return null;
  const message = composeMessage(kind, {}, situation, context.language);
  const next: SpeechState = {
    ...said(state, message, tUs, true),
    hazardLevel: Math.max(level, state.hazardLevel),
    hazardSpokenUs: tUs,
    hazardSeenUs: tUs,
  };
  return { state: next, utterance: utteranceOf(message, true), suppressed: [] };
}

function speakPending(
  state: SpeechState,
  situation: Situation,
  context: SpeechContext,
  isStatusOnly: boolean,
  params: Params,
  notes: TickNotes,
): Spoken {
  const { tUs } = situation;
  const kept: PendingMessage[] = [];
  const suppressed: { key: string; by: string }[] = [];
  let chosen: Message | null = null;
  let chosenKind: MessageKind | null = null;
  let isHeldUp = false;
  const isFree = state.lastSpokenUs === null || tUs - state.lastSpokenUs >= spacingUs;
  const recent = state.nonUrgentUs.filter((atUs) => tUs - atUs < minuteUs);
  const budget = params.speech.perMinuteMaxCount - recent.length;
  for (const item of state.pending) {
    const isStatus = item.kind === 'mode_monitor' || item.kind === 'mode_resumed';
    if (isMoot(item, situation, context)) {
      count(notes, 'speech_moot');
      continue;
    }
    if (isStale(item, tUs)) {
      suppressed.push({ key: item.kind, by: 'per_minute' });
      count(notes, 'speech_expired');
      continue;
    }
    if (isStatusOnly && !isStatus) continue;
    // What waits for its expert keeps the less important waiting too: its turn comes within its deadline.
    isHeldUp ||= !isReady(item, state, situation, context);
    const hasBudget = isStatus || budget > (minor.has(item.kind) ? reservedCount : 0);
    if (chosen !== null || isHeldUp || !isFree || !hasBudget) {
      kept.push(item);
      continue;
    }
    const message = composeMessage(item.kind, item.payload, situation, context.language);
    const isLeftOut = context.verbosity === 'brief' && leftOutWhenBrief.has(item.kind);
    const by = isLeftOut ? 'verbosity' : suppressedBy(state, message, tUs, params);
    if (by !== null) {
      suppressed.push({ key: message.key, by });
      count(notes, `speech_${by}`);
      continue;
    }
    chosen = message;
    chosenKind = item.kind;
  }
  let next = kept.length === state.pending.length ? state : { ...state, pending: kept };
  if (chosen === null && !isStatusOnly && isFree && budget > reservedCount) {
    chosen = followingTooClose(state, situation, context, params);
    if (chosen !== null) chosenKind = 'following_too_close';
  }
  if (chosen === null) return { state: next, utterance: null, suppressed };
  next = said({ ...next, nonUrgentUs: recent }, chosen, tUs, false);
  if (chosenKind !== null && tellsAdvice.has(chosenKind)) {
    next = { ...next, told: { advice: adviceKey(situation), atUs: tUs } };
  }
  if (chosenKind === 'following_too_close') next = { ...next, lastFollowingUs: tUs };
  return { state: next, utterance: utteranceOf(chosen, false), suppressed };
}

/**
 * Driving closer than the stopping distance is so common that it is said at most once a minute, and only where
 * the gap is really small: below half of d_min or one second.
 */
function followingTooClose(
  state: SpeechState,
  situation: Situation,
  context: SpeechContext,
  params: Params,
): Message | null {
  const { record } = situation.safety;
  const { followingRepeatUs, followingGapRatio, followingHeadwayS } = params.speech;
  if (record.rss_viol !== 1 || record.u_speak <= 0 || context.active.includes('hazard_rss')) return null;
  if (record.v === null || record.d === null || record.dmin === null || situation.advice.headwayS === null) {
    return null;
  }
  if (state.lastFollowingUs !== null && situation.tUs - state.lastFollowingUs < followingRepeatUs)
    return null;
  const isClose = record.d < followingGapRatio * record.dmin || record.d < followingHeadwayS * record.v;
  return isClose ? composeMessage('following_too_close', {}, situation, context.language) : null;
}

function suppressedBy(
  state: SpeechState,
  message: Message,
  tUs: number,
  params: Params,
): 'mute' | 'repeat' | null {
  if (state.muted.includes(message.messageClass)) return 'mute';
  for (const { key, atUs } of state.spoken) {
    if (key === message.key && tUs - atUs < params.speech.repeatUs) return 'repeat';
  }
  return null;
}

function said(state: SpeechState, message: Message, tUs: number, isUrgentOne: boolean): SpeechState {
  const others = state.spoken.filter(({ key }) => key !== message.key);
  return {
    ...state,
    spoken: [...others.slice(-(maxRemembered - 1)), { key: message.key, atUs: tUs }],
    nonUrgentUs: isUrgentOne ? state.nonUrgentUs : [...state.nonUrgentUs, tUs],
    lastSpokenUs: tUs,
  };
}

function utteranceOf(message: Message, urgent: boolean): Utterance {
  return { key: message.key, urgent, lang: message.lang, l1: message.l1, l2: message.l2 };
}

function applyMutes(state: SpeechState, commands: readonly OperatorCommand[]): SpeechState {
  let muted = state.muted;
  for (const { kind, subject } of commands) {
    if (kind !== 'mute' && kind !== 'unmute') continue;
    const known = messageClasses.find((name) => name === subject);
    if (known === undefined || known === 'hazard') continue;
    const others = muted.filter((name) => name !== known);
    muted = kind === 'mute' ? [...others, known].sort() : others;
  }
  return muted === state.muted ? state : { ...state, muted };
}
