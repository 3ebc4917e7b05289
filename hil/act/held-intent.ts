import type { ActIntent } from '../../daemon/core/tick.js';

/** Three ticks of 20 Hz and some way: an intent that is not said again so long is not meant any more. */
export const intentHoldUs = 200_000;

/** The intent in force at whoever carries it out: refreshed every tick by who decides, gone when that falls silent. */
export class HeldIntent {
  #intent: ActIntent | null = null;
  #untilUs = 0;
  lapsed = 0;

  /** @param nowUs on the clock of `intent.expiresAtUs` */
  hold(intent: ActIntent, nowUs: number): void {
    this.#intent = intent;
    this.#untilUs = Math.min(intent.expiresAtUs, nowUs + intentHoldUs);
  }

  release(): void {
    this.#intent = null;
  }

  at(nowUs: number): ActIntent | null {
    if (this.#intent !== null && nowUs > this.#untilUs) {
      if (this.#untilUs < this.#intent.expiresAtUs) this.lapsed++;
      this.#intent = null;
    }
    return this.#intent;
  }
}
