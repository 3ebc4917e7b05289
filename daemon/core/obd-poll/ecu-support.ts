/** Which PIDs an ECU says it supports: bit maps at 00, 20, 40 … E0, most significant bit first (ISO 15031-5). */

export class EcuSupport {
  readonly #pids = new Set<number>();
  /** PIDs that carry bit maps themselves: not values */
  readonly #asked = new Set<number>();

  /** Takes the answer `41 block d0 d1 d2 d3` or `49 block …`; false: too short to be a bit map. */
  take(payload: Uint8Array): boolean {
    const block = payload[1];
    if (block === undefined || block % 0x20 !== 0 || payload.length < 6) return false;
    this.#asked.add(block);
    for (let i = 0; i < 32; i++) {
      const byte = payload[2 + Math.floor(i / 8)] ?? 0;
      const weight = 2 ** (7 - (i % 8));
      if (Math.floor(byte / weight) % 2 === 1) this.#pids.add(block + i + 1);
    }
    return true;
  }

  /** The next bit map that the ECU says it has and that was not asked for, or null. */
  nextBlock(): number | null {
    for (let block = 0; block <= 0xe0; block += 0x20) {
      if (this.#asked.has(block)) continue;
      if (block === 0 || this.#pids.has(block)) return block;
    }
    return null;
  }

  /** An ECU that does not answer for a bit map it announced is not asked for it again. */
  giveUp(block: number): void {
    this.#asked.add(block);
  }

  has(pid: number): boolean {
    return pid % 0x20 !== 0 && this.#pids.has(pid);
  }

  /** ascending, without those that are bit maps */
  list(): number[] {
    return [...this.#pids].filter((pid) => pid % 0x20 !== 0).sort((a, b) => a - b);
  }
}
