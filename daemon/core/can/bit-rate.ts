/**
 * Which bit rate a bus has, from what a controller in listen-only mode received at each of several rates. At a wrong
 * rate a controller sees no frame at all, only errors; at the right one frames and hardly any error.
 */

/** Rates in use, bit/s, the usual ones of cars and trucks first. */
export const usualBitRates = [
  500_000, 250_000, 125_000, 1_000_000, 100_000, 83_333, 50_000, 33_333, 20_000, 10_000,
] as const;

export interface BitRateTrial {
  readonly bitrate: number;
  readonly frames: number;
  readonly errorFrames: number;
}

export type BitRateVerdict =
  | { readonly kind: 'found'; readonly bitrate: number }
  /** frames at a rate, but too many errors beside them, or too few frames */
  | { readonly kind: 'unsure'; readonly bitrate: number }
  /** errors at every rate: traffic, but at none of these rates, or the wiring is wrong */
  | { readonly kind: 'errors_only' }
  | { readonly kind: 'silent' };

/** Fewer frames may be noise that happened to pass the checksum (15 bits). */
const framesMin = 10;
/** Errors for each good frame that a bus with a fault may still show at its right rate. */
const errorsRatioMax = 0.1;

export function judgeBitRate(trials: readonly BitRateTrial[]): BitRateVerdict {
  let best: BitRateTrial | null = null;
  for (const trial of trials) if (trial.frames > (best?.frames ?? 0)) best = trial;
  if (best === null) {
    return trials.some((trial) => trial.errorFrames > 0) ? { kind: 'errors_only' } : { kind: 'silent' };
  }
  const isSure = isClear(best);
  return { kind: isSure ? 'found' : 'unsure', bitrate: best.bitrate };
}

/** No further rate need be tried. */
export function isClear({ frames, errorFrames }: BitRateTrial): boolean {
  return frames >= framesMin && errorFrames <= errorsRatioMax * frames;
}
