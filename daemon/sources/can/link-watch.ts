/** Watches network links through one netlink socket: what the kernel announces, asked for without waiting. */
import type { HostModule } from '../../../native/index.js';
import type { CanInterface } from './can-interface.js';
import { type LinkMessage, linkDumpRequest, readLinkMessages } from './link-message.js';

const datagramBytes = 65_536;
/** errno: the kernel had to drop announcements because the socket's queue was full */
const ENOBUFS = 105;

/** Tells each interface what the kernel has announced about it. */
export function hearLinks(links: LinkWatch, interfaces: readonly CanInterface[], tUs: number): void {
  for (const message of links.poll()) {
    if (message.kind !== 'link' && message.kind !== 'gone') continue;
    for (const one of interfaces) if (one.port.name === message.name) one.onLink(message, tUs);
  }
}

export class LinkWatch {
  /** announcements that the kernel dropped; after each the whole list is asked for again */
  lostCount = 0;
  readonly #host: HostModule;
  readonly #fd: number;
  readonly #datagram = new Uint8Array(datagramBytes);
  #sequence = 0;

  /** @throws Error with errno when there is no netlink */
  constructor(host: HostModule) {
    this.#host = host;
    this.#fd = host.linkSocket();
    if (this.#fd < 0) throw new Error(`no netlink socket: errno ${-this.#fd}`);
    this.ask();
  }

  /** What has been announced since the last call, oldest first. */
  poll(): LinkMessage[] {
    const messages: LinkMessage[] = [];
    for (;;) {
      const length = this.#host.linkReceive(this.#fd, this.#datagram);
      if (length === -ENOBUFS) {
        this.lostCount++;
        this.ask();
        continue;
      }
      if (length <= 0) return messages;
      messages.push(...readLinkMessages(this.#datagram.subarray(0, length)));
    }
  }

  close(): void {
    this.#host.closeDescriptor(this.#fd);
  }

  /** Asks for every link; the answers come with the next polls. */
  ask(): void {
    this.#host.linkRequest(this.#fd, linkDumpRequest(++this.#sequence));
  }
}
