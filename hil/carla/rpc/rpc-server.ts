/**
 * An RPC server with rpclib's manners: calls of one connection are carried out in the order they come, a method with
 * another number of parameters or of another type is answered with rpclib's own words, and a call marked asynchronous is
 * answered at once with a default that means nothing.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { type Codec, encode } from '../wire/codec.js';
import type { Outcome } from '../wire/response.js';
import { MessageBuffer } from './message-buffer.js';
import type { RpcMethod } from './methods.js';
import { metadata, type RpcRequest, readRequest, writeAnswer } from './rpc-frame.js';

const maxRequestBytes = 64 * 1024 * 1024;
/** a connection whose answers are not read is not read from either */
const pauseAboveBytes = 32 * 1024 * 1024;
const maxConnections = 64;

interface Handler {
  readonly params: readonly Codec<unknown>[];
  readonly result: Codec<Outcome<unknown>>;
  run(args: readonly unknown[], connection: number): unknown;
}

export interface RpcServerCounters {
  connections: number;
  refusedConnections: number;
  calls: number;
  /** rpclib errors: unknown method, wrong number or type of parameters */
  badCalls: number;
  /** connections ended because what they sent was no RPC */
  brokenConnections: number;
}

/** Thrown by a method: the text becomes the error of its Response. */
export class RefusedCall extends Error {}

export class RpcServer {
  readonly counters: RpcServerCounters = {
    connections: 0,
    refusedConnections: 0,
    calls: 0,
    badCalls: 0,
    brokenConnections: 0,
  };
  readonly #handlers = new Map<string, Handler>();
  readonly #sockets = new Map<Socket, number>();
  readonly #server: Server;
  readonly #gone: (connection: number) => void;

  /** `gone` is called with the number of a connection that has ended. */
  constructor(gone: (connection: number) => void = () => {}) {
    this.#gone = gone;
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  }

  /** Connections that are open now. */
  get clients(): number {
    return this.#sockets.size;
  }

  /** Binds a method; a later one of the same name replaces it. The handler may be asynchronous. */
  bind<P extends readonly unknown[], R>(
    method: RpcMethod<P, R>,
    run: (args: P, connection: number) => R | Promise<R>,
  ): void {
    this.#handlers.set(method.name, {
      params: method.params as unknown as readonly Codec<unknown>[],
      result: method.result as Codec<Outcome<unknown>>,
      run: run as unknown as Handler['run'],
    });
  }

  /** Resolves with the port; 0 takes a free one. Rejects with the system's error. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.removeListener('error', reject);
        const address = this.#server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : port);
      });
    });
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets.keys()) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #accept(socket: Socket): void {
    if (this.#sockets.size >= maxConnections) {
      this.counters.refusedConnections++;
      socket.destroy();
      return;
    }
    const connection = ++this.counters.connections;
    const buffer = new MessageBuffer('request', maxRequestBytes);
    this.#sockets.set(socket, connection);
    let last = Promise.resolve();
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#gone(connection);
    });
    socket.on('drain', () => socket.resume());
    socket.on('data', (chunk) => {
      try {
        for (const value of buffer.push(chunk)) {
          const request = readRequest(value);
          if ('notification' in request) continue;
          last = last.then(() => this.#answer(socket, request, connection));
        }
      } catch {
        this.counters.brokenConnections++;
        socket.destroy();
      }
    });
  }

  async #answer(socket: Socket, request: RpcRequest, connection: number): Promise<void> {
    this.counters.calls++;
    const answer = await this.#carryOut(request, connection);
    if (socket.destroyed) return;
    socket.write(answer);
    if (socket.writableLength > pauseAboveBytes) socket.pause();
  }

  async #carryOut({ id, method, params }: RpcRequest, connection: number): Promise<Buffer> {
    const handler = this.#handlers.get(method);
    if (handler === undefined)
      return this.#bad(
        id,
        `server could not find function '${method}' with argument count ${params.length}.`,
      );
    // rpclib has the two numbers the wrong way round; clients rely on it to find out a method's arity.
    if (params.length !== handler.params.length + 1)
      return this.#bad(
        id,
        `client error C0002: Function '${method}' was called with an invalid number of arguments. ` +
          `Expected: ${params.length}, got: ${handler.params.length + 1}`,
      );
    let args: unknown[];
    let isAsync: boolean;
    try {
      isAsync = metadata.read(params[0], 'metadata').isAsync;
      args = handler.params.map((codec, i) => codec.read(params[i + 1], method));
    } catch {
      return this.#bad(
        id,
        `function '${method}' (called with ${params.length} arg(s)) threw an exception. ` +
          'The exception contained this information: std::bad_cast.',
      );
    }
    if (isAsync) {
      void this.#run(handler, args, connection);
      return writeAnswer(id, null, encode(handler.result, { ok: false, error: 'unknown error' }));
    }
    return writeAnswer(id, null, encode(handler.result, await this.#run(handler, args, connection)));
  }

  async #run(handler: Handler, args: readonly unknown[], connection: number): Promise<Outcome<unknown>> {
    try {
      return { ok: true, value: await handler.run(args, connection) };
    } catch (error) {
      if (error instanceof RefusedCall) return { ok: false, error: error.message };
      throw error;
    }
  }

  #bad(id: number, text: string): Buffer {
    this.counters.badCalls++;
    return writeAnswer(id, `rpclib: ${text}`, null);
  }
}
