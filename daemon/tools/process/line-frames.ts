/** Cuts a stream of bytes into lines of bounded length, in time and memory that grow with the bytes alone. */
export class LineFrames {
  readonly #onLine: (line: string) => void;
  readonly #onTooLong: () => void;
  #parts: Buffer[] = [];
  #size = 0;
  #isSkipping = false;

  /** @param maxBytes a longer line is told once (`onTooLong`) and left out; no more of it is kept */
  constructor(
    readonly maxBytes: number,
    on: { readonly line: (line: string) => void; readonly tooLong: () => void },
  ) {
    this.#onLine = on.line;
    this.#onTooLong = on.tooLong;
  }

  push(chunk: Buffer): void {
    for (let from = 0; from < chunk.length; ) {
      const newline = chunk.indexOf(0x0a, from);
      const to = newline < 0 ? chunk.length : newline;
      if (!this.#isSkipping && this.#size + to - from > this.maxBytes) {
        this.#isSkipping = true;
        this.#parts = [];
        this.#onTooLong();
      }
      if (!this.#isSkipping && to > from) this.#parts.push(chunk.subarray(from, to));
      this.#size += to - from;
      if (newline < 0) return;
      const line = this.#isSkipping ? null : Buffer.concat(this.#parts).toString('utf8');
      this.#parts = [];
      this.#size = 0;
      this.#isSkipping = false;
      if (line !== null) this.#onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
      from = newline + 1;
    }
  }
}
