/**
 * An RPC server with rpclib's manners: calls of one connection are carried out in the order they come, a method with
 * another number of parameters or of another type is answered with rpclib's own words, and a call marked asynchronous is
 * answered at once with a default that means nothing.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { type Codec, encode } from '../wire/codec.js';
import type { Outcome } from '../wire/response.js';
import type { RpcMethod } from './methods.js';
import { RpcConnection } from './rpc-connection.js';
import { metadata, type RpcRequest, writeAnswer } from './rpc-frame.js';

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
  /** calls that a handler failed at in a way nobody foresaw */
  failedCalls: number;
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
    failedCalls: 0,
    brokenConnections: 0,
  };
  readonly #handlers = new Map<string, Handler>();
  readonly #sockets = new Map<Socket, number>();
  readonly #server: Server;
  readonly #gone: (connection: number) => void;
  readonly #failed: (method: string, error: unknown) => void;

  /**
   * `gone` is called with the number of a connection that has ended, `failed` with what a handler threw that is no
   * RefusedCall: its caller gets rpclib's words for an exception, everybody else is served on.
   */
  constructor(
    gone: (connection: number) => void = () => {},
    failed: (method: string, error: unknown) => void = () => {},
  ) {
    this.#gone = gone;
    this.#failed = failed;
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
    this.#sockets.set(socket, connection);
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#gone(connection);
    });
    const answer = (request: RpcRequest): Promise<Buffer> => {
      this.counters.calls++;
      return this.#carryOut(request, connection);
    };
    new RpcConnection(socket, answer, () => this.counters.brokenConnections++);
  }

  async #carryOut({ id, method, params }: RpcRequest, connection: number): Promise<Buffer> {
    const handler = this.#handlers.get(method);
    if (handler === undefined)
      return this.#bad(
        id,
        `server could not find function '${method.slice(0, 200)}' with argument count ${params.length}.`,
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
      return this.#bad(id, exception(method, params.length, 'std::bad_cast'));
    }
    const run = async (): Promise<Buffer> => {
      try {
        return writeAnswer(id, null, encode(handler.result, await this.#run(handler, args, connection)));
      } catch (error) {
        this.counters.failedCalls++;
        this.#failed(method, error);
        const what = error instanceof Error ? error.message : String(error);
        return writeAnswer(id, `rpclib: ${exception(method, params.length, what)}`, null);
      }
    };
    if (!isAsync) return run();
    void run();
    return writeAnswer(id, null, encode(handler.result, { ok: false, error: 'unknown error' }));
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

function exception(method: string, count: number, what: string): string {
  return (
    `function '${method}' (called with ${count} arg(s)) threw an exception. ` +
    `The exception contained this information: ${what.slice(0, 300)}.`
  );
}
