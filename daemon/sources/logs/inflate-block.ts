import { constants, inflateSync, type ZlibOptions } from 'node:zlib';

/** What could be unpacked; `isWhole` false where the packed bytes are cut, damaged or too many. */
export interface InflatedBlock {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
  /** more than the bound: nothing was unpacked */
  readonly isTooLarge: boolean;
}

/** Finding the damage unpacks a block some twenty times: this bounds what a hostile file can make of that. */
const recoveredBytesMax = 8_388_608;
/** The same bound in relation to the packed bytes; frames of a bus become a tenth of their size when packed. */
const recoveredRatioMax = 32;

/** Unpacks one zlib block of at most `lengthMax` bytes; of a damaged one everything before the damage. */
export function inflateBlock(packed: Uint8Array, lengthMax: number): InflatedBlock {
  try {
    return { bytes: inflateSync(packed, { maxOutputLength: lengthMax }), isWhole: true, isTooLarge: false };
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const bound = Math.min(lengthMax, recoveredBytesMax, packed.length * recoveredRatioMax);
    const recoverMax = isTooLarge ? 0 : bound;
    return { bytes: unpackBeginning(packed, inflateSync, recoverMax), isWhole: false, isTooLarge };
  }
}

/** Everything before the damage, found by halving: a shorter beginning unpacks, a longer one does not. */
export function unpackBeginning(
  packed: Uint8Array,
  unpack: (bytes: Uint8Array, options: ZlibOptions) => Buffer,
  lengthMax: number,
): Buffer {
  let best: Buffer = Buffer.alloc(0);
  if (lengthMax === 0) return best;
  let good = 0;
  let bad = packed.length + 1;
  while (bad - good > 1) {
    // The whole first: a block that is only cut unpacks in one step.
    const length = good === 0 && bad > packed.length ? packed.length : (good + bad) >> 1;
    try {
      best = unpack(packed.subarray(0, length), {
        maxOutputLength: lengthMax,
        finishFlush: constants.Z_SYNC_FLUSH,
      });
      good = length;
    } catch {
      bad = length;
    }
  }
  return best;
}
