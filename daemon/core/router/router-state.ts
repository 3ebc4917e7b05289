/**
 * What was asked and answered. Everything here is bounded: answers by count and age, requests by one in flight
 * a key and an age at which a request that was never answered counts as lost.
 */
import type { EventType } from '../events/event-types.js';
import type { ToolName } from '../tick.js';
import type { ExpertAnswer } from './expert-answers.js';
import { expertCalls, type Inquiry } from './expert-calls.js';

export interface PendingRequest {
  readonly id: string;
  readonly inquiry: Inquiry;
  readonly tool: ToolName;
  readonly key: string;
  readonly askedTick: number;
  readonly askedAtUs: number;
  readonly deadlineUs: number;
  readonly reason: readonly EventType[];
  /** set when the pool has told of a timeout: an answer may still come late */
  readonly isTimedOut: boolean;
}

export interface CachedAnswer {
  readonly inquiry: Inquiry;
  readonly key: string;
  /** null = it failed; not asked again before it expires */
  readonly answer: ExpertAnswer | null;
  readonly receivedAtUs: number;
  readonly expiresTick: number;
}

/** An event asked something and has no answer yet. */
export interface WantedCall {
  readonly inquiry: Inquiry;
  readonly reason: readonly EventType[];
  readonly untilUs: number;
}

export interface RouterState {
  readonly inFlight: readonly PendingRequest[];
  /** oldest first */
  readonly cache: readonly CachedAnswer[];
  readonly wanted: readonly WantedCall[];
  /** failures in a row since the last good answer */
  readonly failures: { readonly [tool in ToolName]: number };
  readonly lastAskedUs: { readonly [inquiry in Inquiry]: number | null };
}

export const initialRouter: RouterState = {
  inFlight: [],
  cache: [],
  wanted: [],
  failures: { rules: 0, weather: 0, can: 0 },
  lastAskedUs: { rules: null, weather: null, can: null, sign: null },
};

export const maxCached = 32;
/** Of these so many about signs: a road full of foreign ones does not drive out the law. */
export const maxCachedSigns = 8;
export const maxInFlight = 16;
/** A request without any answer this long after its deadline is lost. */
export const lostAfterUs = 1_000_000;
/** A late answer is of use up to this long after its request. */
export const lateUsefulUs = 5_000_000;

/** The cached answer of a key that is still valid at a tick. */
export function cachedAnswer(state: RouterState, key: string, tick: number): CachedAnswer | null {
  for (const entry of state.cache) if (entry.key === key && entry.expiresTick > tick) return entry;
  return null;
}

/** Behind a border nothing that was answered before it is used again, not even on the way back. */
export function flushRules(state: RouterState): RouterState {
  return { ...state, cache: state.cache.filter((entry) => expertCalls[entry.inquiry].tool !== 'rules') };
}
