/**
 * A stream that is subscribed to again when its connection fails, as LibCarla's client does: after a second, with a token
 * asked for anew. What was published meanwhile is lost, and counted by who counts frames; five failures with no message
 * between them, or a server that no longer knows the stream, end it for good.
 */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { StreamClient, type StreamMessage } from './stream-client.js';
import type { StreamToken } from './token.js';

const longestRow = 5;

export interface SubscriptionOptions {
  readonly host: string;
  readonly connectTimeoutMs: number;
  readonly token: StreamToken;
  /** pause before it is tried again; LibCarla waits 1000 */
  readonly retryMs: number;
  /** The token to go on with. Rejects with CARLA_REFUSED where the stream is no more, CARLA_GONE where the server is. */
  renew(): Promise<StreamToken>;
  message(message: StreamMessage): void;
  /** the connection failed and is made again in a while */
  interrupted(error: DriveMcpError): void;
  /** subscribed; `isAgain` after an interruption */
  subscribed(isAgain: boolean): void;
  ended(error: DriveMcpError): void;
}

export class Subscription {
  readonly #options: SubscriptionOptions;
  #stream: StreamClient;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #isClosed = false;
  /** connections that failed, whether or not they came back */
  interruptions = 0;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.#stream = this.#connect(options.token, false);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#stream.close();
  }

  #connect(token: StreamToken, isAgain: boolean): StreamClient {
    const { host, connectTimeoutMs, message, subscribed } = this.#options;
    return new StreamClient({
      host,
      token,
      connectTimeoutMs,
      connected: () => subscribed(isAgain),
      message: (received) => {
        message(received);
        this.#failures = 0;
      },
      ended: (error) => this.#fail(error),
    });
  }

  #fail(error: DriveMcpError): void {
    if (this.#isClosed) return;
    this.interruptions++;
    this.#failures++;
    if (this.#failures >= longestRow) {
      this.#end(error);
      return;
    }
    this.#options.interrupted(error);
    this.#timer = setTimeout(() => void this.#again(), this.#options.retryMs);
  }

  async #again(): Promise<void> {
    try {
      const token = await this.#options.renew();
      if (!this.#isClosed) this.#stream = this.#connect(token, true);
    } catch (error) {
      if (this.#isClosed) return;
      const failure =
        error instanceof DriveMcpError
          ? error
          : new DriveMcpError('CARLA_GONE', 'stream: no token', { cause: error });
      if (failure.code === 'CARLA_TIMEOUT') this.#fail(failure);
      else this.#end(failure);
    }
  }

  #end(error: DriveMcpError): void {
    this.#isClosed = true;
    this.#options.ended(error);
  }
}
