/** libjpeg-turbo as WebAssembly (package @cornerstonejs/codec-libjpeg-turbo-8bit), with the types that it does not bring. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export interface TurboFrame {
  readonly width: number;
  readonly height: number;
  readonly bitsPerSample: number;
  readonly componentCount: number;
  readonly isSigned: boolean;
}

export interface TurboEncoder {
  /** where the pixels go, RGB, rows from the top; valid until the next call */
  getDecodedBuffer(frame: TurboFrame): Uint8Array;
  /** 0 = baseline */
  setProgressive(isProgressive: number): void;
  setQuality(quality: number): void;
  /** as TJSAMP: 0 = 4:4:4, 1 = 4:2:2, 2 = 4:2:0 */
  setSubSampling(sampling: number): void;
  encode(): void;
  /** a copy */
  getEncodedBuffer(): Uint8ClampedArray;
}

export interface TurboDecoder {
  getEncodedBuffer(bytes: number): Uint8Array;
  decode(): void;
  getFrameInfo(): TurboFrame;
  getDecodedBuffer(): Uint8Array;
}

export interface TurboJpeg {
  readonly JPEGEncoder: new () => TurboEncoder;
  readonly JPEGDecoder: new () => TurboDecoder;
}

const name = '@cornerstonejs/codec-libjpeg-turbo-8bit';

/** A module with a memory of its own. Rejects where the package is not whole. */
export async function loadTurboJpeg(): Promise<TurboJpeg> {
  const require = createRequire(import.meta.url);
  const factory = require(`${name}/wasmjs`) as (options: { wasmBinary: Buffer }) => Promise<TurboJpeg>;
  return factory({ wasmBinary: readFileSync(require.resolve(`${name}/wasm`)) });
}
