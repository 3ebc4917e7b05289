/** Who else is on the bus: identifiers that were heard and that the bridge cannot have sent. */
import { idText } from '../../daemon/vehicles/diagnostics/diagnostic-id.js';
import type { HeardFrame } from '../transmit/can-channel.js';

/** Names kept; a bus full of nodes must not fill the memory. */
const idsMax = 256;
const idsShown = 8;

export class ForeignFrames {
  readonly #ids = new Set<string>();
  count = 0;

  hear({ id, ext }: HeardFrame): void {
    this.count++;
    if (this.#ids.size < idsMax) this.#ids.add(idText(id, ext));
  }

  /** `3 frames of others: 1A0, 2C4 and 5 identifiers more` */
  describe(): string {
    const ids = [...this.#ids].sort();
    const more = ids.length - idsShown;
    const named = ids.slice(0, idsShown).join(', ');
    const frames = `${this.count} frame${this.count === 1 ? '' : 's'} of others`;
    return `${frames}: ${named}${more > 0 ? ` and ${more}${ids.length === idsMax ? ' or more' : ''} identifiers more` : ''}`;
  }
}
