import { createGunzip, type Gunzip } from 'node:zlib';
import type { ByteInput } from './byte-input.js';
import type { DamageCode } from './damage-codes.js';

/**
 * Compressed bytes taken in one step. Deflate expands at most 1,032 times, so a step of a hostile input
 * gives at most 4 MB however small the file is.
 */
const stepBytes = 4096;

/**
 * A gzip stream, unpacked step by step. A stream that is cut or damaged gives all that could be unpacked
 * before that place; `damage` then says what happened.
 */
export class GzipInput implements ByteInput {
  readonly #packed: ByteInput;
  readonly #gunzip: Gunzip = createGunzip();
  readonly #step = new Uint8Array(stepBytes);
  #unpacked: Uint8Array[] = [];
  #used = 0;
  #ended = false;
  #damage: DamageCode | null = null;
  #settle: (() => void) | null = null;

  constructor(packed: ByteInput) {
    this.#packed = packed;
    this.#gunzip.on('data', (chunk: Buffer) => this.#unpacked.push(chunk));
    this.#gunzip.on('error', (error: NodeJS.ErrnoException) => {
      this.#damage = error.code === 'Z_BUF_ERROR' ? 'gzip_cut' : 'gzip_damaged';
      this.#finish();
    });
    this.#gunzip.on('end', () => this.#finish());
  }

  get isLive(): boolean {
    return this.#packed.isLive;
  }

  get damage(): DamageCode | null {
    return this.#damage;
  }

  async read(target: Uint8Array, offset: number): Promise<number> {
    for (;;) {
      const chunk = this.#unpacked[0];
      if (chunk !== undefined) {
        const count = Math.min(chunk.length - this.#used, target.length - offset);
        target.set(chunk.subarray(this.#used, this.#used + count), offset);
        this.#used += count;
        if (this.#used === chunk.length) {
          this.#unpacked.shift();
          this.#used = 0;
        }
        if (count > 0) return count;
        continue;
      }
      if (this.#ended) return 0;
      await this.#unpackStep();
    }
  }

  async close(): Promise<void> {
    this.#gunzip.destroy();
    this.#finish();
    await this.#packed.close();
  }

  async #unpackStep(): Promise<void> {
    const count = await this.#packed.read(this.#step, 0);
    if (this.#ended) return;
    await new Promise<void>((resolve) => {
      this.#settle = resolve;
      if (count === 0) this.#gunzip.end();
      else this.#gunzip.write(this.#step.subarray(0, count), () => this.#wake());
    });
  }

  #finish(): void {
    this.#ended = true;
    this.#wake();
  }

  #wake(): void {
    this.#settle?.();
    this.#settle = null;
  }
}
