/** A state over a drive as spans of equal value, and spans as they fall on pixels. */

export interface Span<T> {
  readonly fromUs: number;
  /** where the next one begins, or the last time this one was seen */
  readonly toUs: number;
  readonly value: T;
}

export class SpanSeries<T> {
  readonly #done: Span<T>[] = [];
  #open: Span<T> | null = null;

  add(tUs: number, value: T): void {
    const open = this.#open;
    if (open !== null && tUs < open.toUs) return;
    if (open?.value === value) {
      this.#open = { ...open, toUs: tUs };
      return;
    }
    if (open !== null) this.#done.push({ ...open, toUs: tUs });
    this.#open = { fromUs: tUs, toUs: tUs, value };
  }

  /** Ends the open span where it was last seen: what came after is not known. */
  interrupt(): void {
    if (this.#open !== null) this.#done.push(this.#open);
    this.#open = null;
  }

  /** in order of time */
  get spans(): readonly Span<T>[] {
    return this.#open === null ? this.#done : [...this.#done, this.#open];
  }
}

export interface Stripe {
  readonly left: number;
  readonly right: number;
}

/**
 * Spans on a pixel axis: each at least `minPx` wide, so that a short one on a long drive is seen; those that
 * touch are one, so that there are never more than pixels.
 */
export function stripesOf(
  spans: readonly Span<unknown>[],
  x: (tUs: number) => number,
  minPx: number,
): readonly Stripe[] {
  const stripes: Stripe[] = [];
  for (const { fromUs, toUs } of spans) {
    const left = x(fromUs);
    const right = Math.max(x(toUs), left + minPx);
    const last = stripes.at(-1);
    if (last !== undefined && left <= last.right) {
      stripes[stripes.length - 1] = { left: last.left, right: Math.max(last.right, right) };
    } else stripes.push({ left, right });
  }
  return stripes;
}
