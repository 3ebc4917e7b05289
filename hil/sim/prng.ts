/**
 * Seeded random numbers of the simulator.
 *
 * Each purpose (range noise, dropouts, jitter of one message, …) has a stream of its own, so that one more
 * draw in one place never shifts the noise of another. Only integer operations, additions and one division
 * by a power of two: the same seed gives the same bits on every machine and engine.
 */
export interface Prng {
  /** uniform in [0, 1) with 32 bits */
  uniform(): number;
  /** standard normal, approximately */
  normal(): number;
}

/**
 * xoshiro128** (Blackman, Vigna 2018), its state filled by splitmix32 from a hash of `seed` and `purpose`.
 * @param seed of a run, see `seedOf`
 */
export function createPrng(seed: string, purpose: string): Prng {
  let hash = 0x811c9dc5;
  for (const character of `${seed}/${purpose}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  const splitmix = (): number => {
    hash = (hash + 0x9e3779b9) | 0;
    let z = hash;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return z ^ (z >>> 16);
  };
  let a = splitmix();
  let b = splitmix();
  let c = splitmix();
  let d = splitmix();

  const uniform = (): number => {
    const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotateLeft(d, 11);
    return result / 4294967296;
  };
  // Irwin–Hall: the sum of twelve uniforms has mean 6 and variance 1. Box–Muller would need log and cos,
  // whose last bits differ between engines.
  const normal = (): number => {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += uniform();
    return sum;
  };
  return { uniform, normal };
}

function rotateLeft(x: number, k: number): number {
  return (x << k) | (x >>> (32 - k));
}
