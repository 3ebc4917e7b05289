/** Index of a recording: where each chunk is and which ticks it holds. */
export interface ChunkEntry {
  /** of the block head, from the start of the file */
  readonly offset: number;
  readonly storedBytes: number;
  readonly rawBytes: number;
  readonly firstTick: number;
  readonly lastTick: number;
  readonly crc: number;
  readonly isDeflated: boolean;
}

/** A part of the recording that cannot be read; iteration goes on behind it. */
export interface Damage {
  readonly type: 'damaged';
  /** of the chunk, from the start of the file */
  readonly offset: number;
  readonly reason: string;
  /** ticks the chunk began and ended with, −1 where unknown */
  readonly firstTick: number;
  readonly lastTick: number;
}

/** One array of numbers a chunk: a day of seconds stays below 5 MB. */
export function indexJson(chunks: readonly ChunkEntry[]): string {
  return JSON.stringify({
    chunks: chunks.map((c) => [c.offset, c.storedBytes, c.rawBytes, c.firstTick, c.lastTick, c.crc]),
  });
}

/** null where the text is no index. */
export function parseIndex(text: string): ChunkEntry[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const rows = (value as { chunks?: unknown } | null)?.chunks;
  if (!Array.isArray(rows)) return null;
  const chunks: ChunkEntry[] = [];
  for (const row of rows as unknown[]) {
    if (!Array.isArray(row) || row.length !== 6 || !row.every((n) => typeof n === 'number')) return null;
    const [offset, storedBytes, rawBytes, firstTick, lastTick, crc] = row as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    chunks.push({ offset, storedBytes, rawBytes, firstTick, lastTick, crc, isDeflated: true });
  }
  return chunks;
}
