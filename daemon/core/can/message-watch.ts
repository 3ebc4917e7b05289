/**
 * Notices that a cyclic message has stopped while its bus goes on. Cycle times are learned: nothing needs to be
 * known of the car.
 *
 * A message counts as cyclic when it has come at least 20 times over 3 s in even intervals, so that bursts at
 * start-up and messages sent on events are left alone. It is missing after five cycles, but not before half a
 * second (control units pause that long for flash writes), and lost when it stays away for the debounce time. Only
 * the time of its own bus counts: a bus that is silent as a whole has lost no message, it sleeps or is cut off.
 */

export interface WatchTimes {
  /** a missing message is lost after this time */
  readonly debounceUs: number;
  /** a lost message is found again when it has come for this time */
  readonly clearUs: number;
  readonly timeoutCyclesCount: number;
}

export interface LostMessage {
  readonly bus: number;
  readonly id: number;
  readonly isExtended: boolean;
  readonly cycleUs: number;
  readonly lastSeenUs: number;
}

const learnCount = 20;
const learnUs = 3_000_000;
const minTimeoutUs = 500_000;
/** Mean deviation of the interval, as a share of it, up to which a message is cyclic. */
const jitterMaxRatio = 0.5;
/** Identifiers watched; a log of noise must not fill the memory. */
export const watchedMaxCount = 4096;

interface Watched {
  readonly bus: number;
  readonly id: number;
  readonly isExtended: boolean;
  count: number;
  firstUs: number;
  lastUs: number;
  cycleUs: number;
  jitterUs: number;
  isLost: boolean;
  /** since when a lost message comes again; −1 = it does not */
  backSinceUs: number;
}

export class MessageWatch {
  /** identifiers beyond the bound, not watched */
  unwatched = 0;
  readonly #messages = new Map<number, Watched>();
  readonly #busUs: number[] = [];
  readonly #times: WatchTimes;

  constructor(times: WatchTimes) {
    this.#times = times;
  }

  /** A frame; no object is made but for a new identifier. */
  seen(bus: number, id: number, isExtended: boolean, tUs: number): void {
    this.#busUs[bus] = Math.max(this.#busUs[bus] ?? 0, tUs);
    const key = messageKey(bus, id, isExtended);
    const known = this.#messages.get(key);
    if (known === undefined) {
      this.#add(key, { bus, id, isExtended, ...fresh(tUs) });
      return;
    }
    const interval = tUs - known.lastUs;
    known.lastUs = Math.max(known.lastUs, tUs);
    known.count++;
    if (known.isLost) {
      if (known.backSinceUs < 0 || interval > this.#timeoutUs(known)) known.backSinceUs = tUs;
      if (tUs - known.backSinceUs >= this.#times.clearUs) known.isLost = false;
    } else if (interval > 0) learn(known, interval);
  }

  /** What is lost now, by bus and identifier. */
  lost(): LostMessage[] {
    const lost: LostMessage[] = [];
    for (const known of this.#messages.values()) {
      if (!this.#isLostNow(known)) continue;
      const { bus, id, isExtended, cycleUs, lastUs } = known;
      lost.push({ bus, id, isExtended, cycleUs, lastSeenUs: lastUs });
    }
    return lost.sort((a, b) => a.bus - b.bus || Number(a.isExtended) - Number(b.isExtended) || a.id - b.id);
  }

  /** Buses on which more than half of the cyclic messages are lost: they go to sleep, or a part is cut off. */
  quietBuses(): number[] {
    const cyclic: number[] = [];
    const lost: number[] = [];
    for (const known of this.#messages.values()) {
      if (!isCyclic(known)) continue;
      cyclic[known.bus] = (cyclic[known.bus] ?? 0) + 1;
      if (known.isLost) lost[known.bus] = (lost[known.bus] ?? 0) + 1;
    }
    const quiet: number[] = [];
    for (let bus = 0; bus < cyclic.length; bus++) {
      if ((lost[bus] ?? 0) * 2 > (cyclic[bus] ?? 0)) quiet.push(bus);
    }
    return quiet;
  }

  /** True when the message is known as cyclic: only then its loss can be noticed. */
  isWatched(bus: number, id: number, isExtended: boolean): boolean {
    const known = this.#messages.get(messageKey(bus, id, isExtended));
    return known !== undefined && isCyclic(known);
  }

  /** Number of messages known as cyclic. */
  get cyclicCount(): number {
    let count = 0;
    for (const known of this.#messages.values()) if (isCyclic(known)) count++;
    return count;
  }

  #add(key: number, watched: Watched): void {
    if (this.#messages.size < watchedMaxCount) this.#messages.set(key, watched);
    else this.unwatched++;
  }

  #timeoutUs({ cycleUs }: Watched): number {
    return Math.max(minTimeoutUs, this.#times.timeoutCyclesCount * cycleUs);
  }

  #isLostNow(known: Watched): boolean {
    if (!known.isLost && isCyclic(known)) {
      const silentUs = (this.#busUs[known.bus] ?? 0) - known.lastUs;
      if (silentUs > this.#timeoutUs(known) + this.#times.debounceUs) {
        known.isLost = true;
        known.backSinceUs = -1;
      }
    }
    return known.isLost;
  }
}

function fresh(tUs: number) {
  return { count: 1, firstUs: tUs, lastUs: tUs, cycleUs: 0, jitterUs: 0, isLost: false, backSinceUs: -1 };
}

/** Moving means over about eight intervals. */
function learn(known: Watched, interval: number): void {
  if (known.cycleUs === 0) {
    known.cycleUs = interval;
    return;
  }
  known.jitterUs += (Math.abs(interval - known.cycleUs) - known.jitterUs) / 8;
  known.cycleUs += (interval - known.cycleUs) / 8;
}

function isCyclic({ count, firstUs, lastUs, cycleUs, jitterUs }: Watched): boolean {
  return count >= learnCount && lastUs - firstUs >= learnUs && jitterUs <= jitterMaxRatio * cycleUs;
}

/** One number for bus, width and identifier: fits the 53 bits of a float64 for every bus a log can have. */
export function messageKey(bus: number, id: number, isExtended: boolean): number {
  return (bus * 2 + (isExtended ? 1 : 0)) * 2 ** 29 + id;
}
