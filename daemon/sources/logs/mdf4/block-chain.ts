import type { BlockFile, Mdf4Block } from './block-file.js';

const blocksMax = 10_000;

/** Follows the first link of blocks of one type; a circle or a block of another type ends the chain. */
export function* chain(
  file: BlockFile,
  address: number,
  type: string,
  damaged: () => void,
): Generator<Mdf4Block> {
  const seen = new Set<number>();
  while (address !== 0) {
    const block = seen.has(address) || seen.size >= blocksMax ? null : file.blockOf(address, type);
    if (block === null) {
      damaged();
      return;
    }
    seen.add(address);
    yield block;
    address = block.links[0] ?? 0;
  }
}
