/**
 * What a pixel shows, as numbers of our own, and what CARLA's semantic labels call it. CARLA renumbered its labels with
 * 0.9.14 (LibCarla rpc/ObjectLabel.h; before: the table in its documentation of sensors).
 */
export const groundLabel = { none: 0, road: 1, roadLine: 2, sidewalk: 3, terrain: 4 } as const;
export const thingLabel = {
  car: 5,
  lorry: 6,
  walker: 7,
  pole: 8,
  light: 9,
  sign: 10,
  building: 11,
  tree: 12,
  rail: 13,
} as const;
export const skyLabel = 14;

/** by our number: since 0.9.14, before */
const carla: readonly (readonly [now: number, before: number])[] = [
  [0, 0],
  [1, 7],
  [24, 6],
  [2, 8],
  [10, 22],
  [14, 10],
  [15, 10],
  [12, 4],
  [6, 5],
  [7, 18],
  [8, 12],
  [3, 1],
  [9, 9],
  [28, 17],
  [11, 13],
];

export function carlaLabels(isRenumbered: boolean): Uint8Array {
  return Uint8Array.from(carla, ([now, before]) => (isRenumbered ? now : before));
}
