/** Flat pieces of the ground, ready to be filled. */

/** Quadrilaterals of one colour that lie near each other; world axes, metres. */
export interface Patch {
  readonly color: number;
  readonly label: number;
  /** drawn in this order: what lies higher hides what lies below it in the same plane */
  readonly layer: number;
  /** narrow side of its pieces: too narrow to be seen from far away, it is left out; Infinity: never */
  readonly narrowM: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly radiusM: number;
  /** x, y, z of four corners, one quadrilateral after another */
  readonly corners: Float64Array;
}

export const layers = { junction: 0, beside: 1, lane: 2, marking: 3 } as const;

/** Along a line: how far stations may be apart and how far it may bulge between them. */
export const spacing = { farthestM: 40, sagM: 0.02 };

/** What a piece of ground looks like. */
export interface Surface {
  readonly color: number;
  readonly label: number;
  readonly layer: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** A ribbon between two edges, a quadrilateral from each pair of stations to the next. */
export function quads(edges: readonly (readonly [Point, Point])[]): Float64Array {
  const corners = new Float64Array(12 * Math.max(0, edges.length - 1));
  for (let i = 0; i + 1 < edges.length; i++) {
    const [one, other] = edges[i] as readonly [Point, Point];
    const [nextOne, nextOther] = edges[i + 1] as readonly [Point, Point];
    for (const [k, { x, y, z }] of [one, other, nextOther, nextOne].entries())
      corners.set([x, y, z], 12 * i + 3 * k);
  }
  return corners;
}

export function patch(surface: Surface, narrowM: number, corners: Float64Array): Patch {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < corners.length; i++) {
    low[i % 3] = Math.min(low[i % 3] as number, corners[i] as number);
    high[i % 3] = Math.max(high[i % 3] as number, corners[i] as number);
  }
  const middle = low.map((least, k) => (least + (high[k] as number)) / 2);
  return {
    ...surface,
    narrowM,
    x: middle[0] as number,
    y: middle[1] as number,
    z: middle[2] as number,
    radiusM: Math.hypot(...low.map((least, k) => ((high[k] as number) - least) / 2)),
    corners,
  };
}
