/**
 * The cockpit port on a Unix socket, for processes of the same user: a head unit, `hil cockpit`. What is set here moves
 * switches of a simulated car and nothing else.
 */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { JsonObject } from '../../../daemon/core/tick.js';
import { LineServer } from '../../../daemon/rpc/lines/line-server.js';
import { isAnswered } from '../../../daemon/rpc/lines/socket-place.js';
import { type CockpitCounters, CockpitPeer } from './cockpit-peer.js';
import type { CockpitPort } from './cockpit-port.js';

/** Clients at a time; further ones are told so. */
const peersMaxCount = 8;

export interface CockpitServerParts {
  readonly port: CockpitPort;
  /** what hello is answered with, beside the version */
  readonly greeting: JsonObject;
  readonly monoMs: () => number;
}

export class CockpitServer {
  readonly #door: LineServer<CockpitPeer>;
  readonly #counters: CockpitCounters = {
    requests: 0,
    malformed: 0,
    refused: 0,
    throttled: 0,
    dropped_slow: 0,
    dropped_idle: 0,
    sets: 0,
    refused_sets: 0,
    values_coalesced: 0,
  };

  private constructor({ port, greeting, monoMs }: CockpitServerParts) {
    const counters = this.#counters;
    this.#door = new LineServer({
      peersMaxCount,
      monoMs,
      meet: (socket, onClose) => new CockpitPeer(socket, { port, greeting, counters, monoMs, onClose }),
    });
  }

  /** Listens at a path for this user alone. @throws DriveMcpError ADDRESS_UNAVAILABLE with what is in the way */
  static async open(path: string, parts: CockpitServerParts): Promise<CockpitServer> {
    const server = new CockpitServer(parts);
    try {
      if (await isAnswered(path)) throw new Error('another process listens there');
      await server.#door.listen(path, { isFolderOurs: false });
    } catch (cause) {
      throw new DriveMcpError('ADDRESS_UNAVAILABLE', `no cockpit port: ${(cause as Error).message}`, {
        location: { file: path },
        cause,
        hint: 'name a path in a folder that exists and is your own',
      });
    }
    return server;
  }

  get path(): string {
    return this.#door.path;
  }

  counters(): JsonObject {
    return { ...this.#door.counters(), ...this.#counters };
  }

  close(): Promise<void> {
    return this.#door.close();
  }
}
