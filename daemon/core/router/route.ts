/**
 * Which experts are asked now. Selective: only what an active event calls for (and two low-frequency polls);
 * once per key while the answer is reusable or in flight.
 */
import type { EventType } from '../events/event-types.js';
import type { JsonObject, TickInputs, ToolRequest } from '../tick.js';
import { count, type TickNotes } from '../tick-notes.js';
import { expertCalls, type Inquiry, inquiries, inquiriesOf, type RoutedEvent } from './expert-calls.js';
import {
  cachedAnswer,
  maxInFlight,
  type PendingRequest,
  type RouterState,
  type WantedCall,
} from './router-state.js';

/** What an expert would be asked in the present situation; null where it cannot be asked. */
export interface Question {
  readonly key: string;
  readonly args: JsonObject;
}
/** Made when it is first looked at: most ticks ask nothing. */
export type Questions = (inquiry: Inquiry) => Question | null;

export interface Routed {
  readonly router: RouterState;
  readonly requests: readonly ToolRequest[];
  readonly cancels: readonly string[];
  /** what is answered from the cache though an event called for it */
  readonly reused: readonly Inquiry[];
}

/** An unanswered call of a fired event is repeated for this long. */
const wantedForUs = 5_000_000;

export function route(
  state: RouterState,
  inputs: TickInputs,
  active: readonly RoutedEvent[],
  fired: readonly RoutedEvent[],
  polls: readonly Inquiry[],
  questions: Questions,
  notes: TickNotes,
): Routed {
  const { tick, tUs } = inputs;
  const wanted = renewWanted(state, fired, questions, tick, tUs);
  const reasons: { [inquiry in Inquiry]: EventType[] } = { rules: [], weather: [], can: [], sign: [] };
  for (const event of active) {
    for (const inquiry of inquiriesOf(event)) addReason(reasons[inquiry], event.type);
  }
  for (const call of wanted) for (const reason of call.reason) addReason(reasons[call.inquiry], reason);

  const cancels: string[] = [];
  let inFlight = state.inFlight;
  for (const request of state.inFlight) {
    if (request.isTimedOut) continue;
    const question = questions(request.inquiry);
    if (question !== null && question.key === request.key) continue;
    cancels.push(request.id);
    count(notes, 'tool_cancelled');
  }
  if (cancels.length > 0) inFlight = inFlight.filter((request) => !cancels.includes(request.id));

  const requests: ToolRequest[] = [];
  const reused: Inquiry[] = [];
  const lastAskedUs: { [inquiry in Inquiry]: number | null } = { ...state.lastAskedUs };
  for (const inquiry of inquiries) {
    if (reasons[inquiry].length === 0 && !polls.includes(inquiry)) continue;
    const question = questions(inquiry);
    if (question === null) continue;
    const cached = cachedAnswer(state, question.key, tick);
    if (cached !== null) {
      if (cached.answer !== null) reused.push(inquiry);
      continue;
    }
    if (inFlight.some((request) => request.key === question.key && !request.isTimedOut)) continue;
    if (inFlight.length >= maxInFlight) {
      count(notes, 'tool_in_flight_full');
      continue;
    }
    const { tool, call, deadlineUs } = expertCalls[inquiry];
    const request: ToolRequest = {
      id: `${tick}-${requests.length}`,
      tool,
      call,
      key: question.key,
      args: question.args,
      deadlineUs,
      reason: reasons[inquiry],
    };
    requests.push(request);
    lastAskedUs[inquiry] = tUs;
    inFlight = [...inFlight, pendingOf(inquiry, request, tick, tUs)];
  }
  const isSame = requests.length === 0 && cancels.length === 0 && wanted === state.wanted;
  return {
    router: isSame ? state : { ...state, inFlight, wanted, lastAskedUs },
    requests,
    cancels,
    reused,
  };
}

function pendingOf(inquiry: Inquiry, request: ToolRequest, tick: number, tUs: number): PendingRequest {
  return {
    id: request.id,
    inquiry,
    tool: request.tool,
    key: request.key,
    askedTick: tick,
    askedAtUs: tUs,
    deadlineUs: request.deadlineUs,
    reason: request.reason,
    isTimedOut: false,
  };
}

/** Keeps what fired and is still unanswered, drops what was answered or is too old. */
function renewWanted(
  state: RouterState,
  fired: readonly RoutedEvent[],
  questions: Questions,
  tick: number,
  tUs: number,
): readonly WantedCall[] {
  if (fired.length === 0 && state.wanted.length === 0) return state.wanted;
  const wanted: WantedCall[] = [];
  for (const inquiry of inquiries) {
    const reason: EventType[] = [];
    let untilUs = 0;
    for (const call of state.wanted) {
      if (call.inquiry !== inquiry || call.untilUs < tUs) continue;
      for (const type of call.reason) addReason(reason, type);
      untilUs = Math.max(untilUs, call.untilUs);
    }
    for (const event of fired) {
      if (!inquiriesOf(event).includes(inquiry)) continue;
      addReason(reason, event.type);
      untilUs = tUs + wantedForUs;
    }
    if (reason.length === 0) continue;
    const question = questions(inquiry);
    const isAnswered = question !== null && cachedAnswer(state, question.key, tick)?.answer != null;
    if (!isAnswered) wanted.push({ inquiry, reason, untilUs });
  }
  return wanted;
}

function addReason(reasons: EventType[], type: EventType): void {
  if (!reasons.includes(type)) reasons.push(type);
}
