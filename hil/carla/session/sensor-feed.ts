/** One sensor's stream: keeps the newest message; what was not taken before the next came is counted. */
import type { DriveMcpError } from '../../../daemon/core/errors.js';
import { StreamClient, type StreamMessage } from '../stream/stream-client.js';
import type { StreamToken } from '../stream/token.js';

export class SensorFeed {
  readonly id: number;
  readonly typeId: string;
  readonly #stream: StreamClient;
  #latest: StreamMessage | null = null;
  /** messages replaced before anybody looked: queue of one, newest wins */
  missed = 0;
  received = 0;
  end: DriveMcpError | null = null;

  constructor(id: number, typeId: string, host: string, token: StreamToken, connectTimeoutMs: number) {
    this.id = id;
    this.typeId = typeId;
    this.#stream = new StreamClient({
      host,
      token,
      connectTimeoutMs,
      message: (message) => {
        if (this.#latest !== null) this.missed++;
        this.received++;
        this.#latest = message;
      },
      ended: (error) => {
        this.end = error;
      },
    });
  }

  /** The newest message since the last call, or null. */
  take(): StreamMessage | null {
    const latest = this.#latest;
    this.#latest = null;
    return latest;
  }

  close(): void {
    this.#stream.close();
  }
}
