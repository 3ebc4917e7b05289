/** Simulated frames as candump lines on a Unix socket: for readers without CAN in their kernel, any number one after another. */
import { createServer, type Server, type Socket } from 'node:net';
import type { FrameBatch } from '../core/can/frame-batch.js';
import { causeText } from '../core/cause-text.js';
import { DriveMcpError } from '../core/errors.js';
import { isAnswered, listenAt, type SocketPlace } from '../rpc/lines/socket-place.js';
import { candumpLine } from '../sources/logs/candump-line.js';

const readersMax = 8;
/** Half a minute of a car's frames; a reader that is further behind is cut off, because lines that are missing look like a fault. */
const backlogBytesMax = 512 * 1024;
const farewellMs = 500;

export class CandumpSocket {
  readonly name = 'can_socket';
  readonly #path: string;
  readonly #startWallUs: number;
  readonly #server: Server;
  readonly #readers = new Set<Socket>();
  #place: SocketPlace | null = null;
  #frames = 0;
  #accepted = 0;
  #turnedAway = 0;
  #cut = 0;

  constructor(path: string, startWallMs: number) {
    this.#path = path;
    this.#startWallUs = startWallMs * 1000;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** @throws DriveMcpError ADDRESS_UNAVAILABLE */
  async open(): Promise<void> {
    try {
      if (await isAnswered(this.#path)) throw new Error('another process listens there');
      this.#place = await listenAt(this.#server, this.#path, { isFolderOurs: false });
    } catch (cause) {
      throw new DriveMcpError('ADDRESS_UNAVAILABLE', `no socket: ${causeText(cause)}`, {
        location: { file: this.#path },
        cause,
        hint: 'name a place in a folder that exists and that this user may write to',
      });
    }
  }

  take(batch: FrameBatch, tUs: Float64Array): void {
    this.#frames += batch.count;
    if (this.#readers.size === 0) return;
    let text = '';
    for (let i = 0; i < batch.count; i++) text += candumpLine(batch, i, this.#startWallUs + tUs[i]!);
    for (const reader of this.#readers) {
      reader.write(text);
      if (reader.writableLength <= backlogBytesMax) continue;
      this.#cut++;
      reader.destroy();
    }
  }

  counters() {
    return {
      frames: this.#frames,
      readers: this.#readers.size,
      accepted: this.#accepted,
      turned_away: this.#turnedAway,
      cut_slow: this.#cut,
    };
  }

  async close(): Promise<void> {
    if (this.#place === null) return;
    await this.#place.clear();
    const ended = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    // A reader that reads gets what is on its way to it.
    for (const reader of this.#readers) reader.end();
    const timer = setTimeout(() => {
      for (const reader of this.#readers) reader.destroy();
    }, farewellMs);
    await ended;
    clearTimeout(timer);
    await this.#place.forget();
  }

  #accept(socket: Socket): void {
    if (this.#readers.size >= readersMax) {
      this.#turnedAway++;
      socket.destroy();
      return;
    }
    this.#accepted++;
    this.#readers.add(socket);
    // Nothing that a reader says is read; that it ends is.
    socket.resume();
    socket.on('error', () => {});
    socket.on('close', () => this.#readers.delete(socket));
  }
}
