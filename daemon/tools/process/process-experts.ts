/** The experts as child processes, seen from the deciding thread: messages to and from the thread that owns them. */
import { Worker } from 'node:worker_threads';
import type { AuditEntry, JsonObject, ToolName, ToolRequest } from '../../core/tick.js';
import type { ToolClient } from '../../ports.js';
import { keepYoungGenerationSmall } from '../../runtime/young-generation.js';
import { UnfitAnswer } from '../answer-payload.js';
import { RestartBackoff } from './restart-backoff.js';
import type { ExpertState, ExpertsPlan, FromWorker, ToWorker } from './worker-messages.js';

/** Audit entries of experts that wait for a tick; a loop of crashes must not fill memory. */
const eventsMaxCount = 64;
const closeMaxMs = 3000;

interface OpenCall {
  readonly tool: ToolName;
  readonly resolve: (payload: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

export interface ProcessExpertsOptions {
  readonly plan: ExpertsPlan;
  /** for operators: a line that an expert wrote on its standard error */
  readonly logLine: (tool: ToolName, line: string, suppressed: number) => void;
  /** for operators: an expert was pinned, refused, has ended */
  readonly logEvent: (tool: ToolName, event: string, detail: JsonObject) => void;
  readonly monoMs: () => number;
}

export class ProcessExperts {
  readonly #options: ProcessExpertsOptions;
  readonly #calls = new Map<number, OpenCall>();
  readonly #states = new Map<ToolName, ExpertState>();
  readonly #backoff = new RestartBackoff();
  #worker: Worker | null = null;
  #restart: NodeJS.Timeout | null = null;
  #startedMs = 0;
  #nextId = 0;
  #entries: AuditEntry[] = [];
  #entriesDropped = 0;
  #isClosing = false;
  #hasWoken = false;
  #changed: (() => void)[] = [];

  constructor(options: ProcessExpertsOptions) {
    this.#options = options;
    this.#startThread();
  }

  client(tool: ToolName): ToolClient {
    return { tool, call: (request, signal) => this.#call(tool, request, signal) };
  }

  state(tool: ToolName): ExpertState | null {
    return this.#states.get(tool) ?? null;
  }

  /** What goes on record, since the last call; to be called between two ticks. */
  takeEntries(): AuditEntry[] {
    if (this.#entries.length === 0) return [];
    const entries = this.#entries;
    this.#entries = [];
    if (this.#entriesDropped > 0) {
      entries.push(entry({ event: 'expert_events_dropped', count: this.#entriesDropped }));
      this.#entriesDropped = 0;
    }
    return entries;
  }

  /** Starts all processes; resolves when each is ready or has failed once, at the latest after `maxMs`. */
  async ready(maxMs: number): Promise<void> {
    const untilMs = this.#options.monoMs() + maxMs;
    this.wake();
    const isSettled = (state: ExpertState | undefined) =>
      state !== undefined && state.state !== 'idle' && state.state !== 'starting';
    for (;;) {
      const tools = this.#options.plan.experts.map(({ tool }) => tool);
      const restMs = untilMs - this.#options.monoMs();
      if (restMs <= 0 || tools.every((tool) => isSettled(this.#states.get(tool)))) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, restMs);
        this.#changed.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** A new process for this expert: what it answers from has changed. */
  replace(tool: ToolName): void {
    this.#post({ kind: 'replace', tool });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#restart) clearTimeout(this.#restart);
    const worker = this.#worker;
    if (worker === null) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, closeMaxMs);
      worker.once('exit', () => {
        clearTimeout(timer);
        resolve();
      });
      this.#post({ kind: 'close' });
    });
    await worker.terminate();
    this.#killOrphans();
  }

  #call(tool: ToolName, request: ToolRequest, signal: AbortSignal): Promise<JsonObject> {
    this.wake();
    if (this.#worker === null) return Promise.reject(new Error('the experts are being started again'));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { tool, resolve, reject });
      // Past its deadline an answer is still of use in a later tick: only what is not wanted is withdrawn.
      const abort = (): void => {
        if (signal.reason !== 'deadline' && this.#calls.has(id)) this.#post({ kind: 'cancel', id });
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#post({ kind: 'call', id, tool, call: request.call, args: request.args });
    });
  }

  /** The first question wakes them all: where one is asked, the others will be, and each takes a while to start. */
  wake(): void {
    if (this.#hasWoken) return;
    this.#hasWoken = true;
    this.#post({ kind: 'wake' });
  }

  #post(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  #startThread(): void {
    this.#restart = null;
    this.#startedMs = this.#options.monoMs();
    const worker = new Worker(new URL('./experts-worker.js', import.meta.url), {
      workerData: this.#options.plan,
      // No environment either: what the processes get passes through here.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 },
    });
    this.#worker = worker;
    worker.unref();
    let cause = 'its thread ended';
    worker.on('message', (message: FromWorker) => this.#receive(message));
    worker.once('error', (error: Error) => {
      cause = error.message;
    });
    worker.once('exit', () => this.#lose(worker, cause));
    worker.once('online', keepYoungGenerationSmall);
  }

  /** The thread is gone, and nobody watches its processes any more. */
  #lose(worker: Worker, cause: string): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const call of this.#calls.values()) call.reject(new Error(`the experts' thread ended: ${cause}`));
    this.#calls.clear();
    if (this.#isClosing) return;
    this.#killOrphans();
    this.#states.clear();
    const [first] = this.#options.plan.experts;
    if (first) this.#keep(first.tool, 'experts_thread_ended', { cause });
    const pauseMs = this.#backoff.ended(this.#options.monoMs() - this.#startedMs);
    this.#restart = setTimeout(() => {
      this.#startThread();
      this.#hasWoken = false;
    }, pauseMs);
    this.#restart.unref();
  }

  #killOrphans(): void {
    for (const { pid } of this.#states.values()) {
      if (pid === null) continue;
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        // It has gone already.
      }
    }
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case 'answer':
        this.#take(message.id)?.resolve(message.payload);
        break;
      case 'failure':
        this.#take(message.id)?.reject(
          message.isUnfit ? new UnfitAnswer(message.reason) : new Error(message.reason),
        );
        break;
      case 'state': {
        this.#states.set(message.tool, message.state);
        const changed = this.#changed;
        this.#changed = [];
        for (const tell of changed) tell();
        break;
      }
      case 'event':
        this.#keep(message.tool, message.event, message.detail);
        break;
      case 'stderr':
        this.#options.logLine(message.tool, message.line, message.suppressed);
        break;
    }
  }

  #take(id: number): OpenCall | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }

  #keep(tool: ToolName, event: string, detail: JsonObject): void {
    this.#options.logEvent(tool, event, detail);
    if (this.#entries.length >= eventsMaxCount) {
      this.#entriesDropped++;
      return;
    }
    this.#entries.push(entry({ event, expert: tool, ...detail }));
  }
}

function entry(body: JsonObject): AuditEntry {
  return { kind: 'expert', commit: 'group', body };
}
