/** Numbers of what is in one picture, and the label of each; the ground's labels are its groups. */
import { groundLabel } from './label.js';
import { maxGroups } from './raster.js';

/** groups below this are the ground's labels */
const firstThing = 16;
/** nobody's, part of the road */
export const shadowGroup = maxGroups - 1;
const lastThing = maxGroups - 2;

export class SceneGroups {
  readonly labels = new Uint8Array(maxGroups);
  /** velocity of each thing in the camera's axes, m/s; what is not told stands still */
  readonly velocities = new Float32Array(3 * maxGroups);
  #next = firstThing;

  constructor() {
    for (let label = 0; label < firstThing; label++) this.labels[label] = label;
    this.labels[shadowGroup] = groundLabel.road;
  }

  clear(): void {
    this.velocities.fill(0, 0, 3 * this.#next);
    this.#next = firstThing;
  }

  /** A group for one thing; the last one is shared where there are too many. */
  take(label: number): number {
    const group = this.#next < lastThing ? this.#next++ : lastThing;
    this.labels[group] = label;
    return group;
  }
}
