/** What is posted at the roadside: a sign string or the faces of a gantry, read without trust. */

export interface PostedSign {
  /** code of a national catalogue, or `ring` for a red-ringed number of unknown country */
  readonly code: string;
  readonly value: number | null;
}

/**
 * `274-80` → code and value; `282`, `RUS-rural` → code; `50` → `ring`. Null where unreadable.
 * @param known codes of the country: one that holds a hyphen itself (`B-34`, `R2-1`) is read whole, and spaces, hyphens
 * and capitals are the writer's (`B20a-130` is `B 20a` with 130)
 */
export function readSign(text: string, known: ReadonlySet<string> = noCodes): PostedSign | null {
  const trimmed = text.trim();
  if (/^[1-9]\d$|^1[0-5]0$|^5$/.test(trimmed)) return { code: 'ring', value: Number(trimmed) };
  const parts = /^([A-Za-z0-9](?:[A-Za-z0-9. /-]{0,22}[A-Za-z0-9])?)$/.exec(trimmed);
  if (!parts) return null;
  const whole: PostedSign = { code: trimmed, value: null };
  const split = /^(.+)-(\d{1,3})$/.exec(trimmed);
  const valued = split?.[1] === undefined ? null : { code: split[1], value: Number(split[2]) };
  const readings = valued === null ? [whole] : [whole, valued];
  const exact = readings.find(({ code }) => known.has(code));
  if (exact) return exact;
  for (const { code, value } of readings) {
    const folded = foldCode(code);
    for (const one of known) if (foldCode(one) === folded) return { code: one, value };
  }
  return valued !== null && valued.value <= maxShown ? valued : whole;
}

/** What a sign or gantry can show: nothing of it is 0, and no country signs more. Beyond it the reading is wrong. */
export const isShownValue = (value: number, unit: 'km/h' | 'mph'): boolean =>
  value > 0 && value <= (unit === 'mph' ? 85 : 160); // Texas State Highway 130; roads of the Emirates

/** No limit sign shows more (km/h): a longer number of an unknown sign belongs to its code (`R-307`). */
const maxShown = 150;
const noCodes: ReadonlySet<string> = new Set();
const foldCode = (code: string): string => code.toLowerCase().replace(/[\s-]/g, '');

export type FaceKind = 'ring' | 'number' | 'amber' | 'igl' | 'redx' | 'yellow_arrow' | 'end' | 'blank';

export interface GantryFace {
  /** null = unreadable */
  readonly kind: FaceKind | null;
  readonly value: number | null;
}

const words: ReadonlySet<string> = new Set(['redx', 'yellow_arrow', 'end', 'blank']);

/** The faces of a gantry from the verge on; lanes are counted so that left-hand traffic needs no other rule. */
export function readGantry(text: string): GantryFace[] {
  return text.split('|').map((part) => {
    const face = part.trim().toLowerCase();
    if (words.has(face)) return { kind: face as FaceKind, value: null };
    const number = /^([1-9]\d?|1[0-5]0)(ring|amber|igl)?$/.exec(face);
    if (!number) return { kind: null, value: null };
    return { kind: (number[2] ?? 'number') as FaceKind, value: Number(number[1]) };
  });
}

/** The faces that may be ours: the one over the own lane, or all of them where the lane is unknown. */
export function facesForLane(
  faces: readonly GantryFace[],
  laneFromVerge: number | undefined,
): readonly GantryFace[] {
  if (faces.length <= 1 || laneFromVerge === undefined) return faces;
  const own = faces[laneFromVerge - 1];
  return own ? [own] : faces;
}
