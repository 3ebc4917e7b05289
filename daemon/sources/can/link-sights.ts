/** The CAN interfaces of this machine as the kernel tells of them (netlink), without a socket on any of them. */
import { type HostModule, loadHost } from '../../../native/index.js';
import {
  type InterfaceLife,
  type InterfaceState,
  newInterfaceLife,
  stepInterface,
} from '../../core/can/interface-life.js';
import { causeText } from '../../core/cause-text.js';
import { DriveMcpError } from '../../core/errors.js';
import type { LinkMessage } from './link-message.js';
import { LinkWatch } from './link-watch.js';

export interface LinkSight {
  readonly state: InterfaceState;
  /** driver family: `vcan`, `can`; null where the kernel does not say */
  readonly family: string | null;
  readonly bitrate: number | null;
  readonly isListenOnly: boolean | null;
}

/** Longest wait for the kernel's list of links; it answers within a system call. */
const firstRounds = 50;

export class LinkSights {
  readonly #links: LinkWatch;
  readonly #lives = new Map<string, InterfaceLife>();
  readonly #last = new Map<string, Extract<LinkMessage, { kind: 'link' }>>();

  /** @throws DriveMcpError CAN_UNAVAILABLE where the kernel or the native module offers no netlink */
  constructor() {
    const host = loadHost();
    if (host.module === null) throw new DriveMcpError('CAN_UNAVAILABLE', host.reason);
    this.#links = opened(host.module);
    for (let round = 0; round < firstRounds && !this.#hear(); round++);
  }

  /** The interface now. */
  look(name: string): LinkSight {
    this.#hear();
    const { controller, family } = this.#last.get(name) ?? { controller: null, family: null };
    return {
      state: this.#lives.get(name)?.state ?? 'absent',
      family,
      bitrate: controller?.bitrate ?? null,
      isListenOnly: controller?.isListenOnly ?? null,
    };
  }

  close(): void {
    this.#links.close();
  }

  /** True where the whole list has been told. */
  #hear(): boolean {
    let isWhole = false;
    for (const message of this.#links.poll()) {
      if (message.kind === 'done') isWhole = true;
      if (message.kind === 'link') {
        const { index, isUp, controller } = message;
        this.#last.set(message.name, message);
        this.#step(message.name, {
          kind: 'link',
          link: { index, isUp, controller: controller?.state ?? null },
        });
      }
      if (message.kind === 'gone' && this.#last.get(message.name)?.index === message.index)
        this.#step(message.name, { kind: 'gone' });
    }
    return isWhole;
  }

  #step(name: string, input: Parameters<typeof stepInterface>[1]): void {
    const life = this.#lives.get(name) ?? newInterfaceLife(name, 0);
    this.#lives.set(name, stepInterface(life, input, 0).life);
  }
}

function opened(host: HostModule): LinkWatch {
  try {
    return new LinkWatch(host);
  } catch (cause) {
    throw new DriveMcpError('CAN_UNAVAILABLE', causeText(cause), { cause });
  }
}
