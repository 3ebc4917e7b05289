/** A client of the cockpit port. */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { JsonObject } from '../../../daemon/core/tick.js';
import {
  connectLines,
  type LineService,
  type Lines,
  resultOf,
} from '../../../daemon/rpc/lines/line-client.js';
import type { configObject, PropertyValue } from '../vhal/property-config.js';
import type { StatusCode } from '../vhal/status-code.js';
import { answerMaxBytes, cockpitProtocolVersion } from './protocol.js';
import type { SubscribeWish } from './subscriptions.js';

const answerMaxMs = 5000;

export type ConfigObject = ReturnType<typeof configObject>;

export interface ValueObject {
  readonly prop: string;
  readonly id: number;
  readonly area: number;
  readonly area_name: string;
  readonly availability: string;
  readonly value: PropertyValue | null;
  readonly t_s: number;
}

export interface ResultObject extends Partial<ValueObject> {
  readonly status: StatusCode;
  readonly message?: string;
}

export interface Wanted {
  readonly prop: string | number;
  readonly area?: number;
}

export class CockpitClient {
  /** what the port said of itself */
  readonly greeting: JsonObject;
  readonly #lines: Lines;
  readonly #path: string;
  readonly #events: JsonObject[] = [];
  #lastId = 1;

  private constructor(lines: Lines, path: string, greeting: JsonObject) {
    this.#lines = lines;
    this.#path = path;
    this.greeting = greeting;
  }

  /** @throws DriveMcpError COCKPIT_ABSENT where nobody answers, COCKPIT_REFUSED where the answer is no */
  static async connect(path: string, signal: AbortSignal): Promise<CockpitClient> {
    const lines = await connectLines(path, cockpitService, signal);
    try {
      lines.send({ id: 1, method: 'hello', version: cockpitProtocolVersion, client: 'drivemcp' });
      const greeting = resultOf(await lines.next(answerMaxMs), path, cockpitService);
      return new CockpitClient(lines, path, greeting);
    } catch (error) {
      lines.close();
      throw error;
    }
  }

  async list(): Promise<readonly ConfigObject[]> {
    return (await this.#ask({ method: 'list' }))['configs'] as unknown as readonly ConfigObject[];
  }

  async get(values: readonly Wanted[]): Promise<readonly ResultObject[]> {
    return this.#results({ method: 'get', values: values as unknown as JsonObject[] });
  }

  async set(
    values: readonly (Wanted & { readonly value: PropertyValue })[],
  ): Promise<readonly ResultObject[]> {
    return this.#results({ method: 'set', values: values as unknown as JsonObject[] });
  }

  async subscribe(props: readonly SubscribeWish[]): Promise<readonly ResultObject[]> {
    return this.#results({ method: 'subscribe', props: props as unknown as JsonObject[] });
  }

  /** The values of the next event; waits as long as it takes. */
  async next(): Promise<readonly ValueObject[]> {
    const event = this.#events.shift() ?? (await this.#lines.next(Number.POSITIVE_INFINITY));
    return (event['values'] ?? []) as unknown as readonly ValueObject[];
  }

  close(): void {
    this.#lines.close();
  }

  async #results(request: JsonObject): Promise<readonly ResultObject[]> {
    return (await this.#ask(request))['results'] as unknown as readonly ResultObject[];
  }

  async #ask(request: JsonObject): Promise<JsonObject> {
    const id = ++this.#lastId;
    this.#lines.send({ id, ...request });
    for (;;) {
      const line = await this.#lines.next(answerMaxMs);
      // Events may come before the answer.
      if (line['event'] === undefined) return resultOf(line, this.#path, cockpitService);
      this.#events.push(line);
    }
  }
}

const cockpitService: LineService = {
  answerMaxBytes,
  absent(path, cause) {
    const { code, message } = (cause ?? {}) as NodeJS.ErrnoException;
    const why =
      code === 'ENOENT'
        ? 'there is no cockpit port here'
        : code === 'ECONNREFUSED'
          ? 'the simulator that had its cockpit port here is gone'
          : code === 'EACCES'
            ? 'this user may not use the cockpit port'
            : `the cockpit port does not answer${message === undefined ? '' : ` (${code ?? message})`}`;
    return new DriveMcpError('COCKPIT_ABSENT', why, {
      location: { file: path },
      ...(cause === undefined ? {} : { cause }),
    });
  },
  refused: (path, why) => new DriveMcpError('COCKPIT_REFUSED', why, { location: { file: path } }),
};
