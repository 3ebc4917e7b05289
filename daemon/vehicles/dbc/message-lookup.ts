import { pgnOf } from '../diagnostics/j1939-id.js';
import type { PlanArrays } from './decode-plan.js';

type LookupArrays = Pick<
  PlanArrays,
  'messageId' | 'standardMessage' | 'extendedId' | 'extendedMessage' | 'pgnKey' | 'pgnMessage'
>;

const learnedSlots = 4096;

/** Resolves identifiers to message indices; remembers what it found for 29-bit identifiers. */
export class MessageLookup {
  // Direct-mapped: bounded however many identifiers a bus brings. Misses are remembered too.
  readonly #learnedId = new Uint32Array(learnedSlots).fill(0xffffffff);
  readonly #learnedMessage = new Int32Array(learnedSlots);
  readonly #arrays: LookupArrays;

  constructor(arrays: LookupArrays) {
    this.#arrays = arrays;
  }

  find(id: number, ext: boolean): number {
    if (!ext) return id < 2048 ? this.#arrays.standardMessage[id]! : -1;
    const slot = (id ^ (id >>> 12) ^ (id >>> 20)) & (learnedSlots - 1);
    if (this.#learnedId[slot] === id) return this.#learnedMessage[slot]!;
    const message = this.#findExtended(id);
    this.#learnedId[slot] = id;
    this.#learnedMessage[slot] = message;
    return message;
  }

  #findExtended(id: number): number {
    const { extendedId, extendedMessage, pgnKey } = this.#arrays;
    const at = lowerBound(extendedId, id);
    if (extendedId[at] === id) return extendedMessage[at]!;
    return pgnKey.length > 0 ? this.#findParameterGroup(id) : -1;
  }

  /**
   * SAE J1939-21: priority never counts, and the destination of a PDU1 group is not part of the group. A
   * message whose source address is the frame's beats one with the null address FE, which in a database
   * stands for any source; then the same destination counts; then the later message.
   */
  #findParameterGroup(id: number): number {
    const { messageId, pgnKey, pgnMessage } = this.#arrays;
    const pgn = pgnOf(id);
    let best = -1;
    let bestRank = 0;
    for (let i = lowerBound(pgnKey, pgn); pgnKey[i] === pgn; i++) {
      const candidate = messageId[pgnMessage[i]!]!;
      const source = candidate & 0xff;
      let rank = source === (id & 0xff) ? 4 : source === 0xfe ? 2 : 0;
      if (rank === 0) continue;
      if (((candidate ^ id) & 0xff00) === 0) rank += 1;
      if (rank < bestRank) continue;
      bestRank = rank;
      best = pgnMessage[i]!;
    }
    return best;
  }
}

function lowerBound(sorted: Uint32Array, key: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
