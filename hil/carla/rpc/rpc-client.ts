/**
 * One RPC connection. Answers may come in any order and are matched by id; two calls in flight may also be carried out in
 * any order, so a caller that needs an order awaits the first.
 */
import { type Socket, connect as tcpConnect } from 'node:net';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { encode } from '../wire/codec.js';
import { wireError } from '../wire/wire-error.js';
import { MessageBuffer } from './message-buffer.js';
import type { RpcMethod } from './methods.js';
import { readAnswer, writeRequest } from './rpc-frame.js';

/** A map's OpenDRIVE text is the largest answer; Town12's has some 20 MB. */
const maxAnswerBytes = 64 * 1024 * 1024;
const maxCallsInFlight = 256;

export interface RpcClientOptions {
  readonly host: string;
  readonly port: number;
  /** for the connection and for every call */
  readonly timeoutMs: number;
}

interface Pending {
  readonly method: string;
  readonly timer: NodeJS.Timeout;
  resolve(answer: { readonly error: string | null; readonly result: unknown }): void;
  reject(error: Error): void;
}

/** rpclib's words for a method it does not have. */
export const unknownMethodText = 'could not find function';

export class RpcClient {
  readonly #socket: Socket;
  readonly #options: RpcClientOptions;
  readonly #buffer = new MessageBuffer('answer', maxAnswerBytes);
  readonly #pending = new Map<number, Pending>();
  #nextId = 0;
  #end: Error | null = null;
  /** answers that came after their call had been given up */
  lateAnswers = 0;

  private constructor(socket: Socket, options: RpcClientOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('error', (error) => this.#stop(error));
    socket.on('close', () => this.#stop());
  }

  /** Resolves when connected; rejects with CARLA_UNREACHABLE. */
  static connect(options: RpcClientOptions): Promise<RpcClient> {
    const { host, port, timeoutMs } = options;
    return new Promise((resolve, reject) => {
      const socket = tcpConnect({ host, port, noDelay: true });
      const fail = (problem: string): void => {
        socket.destroy();
        reject(new DriveMcpError('CARLA_UNREACHABLE', `no CARLA at ${host}:${port}: ${problem}`));
      };
      const timer = setTimeout(() => fail(`no connection within ${timeoutMs} ms`), timeoutMs);
      socket.once('error', (error) => {
        clearTimeout(timer);
        fail(error.message);
      });
      socket.once('connect', () => {
        clearTimeout(timer);
        socket.removeAllListeners('error');
        resolve(new RpcClient(socket, options));
      });
    });
  }

  get isOpen(): boolean {
    return this.#end === null;
  }

  /**
   * Calls a method and returns its value. Rejects with CARLA_REFUSED where the server answers with an error (its text in
   * the message), CARLA_TIMEOUT, CARLA_GONE where the connection ends, CARLA_WIRE where the answer is none.
   */
  async call<P extends readonly unknown[], R>(
    method: RpcMethod<P, R>,
    ...args: P extends readonly unknown[] ? { -readonly [K in keyof P]: P[K] } : never
  ): Promise<R> {
    const params = method.params.map((codec, i) => encode(codec, args[i] as never));
    const { error, result } = await this.raw(method.name, params);
    if (error !== null) throw refused(method.name, error);
    const outcome = method.result.read(result, method.name);
    if (!outcome.ok) throw refused(method.name, outcome.error);
    return outcome.value;
  }

  /** Calls by name with encoded parameters (without metadata): what came back, errors of rpclib included. */
  raw(
    name: string,
    params: readonly Uint8Array[],
  ): Promise<{ readonly error: string | null; readonly result: unknown }> {
    if (this.#end !== null) return Promise.reject(this.#gone(name));
    if (this.#pending.size >= maxCallsInFlight)
      return Promise.reject(
        new DriveMcpError('CARLA_TIMEOUT', `${name}: ${maxCallsInFlight} calls are unanswered already`),
      );
    const id = this.#nextId;
    this.#nextId = (this.#nextId + 1) % 0x1_0000_0000;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        reject(new DriveMcpError('CARLA_TIMEOUT', `${name}: no answer within ${this.#options.timeoutMs} ms`));
      }, this.#options.timeoutMs);
      this.#pending.set(id, { method: name, timer, resolve, reject });
      this.#socket.write(writeRequest(id, name, params));
    });
  }

  /** Ends the connection; calls in flight are rejected. */
  close(): void {
    this.#stop();
  }

  #receive(chunk: Buffer): void {
    try {
      for (const value of this.#buffer.push(chunk)) {
        const { id, error, result } = readAnswer(value);
        const pending = this.#pending.get(id);
        if (pending === undefined) {
          this.lateAnswers++;
          continue;
        }
        this.#pending.delete(id);
        clearTimeout(pending.timer);
        pending.resolve({ error, result });
      }
    } catch (error) {
      this.#stop(error instanceof Error ? error : wireError('answer', String(error)));
    }
  }

  #stop(cause?: Error): void {
    if (this.#end !== null) return;
    const { host, port } = this.#options;
    this.#end =
      cause instanceof DriveMcpError
        ? cause
        : new DriveMcpError('CARLA_GONE', `the connection to ${host}:${port} ended`, { cause });
    this.#socket.destroy();
    for (const { timer, method, reject } of this.#pending.values()) {
      clearTimeout(timer);
      reject(this.#gone(method));
    }
    this.#pending.clear();
  }

  #gone(method: string): Error {
    const end = this.#end as DriveMcpError;
    return new DriveMcpError(end.code, `${method}: ${end.message}`, { cause: end });
  }
}

function refused(method: string, text: string): DriveMcpError {
  // The text is the peer's: shown, bounded, without control characters.
  const shown = text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, 300);
  return new DriveMcpError(
    'CARLA_REFUSED',
    `${method}: ${shown === '' ? 'refused without a reason' : shown}`,
  );
}
