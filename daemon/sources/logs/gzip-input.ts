import { createGunzip, type Gunzip, gunzipSync } from 'node:zlib';
import type { ByteInput } from './byte-input.js';
import type { DamageCode } from './damage-codes.js';
import { unpackBeginning } from './inflate-block.js';

/**
 * Compressed bytes taken in one step. Deflate expands at most 1,032 times, so a step of a hostile input
 * gives at most 4 MB however small the file is.
 */
const stepBytes = 4096;

/**
 * zlib gives up a step in which it finds damage with all that the step had unpacked before. The beginning of
 * the input is kept so that small files lose nothing of what can be read; of larger ones the last step is lost.
 */
const keptBytesMax = 262_144;
const recoveredBytesMax = 16_777_216;

/**
 * A gzip stream, unpacked step by step. A stream that is cut or damaged gives all that could be unpacked
 * before that place; `damage` then says what happened.
 */
export class GzipInput implements ByteInput {
  readonly #packed: ByteInput;
  readonly #gunzip: Gunzip = createGunzip();
  readonly #step = new Uint8Array(stepBytes);
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #unpackedBytes = 0;
  #unpacked: Uint8Array[] = [];
  #used = 0;
  #ended = false;
  #damage: DamageCode | null = null;
  #settle: (() => void) | null = null;

  constructor(packed: ByteInput) {
    this.#packed = packed;
    this.#gunzip.on('data', (chunk: Buffer) => {
      this.#unpacked.push(chunk);
      this.#unpackedBytes += chunk.length;
    });
    this.#gunzip.on('error', (error: NodeJS.ErrnoException) => {
      this.#damage = error.code === 'Z_BUF_ERROR' ? 'gzip_cut' : 'gzip_damaged';
      this.#recover();
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
    this.#keep(count);
    await new Promise<void>((resolve) => {
      this.#settle = resolve;
      if (count === 0) this.#gunzip.end();
      else this.#gunzip.write(this.#step.subarray(0, count), () => this.#wake());
    });
  }

  #keep(count: number): void {
    this.#keptBytes += count;
    if (this.#keptBytes <= keptBytesMax) this.#kept.push(this.#step.slice(0, count));
    else this.#kept = [];
  }

  /** Adds what the damaged step had unpacked, where the whole input is still known. */
  #recover(): void {
    if (this.#kept.length === 0) return;
    const beginning = unpackBeginning(Buffer.concat(this.#kept), gunzipSync, recoveredBytesMax);
    if (beginning.length > this.#unpackedBytes) this.#unpacked.push(beginning.subarray(this.#unpackedBytes));
  }

  #finish(): void {
    this.#kept = [];
    this.#ended = true;
    this.#wake();
  }

  #wake(): void {
    this.#settle?.();
    this.#settle = null;
  }
}
