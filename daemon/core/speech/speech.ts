/**
 * What is said when. Little: one utterance a tick at most, no repetition, few a minute. A hazard that begins or
 * escalates breaks every limit; nothing mutes it.
 */
import type { EventType } from '../events/event-types.js';
import {
  composeMessage,
  isUrgent,
  type Message,
  type MessageKind,
  messageClasses,
} from '../explain/message.js';
import type { Situation } from '../fuse/situation.js';
import type { Mode } from '../modes/mode-types.js';
import type { Params } from '../params.js';
import type { FiredEvent, JsonObject, OperatorCommand, Utterance } from '../tick.js';
import { count, type TickNotes } from '../tick-notes.js';

interface PendingMessage {
  readonly kind: MessageKind;
  readonly payload: JsonObject;
  readonly sinceUs: number;
}

export interface SpeechState {
  /** queue `speech`: by priority, at most 8, the least important dropped and counted */
  readonly pending: readonly PendingMessage[];
  readonly spoken: readonly { readonly key: string; readonly atUs: number }[];
  /** times of the last non-urgent utterances */
  readonly nonUrgentUs: readonly number[];
  readonly lastSpokenUs: number | null;
  readonly lastFollowingUs: number | null;
  /** highest hazard level spoken of since the last calm: 1 hazard, 2 urgent, 3 ACT */
  readonly hazardLevel: number;
  readonly hazardSpokenUs: number;
  readonly hazardSeenUs: number;
  readonly muted: readonly string[];
}

export const initialSpeech: SpeechState = {
  pending: [],
  spoken: [],
  nonUrgentUs: [],
  lastSpokenUs: null,
  lastFollowingUs: null,
  hazardLevel: 0,
  hazardSpokenUs: 0,
  hazardSeenUs: 0,
  muted: [],
};

export interface Spoken {
  readonly state: SpeechState;
  readonly utterance: Utterance | null;
  /** what was ready to be said and was not, and why */
  readonly suppressed: readonly { readonly key: string; readonly by: string }[];
}

export interface SpeechContext {
  readonly mode: Mode;
  readonly modeBefore: Mode;
  readonly language: string;
  readonly fired: readonly FiredEvent[];
  readonly active: readonly EventType[];
  readonly isActing: boolean;
  readonly periodUs: number;
  readonly commands: readonly OperatorCommand[];
}

const maxPending = 8;
const maxRemembered = 64;
/** An announcement this old is no news. */
const pendingForUs = 10_000_000;
/** Two utterances must not talk over each other; L1 takes about this long to say. */
const spacingUs = 2_500_000;
/** A hazard is over when it was not seen for as long as an event takes to re-arm. */
const hazardCalmUs = 2_000_000;
/** Rules have 300 ms; after that the message goes out with what is known. */
const waitForLawUs = 300_000;
const waitForGripUs = 100_000;
/** Grace after a limit drop, as in the definition of an overspeed infraction. */
const limitDropGraceUs = 2_000_000;
/** Who is slowing down by this much has seen the limit. */
const slowingMps2 = 0.2;
const minuteUs = 60_000_000;

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
  const hasBudget = recent.length < params.speech.perMinuteMaxCount;
  for (const item of state.pending) {
    const isStatus = item.kind === 'mode_monitor' || item.kind === 'mode_resumed';
    if (tUs - item.sinceUs > pendingForUs || isMoot(item, situation, context)) {
      count(notes, 'speech_moot');
      continue;
    }
    if (isStatusOnly && !isStatus) continue;
    // What waits for its expert keeps the less important waiting too: its turn comes within its deadline.
    isHeldUp ||= !isReady(item, situation, context);
    if (chosen !== null || isHeldUp || !isFree) {
      kept.push(item);
      continue;
    }
    const message = composeMessage(item.kind, item.payload, situation, context.language);
    const by = suppressedBy(state, message, tUs, params);
    if (by !== null) {
      suppressed.push({ key: message.key, by });
      count(notes, `speech_${by}`);
      continue;
    }
    if (!hasBudget && !isStatus) {
      suppressed.push({ key: message.key, by: 'per_minute' });
      count(notes, 'speech_per_minute');
      continue;
    }
    chosen = message;
    chosenKind = item.kind;
  }
  let next = kept.length === state.pending.length ? state : { ...state, pending: kept };
  if (chosen === null && !isStatusOnly && isFree && hasBudget) {
    chosen = followingTooClose(state, situation, context, params);
    if (chosen !== null) chosenKind = 'following_too_close';
  }
  if (chosen === null) return { state: next, utterance: null, suppressed };
  next = said({ ...next, nonUrgentUs: recent }, chosen, tUs, false);
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

function enqueue(
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

/** Waits for the expert that was asked because of the event, but only for its deadline. */
function isReady(item: PendingMessage, situation: Situation, context: SpeechContext): boolean {
  const waitedUs = situation.tUs - item.sinceUs;
  switch (item.kind) {
    case 'jurisdiction_change':
    case 'dynamic_limit_update':
    case 'uncertain_limit':
      return situation.law.source === 'rules' || waitedUs >= waitForLawUs + 2 * context.periodUs;
    case 'low_friction':
      return situation.grip.est !== null || waitedUs >= waitForGripUs + 2 * context.periodUs;
    case 'driver_query':
      return waitedUs >= context.periodUs;
    case 'overspeed':
      // Who was just told of a lower limit is given time to slow down.
      return situation.tUs - situation.law.sinceUs >= limitDropGraceUs && !isSlowing(situation);
    default:
      return true;
  }
}

function isSlowing(situation: Situation): boolean {
  const { accelerationMps2 } = situation.view;
  return accelerationMps2 !== null && accelerationMps2 <= -slowingMps2;
}

/** What has resolved itself while it waited is not said. */
function isMoot(item: PendingMessage, situation: Situation, context: SpeechContext): boolean {
  switch (item.kind) {
    case 'uncertain_limit':
      return situation.law.source === 'rules' && !situation.law.isConservative;
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

function suppressedBy(state: SpeechState, message: Message, tUs: number, params: Params): string | null {
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
