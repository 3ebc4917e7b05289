/** Finds the chunks of a recording: by its index, or, where that is missing, by walking from head to head. */
import type { FileHandle } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';
import { type ChunkEntry, type Damage, parseIndex } from './chunk-index.js';
import {
  blockHeadBytes,
  blockTypes,
  decodeBlockHead,
  decodeTrailer,
  findBlockMagic,
  maxRawBytes,
  trailerBytes,
} from './container-layout.js';
import { crc32c } from './crc32c.js';

export interface LocatedChunks {
  readonly chunks: ChunkEntry[];
  /** false: no intact index and trailer, the recording was not closed */
  readonly isClosed: boolean;
  /** stretches between chunks that hold no intact head */
  readonly damage: Damage[];
}

/** `from`: end of the header block; `size`: of the file. */
export async function locateChunks(handle: FileHandle, from: number, size: number): Promise<LocatedChunks> {
  const indexed = await readIndex(handle, size);
  return indexed === null ? walkHeads(handle, from, size) : { chunks: indexed, isClosed: true, damage: [] };
}

async function readIndex(handle: FileHandle, size: number): Promise<ChunkEntry[] | null> {
  const offset = decodeTrailer(await readAt(handle, Math.max(0, size - trailerBytes), trailerBytes));
  if (offset === null || offset >= size) return null;
  const head = decodeBlockHead(await readAt(handle, offset, blockHeadBytes));
  if (head === null || head.type !== blockTypes.index || head.storedBytes > size) return null;
  const stored = await readAt(handle, offset + blockHeadBytes, head.storedBytes);
  if (crc32c(stored) !== head.crc) return null;
  try {
    const raw = inflateRawSync(stored, { maxOutputLength: Math.max(1, head.rawBytes) });
    const chunks = parseIndex(raw.toString('utf8'));
    // An index may be forged; what it says of sizes must at least be possible.
    return chunks?.every((chunk) => isPossible(chunk, size)) ? chunks : null;
  } catch {
    return null;
  }
}

function isPossible(chunk: ChunkEntry, size: number): boolean {
  const { offset, storedBytes, rawBytes } = chunk;
  const areCounts = [offset, storedBytes, rawBytes].every((n) => Number.isSafeInteger(n) && n >= 0);
  return areCounts && rawBytes <= maxRawBytes && storedBytes <= maxRawBytes && offset + storedBytes <= size;
}

async function walkHeads(handle: FileHandle, from: number, size: number): Promise<LocatedChunks> {
  const chunks: ChunkEntry[] = [];
  const damage: Damage[] = [];
  for (let offset = from; offset < size; ) {
    const head = decodeBlockHead(await readAt(handle, offset, blockHeadBytes));
    if (head === null) {
      const next = await nextHead(handle, offset + 1, size);
      const reason = next === null ? 'end cut' : 'no chunk begins here';
      damage.push({ type: 'damaged', offset, reason, firstTick: -1, lastTick: -1 });
      if (next === null) break;
      offset = next;
      continue;
    }
    if (head.type === blockTypes.chunk) chunks.push({ offset, ...head });
    offset += blockHeadBytes + head.storedBytes;
  }
  return { chunks, isClosed: false, damage };
}

/** Next place with an intact head: only what lies between is lost. */
async function nextHead(handle: FileHandle, from: number, size: number): Promise<number | null> {
  const windowBytes = 1 << 20;
  for (let start = from; start < size; start += windowBytes) {
    const window = await readAt(handle, start, windowBytes + blockHeadBytes);
    for (let at = findBlockMagic(window, 0); at >= 0; at = findBlockMagic(window, at + 1)) {
      if (decodeBlockHead(window.subarray(at, at + blockHeadBytes)) !== null) return start + at;
    }
  }
  return null;
}

async function readAt(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, 0, length, offset);
  return bytes.subarray(0, bytesRead);
}
