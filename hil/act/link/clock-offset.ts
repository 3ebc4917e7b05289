/**
 * How far another machine's clock is ahead of ours, from four stamps an exchange (as in NTP, RFC 5905, 8): the sample with
 * the shortest round trip of a while is the truest, because its answer lies between two stamps that are closest together.
 * Whatever the two ways took, the true offset is within half the round trip of the sample's own.
 */
export interface ExchangeStamps {
  /** sent and received here, sent and received there; µs */
  readonly sentUs: number;
  readonly theirReceivedUs: number;
  readonly theirSentUs: number;
  readonly receivedUs: number;
}

export interface OffsetEstimate {
  /** their clock minus ours, µs */
  readonly offsetUs: number;
  /** the true offset is not farther away, for clocks that drift no more than `driftMaxPpm` */
  readonly uncertaintyUs: number;
  readonly roundTripUs: number;
  /** how their clock runs against ours, null as long as it was not watched for ten seconds */
  readonly driftPpm: number | null;
}

/** Ordinary quartz is within 100 ppm; NTP slews at up to 500. */
export const driftMaxPpm = 500;
const windowUs = 10_000_000;
const blockUs = 2_000_000;
const blocksMax = 60;

interface Sample {
  /** when the answer came, and how long before that the question had been sent */
  readonly atUs: number;
  readonly tookUs: number;
  readonly offsetUs: number;
  readonly roundTripUs: number;
}

export interface OffsetState {
  /** of the last ten seconds, oldest first */
  readonly recent: readonly Sample[];
  /** the best of each two seconds of the last two minutes */
  readonly best: readonly Sample[];
}

export const noOffset: OffsetState = { recent: [], best: [] };

/** Stamps that contradict themselves change nothing. */
export function addExchange(state: OffsetState, stamps: ExchangeStamps): OffsetState {
  const { sentUs, theirReceivedUs, theirSentUs, receivedUs } = stamps;
  const roundTripUs = receivedUs - sentUs - (theirSentUs - theirReceivedUs);
  const last = state.recent.at(-1)?.atUs ?? -Infinity;
  if (!(roundTripUs >= 0) || theirSentUs < theirReceivedUs || receivedUs < last) return state;
  const offsetUs = (theirReceivedUs - sentUs + (theirSentUs - receivedUs)) / 2;
  if (!Number.isFinite(offsetUs)) return state;
  const sample = { atUs: receivedUs, tookUs: receivedUs - sentUs, offsetUs, roundTripUs };
  const recent = [...state.recent.filter(({ atUs }) => receivedUs - atUs <= windowUs), sample];
  return { recent, best: keepBest(state.best, sample) };
}

function keepBest(best: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = best.at(-1);
  if (last === undefined || Math.floor(last.atUs / blockUs) !== Math.floor(sample.atUs / blockUs))
    return [...best, sample].slice(-blocksMax);
  return sample.roundTripUs < last.roundTripUs ? [...best.slice(0, -1), sample] : best;
}

/** @param nowUs on our clock; null as long as there was no exchange */
export function offsetAt(state: OffsetState, nowUs: number): OffsetEstimate | null {
  let chosen: Sample | null = null;
  let chosenUs = Number.POSITIVE_INFINITY;
  for (const sample of state.recent) {
    // Since the question was sent, the clocks may have drifted apart.
    const ageUs = Math.max(0, nowUs - sample.atUs) + sample.tookUs;
    const uncertaintyUs = sample.roundTripUs / 2 + (ageUs * driftMaxPpm) / 1e6;
    if (uncertaintyUs > chosenUs) continue;
    chosen = sample;
    chosenUs = uncertaintyUs;
  }
  if (chosen === null) return null;
  return {
    offsetUs: chosen.offsetUs,
    uncertaintyUs: chosenUs,
    roundTripUs: chosen.roundTripUs,
    driftPpm: driftOf(state.best),
  };
}

/** Slope of a straight line through the best samples (least squares). */
function driftOf(best: readonly Sample[]): number | null {
  const [first] = best;
  const last = best.at(-1);
  if (first === undefined || last === undefined || last.atUs - first.atUs < windowUs) return null;
  const mean = (of: (sample: Sample) => number): number =>
    best.reduce((sum, sample) => sum + of(sample), 0) / best.length;
  const [atMeanUs, offsetMeanUs] = [mean(({ atUs }) => atUs), mean(({ offsetUs }) => offsetUs)];
  let [covariance, variance] = [0, 0];
  for (const { atUs, offsetUs } of best) {
    covariance += (atUs - atMeanUs) * (offsetUs - offsetMeanUs);
    variance += (atUs - atMeanUs) ** 2;
  }
  return (1e6 * covariance) / variance;
}
