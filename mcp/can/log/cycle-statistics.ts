import { FRAME_ERROR, FRAME_REMOTE, type FrameBatch } from '../../../daemon/core/can/frame-batch.js';
import { messageKey } from '../../../daemon/core/can/message-watch.js';
import { busOf, isExtended } from './log-words.js';

export const cycleAnomalies = ['gap', 'stopped', 'length_changed', 'short', 'long', 'off_cycle'] as const;
export type CycleAnomaly = (typeof cycleAnomalies)[number];

/** Identifiers that are followed; a log of noise has any number. */
const followedMaxCount = 4096;
/** From so many intervals on, and no more uneven than this, a message counts as cyclic (as in the daemon's watch). */
const learnCount = 20;
const jitterMaxRatio = 0.5;
/** A pause is a gap from five cycles on, but a tenth of a second at least: control units pause that long now and then. */
const gapCyclesCount = 5;
const gapMinS = 0.1;

/** One identifier of one bus. */
export interface CycleRow {
  readonly bus: string;
  readonly id: number;
  readonly ext: boolean;
  frames: number;
  firstS: number;
  lastS: number;
  minBytes: number;
  maxBytes: number;
  intervals: number;
  minS: number;
  maxS: number;
  /** running mean and sum of squared deviations of the interval (Welford) */
  meanS: number;
  squares: number;
  gaps: number;
  longestGapS: number;
  longestGapAtS: number | null;
  /** moving over about eight intervals, without gaps */
  cycleS: number;
  jitterS: number;
}

export class CycleStatistics {
  dataFrames = 0;
  errorFrames = 0;
  remoteFrames = 0;
  /** frames of identifiers beyond those that are followed */
  unfollowedFrames = 0;
  firstS = Number.POSITIVE_INFINITY;
  lastS = Number.NEGATIVE_INFINITY;
  readonly #rows = new Map<number, CycleRow>();
  readonly #busLastS = new Map<string, number>();

  consume(batch: FrameBatch): void {
    for (let i = 0; i < batch.count; i++) {
      const flags = batch.flags[i]!;
      const tS = batch.tS[i]!;
      if (tS < this.firstS) this.firstS = tS;
      if (tS > this.lastS) this.lastS = tS;
      if ((flags & FRAME_ERROR) !== 0) this.errorFrames++;
      else if ((flags & FRAME_REMOTE) !== 0) this.remoteFrames++;
      else this.#frame(batch, i, tS);
    }
  }

  /** By bus, then width, then identifier. */
  rows(): readonly CycleRow[] {
    return [...this.#rows.values()].sort(
      (a, b) => compare(a.bus, b.bus) || Number(a.ext) - Number(b.ext) || a.id - b.id,
    );
  }

  /** What the times and lengths of one identifier show, without a DBC. */
  anomaliesOf(row: CycleRow): CycleAnomaly[] {
    const found: CycleAnomaly[] = [];
    if (row.gaps > 0) found.push('gap');
    const silentS = (this.#busLastS.get(row.bus) ?? row.lastS) - row.lastS;
    if (isCyclic(row) && silentS > gapFrom(row)) found.push('stopped');
    if (row.minBytes !== row.maxBytes) found.push('length_changed');
    return found;
  }

  #frame(batch: FrameBatch, i: number, tS: number): void {
    this.dataFrames++;
    const ext = isExtended(batch, i);
    const id = batch.id[i]!;
    const bytes = batch.length[i]!;
    const key = messageKey(batch.bus[i]!, id, ext);
    let row = this.#rows.get(key);
    if (row === undefined) {
      if (this.#rows.size >= followedMaxCount) {
        this.unfollowedFrames++;
        return;
      }
      row = newRow(busOf(batch, i), id, ext, tS, bytes);
      this.#rows.set(key, row);
    } else {
      row.frames++;
      row.minBytes = Math.min(row.minBytes, bytes);
      row.maxBytes = Math.max(row.maxBytes, bytes);
      interval(row, tS);
    }
    this.#busLastS.set(row.bus, Math.max(this.#busLastS.get(row.bus) ?? tS, tS));
  }
}

function interval(row: CycleRow, tS: number): void {
  const gapS = tS - row.lastS;
  // A clock that was set back says nothing about cycles.
  if (!(gapS >= 0)) {
    row.lastS = tS;
    return;
  }
  row.lastS = tS;
  row.intervals++;
  row.minS = Math.min(row.minS, gapS);
  row.maxS = Math.max(row.maxS, gapS);
  const delta = gapS - row.meanS;
  row.meanS += delta / row.intervals;
  row.squares += delta * (gapS - row.meanS);
  if (isCyclic(row) && gapS > gapFrom(row)) {
    row.gaps++;
    if (gapS > row.longestGapS) {
      row.longestGapS = gapS;
      row.longestGapAtS = tS - gapS;
    }
    return;
  }
  if (row.cycleS === 0) row.cycleS = gapS;
  row.jitterS += (Math.abs(gapS - row.cycleS) - row.jitterS) / 8;
  row.cycleS += (gapS - row.cycleS) / 8;
}

function isCyclic({ intervals, cycleS, jitterS }: CycleRow): boolean {
  return intervals >= learnCount && cycleS > 0 && jitterS <= jitterMaxRatio * cycleS;
}

function gapFrom({ cycleS }: CycleRow): number {
  return Math.max(gapMinS, gapCyclesCount * cycleS);
}

function newRow(bus: string, id: number, ext: boolean, tS: number, bytes: number): CycleRow {
  return {
    bus,
    id,
    ext,
    frames: 1,
    firstS: tS,
    lastS: tS,
    minBytes: bytes,
    maxBytes: bytes,
    intervals: 0,
    minS: Number.POSITIVE_INFINITY,
    maxS: 0,
    meanS: 0,
    squares: 0,
    gaps: 0,
    longestGapS: 0,
    longestGapAtS: null,
    cycleS: 0,
    jitterS: 0,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
