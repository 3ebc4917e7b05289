/**
 * Trains a table of token vectors so that the two texts of a pair lie closer than the texts of other pairs: InfoNCE with
 * the other texts of the batch as negatives (van den Oord et al. 2018), in both directions, by Adam (Kingma and Ba 2015).
 * Everything is seeded; the same pairs give the same table.
 */

export interface TrainingOptions {
  readonly dimensions: number;
  readonly steps: number;
  readonly batch: number;
  readonly temperature: number;
  readonly rate: number;
  readonly seed: number;
}

/** Token ids of a text. */
export type Bag = readonly number[];

export interface Pair {
  readonly left: Bag;
  readonly right: Bag;
  /** pairs of the same group are not told apart: they say the same */
  readonly group: string;
}

/**
 * @param tokens rows of the table; row 0 stays zero (the unknown token)
 * @param draw the next pair, from a random number in [0, 1)
 */
export function trainTable(
  tokens: number,
  draw: (random: () => number) => Pair,
  options: TrainingOptions,
  onStep: (step: number, loss: number) => void = () => {},
): Float32Array {
  const { dimensions: d, batch, temperature } = options;
  const random = mulberry32(options.seed);
  const table = new Float32Array(tokens * d);
  for (let i = d; i < table.length; i++) table[i] = gaussian(random) * (0.3 / Math.sqrt(d));
  const optimiser = new SparseAdam(table, d, options.rate);
  for (let step = 1; step <= options.steps; step++) {
    const pairs = Array.from({ length: batch }, () => draw(random));
    const left = pairs.map((pair) => embed(table, pair.left, d));
    const right = pairs.map((pair) => embed(table, pair.right, d));
    const gradient = new Map<number, Float32Array>();
    const weights = softmaxGradient(left, right, pairs, temperature);
    for (const [at, pair] of pairs.entries()) {
      scatter(gradient, pair.left, left[at], mix(right, weights.row(at), d), d);
      scatter(gradient, pair.right, right[at], mix(left, weights.column(at), d), d);
    }
    const progress = step / options.steps;
    optimiser.apply(gradient, step, 0.5 * (1 + Math.cos(Math.PI * progress)) + 0.02);
    onStep(step, weights.loss);
  }
  return table;
}

interface Embedded {
  readonly unit: Float32Array;
  readonly length: number;
}

function embed(table: Float32Array, bag: Bag, d: number): Embedded {
  const unit = new Float32Array(d);
  for (const id of bag) {
    for (let i = 0; i < d; i++) unit[i] = (unit[i] as number) + (table[id * d + i] as number);
  }
  let square = 0;
  for (const value of unit) square += value * value;
  const length = Math.sqrt(square) || 1e-9;
  for (let i = 0; i < d; i++) unit[i] = (unit[i] as number) / length;
  return { unit, length };
}

/** dLoss/dCosine for every left and right of the batch. */
function softmaxGradient(
  left: readonly Embedded[],
  right: readonly Embedded[],
  pairs: readonly Pair[],
  temperature: number,
) {
  const n = left.length;
  const scores = new Float64Array(n * n);
  for (let a = 0; a < n; a++) {
    for (let b = 0; b < n; b++) {
      const isTwin = a !== b && pairs[a]?.group === pairs[b]?.group;
      scores[a * n + b] = isTwin ? Number.NEGATIVE_INFINITY : dot(left[a], right[b]) / temperature;
    }
  }
  const out = new Float64Array(n * n);
  let loss = 0;
  const accumulate = (index: (k: number) => number, own: number): void => {
    let top = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < n; k++) top = Math.max(top, scores[index(k)] as number);
    let sum = 0;
    for (let k = 0; k < n; k++) sum += Math.exp((scores[index(k)] as number) - top);
    for (let k = 0; k < n; k++) {
      const share = Math.exp((scores[index(k)] as number) - top) / sum;
      const at = index(k);
      out[at] = (out[at] as number) + (share - (k === own ? 1 : 0)) / (2 * n * temperature);
    }
    loss -= ((scores[index(own)] as number) - top - Math.log(sum)) / (2 * n);
  };
  for (let a = 0; a < n; a++) {
    accumulate((k) => a * n + k, a);
    accumulate((k) => k * n + a, a);
  }
  return {
    loss,
    row: (a: number) => out.subarray(a * n, (a + 1) * n),
    column: (b: number) => Float64Array.from({ length: n }, (_, a) => out[a * n + b] as number),
  };
}

function mix(vectors: readonly Embedded[], weights: Float64Array, d: number): Float32Array {
  const sum = new Float32Array(d);
  for (const [at, { unit }] of vectors.entries()) {
    const weight = weights[at] as number;
    if (weight === 0) continue;
    for (let i = 0; i < d; i++) sum[i] = (sum[i] as number) + weight * (unit[i] as number);
  }
  return sum;
}

/** Through the normalisation back to the rows: (g − (g·u)u) / length, the same for every token of the text. */
function scatter(
  gradient: Map<number, Float32Array>,
  bag: Bag,
  embedded: Embedded | undefined,
  upstream: Float32Array,
  d: number,
): void {
  if (!embedded) return;
  const { unit, length } = embedded;
  let along = 0;
  for (let i = 0; i < d; i++) along += (upstream[i] as number) * (unit[i] as number);
  for (const id of bag) {
    if (id === 0) continue;
    let row = gradient.get(id);
    if (!row) {
      row = new Float32Array(d);
      gradient.set(id, row);
    }
    for (let i = 0; i < d; i++)
      row[i] = (row[i] as number) + ((upstream[i] as number) - along * (unit[i] as number)) / length;
  }
}

/** Adam on the rows that a batch has touched. */
class SparseAdam {
  readonly #first: Float32Array;
  readonly #second: Float32Array;

  constructor(
    readonly table: Float32Array,
    readonly d: number,
    readonly rate: number,
  ) {
    this.#first = new Float32Array(table.length);
    this.#second = new Float32Array(table.length);
  }

  apply(gradient: ReadonlyMap<number, Float32Array>, step: number, schedule: number): void {
    const correction = Math.sqrt(1 - 0.999 ** step) / (1 - 0.9 ** step);
    for (const [id, row] of gradient) {
      for (let i = 0; i < this.d; i++) {
        const at = id * this.d + i;
        const g = row[i] as number;
        const first = 0.9 * (this.#first[at] as number) + 0.1 * g;
        const second = 0.999 * (this.#second[at] as number) + 0.001 * g * g;
        this.#first[at] = first;
        this.#second[at] = second;
        this.table[at] =
          (this.table[at] as number) -
          (this.rate * schedule * correction * first) / (Math.sqrt(second) + 1e-8);
      }
    }
  }
}

function dot(a: Embedded | undefined, b: Embedded | undefined): number {
  let sum = 0;
  if (a && b) for (let i = 0; i < a.unit.length; i++) sum += (a.unit[i] as number) * (b.unit[i] as number);
  return sum;
}

/** A small generator of 32 bits of state; good enough to shuffle with. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
