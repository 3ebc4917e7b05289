/**
 * Runs the experts' calls: in parallel, each under its deadline, one at a time for the same question, none to
 * an expert whose breaker is open. It is dumb on purpose: which question is asked, cached or repeated is
 * decided in the core, so that a replay reproduces it.
 */
import { setImmediate } from 'node:timers/promises';
import type { SourceState, ToolAnswer, ToolName, ToolRequest } from '../core/tick.js';
import type { Clock, ToolClient } from '../ports.js';
import type { ToolCounters, ToolRunner } from '../runtime/tool-runner.js';
import { checkPayload, UnfitAnswer } from './answer-payload.js';
import { ExpertLane } from './expert-lane.js';

export interface ExpertPoolOptions {
  readonly clock: Clock;
  readonly concurrencyMaxCount: number;
  readonly queueMaxCount: number;
  readonly answerMaxBytes: number;
  readonly breakerFailuresMaxCount: number;
  readonly breakerOpenMs: number;
  /**
   * What `latencyUs` of an answer says: measured time, or (for drives that must give the same decisions on
   * every machine) the time from the asking tick to the one that gets the answer.
   */
  readonly latency: 'measured' | 'ticks';
}

/** Somebody who asked, and until when the answer is of use. */
interface Waiter {
  readonly request: ToolRequest;
  readonly askedTickUs: number;
  readonly askedAtUs: number;
  readonly timer: AbortController;
  state: 'waiting' | 'timed_out' | 'cancelled' | 'answered';
}

/** One call to an expert and all who wait for it. */
interface Flight {
  readonly lane: ExpertLane;
  readonly waiters: Waiter[];
  readonly abort: AbortController;
  started: boolean;
}

interface Arrival {
  readonly waiter: Waiter;
  readonly status: ToolAnswer['status'];
  readonly measuredUs: number;
  readonly payload: ToolAnswer['payload'];
  readonly error?: string;
  readonly late?: true;
}

export class ExpertPool implements ToolRunner {
  readonly #options: ExpertPoolOptions;
  readonly #lanes = new Map<ToolName, ExpertLane>();
  readonly #flights = new Map<string, Flight>();
  readonly #queue: Flight[] = [];
  #running = 0;
  #waiting = 0;
  #tickUs = 0;
  #arrivals: Arrival[] = [];
  #idle: (() => void)[] = [];

  constructor(clients: readonly ToolClient[], options: ExpertPoolOptions) {
    this.#options = options;
    for (const client of clients) this.#lanes.set(client.tool, new ExpertLane(client, options));
  }

  submit(request: ToolRequest, tUs: number): void {
    this.#tickUs = tUs;
    const waiter: Waiter = {
      request,
      askedTickUs: tUs,
      askedAtUs: this.#options.clock.monoUs(),
      timer: new AbortController(),
      state: 'waiting',
    };
    const lane = this.#lanes.get(request.tool);
    if (!lane) {
      this.#arrive({ waiter, status: 'error', measuredUs: 0, payload: null, error: 'no such expert' });
      return;
    }
    lane.count.requests++;
    const key = `${request.tool} ${request.key}`;
    const same = this.#flights.get(key);
    if (same) {
      lane.count.joined++;
      this.#wait(same, waiter);
      return;
    }
    const refusal = this.#queue.length >= this.#options.queueMaxCount ? 'queue is full' : lane.refusal(tUs);
    if (refusal !== null) {
      lane.count.refused++;
      this.#arrive({ waiter, status: 'error', measuredUs: 0, payload: null, error: refusal });
      return;
    }
    const flight: Flight = { lane, waiters: [], abort: new AbortController(), started: false };
    this.#flights.set(key, flight);
    this.#wait(flight, waiter);
    this.#queue.push(flight);
    this.#startNext();
  }

  cancel(requestId: string): void {
    for (const flight of this.#flights.values()) {
      for (const waiter of flight.waiters) {
        if (waiter.request.id !== requestId || waiter.state !== 'waiting') continue;
        flight.lane.count.cancelled++;
        this.#leave(waiter, 'cancelled');
        if (!flight.waiters.some((other) => other.state === 'waiting')) {
          flight.lane.breaker.withdrawn();
          this.#drop(flight);
        }
        return;
      }
    }
  }

  takeAnswers(tUs: number): ToolAnswer[] {
    this.#tickUs = tUs;
    const arrivals = this.#arrivals;
    this.#arrivals = [];
    arrivals.sort((a, b) => compareIds(a.waiter.request.id, b.waiter.request.id));
    return arrivals.map((arrival) => ({
      requestId: arrival.waiter.request.id,
      tool: arrival.waiter.request.tool,
      status: arrival.status,
      latencyUs: this.#options.latency === 'ticks' ? tUs - arrival.waiter.askedTickUs : arrival.measuredUs,
      payload: arrival.payload,
      ...(arrival.error === undefined ? {} : { error: arrival.error }),
      ...(arrival.late === undefined ? {} : { late: true }),
    }));
  }

  settled(): Promise<void> {
    if (this.#waiting === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  states(): SourceState[] {
    return [...this.#lanes.values()].map((lane) => lane.sourceState());
  }

  counters(): Record<string, ToolCounters> {
    return Object.fromEntries([...this.#lanes].map(([tool, lane]) => [tool, lane.counters()]));
  }

  async close(): Promise<void> {
    for (const flight of [...this.#flights.values()]) {
      for (const waiter of flight.waiters) if (waiter.state === 'waiting') this.#leave(waiter, 'cancelled');
      this.#drop(flight);
    }
  }

  #wait(flight: Flight, waiter: Waiter): void {
    flight.waiters.push(waiter);
    this.#waiting++;
    void this.#enforceDeadline(flight, waiter);
  }

  async #enforceDeadline(flight: Flight, waiter: Waiter): Promise<void> {
    const { clock } = this.#options;
    await clock.sleepUntilUs(waiter.askedAtUs + waiter.request.deadlineUs, waiter.timer.signal);
    // Where the whole process was held up, answer and deadline are due together: the answer goes first.
    if (waiter.state === 'waiting') await setImmediate();
    if (waiter.state !== 'waiting') return;
    const measuredUs = clock.monoUs() - waiter.askedAtUs;
    flight.lane.count.timeouts++;
    this.#arrive({ waiter, status: 'timeout', measuredUs, payload: null, error: 'no answer in time' });
    this.#leave(waiter, 'timed_out');
    if (flight.waiters.some((other) => other.state === 'waiting')) return;
    // Time spent in the queue is not the expert's fault.
    if (flight.started) flight.lane.breaker.failure(this.#tickUs);
    else flight.lane.breaker.withdrawn();
    this.#drop(flight, 'deadline');
  }

  #startNext(): void {
    while (this.#running < this.#options.concurrencyMaxCount) {
      const flight = this.#queue.shift();
      if (!flight) return;
      this.#running++;
      flight.started = true;
      void this.#fly(flight);
    }
  }

  async #fly(flight: Flight): Promise<void> {
    const first = flight.waiters[0];
    if (!first) return;
    flight.lane.unfinished++;
    let result: { status: 'ok' | 'error'; payload: ToolAnswer['payload']; error?: string };
    try {
      const raw: unknown = await flight.lane.client.call(first.request, flight.abort.signal);
      const checked = checkPayload(raw, this.#options.answerMaxBytes);
      if (checked.ok) {
        result = { status: 'ok', payload: checked.payload };
      } else {
        flight.lane.discard(checked.reason);
        result = { status: 'error', payload: null, error: `answer discarded: ${checked.reason}` };
      }
    } catch (error) {
      const isUnfit = error instanceof UnfitAnswer;
      if (isUnfit) flight.lane.discard(error.message);
      const text = isUnfit ? `answer discarded: ${errorText(error)}` : errorText(error);
      result = { status: 'error', payload: null, error: text };
    }
    flight.lane.unfinished--;
    this.#land(flight, result);
  }

  #land(flight: Flight, result: { status: 'ok' | 'error'; payload: ToolAnswer['payload']; error?: string }) {
    const { lane } = flight;
    const nowUs = this.#options.clock.monoUs();
    if (flight.waiters.some((waiter) => waiter.state === 'waiting')) {
      if (result.status === 'ok') lane.breaker.success();
      else lane.breaker.failure(this.#tickUs);
    }
    for (const waiter of flight.waiters) {
      const measuredUs = nowUs - waiter.askedAtUs;
      if (waiter.state === 'waiting') {
        if (result.status === 'ok') lane.answered(measuredUs);
        else lane.count.errors++;
        this.#arrive({ waiter, measuredUs, ...result });
        this.#leave(waiter, 'answered');
      } else if (waiter.state === 'timed_out' && result.status === 'ok') {
        lane.count.late++;
        this.#arrive({ waiter, measuredUs, late: true, ...result });
      }
    }
    this.#drop(flight);
  }

  /**
   * Ends a flight for the pool; an expert that does not honour the abort signal goes on by itself. After a deadline
   * (the signal's reason) it may: its answer is taken late.
   */
  #drop(flight: Flight, reason: 'deadline' | 'unwanted' = 'unwanted'): void {
    for (const [key, other] of this.#flights) {
      if (other !== flight) continue;
      this.#flights.delete(key);
      const queued = this.#queue.indexOf(flight);
      if (queued >= 0) this.#queue.splice(queued, 1);
      if (flight.started) this.#running--;
      flight.abort.abort(reason);
      this.#startNext();
      return;
    }
  }

  #arrive(arrival: Arrival): void {
    this.#arrivals.push(arrival);
  }

  #leave(waiter: Waiter, state: Waiter['state']): void {
    waiter.state = state;
    waiter.timer.abort();
    this.#waiting--;
    if (this.#waiting > 0) return;
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }
}

/** `<tick>-<n>` in numerical order, whatever order the answers came in. */
function compareIds(a: string, b: string): number {
  const [tickA = 0, numberA = 0] = a.split('-').map(Number);
  const [tickB = 0, numberB = 0] = b.split('-').map(Number);
  return tickA - tickB || numberA - numberB || (a < b ? -1 : a > b ? 1 : 0);
}

/** Error text of an expert is untrusted and goes into records: first line, bounded. */
function errorText(error: unknown): string {
  const text = error instanceof Error ? error.message : 'rejected';
  return (text.split('\n', 1)[0] ?? '').slice(0, 200).replace(/\p{Surrogate}/gu, '\ufffd');
}
