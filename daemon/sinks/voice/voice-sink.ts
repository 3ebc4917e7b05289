/**
 * Says utterances aloud through a program of the system, beside the ticks: `speak` only notes and starts, nothing waits.
 * Queue `voice`: bounded; an urgent utterance ends what is being said and empties it. Where no sound can be made, what
 * would have been said goes to the log, and that is told once.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Decision, Utterance } from '../../core/tick.js';
import type { Sink } from '../../ports.js';
import type { Logger } from '../../runtime/log.js';
import { printable } from '../../runtime/printable.js';
import { type SpokenText, type VoiceSettings, voiceCommand } from './voice-command.js';

export interface VoiceParts {
  readonly settings: VoiceSettings;
  readonly queueMaxCount: number;
  /** an utterance that has not begun so long after its decision: urgent ones are counted late, calm ones left out */
  readonly startMaxMs: number;
  readonly staleMaxMs: number;
  /** calm utterances are followed by their reasons */
  readonly saysReasons: boolean;
  readonly monoMs: () => number;
  readonly log: Logger;
  /** for people, once */
  readonly notice: (text: string) => void;
  /** what the program finds in its environment; nothing else of ours */
  readonly environment: NodeJS.ProcessEnv;
}

// A type, not an interface: it is printed as a JSON object.
export type VoiceCounters = {
  spoken: number;
  /** cut off by an urgent one */
  interrupted: number;
  /** left out: the queue was full, or an urgent one emptied it */
  dropped: number;
  /** left out: waited longer than what is still news */
  stale: number;
  /** begun later than the start budget allows */
  late: number;
  failed: number;
  /** ended because they took too long */
  overlong: number;
  /** told to the log instead */
  logged: number;
};

/** No utterance of ours takes so long to say: a program that does hangs. */
const utteranceMaxMs = 20_000;
const failuresMaxCount = 3;
const errorMaxChars = 500;

interface Waiting extends SpokenText {
  readonly key: string;
  readonly atMs: number;
  readonly tick: number;
}

export class VoiceSink implements Sink {
  readonly name = 'voice';
  readonly counters: VoiceCounters = {
    spoken: 0,
    interrupted: 0,
    dropped: 0,
    stale: 0,
    late: 0,
    failed: 0,
    overlong: 0,
    logged: 0,
  };
  readonly #parts: VoiceParts;
  #queue: Waiting[] = [];
  #running: { readonly child: ChildProcess; readonly urgent: boolean } | null = null;
  #failuresInARow = 0;
  #isSilent = false;
  /** a look at the queue is on its way */
  #isDue = false;
  #files = 0;
  #whenIdle: (() => void)[] = [];

  constructor(parts: VoiceParts) {
    this.#parts = parts;
  }

  speak(tick: number, utterance: Utterance): void {
    const { l1, l2, lang, urgent, key } = utterance;
    const whole = this.#parts.saysReasons && !urgent && l2 !== '' ? `${l1} ${l2}` : l1;
    // An argument cannot hold a NUL, and nobody hears the other controls.
    const text = whole.replace(/\p{Cc}/gu, ' ');
    const atMs = this.#parts.monoMs();
    if (this.#isSilent) {
      this.#toLog({ text, lang, urgent, key, atMs, tick });
      return;
    }
    if (urgent) {
      this.counters.dropped += this.#queue.length;
      this.#queue = [];
      if (this.#running !== null) {
        this.counters.interrupted++;
        this.#running.child.kill('SIGKILL');
        this.#running = null;
      }
    }
    this.#queue.push({ text, lang, urgent, key, atMs, tick });
    if (this.#queue.length > this.#parts.queueMaxCount) {
      this.#queue.shift();
      this.counters.dropped++;
    }
    // Starting a process holds its thread up for some 10 ms (a copy of the page tables): after the tick, not in it.
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#next();
    });
  }

  /** An ACT makes no sound of its own: the core says what it does. */
  act(_tick: number, _decision: Decision): void {}

  /** What waits is said, but for no longer than `maxMs`; then it is quiet. */
  async close(maxMs: number): Promise<void> {
    if (this.#running === null && this.#queue.length === 0) return;
    const idle = new Promise<void>((resolve) => this.#whenIdle.push(resolve));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, maxMs);
    });
    await Promise.race([idle, late]);
    clearTimeout(timer);
    this.counters.dropped += this.#queue.length;
    this.#queue = [];
    this.#running?.child.kill('SIGKILL');
    this.#running = null;
  }

  #next(): void {
    if (this.#running !== null) return;
    const nowMs = this.#parts.monoMs();
    let one = this.#queue.shift();
    while (one !== undefined && !one.urgent && nowMs - one.atMs > this.#parts.staleMaxMs) {
      this.counters.stale++;
      one = this.#queue.shift();
    }
    if (one !== undefined) this.#start(one);
    else for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  #start(one: Waiting): void {
    const { settings, environment, monoMs, startMaxMs } = this.#parts;
    const { wavFolder } = settings;
    const wavFile =
      wavFolder === null ? null : join(wavFolder, `${String(++this.#files).padStart(4, '0')}.wav`);
    const { program, args, stdin } = voiceCommand(settings, one, wavFile);
    const child = spawn(program, args, {
      stdio: ['pipe', 'ignore', 'pipe'],
      env: environment,
      // In its own group: a signal to the daemon's terminal is the daemon's to answer.
      detached: true,
    });
    this.#running = { child, urgent: one.urgent };
    const overlong = setTimeout(() => {
      this.counters.overlong++;
      child.kill('SIGKILL');
    }, utteranceMaxMs);
    overlong.unref();
    let complaint = '';
    child.once('spawn', () => {
      if (monoMs() - one.atMs > startMaxMs) this.counters.late++;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (complaint.length < errorMaxChars) complaint += chunk.toString('utf8');
    });
    // A program that is gone reads nothing; how it ended says why.
    child.stdin.on('error', () => {});
    child.stdin.end(stdin);
    const ended = (code: number | null, problem: string): void => {
      clearTimeout(overlong);
      const wasCutOff = this.#running?.child !== child;
      if (!wasCutOff) this.#running = null;
      if (code === 0) {
        this.counters.spoken++;
        this.#failuresInARow = 0;
      } else if (!wasCutOff) this.#fail(one, program, problem);
      this.#next();
    };
    let isOver = false;
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (isOver) return;
      isOver = true;
      const isMissing = error.code === 'ENOENT' || error.code === 'EACCES';
      if (isMissing) this.#failuresInARow = failuresMaxCount;
      ended(null, isMissing ? 'is not installed' : `cannot be started (${error.code ?? error.message})`);
    });
    child.once('close', (code, signal) => {
      if (isOver) return;
      isOver = true;
      const said = complaint.split('\n').find((line) => line.trim() !== '') ?? '';
      ended(code, `ended with ${signal ?? code}${said === '' ? '' : `: ${said.trim()}`}`);
    });
  }

  #fail(one: Waiting, program: string, problem: string): void {
    this.counters.failed++;
    this.#failuresInARow++;
    this.#toLog(one);
    if (this.#failuresInARow < failuresMaxCount || this.#isSilent) return;
    this.#isSilent = true;
    this.#parts.notice(
      `nothing is said aloud: ${program} ${printable(problem)}; what would be said goes to the log`,
    );
    for (const waiting of this.#queue.splice(0)) this.#toLog(waiting);
  }

  #toLog({ tick, key, urgent, text }: Waiting): void {
    this.counters.logged++;
    this.#parts.log.info({ tick, key, urgent }, text);
  }
}
