/**
 * Keeps one expert's process alive: started when it is first needed, started again with growing pauses, killed when
 * it hangs or floods, refused when its tools are not the pinned ones.
 */
import type { ToolName } from '../../core/tick.js';
import { UnfitAnswer } from '../answer-payload.js';
import { ChildTransport } from './child-transport.js';
import { ExpertSession, startMaxMs } from './expert-session.js';
import type { PinFile } from './pin-file.js';
import { RestartBackoff } from './restart-backoff.js';
import { TokenBucket } from './token-bucket.js';
import type { ExpertPlan, ExpertState, FromWorker, ProcessState, ToWorker } from './worker-messages.js';

/** An answer this long after its question is of no use to anybody: the process hangs. */
const hungMs = 1900;
/** More lines that are no messages than this replace the process. */
const noise = { burstCount: 200, perSecond: 20 };
const stderr = { burstCount: 20, perSecond: 5 };
const endTextMaxChars = 300;

type Call = Extract<ToWorker, { kind: 'call' }>;

interface Running {
  readonly transport: ChildTransport;
  readonly session: ExpertSession;
  readonly sinceMs: number;
  /** when its tools were trusted */
  readySinceMs: number | null;
  /** resolves when its tools are listed and trusted; false = they never will be */
  readonly ready: Promise<boolean>;
  cause: string | null;
}

export interface ExpertProcessParts {
  readonly plan: ExpertPlan;
  readonly version: string;
  readonly answerMaxBytes: number;
  readonly pins: PinFile;
  readonly post: (message: FromWorker) => void;
  readonly nowMs: () => number;
}

export class ExpertProcess {
  readonly #parts: ExpertProcessParts;
  readonly #tool: ToolName;
  readonly #backoff = new RestartBackoff();
  readonly #calls = new Map<number, AbortController>();
  readonly #stderr = new TokenBucket(stderr.burstCount, stderr.perSecond);
  #running: Running | null = null;
  #restart: NodeJS.Timeout | null = null;
  #state: ExpertState;

  constructor(parts: ExpertProcessParts) {
    this.#parts = parts;
    this.#tool = parts.plan.tool;
    this.#state = {
      state: 'idle',
      pid: null,
      starts: 0,
      kills: 0,
      noiseLines: 0,
      tooLong: 0,
      toolsSha256: null,
      server: null,
      protocol: null,
      lastEnd: null,
    };
    this.#become({});
  }

  wake(): void {
    if (this.#state.state === 'idle') this.#start();
  }

  async call({ id, call, args }: Call): Promise<void> {
    this.wake();
    const running = this.#running;
    const askedMs = this.#parts.nowMs();
    if (running === null) {
      this.#fail(id, `the ${this.#tool} expert is ${this.#whyNot()}`);
      return;
    }
    const abort = new AbortController();
    this.#calls.set(id, abort);
    let hung: NodeJS.Timeout | undefined;
    try {
      if (!(await running.ready)) throw new Error(`the ${this.#tool} expert is ${this.#whyNot()}`);
      abort.signal.throwIfAborted();
      // What was asked while it started is of no use to anybody by now, and must not keep it from what is asked next.
      if (this.#parts.nowMs() - askedMs > hungMs)
        throw new Error(`the ${this.#tool} expert started too late`);
      hung = setTimeout(() => this.#kill(running, `no answer to a call for ${hungMs} ms`), hungMs);
      const payload = await running.session.call(call, args, abort.signal, 2 * hungMs);
      this.#parts.post({ kind: 'answer', id, payload });
    } catch (error) {
      this.#failWith(id, error, running);
    } finally {
      clearTimeout(hung);
      this.#calls.delete(id);
    }
  }

  cancel(id: number): void {
    this.#calls.get(id)?.abort(new Error('no longer wanted'));
  }

  /** Ends the process and starts another one, at once. */
  replace(): void {
    if (this.#running === null) return;
    this.#kill(this.#running, 'replaced: its data have changed', false);
    if (this.#restart) clearTimeout(this.#restart);
    this.#restart = setTimeout(() => this.#start(), 0);
  }

  async close(): Promise<void> {
    if (this.#restart) clearTimeout(this.#restart);
    const running = this.#running;
    this.#running = null;
    this.#become({ state: 'closed' });
    await running?.transport.close();
  }

  #start(): void {
    this.#restart = null;
    const { plan, version, answerMaxBytes } = this.#parts;
    const quiet = new TokenBucket(noise.burstCount, noise.perSecond);
    const { nowMs } = this.#parts;
    // An answer stands twice in its message, once as text with every quote escaped.
    const transport = new ChildTransport(plan.command, 3 * answerMaxBytes + 65_536, {
      started: (pid) => this.#become({ pid }),
      noise: () => {
        this.#become({ noiseLines: this.#state.noiseLines + 1 });
        if (!quiet.take(nowMs())) this.#kill(running, 'floods its standard output with what is no message');
      },
      tooLong: () => {
        this.#become({ tooLong: this.#state.tooLong + 1 });
        this.#kill(running, 'an answer longer than any answer may be');
      },
      stderr: (line) => this.#logStderr(line),
      ended: (how) => this.#ended(running, how),
    });
    const session = new ExpertSession(transport, version, plan.isOwn, answerMaxBytes, () => {
      // What it offers was trusted once; whether it still may be is found out by starting anew.
      this.#kill(running, 'its list of tools has changed');
    });
    const running: Running = {
      transport,
      session,
      sinceMs: nowMs(),
      readySinceMs: null,
      // Begun in a later turn: by then `running` is there for whatever the start brings.
      ready: Promise.resolve().then(() => this.#open(running)),
      cause: null,
    };
    this.#running = running;
    this.#become({ state: 'starting', starts: this.#state.starts + 1 });
  }

  async #open(running: Running): Promise<boolean> {
    const { plan } = this.#parts;
    const patience = setTimeout(() => this.#kill(running, `not ready after ${startMaxMs} ms`), startMaxMs);
    try {
      const facts = await running.session.open(plan.calls);
      if (this.#running !== running) return false;
      if (!this.#isTrusted(facts.toolsSha256)) {
        this.#become({ ...facts });
        this.#refuse(running);
        return false;
      }
      running.transport.hasStarted();
      running.readySinceMs = this.#parts.nowMs();
      this.#become({ state: 'ready', ...facts });
      return true;
    } catch (error) {
      this.#kill(running, `cannot be asked: ${textOf(error)}`);
      return false;
    } finally {
      clearTimeout(patience);
    }
  }

  #isTrusted(found: string): boolean {
    const { plan, pins, post } = this.#parts;
    const pinned = plan.toolsSha256 ?? pins.pinned(plan.tool, plan.identity);
    if (pinned === found) return true;
    if (pinned !== null) {
      post({
        kind: 'event',
        tool: plan.tool,
        event: 'expert_refused',
        detail: {
          pinned_sha256: pinned,
          found_sha256: found,
          pinned_by: plan.toolsSha256 === null ? 'first use' : 'configuration',
        },
      });
      return false;
    }
    const problem = pins.trust(plan.tool, plan.identity, found);
    post({
      kind: 'event',
      tool: plan.tool,
      event: 'expert_pinned',
      detail: { sha256: found, ...(problem === null ? {} : { not_kept: problem }) },
    });
    return true;
  }

  /** Not started again in this run: a list that changes back and forth is no reason to trust it. */
  #refuse(running: Running): void {
    this.#running = null;
    running.transport.kill();
    this.#become({ state: 'refused', pid: null, lastEnd: 'its tools are not the pinned ones' });
  }

  #kill(running: Running, cause: string, isFault = true): void {
    if (this.#running !== running || running.cause !== null) return;
    running.cause = cause;
    const lastEnd = cause.slice(0, endTextMaxChars);
    this.#become({ lastEnd, kills: this.#state.kills + (isFault ? 1 : 0) });
    running.transport.kill();
  }

  #ended(running: Running, how: string): void {
    if (this.#running !== running) return;
    if (running.cause === null && running.readySinceMs === null && running.transport.wasClosed) {
      // The client has given it up while it started, and says why in a moment.
      void running.ready.then(() => this.#ended(running, how));
      return;
    }
    this.#running = null;
    const lastEnd = (running.cause ?? `it ended by itself (${how})`).slice(0, endTextMaxChars);
    this.#become({ state: 'waiting', pid: null, lastEnd });
    const { nowMs, post } = this.#parts;
    const livedMs = nowMs() - running.sinceMs;
    post({
      kind: 'event',
      tool: this.#tool,
      event: 'expert_ended',
      detail: { cause: lastEnd, lived_s: Math.round(livedMs) / 1000 },
    });
    if (this.#restart === null) {
      // Who never answered has not lived, however long it took to find out.
      const servedMs = running.readySinceMs === null ? 0 : nowMs() - running.readySinceMs;
      this.#restart = setTimeout(() => this.#start(), this.#backoff.ended(servedMs));
    }
  }

  #failWith(id: number, error: unknown, running: Running): void {
    const isTooLong = running.cause?.startsWith('an answer longer') === true;
    if (error instanceof UnfitAnswer) this.#fail(id, error.message, true);
    else this.#fail(id, running.cause ?? textOf(error), isTooLong);
  }

  #fail(id: number, reason: string, isUnfit = false): void {
    this.#parts.post({ kind: 'failure', id, reason, isUnfit });
  }

  #whyNot(): string {
    const words: Readonly<Record<ProcessState, string>> = {
      idle: 'not started',
      starting: 'starting',
      ready: 'ready',
      waiting: 'being started again',
      refused: 'refused: its tools are not the pinned ones',
      closed: 'closed',
    };
    return words[this.#state.state];
  }

  #logStderr(line: string): void {
    if (line === '' || !this.#stderr.take(this.#parts.nowMs())) return;
    const suppressed = this.#stderr.takeSuppressed();
    this.#parts.post({ kind: 'stderr', tool: this.#tool, line, suppressed });
  }

  #become(change: Partial<ExpertState>): void {
    this.#state = { ...this.#state, ...change };
    this.#parts.post({ kind: 'state', tool: this.#tool, state: this.#state });
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : 'unknown';
}
