/**
 * Serves streams: a client connects, names a stream by its number and receives what is published there. An unknown number
 * ends the connection at once. In asynchronous mode a slow reader misses messages, in synchronous mode the publisher
 * waits for it, up to a bound, after which the reader is cut off: real CARLA waits for ever.
 */
import { createServer, type Server, type Socket } from 'node:net';

/** of one reader, and of all of them: beyond either, who has something waiting misses the next message */
const maxWaitingBytes = 16 * 1024 * 1024;
const maxWaitingBytesOfAll = 256 * 1024 * 1024;
const maxReaders = 128;
/** a connection that names no stream ends after this */
const longestNamingMs = 10_000;

export interface StreamServerCounters {
  /** messages that a slow reader did not get (asynchronous mode) */
  droppedMessages: number;
  /** readers that were cut off because they did not read (synchronous mode) */
  cutReaders: number;
  unknownStreams: number;
  refusedReaders: number;
  /** connections that never said which stream they want */
  namelessReaders: number;
}

export class StreamServer {
  readonly counters: StreamServerCounters = {
    droppedMessages: 0,
    cutReaders: 0,
    unknownStreams: 0,
    refusedReaders: 0,
    namelessReaders: 0,
  };
  readonly #readers = new Map<number, Set<Socket>>();
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  readonly #namingMs: number;

  /** `namingMs`: how long a new connection may take to say which stream it wants. */
  constructor(namingMs = longestNamingMs) {
    this.#namingMs = namingMs;
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  }

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

  open(streamId: number): void {
    if (!this.#readers.has(streamId)) this.#readers.set(streamId, new Set());
  }

  /** Ends a stream; its readers are disconnected. */
  shut(streamId: number): void {
    for (const socket of this.#readers.get(streamId) ?? []) socket.destroy();
    this.#readers.delete(streamId);
  }

  readers(streamId: number): number {
    return this.#readers.get(streamId)?.size ?? 0;
  }

  /** Connections to any stream. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Sends header and payload to every reader; resolves when `waitMs` has passed or all have taken it. */
  async publish(streamId: number, header: Buffer, payload: Buffer, waitMs: number): Promise<void> {
    const readers = this.#readers.get(streamId);
    if (readers === undefined || readers.size === 0) return;
    const size = Buffer.alloc(4);
    size.writeUInt32LE(header.length + payload.length);
    const waits: Promise<void>[] = [];
    const isFull = waitMs === 0 && this.#waitingBytes() > maxWaitingBytesOfAll;
    for (const socket of readers) {
      const boundBytes = isFull ? 0 : maxWaitingBytes;
      if (waitMs === 0 && socket.writableLength > boundBytes) {
        this.counters.droppedMessages++;
        continue;
      }
      socket.cork();
      socket.write(size);
      socket.write(header);
      const isTaken = socket.write(payload);
      socket.uncork();
      if (!isTaken && waitMs > 0) waits.push(this.#drained(socket, waitMs));
    }
    await Promise.all(waits);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #waitingBytes(): number {
    let bytes = 0;
    for (const socket of this.#sockets) bytes += socket.writableLength;
    return bytes;
  }

  /** Resolves when the kernel has taken everything, the reader has gone, or it was cut off for being too slow. */
  #drained(socket: Socket, waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        socket.removeListener('drain', done);
        socket.removeListener('close', done);
        resolve();
      };
      const timer = setTimeout(() => {
        this.counters.cutReaders++;
        socket.destroy();
        done();
      }, waitMs);
      socket.once('drain', done);
      socket.once('close', done);
    });
  }

  #accept(socket: Socket): void {
    if (this.#sockets.size >= maxReaders) {
      this.counters.refusedReaders++;
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    let named = Buffer.alloc(0);
    let streamId: number | null = null;
    socket.on('error', () => {});
    const naming = setTimeout(() => {
      this.counters.namelessReaders++;
      socket.destroy();
    }, this.#namingMs);
    socket.on('close', () => {
      clearTimeout(naming);
      this.#sockets.delete(socket);
      if (streamId !== null) this.#readers.get(streamId)?.delete(socket);
    });
    socket.on('data', (chunk) => {
      if (streamId !== null) return;
      named = Buffer.concat([named, chunk]);
      if (named.length < 4) return;
      clearTimeout(naming);
      streamId = named.readUInt32LE(0);
      const readers = this.#readers.get(streamId);
      if (readers === undefined) {
        this.counters.unknownStreams++;
        socket.destroy();
      } else {
        readers.add(socket);
      }
    });
  }
}
