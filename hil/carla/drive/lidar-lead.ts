/**
 * The vehicle ahead, found in one LiDAR scan: points above the ground within the corridor that the car is about to drive
 * through, grouped by distance. A measurement with the sensor's own errors; nothing here knows what the simulator knows.
 */
export interface Corridor {
  /** of the car's path, positive to the left, 1/m */
  readonly curvaturePerM: number;
  /** from the sensor forward to the front bumper */
  readonly bumperM: number;
  /** height of the sensor above the road */
  readonly heightM: number;
}

export interface LidarObject {
  /** from the bumper to the nearest point */
  readonly gapM: number;
  readonly widthM: number;
  readonly heightM: number;
  readonly points: number;
  /** share of its points within the car's own width */
  readonly inPath: number;
}

const halfCorridorM = 1.5;
const halfCarM = 0.95;
const groundClearanceM = 0.3;
const highestM = 4.2;
const groupGapM = 1.2;
const fewestPoints = 3;

/** `points`: x forward, y right, z up, intensity, one after another, metres in the sensor's frame. */
export function objectAhead(points: Float32Array, corridor: Corridor): LidarObject | null {
  const hits: { readonly x: number; readonly asideM: number; readonly z: number }[] = [];
  for (let i = 0; i + 3 < points.length; i += 4) {
    const x = points[i] as number;
    const z = (points[i + 2] as number) + corridor.heightM;
    if (x <= corridor.bumperM || z < groundClearanceM || z > highestM) continue;
    // The path bends away by κx²/2 to the left, and y counts to the right.
    const asideM = (points[i + 1] as number) + (corridor.curvaturePerM * x * x) / 2;
    if (Math.abs(asideM) <= halfCorridorM) hits.push({ x, asideM, z });
  }
  hits.sort((one, other) => one.x - other.x);
  for (let from = 0; from < hits.length; ) {
    let to = from + 1;
    while (to < hits.length && hits[to]!.x - hits[to - 1]!.x < groupGapM) to++;
    if (to - from >= fewestPoints) return describe(hits.slice(from, to), corridor);
    from = to;
  }
  return null;
}

function describe(
  hits: readonly { readonly x: number; readonly asideM: number; readonly z: number }[],
  { bumperM }: Corridor,
): LidarObject {
  const aside = hits.map(({ asideM }) => asideM);
  return {
    gapM: Math.max(0, hits[0]!.x - bumperM),
    widthM: Math.max(...aside) - Math.min(...aside),
    heightM: Math.max(...hits.map(({ z }) => z)),
    points: hits.length,
    inPath: aside.filter((m) => Math.abs(m) <= halfCarM).length / hits.length,
  };
}
