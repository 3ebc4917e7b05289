/** Collects records until a chunk is worth compressing. */
export interface SealedChunk {
  readonly raw: Buffer;
  readonly records: number;
  readonly firstTick: number;
  readonly lastTick: number;
}

export class ChunkBuilder {
  #records: Buffer[] = [];
  #bytes = 0;
  #firstTick = -1;
  #lastTick = -1;

  get bytes(): number {
    return this.#bytes;
  }

  /** `tick` −1 for records that belong to none. */
  add(record: Buffer, tick: number): void {
    this.#records.push(record);
    this.#bytes += record.length;
    if (tick < 0) return;
    if (this.#firstTick < 0) this.#firstTick = tick;
    this.#lastTick = tick;
  }

  /** The chunk so far, or null where there is none; begins the next. */
  seal(): SealedChunk | null {
    if (this.#records.length === 0) return null;
    const sealed = {
      raw: Buffer.concat(this.#records, this.#bytes),
      records: this.#records.length,
      firstTick: this.#firstTick,
      lastTick: this.#lastTick,
    };
    this.#records = [];
    this.#bytes = 0;
    this.#firstTick = -1;
    this.#lastTick = -1;
    return sealed;
  }
}
