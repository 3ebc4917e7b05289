/** How a brake command (0…1) and a deceleration (m/s²) go together in the vehicle that is driven. */
export interface BrakeCurve {
  toDecelMps2(share: number): number;
  /** least share that gives this deceleration; 1 where the brakes give less */
  toShare(decelMps2: number): number;
}

/** Proportional, as the simulator's plant brakes. */
export function proportionalBrake(peakMps2: number): BrakeCurve {
  return {
    toDecelMps2: (share) => share * peakMps2,
    toShare: (decelMps2) => Math.min(1, decelMps2 / peakMps2),
  };
}

/**
 * From measured points (a calibration of the vehicle), linear in between and from the origin to the first.
 * @param points rising in both
 * @throws RangeError where they do not rise
 */
export function measuredBrake(
  points: readonly { readonly share: number; readonly decelMps2: number }[],
): BrakeCurve {
  const all = [{ share: 0, decelMps2: 0 }, ...points];
  for (let i = 1; i < all.length; i++) {
    const [one, next] = [all[i - 1]!, all[i]!];
    if (!(next.share > one.share && next.decelMps2 > one.decelMps2 && next.share <= 1))
      throw new RangeError('a brake calibration rises in share (up to 1) and in deceleration');
  }
  if (all.length < 2) throw new RangeError('a brake calibration needs a point');
  const between = (x: number, from: 'share' | 'decelMps2', to: 'share' | 'decelMps2'): number => {
    const index = all.findIndex((point) => point[from] >= x);
    if (index < 0) return all[all.length - 1]![to];
    if (index === 0) return 0;
    const [low, high] = [all[index - 1]!, all[index]!];
    return low[to] + ((high[to] - low[to]) * (x - low[from])) / (high[from] - low[from]);
  };
  return {
    toDecelMps2: (share) => between(Math.max(0, share), 'share', 'decelMps2'),
    toShare: (decelMps2) =>
      decelMps2 > all[all.length - 1]!.decelMps2 ? 1 : between(Math.max(0, decelMps2), 'decelMps2', 'share'),
  };
}
