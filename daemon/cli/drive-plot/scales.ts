/** From numbers to pixels, and which numbers an axis names. */

export interface Scale {
  /** Pixel of a value; a value outside the domain falls on its nearer end. */
  at(value: number): number;
}

/** @param domain two different numbers; @param range pixels of its ends, in either direction */
export function linearScale(domain: readonly [number, number], range: readonly [number, number]): Scale {
  const [from, to] = domain;
  return { at: (value) => between(range, (value - from) / (to - from)) };
}

/** @param domain two different numbers above 0; what is not above 0 falls on its lower end */
export function logScale(domain: readonly [number, number], range: readonly [number, number]): Scale {
  const from = Math.log10(domain[0]);
  const to = Math.log10(domain[1]);
  return {
    at: (value) => between(range, value > 0 ? (Math.log10(value) - from) / (to - from) : 0),
  };
}

function between([start, end]: readonly [number, number], share: number): number {
  const held = share > 0 ? Math.min(1, share) : 0;
  return start + (end - start) * held;
}

/**
 * Round numbers (1, 2 or 5 × 10ⁿ apart) within `[min, max]`, at most `most` of them; for finite ends with
 * min < max, and `most` from 2.
 */
export function roundTicks(min: number, max: number, most: number): number[] {
  const step = roundStep((max - min) / most);
  const first = Math.ceil(min / step);
  const count = Math.min(most, Math.floor(max / step) - first) + 1;
  const ticks: number[] = [];
  for (let i = 0; i < count; i++) ticks.push(cleaned((first + i) * step));
  return ticks.length > most ? ticks.filter((_, index) => index % 2 === 0) : ticks;
}

/** The least 1, 2 or 5 × 10ⁿ that is not below `value` (which is above 0). */
export function roundStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  for (const factor of [1, 2, 5]) if (factor * power >= value * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

/** 1, 2 and 5 × 10ⁿ within `[min, max]`, both above 0. */
export function logTicks(min: number, max: number): number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(min)); power <= Math.log10(max); power++) {
    for (const factor of [1, 2, 5]) {
      const tick = cleaned(factor * 10 ** power);
      if (tick >= min * (1 - 1e-9) && tick <= max * (1 + 1e-9)) ticks.push(tick);
    }
  }
  return ticks;
}

/** Without the last digits of binary arithmetic, and never −0. */
function cleaned(value: number): number {
  return Number(value.toPrecision(12)) + 0;
}
