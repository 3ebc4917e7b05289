/** Attempts to send on a CAN socket, denied by the sandbox, as the state of a source: so they reach records and modes. */
import type { HostModule } from '../../../native/index.js';
import type { SourceState } from '../../core/tick.js';

export class TransmitAttempts {
  readonly #host: HostModule;
  #told = 0;
  #detail = '';

  constructor(host: HostModule) {
    this.#host = host;
  }

  /** denied calls so far; null where the kernel cannot tell (Linux before 5.7) */
  get total(): number | null {
    const total = this.#host.deniedCalls();
    return total < 0 ? null : total;
  }

  /**
   * Null as long as nobody tried. After that for the rest of the run: something in this process or in a child of it
   * does what nothing here should do, so the daemon goes on with caution; what changes is the count.
   */
  state(): SourceState | null {
    const total = this.total ?? 0;
    if (total === 0) return null;
    if (total !== this.#told) {
      this.#told = total;
      this.#detail = `denied: ${this.#host.describeDenied()}`;
    }
    return { name: 'transmit', kind: 'can', required: false, state: 'stale', detail: this.#detail };
  }
}
