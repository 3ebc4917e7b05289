/**
 * A sentence encoder in a worker. Whatever happens to the worker, a call ends: with vectors, or with an error that says
 * why. A worker that dies or does not answer is started again, a few times in a row; then the encoder is off.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { EncoderWorkerData, FromEncoder, PlainError, ToEncoder } from './encoder-protocol.js';
import { onnxRuntimePackage } from './onnx-runtime.js';
import type { PassageEncoder, TextRole } from './passage-encoder.js';

export interface OnnxEncoderOptions {
  /** of the model: model.json, model.onnx, tokenizer.json */
  readonly folder: string;
  /** package that runs the graph; default onnxruntime-node */
  readonly runtime?: string;
  /** longest time from the start of a worker to its first vector */
  readonly loadDeadlineMs?: number;
  /** longest time for one part of a call (at most `textsAtOnce` texts) */
  readonly deadlineMs?: number;
  /** script of the worker; another one only in tests of what a broken worker does */
  readonly workerUrl?: URL;
}

/** The queue `encoder`: calls that wait for the worker; beyond its bound a call is refused and counted. */
export const encoderQueue = { name: 'encoder', callsMaxCount: 64, policy: 'refuse newest' } as const;

/** Deaths in a row, without a vector between them, after which the encoder is off. */
export const workerRestartsMaxCount = 3;
const textsAtOnce = 32;

export interface EncoderCounters {
  readonly calls: number;
  readonly texts: number;
  /** longer than the model takes: their ends were not read */
  readonly cutTexts: number;
  readonly refusedCalls: number;
  readonly crashes: number;
  readonly hangs: number;
  readonly restarts: number;
  readonly state: 'running' | 'off' | 'closed';
}

interface Ready {
  readonly id: string;
  readonly dimensions: number;
  readonly randomCosine: number;
}

interface Waiting {
  readonly count: number;
  resolve(vectors: Float32Array): void;
  reject(error: DriveMcpError): void;
}

export class OnnxEncoder implements PassageEncoder {
  readonly id: string;
  readonly dimensions: number;
  readonly randomCosine: number;
  readonly #options: OnnxEncoderOptions;
  readonly #counters = {
    calls: 0,
    texts: 0,
    cutTexts: 0,
    refusedCalls: 0,
    crashes: 0,
    hangs: 0,
    restarts: 0,
  };
  #worker: Worker | null;
  #waiting: { readonly call: number; readonly to: Waiting } | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #pending = 0;
  #call = 0;
  #deathsInARow = 0;
  #isClosed = false;

  private constructor(options: OnnxEncoderOptions, worker: Worker, ready: Ready) {
    this.#options = options;
    this.id = ready.id;
    this.dimensions = ready.dimensions;
    this.randomCosine = ready.randomCosine;
    this.#worker = worker;
    this.#listen(worker);
  }

  /** Starts the worker and loads the model. @throws DriveMcpError MODEL_INVALID, FILE_MISSING, ENCODER_UNAVAILABLE */
  static async open(options: OnnxEncoderOptions): Promise<OnnxEncoder> {
    const { worker, ready } = await startWorker(options);
    return new OnnxEncoder(options, worker, ready);
  }

  get counters(): EncoderCounters {
    const state = this.#isClosed ? 'closed' : this.#deathsInARow > workerRestartsMaxCount ? 'off' : 'running';
    return { ...this.#counters, state };
  }

  async encode(
    texts: readonly string[],
    role: TextRole = 'passage',
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    this.#counters.calls++;
    if (this.#pending >= encoderQueue.callsMaxCount) {
      this.#counters.refusedCalls++;
      throw unavailable(`${encoderQueue.callsMaxCount} calls are waiting for the encoder already`);
    }
    this.#pending++;
    const result = this.#turn.then(() => this.#encodeAll(texts, role, signal));
    this.#turn = result.catch(() => {});
    try {
      return await result;
    } finally {
      this.#pending--;
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#waiting?.to.reject(unavailable('the encoder was closed'));
    const worker = this.#worker;
    this.#worker = null;
    if (worker) await endWorker(worker);
  }

  async #encodeAll(
    texts: readonly string[],
    role: TextRole,
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let at = 0; at < texts.length; at += textsAtOnce) {
      // Between two parts: what the worker has begun cannot be taken back.
      signal?.throwIfAborted();
      const part = texts.slice(at, at + textsAtOnce);
      const flat = await this.#ask(part, role);
      for (let i = 0; i < part.length; i++)
        vectors.push(flat.slice(i * this.dimensions, (i + 1) * this.dimensions));
    }
    this.#counters.texts += texts.length;
    return vectors;
  }

  async #ask(texts: readonly string[], role: TextRole): Promise<Float32Array> {
    const worker = await this.#workerOrRestart();
    const call = ++this.#call;
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => {
        this.#counters.hangs++;
        this.#give(worker, `it has not answered for ${this.#deadlineMs} ms`);
      }, this.#deadlineMs);
      const done = (): void => {
        clearTimeout(deadline);
        worker.unref();
        this.#waiting = null;
      };
      this.#waiting = {
        call,
        to: {
          count: texts.length,
          resolve: (vectors) => {
            done();
            resolve(vectors);
          },
          reject: (error) => {
            done();
            reject(error);
          },
        },
      };
      worker.ref();
      worker.postMessage({ type: 'encode', call, texts, role } satisfies ToEncoder);
    });
  }

  get #deadlineMs(): number {
    return this.#options.deadlineMs ?? 60_000;
  }

  async #workerOrRestart(): Promise<Worker> {
    if (this.#isClosed) throw unavailable('the encoder was closed');
    if (this.#worker) return this.#worker;
    if (this.#deathsInARow > workerRestartsMaxCount)
      throw unavailable(`it is off: its worker died ${this.#deathsInARow} times in a row`);
    this.#counters.restarts++;
    try {
      const { worker, ready } = await startWorker(this.#options);
      if (ready.id !== this.id) {
        await endWorker(worker);
        throw new DriveMcpError('MODEL_INVALID', `was replaced by ${ready.id} while it was in use`, {
          location: { file: this.#options.folder },
        });
      }
      this.#worker = worker;
      this.#listen(worker);
      return worker;
    } catch (error) {
      this.#deathsInARow++;
      throw error;
    }
  }

  #listen(worker: Worker): void {
    let reason = 'it ended';
    worker.on('message', (message: FromEncoder) => {
      const waiting = this.#waiting;
      if (this.#worker !== worker || !waiting) return;
      if (message.type === 'failed' && message.call === waiting.call)
        waiting.to.reject(fromPlain(message.error));
      if (message.type !== 'vectors' || message.call !== waiting.call) return;
      if (message.vectors.length !== waiting.to.count * this.dimensions) {
        waiting.to.reject(unavailable('the worker gave vectors of another length'));
        return;
      }
      this.#deathsInARow = 0;
      this.#counters.cutTexts += message.cutCount;
      waiting.to.resolve(message.vectors);
    });
    worker.on('error', (error: Error) => {
      reason = error.message;
    });
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#counters.crashes++;
      this.#give(worker, reason);
    });
    // A command that has its answers ends; only a call that waits keeps the process.
    worker.unref();
  }

  /** Gives a worker up; the call it was working on fails, and the next one starts another. */
  #give(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#deathsInARow++;
    // Inside of native code it cannot be interrupted: it ends when that returns, and nobody waits for it.
    void worker.terminate();
    this.#waiting?.to.reject(unavailable(`the worker of the encoder is gone: ${reason}`));
  }
}

async function startWorker(options: OnnxEncoderOptions): Promise<{ worker: Worker; ready: Ready }> {
  const data: EncoderWorkerData = {
    folder: options.folder,
    runtime: options.runtime ?? onnxRuntimePackage,
  };
  const worker = new Worker(options.workerUrl ?? new URL('./encoder-worker.js', import.meta.url), {
    workerData: data,
  });
  const deadlineMs = options.loadDeadlineMs ?? 120_000;
  let deadline: NodeJS.Timeout | undefined;
  const listening = new AbortController();
  try {
    const message = await new Promise<FromEncoder>((resolve, reject) => {
      const late = `the model has not loaded within ${deadlineMs} ms`;
      deadline = setTimeout(() => reject(unavailable(late)), deadlineMs);
      once(worker, 'message', listening).then(([first]) => resolve(first as FromEncoder), reject);
      once(worker, 'exit', listening).then(
        () => reject(unavailable('the worker ended while it loaded the model')),
        () => {},
      );
    });
    if (message.type === 'refused') throw fromPlain(message.error);
    if (message.type !== 'ready') throw unavailable('the worker spoke out of turn');
    return { worker, ready: message };
  } catch (error) {
    worker.on('error', () => {});
    void worker.terminate();
    if (error instanceof DriveMcpError) throw error;
    throw unavailable(`the worker failed: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    clearTimeout(deadline);
    listening.abort();
  }
}

/** Lets the session go first: ending a thread under a living one has crashed processes at their exit. */
async function endWorker(worker: Worker): Promise<void> {
  worker.ref();
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.postMessage({ type: 'close' } satisfies ToEncoder);
  const late = setTimeout(() => void worker.terminate(), 2000);
  await ended;
  clearTimeout(late);
}

function fromPlain({ code, message, location, hint }: PlainError): DriveMcpError {
  return new DriveMcpError(code, message, { location, hint });
}

function unavailable(message: string): DriveMcpError {
  return new DriveMcpError('ENCODER_UNAVAILABLE', message);
}
