/**
 * One client of an RPC server: its calls wait in a queue and are carried out one after the other. A client that sends more
 * than is carried out, or does not read its answers, is not read from: it waits in the kernel's buffers and costs nothing.
 */
import type { Socket } from 'node:net';
import { MessageBuffer } from './message-buffer.js';
import { type RpcRequest, readRequest } from './rpc-frame.js';

const maxRequestBytes = 64 * 1024 * 1024;
const maxRequestValues = 1_000_000;
/** Queue `rpc-calls`: above the first a connection is not read from, below the second it is again. */
const pauseAboveCalls = 256;
const resumeBelowCalls = 64;
/** Answers that were not read: the next call waits until they are. */
const unreadBytes = 32 * 1024 * 1024;

export class RpcConnection {
  readonly #socket: Socket;
  readonly #answer: (request: RpcRequest) => Promise<Buffer>;
  readonly #buffer = new MessageBuffer('request', maxRequestBytes, { maxValues: maxRequestValues });
  #waiting: RpcRequest[] = [];
  #next = 0;
  #isBusy = false;

  /** `broken` is called when what came was no RPC; the socket is destroyed then. */
  constructor(socket: Socket, answer: (request: RpcRequest) => Promise<Buffer>, broken: () => void) {
    this.#socket = socket;
    this.#answer = answer;
    socket.on('data', (chunk) => {
      try {
        for (const value of this.#buffer.push(chunk)) {
          const request = readRequest(value);
          if (!('notification' in request)) this.#waiting.push(request);
        }
      } catch {
        broken();
        socket.destroy();
        return;
      }
      if (this.#calls > pauseAboveCalls) socket.pause();
      if (!this.#isBusy) void this.#carryOut();
    });
  }

  get #calls(): number {
    return this.#waiting.length - this.#next;
  }

  async #carryOut(): Promise<void> {
    this.#isBusy = true;
    while (this.#calls > 0 && !this.#socket.destroyed) {
      const request = this.#waiting[this.#next++] as RpcRequest;
      if (this.#next > pauseAboveCalls) {
        this.#waiting = this.#waiting.slice(this.#next);
        this.#next = 0;
      }
      const answer = await this.#answer(request);
      if (this.#socket.destroyed) break;
      this.#socket.write(answer);
      if (this.#socket.writableLength > unreadBytes) await this.#read();
      if (this.#calls < resumeBelowCalls) this.#socket.resume();
    }
    this.#isBusy = false;
  }

  /** Resolves when the answers so far were read, or the client is gone. */
  #read(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#socket.removeListener('drain', done);
        this.#socket.removeListener('close', done);
        resolve();
      };
      this.#socket.once('drain', done);
      this.#socket.once('close', done);
    });
  }
}
