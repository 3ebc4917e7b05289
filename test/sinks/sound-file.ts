import { readFileSync } from 'node:fs';

export interface SoundFile {
  readonly seconds: number;
  /** root mean square of the samples, 1 = full scale */
  readonly rms: number;
}

/** Reads 16-bit PCM mono, as espeak-ng writes it; the sizes in its header are not relied on. */
export function soundFile(path: string): SoundFile {
  const bytes = readFileSync(path);
  const at = bytes.indexOf('data', 12, 'latin1') + 8;
  const rate = bytes.readUInt32LE(24);
  const count = Math.floor((bytes.length - at) / 2);
  let sum = 0;
  for (let i = 0; i < count; i++) sum += (bytes.readInt16LE(at + 2 * i) / 32_768) ** 2;
  return { seconds: count / rate, rms: count === 0 ? 0 : Math.sqrt(sum / count) };
}
