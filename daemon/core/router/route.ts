/**
 * Which experts are asked now. Selective: only what an active event calls for (and two low-frequency polls);
 * once per key while the answer is reusable or in flight.
 */
import type { EventType } from '../events/event-types.js';
import type { JsonObject, TickInputs, ToolName, ToolRequest } from '../tick.js';
import { count, type TickNotes } from '../tick-notes.js';
import { expertCalls, type RoutedEvent, toolNames, toolsOf } from './expert-calls.js';
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
export type Questions = (tool: ToolName) => Question | null;

export interface Routed {
  readonly router: RouterState;
  readonly requests: readonly ToolRequest[];
  readonly cancels: readonly string[];
  /** experts whose present question is answered from the cache though an event called for it */
  readonly reused: readonly ToolName[];
}

/** An unanswered call of a fired event is repeated for this long. */
const wantedForUs = 5_000_000;

export function route(
  state: RouterState,
  inputs: TickInputs,
  active: readonly RoutedEvent[],
  fired: readonly RoutedEvent[],
  polls: readonly ToolName[],
  questions: Questions,
  notes: TickNotes,
): Routed {
  const { tick, tUs } = inputs;
  const wanted = renewWanted(state, fired, questions, tick, tUs);
  const reasons: { [tool in ToolName]: EventType[] } = { rules: [], weather: [], can: [] };
  for (const event of active) for (const tool of toolsOf(event)) addReason(reasons[tool], event.type);
  for (const call of wanted) for (const reason of call.reason) addReason(reasons[call.tool], reason);

  const cancels: string[] = [];
  let inFlight = state.inFlight;
  for (const request of state.inFlight) {
    if (request.isTimedOut) continue;
    const question = questions(request.tool);
    if (question !== null && question.key === request.key) continue;
    cancels.push(request.id);
    count(notes, 'tool_cancelled');
  }
  if (cancels.length > 0) inFlight = inFlight.filter((request) => !cancels.includes(request.id));

  const requests: ToolRequest[] = [];
  const reused: ToolName[] = [];
  const lastAskedUs: { [tool in ToolName]: number | null } = { ...state.lastAskedUs };
  for (const tool of toolNames) {
    if (reasons[tool].length === 0 && !polls.includes(tool)) continue;
    const question = questions(tool);
    if (question === null) continue;
    const cached = cachedAnswer(state, question.key, tick);
    if (cached !== null) {
      if (cached.answer !== null) reused.push(tool);
      continue;
    }
    if (inFlight.some((request) => request.key === question.key && !request.isTimedOut)) continue;
    if (inFlight.length >= maxInFlight) {
      count(notes, 'tool_in_flight_full');
      continue;
    }
    const call = expertCalls[tool];
    const request: ToolRequest = {
      id: `${tick}-${requests.length}`,
      tool,
      call: call.call,
      key: question.key,
      args: question.args,
      deadlineUs: call.deadlineUs,
      reason: reasons[tool],
    };
    requests.push(request);
    lastAskedUs[tool] = tUs;
    inFlight = [...inFlight, pendingOf(request, tick, tUs)];
  }
  const isSame = requests.length === 0 && cancels.length === 0 && wanted === state.wanted;
  return {
    router: isSame ? state : { ...state, inFlight, wanted, lastAskedUs },
    requests,
    cancels,
    reused,
  };
}

function pendingOf(request: ToolRequest, tick: number, tUs: number): PendingRequest {
  return {
    id: request.id,
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
  for (const tool of toolNames) {
    const reason: EventType[] = [];
    let untilUs = 0;
    for (const call of state.wanted) {
      if (call.tool !== tool || call.untilUs < tUs) continue;
      for (const type of call.reason) addReason(reason, type);
      untilUs = Math.max(untilUs, call.untilUs);
    }
    for (const event of fired) {
      if (!toolsOf(event).includes(tool)) continue;
      addReason(reason, event.type);
      untilUs = tUs + wantedForUs;
    }
    if (reason.length === 0) continue;
    const question = questions(tool);
    const isAnswered = question !== null && cachedAnswer(state, question.key, tick)?.answer != null;
    if (!isAnswered) wanted.push({ tool, reason, untilUs });
  }
  return wanted;
}

function addReason(reasons: EventType[], type: EventType): void {
  if (!reasons.includes(type)) reasons.push(type);
}
