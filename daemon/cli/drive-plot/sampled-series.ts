/**
 * A quantity over a drive of any length in bounded memory: what is drawn keeps every extreme and every gap wider
 * than a column of pixels (first, least, greatest and last sample a column, the M4 aggregation of Jugel et al.,
 * VLDB 2014, with which a line looks the same as if every sample had been drawn).
 */

export interface Sample {
  readonly tUs: number;
  /** null = unknown from here on */
  readonly value: number | null;
}

/** Samples kept before they are thinned; far more columns than a picture has. */
const samplesMaxCount = 16_384;
/** A column keeps at most six: four of a line, and the gaps at both its ends. */
const columnsKeptCount = samplesMaxCount / 8;
/** Beyond it a number is a broken input; clipped, the arithmetic of the axes stays finite. */
const magnitudeMax = 1e6;

export class SampledSeries {
  #samples: Sample[] = [];

  /** @param value null, NaN and infinities are gaps */
  add(tUs: number, value: number | null): void {
    const samples = this.#samples;
    const last = samples.at(-1);
    if (last !== undefined && tUs < last.tUs) return;
    const kept =
      value === null || !Number.isFinite(value)
        ? null
        : Math.max(-magnitudeMax, Math.min(magnitudeMax, value));
    // Of a run of equal values the ends say everything.
    if (last?.value === kept && samples.at(-2)?.value === kept) samples.pop();
    samples.push({ tUs, value: kept });
    if (samples.length < samplesMaxCount) return;
    const fromUs = samples[0]?.tUs ?? 0;
    this.#samples = thinToColumns(samples, fromUs, (tUs - fromUs) / columnsKeptCount);
  }

  /** in order of time */
  get samples(): readonly Sample[] {
    return this.#samples;
  }
}

/**
 * What a line through `samples` needs where all of a column falls on one pixel.
 * @param samples in order of time
 * @param columnUs width of a column; 0 and less keep everything
 * @returns some of the samples, in their order
 */
export function thinToColumns(samples: readonly Sample[], fromUs: number, columnUs: number): Sample[] {
  if (!(columnUs > 0)) return [...samples];
  const kept: Sample[] = [];
  for (let start = 0; start < samples.length; ) {
    const column = Math.floor((samples[start]!.tUs - fromUs) / columnUs);
    let end = start + 1;
    while (end < samples.length && Math.floor((samples[end]!.tUs - fromUs) / columnUs) === column) end++;
    for (const index of extremesOf(samples, start, end)) kept.push(samples[index]!);
    start = end;
  }
  return kept;
}

/** Indices of the first, last, least and greatest of `samples[start..end)` and of the known ones at its ends. */
function extremesOf(samples: readonly Sample[], start: number, end: number): number[] {
  const wanted = new Set([start, end - 1]);
  let least = -1;
  let greatest = -1;
  let last = -1;
  for (let i = start; i < end; i++) {
    const { value } = samples[i]!;
    if (value === null) continue;
    if (last < 0) wanted.add(i);
    last = i;
    if (least < 0 || value < samples[least]!.value!) least = i;
    if (greatest < 0 || value > samples[greatest]!.value!) greatest = i;
  }
  for (const index of [least, greatest, last]) if (index >= 0) wanted.add(index);
  return [...wanted].sort((a, b) => a - b);
}

/** Least and greatest known value over all series; null where nothing is known. */
export function extentOf(series: readonly (readonly Sample[])[]): { min: number; max: number } | null {
  let extent: { min: number; max: number } | null = null;
  for (const samples of series) {
    for (const { value } of samples) {
      if (value === null) continue;
      extent =
        extent === null
          ? { min: value, max: value }
          : { min: Math.min(extent.min, value), max: Math.max(extent.max, value) };
    }
  }
  return extent;
}
