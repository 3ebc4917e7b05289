/** Samples as the data of an SVG path, in as few characters as keep every corner. */
import type { Sample } from './sampled-series.js';

/**
 * Relative moves in tenths of a pixel; unknown stretches are left out, a lone sample becomes a dot (drawn by a
 * round line cap).
 * @param form `steps`: a value holds until the next one
 */
export function linePath(
  samples: readonly Sample[],
  x: (tUs: number) => number,
  y: (value: number) => number,
  form: 'line' | 'steps' = 'line',
): string {
  const pen = new PathPen();
  for (const { tUs, value } of samples) {
    if (value === null) {
      // A step holds until it is known to be gone.
      if (form === 'steps') pen.across(tenths(x(tUs)));
      pen.lift();
      continue;
    }
    const px = tenths(x(tUs));
    const py = tenths(y(value));
    if (form === 'steps') pen.across(px);
    pen.to(px, py);
  }
  pen.lift();
  return pen.data;
}

function tenths(pixel: number): number {
  return Math.round(pixel * 10);
}

/** Joins moves in one axis and one direction; whatever turns back is a corner and stays. */
class PathPen {
  data = '';
  #isDown = false;
  #hasMoved = false;
  #x = 0;
  #y = 0;
  #dx = 0;
  #dy = 0;

  to(x: number, y: number): void {
    if (!this.#isDown) {
      this.data += `M${decimal(x)}${separated(y)}`;
      this.#isDown = true;
      this.#hasMoved = false;
    } else this.#move(x - this.#x, y - this.#y);
    this.#x = x;
    this.#y = y;
  }

  /** Straight on to `x` where the pen is down. */
  across(x: number): void {
    if (this.#isDown) this.to(x, this.#y);
  }

  lift(): void {
    if (!this.#isDown) return;
    this.#write();
    if (!this.#hasMoved) this.data += 'h0';
    this.#isDown = false;
  }

  #move(dx: number, dy: number): void {
    if (dx === 0 && dy === 0) return;
    const isOnward =
      (dy === 0 && this.#dy === 0 && this.#dx * dx > 0) || (dx === 0 && this.#dx === 0 && this.#dy * dy > 0);
    if (!isOnward) this.#write();
    this.#dx += dx;
    this.#dy += dy;
  }

  #write(): void {
    const dx = this.#dx;
    const dy = this.#dy;
    if (dx === 0 && dy === 0) return;
    if (dy === 0) this.data += `h${decimal(dx)}`;
    else if (dx === 0) this.data += `v${decimal(dy)}`;
    else this.data += `l${decimal(dx)}${separated(dy)}`;
    this.#hasMoved = true;
    this.#dx = 0;
    this.#dy = 0;
  }
}

function decimal(tenthsOf: number): string {
  return String(tenthsOf / 10).replace(/^(-?)0\./, '$1.');
}

function separated(tenthsOf: number): string {
  return tenthsOf < 0 ? decimal(tenthsOf) : ` ${decimal(tenthsOf)}`;
}
