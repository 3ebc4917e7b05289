/**
 * MCP over the standard streams of a child process, for an expert that is not trusted to behave: its environment is
 * empty, a line has a bound, what is no message is counted, and it can be killed with all it started.
 *
 * The SDK's own stdio transport is not used: it hands HOME, PATH and others on, copies its whole buffer for every
 * chunk of a long line, and waits four seconds before it kills.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { deserializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import type { ChildCommand } from './child-command.js';
import { endingWithParent } from './end-with-parent.js';
import { LineFrames } from './line-frames.js';
import { SessionWeight } from './session-weight.js';

export interface ChildEvents {
  readonly started: (pid: number) => void;
  /** a line on stdout that is no message of the protocol */
  readonly noise: () => void;
  /** a line on stdout longer than the bound; it is lost */
  readonly tooLong: () => void;
  readonly stderr: (line: string) => void;
  readonly ended: (how: string) => void;
}

const stderrLineMaxBytes = 4096;
/** After the end of its input a child has this long to leave, after SIGTERM as long again. */
const leaveMs = 500;

export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  #child: ChildProcess | null = null;
  #hasEnded = false;
  #wasClosed = false;
  #weight: SessionWeight | null = null;
  #whenEnded: Promise<void> = Promise.resolve();

  constructor(
    readonly command: ChildCommand,
    readonly lineMaxBytes: number,
    readonly events: ChildEvents,
  ) {}

  /**
   * By this property and `pid` the SDK's client knows that a process is behind it: one that is silent to the first question
   * of the current revision is then asked the one of the older revisions, instead of being given up.
   */
  get stderr(): null {
    return null;
  }

  /** it was asked to leave: how it ended is no news of its own */
  get wasClosed(): boolean {
    return this.#wasClosed;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** It answers: what it is asked from now on has deadlines. */
  hasStarted(): void {
    this.#weight?.becomeOrdinary();
  }

  start(): Promise<void> {
    // A process group of its own: Ctrl-C on the terminal is the daemon's, and a kill reaches whatever it started.
    const { file, args } = endingWithParent(this.command);
    const child = spawn(file, [...args], {
      env: {},
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    this.#child = child;
    if (child.pid !== undefined) this.#weight = new SessionWeight(child.pid);
    this.#whenEnded = new Promise((resolve) => {
      const end = (how: string): void => {
        if (this.#hasEnded) return;
        this.#hasEnded = true;
        this.#weight?.forget();
        this.events.ended(how);
        this.onclose?.();
        resolve();
      };
      child.once('exit', (code, signal) => end(signal === null ? `exit code ${code}` : signal));
      child.once('error', (error) => end(error.message));
    });
    const stdout = new LineFrames(this.lineMaxBytes, {
      line: (line) => this.#receive(line),
      tooLong: this.events.tooLong,
    });
    const stderr = new LineFrames(stderrLineMaxBytes, {
      line: this.events.stderr,
      tooLong: () => this.events.stderr('(a line too long to keep)'),
    });
    child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream?.on('error', (error) => this.onerror?.(error));
    }
    return new Promise((resolve, reject) => {
      child.once('spawn', () => {
        if (child.pid !== undefined) this.events.started(child.pid);
        resolve();
      });
      child.once('error', reject);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin || this.#hasEnded) throw new Error('the expert has ended');
    // Not waited for: what a child does not read is bounded by the calls that may be open, and it is killed soon.
    stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Lets the child leave, then makes it. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#wasClosed = true;
    child.stdin?.end();
    if (await this.#endsWithin(leaveMs)) return;
    this.#signal('SIGTERM');
    if (await this.#endsWithin(leaveMs)) return;
    this.kill();
    await this.#whenEnded;
  }

  /** At once, with everything it started. */
  kill(): void {
    this.#signal('SIGKILL');
    // Whatever else may hold the pipes open, nothing more of it is read.
    this.#child?.stdout?.destroy();
    this.#child?.stderr?.destroy();
    this.#child?.stdin?.destroy();
  }

  #signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined || this.#hasEnded) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // It has gone already.
    }
  }

  async #endsWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([this.#whenEnded, late]);
    clearTimeout(timer);
    return this.#hasEnded;
  }

  #receive(line: string): void {
    if (line === '') return;
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch {
      this.events.noise();
      return;
    }
    this.onmessage?.(message);
  }
}
