import type { BlockFile } from './block-file.js';
import type { DataGroup } from './bus-group.js';
import { DataStream } from './data-stream.js';
import { RecordWalker } from './record-walker.js';

/** Going back to the start costs a pass through the file; a file that asks for it again and again is damaged. */
const restartsMax = 8;

/**
 * Finds payload records that stand far from the frame they belong to: a second walk through the same data,
 * which follows the offsets of the frames.
 */
export class PayloadSearch {
  bytes: Buffer = Buffer.alloc(0);
  at = 0;
  length = 0;
  readonly #start: () => RecordWalker;
  readonly #recordId: number;
  #walker: RecordWalker;
  #offset = 0;
  #restarts = 0;

  constructor(file: BlockFile, group: DataGroup, recordId: number, isOpenEnded: boolean) {
    this.#recordId = recordId;
    this.#start = () => new RecordWalker(new DataStream(file, group.dataAddress, isOpenEnded), group);
    this.#walker = this.#start();
  }

  /** Moves to the record at this offset of all records of the kind put together; false where there is none. */
  find(offset: number): boolean {
    if (offset < this.#offset) {
      if (++this.#restarts > restartsMax) return false;
      this.#walker = this.#start();
      this.#offset = 0;
    }
    while (this.#offset <= offset) {
      const group = this.#walker.next();
      // Behind lost records the offsets cannot be counted any more.
      if (group === null || this.#walker.losses > 0) return false;
      if (group.recordId !== this.#recordId) continue;
      const isFound = this.#offset === offset;
      this.#offset += 4 + this.#walker.length;
      if (!isFound) continue;
      this.bytes = this.#walker.bytes;
      this.at = this.#walker.at;
      this.length = this.#walker.length;
      return true;
    }
    return false;
  }
}
