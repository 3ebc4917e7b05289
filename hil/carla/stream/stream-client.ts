/**
 * One subscribed stream: a TCP connection of its own that begins with the stream's number and then only delivers.
 * Messages are `size u32, header of 48 bytes, payload`. The socket is read as fast as it can be, because a synchronous
 * server waits for its slowest reader; what the owner does not take in time is dropped, oldest first, and counted.
 */
import { connect, type Socket } from 'node:net';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { wireError } from '../wire/wire-error.js';
import { readSensorHeader, type SensorHeader, sensorHeaderBytes } from './sensor-header.js';
import type { StreamToken } from './token.js';

/** 4K in BGRA is 33 MB; more is no camera of a car. */
const maxMessageBytes = 64 * 1024 * 1024;

export interface StreamMessage {
  readonly header: SensorHeader;
  readonly payload: Buffer;
}

export interface StreamOptions {
  readonly host: string;
  readonly token: StreamToken;
  readonly connectTimeoutMs: number;
  message(message: StreamMessage): void;
  /** connected, and the stream's number is on its way */
  connected?(): void;
  /** the stream has ended by itself: error, or closed by the server */
  ended(error: DriveMcpError): void;
}

export class StreamClient {
  readonly #options: StreamOptions;
  readonly #socket: Socket;
  readonly #chunks: Buffer[] = [];
  #heldBytes = 0;
  #wantedBytes = 4;
  #isEnded = false;

  constructor(options: StreamOptions) {
    this.#options = options;
    const { token, host } = options;
    this.#socket = connect({ host: token.address ?? host, port: token.port, noDelay: true });
    this.#socket.setTimeout(options.connectTimeoutMs, () => {
      if (this.#socket.connecting) this.#end(`no connection within ${options.connectTimeoutMs} ms`);
    });
    this.#socket.once('connect', () => {
      this.#socket.setTimeout(0);
      const id = Buffer.alloc(4);
      id.writeUInt32LE(token.streamId);
      this.#socket.write(id);
      options.connected?.();
    });
    this.#socket.on('data', (chunk) => this.#receive(chunk));
    this.#socket.on('error', (error) => this.#end(error.message));
    this.#socket.on('close', () => this.#end('closed by the server'));
  }

  close(): void {
    this.#isEnded = true;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#heldBytes += chunk.length;
    try {
      while (!this.#isEnded && this.#heldBytes >= this.#wantedBytes) this.#take();
    } catch (error) {
      this.#end(error instanceof Error ? error.message : String(error));
    }
  }

  /** Pieces are joined once a message is whole, so that a large image is copied once. */
  #take(): void {
    const held = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    const size = held.readUInt32LE(0);
    if (size < sensorHeaderBytes || size > maxMessageBytes)
      throw wireError(`stream ${this.#options.token.streamId}`, `a message of ${size} bytes`);
    this.#chunks.length = 0;
    if (held.length < 4 + size) {
      this.#chunks.push(held);
      this.#wantedBytes = 4 + size;
      return;
    }
    const rest = held.subarray(4 + size);
    if (rest.length > 0) this.#chunks.push(rest);
    this.#heldBytes = rest.length;
    this.#wantedBytes = 4;
    const message = held.subarray(4, 4 + size);
    this.#options.message({
      header: readSensorHeader(message),
      payload: message.subarray(sensorHeaderBytes),
    });
  }

  #end(problem: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#socket.destroy();
    const { token } = this.#options;
    this.#options.ended(
      new DriveMcpError('CARLA_GONE', `stream ${token.streamId} at port ${token.port}: ${problem}`),
    );
  }
}
