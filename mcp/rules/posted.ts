/** What is posted at the roadside: a sign string or the faces of a gantry, read without trust. */

export interface PostedSign {
  readonly code: string;
  readonly value: number | null;
}

/** `274-80` → code and value; `282` → code; `50` (a ring of unknown country) → code `ring`. Null where unreadable. */
export function readSign(text: string): PostedSign | null {
  const parts = /^([A-Za-z]*[0-9.]+)(?:-([0-9]{1,3}))?$/.exec(text.trim());
  if (!parts) return null;
  const [, code = '', value] = parts;
  if (value !== undefined) return { code, value: Number(value) };
  return /^[0-9]{1,2}$|^1[0-9]0$/.test(code) ? { code: 'ring', value: Number(code) } : { code, value: null };
}

export type GantryReading =
  | { readonly kind: 'limit'; readonly value: number }
  | { readonly kind: 'advisory'; readonly value: number }
  | { readonly kind: 'closed' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'unreadable' };

/**
 * The face over the own lane, counted from the verge (so that left-hand traffic needs no other rule); with the
 * lane unknown, the lowest limit over the carriageway.
 */
export function readGantry(text: string, laneFromVerge: number | undefined): GantryReading {
  const faces = text.split('|').map(readFace);
  if (faces.length === 1) return faces[0] ?? { kind: 'unreadable' };
  const own = laneFromVerge === undefined ? undefined : faces[laneFromVerge - 1];
  if (own) return own;
  let lowest: GantryReading | null = null;
  for (const face of faces) {
    if (face.kind === 'limit' && (lowest === null || lowest.kind !== 'limit' || face.value < lowest.value))
      lowest = face;
  }
  return (
    lowest ?? (faces.every((face) => face.kind === 'ended') ? { kind: 'ended' } : { kind: 'unreadable' })
  );
}

function readFace(text: string): GantryReading {
  const face = text.trim();
  if (face === 'end' || face === 'blank') return { kind: 'ended' };
  if (face === 'redx' || face === 'yellow_arrow') return { kind: 'closed' };
  const number = /^([0-9]{1,3})(ring|amber|igl)?$/.exec(face);
  if (!number) return { kind: 'unreadable' };
  const value = Number(number[1]);
  return number[2] === 'amber' ? { kind: 'advisory', value } : { kind: 'limit', value };
}
