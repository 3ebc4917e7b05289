/** Numbers of what is in one picture, and the label of each; the ground's labels are its groups. */
import { maxGroups } from './raster.js';

/** groups below this are the ground's labels */
const firstThing = 16;
/** the last one is nobody's: shadows */
const lastThing = maxGroups - 2;

export class SceneGroups {
  readonly labels = new Uint8Array(maxGroups);
  #next = firstThing;

  constructor() {
    for (let label = 0; label < firstThing; label++) this.labels[label] = label;
    this.labels[maxGroups - 1] = 1;
  }

  clear(): void {
    this.#next = firstThing;
  }

  /** A group for one thing; the last one is shared where there are too many. */
  take(label: number): number {
    const group = this.#next < lastThing ? this.#next++ : lastThing;
    this.labels[group] = label;
    return group;
  }
}
