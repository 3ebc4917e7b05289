import { DriveMcpError } from '../../../core/errors.js';
import type { DamageCode } from '../damage-codes.js';
import type { FrameWriter } from '../frame-writer.js';
import type { FrameReader } from '../log-source.js';
import type { BlockFile } from './block-file.js';
import type { Mdf4Structure } from './bus-group.js';
import { GroupCursor } from './group-cursor.js';
import { readStructure } from './read-structure.js';

/** More data groups with CAN frames than this are no vehicle; each keeps a window of its data. */
const cursorsMax = 64;

/**
 * ASAM MDF 4 bus logging. Frames of one data group come as they are stored, frames of several groups (a sorted
 * file has one for each kind of frame) are merged by their time.
 */
export class Mdf4Reader implements FrameReader {
  readonly hasAbsoluteTime = true;
  readonly #file: BlockFile;
  readonly #structure: Mdf4Structure;
  readonly #inputDamage: DamageCode | null;
  /** cursors that stand on a frame, in the order of their groups */
  #cursors: GroupCursor[] | null = null;
  #record = 0;

  /**
   * `inputDamage`: why the input that the file was unpacked from is not whole.
   * Errors: `LOG_DAMAGED` where the file has no header.
   */
  constructor(file: BlockFile, name: string, inputDamage: DamageCode | null) {
    const structure = readStructure(file);
    if (structure === null) {
      throw new DriveMcpError('LOG_DAMAGED', 'the header block of the MDF 4 file cannot be read', {
        location: { file: name },
        hint: 'the file is cut or damaged at its beginning; nothing in it can be found without the header',
      });
    }
    this.#file = file;
    this.#structure = structure;
    this.#inputDamage = inputDamage;
  }

  async fill(writer: FrameWriter): Promise<boolean> {
    this.#cursors ??= this.#start(writer);
    const cursors = this.#cursors;
    while (!writer.batch.isFull) {
      let first: GroupCursor | null = null;
      for (const cursor of cursors) if (first === null || cursor.tS < first.tS) first = cursor;
      if (first === null) return false;
      first.commit(++this.#record, writer);
      if (!first.advance(this.#record + 1, writer)) cursors.splice(cursors.indexOf(first), 1);
    }
    return true;
  }

  async close(): Promise<void> {
    this.#file.close();
  }

  #start(writer: FrameWriter): GroupCursor[] {
    const structure = this.#structure;
    if (structure.isUnfinished) writer.note(1, 'not_finalized');
    if (structure.isLocalTime) writer.note(1, 'local_time');
    if (this.#inputDamage !== null) writer.damage(1, this.#inputDamage);
    const beyond = Math.max(0, structure.dataGroups.length - cursorsMax);
    for (let n = structure.damagedBlocks + beyond; n > 0; n--) writer.damage(1, 'block_damaged');
    const cursors = structure.dataGroups
      .slice(0, cursorsMax)
      .map((group) => new GroupCursor(this.#file, structure, group));
    return cursors.filter((cursor) => cursor.advance(1, writer));
  }
}
