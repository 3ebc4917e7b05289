import type { Params } from '../params.js';
import type { RunSettings } from '../settings.js';
import type { JsonObject, TickInputs, ToolAnswer, ToolName } from '../tick.js';
import { compareStrings, count, flag, type TickNotes } from '../tick-notes.js';
import { readAnswer } from './expert-answers.js';
import { expertCalls } from './expert-calls.js';
import {
  type CachedAnswer,
  lateUsefulUs,
  lostAfterUs,
  maxCached,
  maxCachedSigns,
  type PendingRequest,
  type RouterState,
} from './router-state.js';

/** What became of one answer, for the record. */
export interface TakenAnswer {
  readonly request: PendingRequest;
  readonly status: 'ok' | 'timeout' | 'error' | 'late' | 'lost';
  readonly latencyUs: number;
  readonly cached: CachedAnswer | null;
  /** as it came, believed or not */
  readonly payload: JsonObject | null;
}

export interface Taken {
  readonly router: RouterState;
  readonly taken: readonly TakenAnswer[];
}

/**
 * Takes the answers that arrived since the last tick. An answer counts only for a request that this run made;
 * failures are remembered too, so that a broken expert is not asked on every tick.
 */
export function takeAnswers(
  state: RouterState,
  inputs: TickInputs,
  settings: RunSettings,
  params: Params,
  notes: TickNotes,
): Taken {
  if (inputs.answers.length === 0 && state.inFlight.length === 0) return { router: state, taken: [] };
  const { tick, tUs } = inputs;
  const answers =
    inputs.answers.length > 1
      ? [...inputs.answers].sort((a, b) => compareStrings(a.requestId, b.requestId))
      : inputs.answers;
  const inFlight = new Map(state.inFlight.map((request) => [request.id, request]));
  const failures: { [tool in ToolName]: number } = { ...state.failures };
  const taken: TakenAnswer[] = [];
  let cache = state.cache;
  const ticksOf = (us: number): number => Math.max(1, Math.floor(us / settings.periodUs));
  const keep = (request: PendingRequest, answer: CachedAnswer['answer'], reuseUs: number): CachedAnswer => {
    const entry: CachedAnswer = {
      inquiry: request.inquiry,
      key: request.key,
      answer,
      receivedAtUs: tUs,
      expiresTick: tick + ticksOf(reuseUs),
    };
    cache = withAnswer(cache, entry);
    return entry;
  };
  const fail = (
    request: PendingRequest,
    status: TakenAnswer['status'],
    latencyUs: number,
    payload: JsonObject | null = null,
  ): void => {
    failures[request.tool]++;
    count(notes, `tool_${status}`);
    const known = cache.find((entry) => entry.key === request.key);
    // A failed repetition does not throw away an answer that is still good.
    if (known?.answer == null || known.expiresTick <= tick)
      keep(request, null, params.speech.negativeReuseUs);
    taken.push({ request, status, latencyUs, cached: null, payload });
  };
  for (const answer of answers) {
    const request = inFlight.get(answer.requestId);
    if (request === undefined || request.tool !== answer.tool) {
      count(notes, 'tool_answer_unasked');
      continue;
    }
    const latencyUs = Number.isFinite(answer.latencyUs) ? answer.latencyUs : 0;
    if (answer.status === 'timeout' && !request.isTimedOut) {
      inFlight.set(request.id, { ...request, isTimedOut: true });
      fail(request, 'timeout', latencyUs);
      continue;
    }
    inFlight.delete(request.id);
    if (answer.status !== 'ok') {
      if (!request.isTimedOut) fail(request, 'error', latencyUs);
      continue;
    }
    const read = readAnswer(request.inquiry, answer.payload);
    if (read === null) {
      flag(notes, `tool:${request.tool}:malformed`);
      fail(request, 'error', latencyUs, answer.payload);
      continue;
    }
    failures[request.tool] = 0;
    const cached = keep(request, read, expertCalls[request.inquiry].reuseUs(params));
    const status = isLate(answer, request) ? 'late' : 'ok';
    count(notes, `tool_${status}`);
    taken.push({ request, status, latencyUs, cached, payload: answer.payload });
  }
  for (const request of [...inFlight.values()]) {
    const sinceUs = tUs - request.askedAtUs;
    if (request.isTimedOut ? sinceUs > lateUsefulUs : sinceUs > request.deadlineUs + lostAfterUs) {
      inFlight.delete(request.id);
      if (!request.isTimedOut) fail(request, 'lost', sinceUs);
    }
  }
  return { router: { ...state, inFlight: [...inFlight.values()], cache, failures }, taken };
}

function withAnswer(cache: readonly CachedAnswer[], entry: CachedAnswer): readonly CachedAnswer[] {
  let others = cache.filter((other) => other.key !== entry.key);
  if (entry.inquiry === 'sign') {
    const signs = others.filter((other) => other.inquiry === 'sign');
    const oldest = signs.length >= maxCachedSigns ? signs[0] : undefined;
    others = others.filter((other) => other !== oldest);
  }
  return [...others, entry].slice(-maxCached);
}

function isLate(answer: ToolAnswer, request: PendingRequest): boolean {
  return answer.late === true || request.isTimedOut;
}
