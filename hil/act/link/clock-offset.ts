/**
 * The offset of another machine's clock, from exchanges of four stamps as NTP makes them (RFC 5905, 8), with bounds that hold.
 *
 * No way takes less than no time, so each exchange bounds the offset θ = theirs − ours: what they stamped at its arrival is no
 * earlier than our sending (θ ≤ t2 − t1), what we stamped at the answer's arrival no earlier than theirs (θ ≥ t3 − t4). Bounds
 * of other times hold now, widened by how far the clocks can have run apart meanwhile; where all of them meet is what is
 * known. However lopsided the ways are, the truth is in there.
 */

/** µs; t1 and t4 by our clock, t2 and t3 by theirs. */
export interface ClockExchange {
  /** we sent */
  readonly t1: number;
  /** they received */
  readonly t2: number;
  /** they answered */
  readonly t3: number;
  /** we received */
  readonly t4: number;
}

/** Where the offset lay at one time, by one exchange. */
interface OffsetBound {
  readonly atUs: number;
  readonly lowUs: number;
  readonly highUs: number;
}

export interface ClockState {
  /** the last exchanges, oldest first */
  readonly recent: readonly OffsetBound[];
  /** of each stretch of time the exchange with the narrowest bounds, oldest first */
  readonly best: readonly OffsetBound[];
  readonly accepted: number;
  /** stamps that no two clocks can give */
  readonly rejected: number;
  /** how often the bounds did not meet: a clock was set, or stood still with its machine */
  readonly resets: number;
}

export const noClock: ClockState = { recent: [], best: [], accepted: 0, rejected: 0, resets: 0 };

export interface ClockEstimate {
  /** theirs − ours at the time asked, µs: the middle of the bounds */
  readonly offsetUs: number;
  /** the offset is within so much of it */
  readonly uncertaintyUs: number;
  /** shortest round trip among the exchanges that count, without the time they took to answer */
  readonly roundTripUs: number;
  /** how fast theirs ran against ours, on the average of at most two minutes; null before ten seconds */
  readonly drift: { readonly ppm: number; readonly uncertaintyPpm: number } | null;
}

/** Quartz is within 100 ppm; a kernel that follows NTP runs its monotonic clock up to 500 ppm faster or slower for a while. */
export const driftMaxPpm = 500;
/** Stamps are whole microseconds. */
const stampUs = 1;
/** With a ping each 100 ms a little over three seconds; by then bounds are 1.6 ms wider. */
const recentMax = 32;
/** Two minutes in all. */
const stretchUs = 5_000_000;
const stretchesMax = 24;
const driftAfterUs = 10_000_000;

/** @returns the state with the exchange in it, or with one more rejected */
export function hearExchange(state: ClockState, { t1, t2, t3, t4 }: ClockExchange): ClockState {
  // The stamps were made somewhere between sending and receiving, the bounds are told for the middle.
  const apartUs = driftedUs((t4 - t1) / 2) + stampUs;
  const bound = { atUs: (t1 + t4) / 2, lowUs: t3 - t4 - apartUs, highUs: t2 - t1 + apartUs };
  // An answer that was under way for less than no time has stamps of somebody who guesses.
  const isPossible = [t1, t2, t3, t4].every(isStamp) && t4 >= t1 && t3 >= t2 && bound.highUs >= bound.lowUs;
  const last = state.recent.at(-1);
  if (!isPossible || (last !== undefined && bound.atUs < last.atUs))
    return { ...state, rejected: state.rejected + 1 };
  const recent = [...state.recent.slice(1 - recentMax), bound];
  const accepted = state.accepted + 1;
  if (meeting(recent, bound.atUs) === null)
    return { ...state, recent: [bound], best: [bound], accepted, resets: state.resets + 1 };
  return { ...state, recent, best: withBest(state.best, bound), accepted };
}

/** Theirs against ours at `atUs` of our clock; null before the first exchange. */
export function clockAt({ recent, best }: ClockState, atUs: number): ClockEstimate | null {
  const found = recent.length === 0 ? null : meeting(recent, atUs);
  if (found === null) return null;
  const { lowUs, highUs } = found;
  return {
    offsetUs: (lowUs + highUs) / 2,
    uncertaintyUs: (highUs - lowUs) / 2,
    roundTripUs: Math.min(...recent.map((bound) => bound.highUs - bound.lowUs)),
    drift: driftOf(best),
  };
}

/** Three centuries: up to there, sums of stamps are exact to a µs. */
function isStamp(us: number): boolean {
  return Math.abs(us) < 2 ** 53;
}

function driftedUs(passedUs: number): number {
  return (Math.abs(passedUs) * driftMaxPpm) / 1e6;
}

/** Null where the bounds do not meet. */
function meeting(
  bounds: readonly OffsetBound[],
  atUs: number,
): { readonly lowUs: number; readonly highUs: number } | null {
  let [lowUs, highUs] = [-Infinity, Infinity];
  for (const bound of bounds) {
    const apartUs = driftedUs(atUs - bound.atUs);
    lowUs = Math.max(lowUs, bound.lowUs - apartUs);
    highUs = Math.min(highUs, bound.highUs + apartUs);
  }
  return lowUs <= highUs ? { lowUs, highUs } : null;
}

function withBest(best: readonly OffsetBound[], bound: OffsetBound): readonly OffsetBound[] {
  const last = best.at(-1);
  const stretchOf = ({ atUs }: OffsetBound): number => Math.floor(atUs / stretchUs);
  if (last === undefined || stretchOf(last) !== stretchOf(bound))
    return [...best.slice(1 - stretchesMax), bound];
  return bound.highUs - bound.lowUs < last.highUs - last.lowUs ? [...best.slice(0, -1), bound] : best;
}

/** The average between the first and the last of the best: what two bounds leave of it, whatever it was in between. */
function driftOf(best: readonly OffsetBound[]): ClockEstimate['drift'] {
  const [first] = best;
  const last = best.at(-1);
  if (first === undefined || last === undefined || last.atUs - first.atUs < driftAfterUs) return null;
  const passedS = (last.atUs - first.atUs) / 1e6;
  // µs a second are parts per million.
  const low = Math.max(-driftMaxPpm, (last.lowUs - first.highUs) / passedS);
  const high = Math.min(driftMaxPpm, (last.highUs - first.lowUs) / passedS);
  return { ppm: (low + high) / 2, uncertaintyPpm: Math.max(0, high - low) / 2 };
}
