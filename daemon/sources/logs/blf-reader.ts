import { BlfFrames } from './blf-frame.js';
import {
  baseHeaderBytes,
  blfFileMagic,
  blfObjectMagic,
  blfTypes,
  containerBytesMax,
  isPlausible,
  objectFollows,
  objectSize,
  objectType,
  paddedObject,
  paddingBytesMax,
} from './blf-object.js';
import type { ByteInput } from './byte-input.js';
import { ByteQueue } from './byte-queue.js';
import type { DamageCode } from './damage-codes.js';
import type { FrameWriter } from './frame-writer.js';
import { inflateBlock } from './inflate-block.js';
import type { FrameReader } from './log-source.js';

const containerHeaderBytes = 32;
const methodOffset = 16;
const methodNone = 0;
const methodZlib = 2;
const fileSizeOffset = 16;

/**
 * Vector BLF. Two levels of the same objects: the file is a row of containers, what is in them, put together,
 * is again a row of objects, which may be split between two containers. After damage both levels go on at the
 * next object's magic.
 */
export class BlfReader implements FrameReader {
  readonly hasAbsoluteTime = false;
  readonly #input: ByteInput;
  readonly #file = new ByteQueue();
  readonly #objects = new ByteQueue();
  readonly #frames = new BlfFrames();
  #announcedBytes = 0;
  #record = 0;
  #ended = false;
  /** the next object is still being searched behind one that was damaged */
  #isLost = false;
  #isCut = false;

  constructor(input: ByteInput) {
    this.#input = input;
  }

  async fill(writer: FrameWriter): Promise<boolean> {
    for (;;) {
      this.#takeObjects(writer);
      if (writer.batch.isFull || (this.#input.isLive && writer.batch.count > 0)) return true;
      if (this.#ended) return false;
      await this.#nextContainer(writer);
    }
  }

  close(): Promise<void> {
    return this.#input.close();
  }

  /** Takes whole objects out of what has been unpacked. */
  #takeObjects(writer: FrameWriter): void {
    const { view } = this.#objects;
    let at = 0;
    while (!writer.batch.isFull) {
      at = this.#nextObject(view, at, writer);
      if (at + blfObjectMagic.length > view.length) break;
      const isHeaderWhole = at + baseHeaderBytes <= view.length;
      const end = at + (isHeaderWhole ? objectSize(view, at) : baseHeaderBytes);
      const isPossible = !isHeaderWhole || isPlausible(view, at);
      // The rest of the object is in the next container.
      if (isPossible && end > view.length && !this.#ended) break;
      this.#record++;
      if (!isPossible || end > view.length || !objectFollows(view, end)) {
        const isLast = this.#ended && view.indexOf(blfObjectMagic, at + 1) < 0;
        this.#lost(isLast ? 'file_cut' : 'object_damaged', writer);
        at++;
        continue;
      }
      this.#isLost = false;
      const outcome = this.#frames.add(view, at, this.#record, writer);
      if (outcome === 'nothing') writer.ignored++;
      else if (outcome !== 'frame') writer.damage(this.#record, outcome);
      at = end;
    }
    this.#objects.drop(Math.min(at, view.length));
  }

  /** Where the next object begins from `at` on; the last bytes of the view where none does. */
  #nextObject(view: Buffer, at: number, writer: FrameWriter): number {
    let next = paddedObject(view, at);
    if (next >= 0) return next;
    next = view.indexOf(blfObjectMagic, at);
    // The magic itself may be split between two containers.
    if (next < 0) next = Math.max(at, view.length - blfObjectMagic.length + 1);
    if (next - at > paddingBytesMax) this.#lost('object_damaged', writer);
    return next;
  }

  /** One finding for one place, however many steps it takes to find the next object behind it. */
  #lost(code: DamageCode, writer: FrameWriter): void {
    if (code === 'file_cut' ? this.#isCut : this.#isLost) return;
    if (code === 'file_cut') this.#isCut = true;
    else this.#isLost = true;
    writer.damage(this.#record, code);
  }

  /** Unpacks the next container, or takes an object that stands in the file without one. */
  async #nextContainer(writer: FrameWriter): Promise<void> {
    const queue = this.#file;
    if (!(await this.#alignFile(writer))) {
      this.#end(writer, false);
      return;
    }
    const isHeaderWhole = await queue.ensure(baseHeaderBytes, this.#input);
    let size = isHeaderWhole ? objectSize(queue.view, 0) : baseHeaderBytes;
    let isCut = !isHeaderWhole;
    let isSound = isHeaderWhole && isPlausible(queue.view, 0);
    if (isSound) {
      await queue.ensure(size + paddingBytesMax + blfObjectMagic.length, this.#input);
      isCut = queue.length < size;
      isSound = !isCut && objectFollows(queue.view, size);
    }
    if (!isSound) {
      // The size lies or the file ends: the object reaches at most to the next one.
      const next = await this.#nextMagic();
      if (next >= 0) {
        isCut = false;
        this.#record++;
        this.#lost('object_damaged', writer);
      }
      size = next >= 0 ? next : queue.length;
    } else this.#isLost = false;
    const object = queue.view.subarray(0, size);
    if (size >= containerHeaderBytes && objectType(object, 0) === blfTypes.logContainer) {
      this.#unpack(object, isSound, writer);
    } else if (isSound) this.#objects.append(object);
    queue.drop(size);
    if (isCut) this.#end(writer, true);
  }

  /**
   * Where the next object that can be one begins behind the one at the start of the window; −1 where there is none
   * in reach. Magics that cannot be true are passed here, at a stroke.
   */
  async #nextMagic(): Promise<number> {
    const queue = this.#file;
    await queue.ensure(containerBytesMax, this.#input);
    const { view } = queue;
    let next = view.indexOf(blfObjectMagic, 1);
    while (next >= 0 && next + baseHeaderBytes <= view.length && !isPlausible(view, next)) {
      next = view.indexOf(blfObjectMagic, next + 1);
    }
    return next;
  }

  #unpack(container: Buffer, isSound: boolean, writer: FrameWriter): void {
    const packed = container.subarray(containerHeaderBytes);
    const method = container.readUInt16LE(methodOffset);
    if (method === methodNone) {
      this.#objects.append(packed);
      return;
    }
    if (method !== methodZlib) {
      writer.damage(this.#record + 1, 'container_method_unknown');
      return;
    }
    const { bytes, isWhole, isTooLarge } = inflateBlock(packed, containerBytesMax);
    if (isTooLarge) writer.damage(this.#record + 1, 'container_too_large');
    else if (!isWhole && isSound) writer.damage(this.#record + 1, 'container_damaged');
    this.#objects.append(bytes);
  }

  /** Moves to the next object's magic in the file; false at the end. */
  async #alignFile(writer: FrameWriter): Promise<boolean> {
    const queue = this.#file;
    const isStart = queue.position === 0;
    if (isStart && (await queue.ensure(fileSizeOffset + 8, this.#input))) {
      const hasHeader = queue.view.toString('latin1', 0, 4) === blfFileMagic;
      this.#announcedBytes = hasHeader ? Number(queue.view.readBigUInt64LE(fileSizeOffset)) : 0;
    }
    let skipped = 0;
    for (;;) {
      const { view } = queue;
      const found = view.indexOf(blfObjectMagic);
      const drop = found >= 0 ? found : Math.max(0, view.length - (blfObjectMagic.length - 1));
      skipped += drop;
      queue.drop(drop);
      if (found >= 0 || !(await queue.ensure(queue.length + 1, this.#input))) {
        if (!isStart && skipped > paddingBytesMax) this.#lost('object_damaged', writer);
        return found >= 0;
      }
    }
  }

  #end(writer: FrameWriter, isCut: boolean): void {
    this.#ended = true;
    this.#file.drop(this.#file.length);
    const { damage } = this.#input;
    if (damage !== null) writer.damage(this.#record + 1, damage);
    else if (isCut || this.#file.position < this.#announcedBytes) this.#lost('file_cut', writer);
  }
}
