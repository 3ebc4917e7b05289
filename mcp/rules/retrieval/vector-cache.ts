/**
 * Vectors of passages on disk, one file a country and encoder, named by what they were made from. Encoding some hundred
 * passages with a model takes seconds, reading them back a millisecond. A file that is not exactly what was written is
 * told of and made anew; where nothing can be written, search goes on without.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { causeText } from '../../../daemon/core/cause-text.js';
import type { PassageEncoder } from './passage-encoder.js';

export interface VectorCache {
  read(familyHash: string, encoder: PassageEncoder, count: number): Float32Array[] | null;
  write(familyHash: string, encoder: PassageEncoder, vectors: readonly Float32Array[]): void;
}

const digestBytes = 32;

/** @param tell is given one line for people when a file is damaged or cannot be written */
export function vectorCache(folder: string, tell: (message: string) => void): VectorCache {
  const fileOf = (familyHash: string, { id }: PassageEncoder): string => {
    const key = createHash('sha256').update(`${familyHash}\n${id}`).digest('hex').slice(0, 32);
    return join(folder, `vectors-${key}.bin`);
  };
  return {
    read(familyHash, encoder, count) {
      const file = fileOf(familyHash, encoder);
      let bytes: Buffer;
      try {
        bytes = readFileSync(file);
      } catch {
        return null; // not made yet
      }
      const body = bytes.subarray(digestBytes);
      const isWhole =
        bytes.length === digestBytes + count * encoder.dimensions * 4 &&
        createHash('sha256').update(body).digest().equals(bytes.subarray(0, digestBytes));
      if (!isWhole) {
        tell(`${file} is damaged: the index is made anew`);
        return null;
      }
      // A copy: the pool of small buffers is not aligned to four bytes.
      const numbers = new Float32Array(new Uint8Array(body).buffer);
      return Array.from({ length: count }, (_, i) =>
        numbers.subarray(i * encoder.dimensions, (i + 1) * encoder.dimensions),
      );
    },
    write(familyHash, encoder, vectors) {
      const file = fileOf(familyHash, encoder);
      const body = Buffer.concat(
        vectors.map((one) => Buffer.from(one.buffer, one.byteOffset, one.byteLength)),
      );
      try {
        mkdirSync(folder, { recursive: true });
        const fresh = `${file}.${process.pid}`;
        writeFileSync(fresh, Buffer.concat([createHash('sha256').update(body).digest(), body]));
        renameSync(fresh, file);
      } catch (error) {
        tell(`vectors are not kept in ${folder}: ${causeText(error)}`);
      }
    },
  };
}
