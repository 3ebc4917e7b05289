/** Shapes of what is read out of recordings: such data is checked before anything works with it. */

/** `number` is a finite one; `number or null` may be any, as a float signal of a DBC may be. */
type Kind = 'number' | 'string' | 'boolean' | 'object' | 'number or null' | 'object or null';
export type Shape = Readonly<Record<string, Kind>>;

/** Of a fact as it arrives. What it holds is judged in the core, as it is in a run. */
export const factShape: Shape = {
  kind: 'string',
  conf: 'number',
  provenance: 'string',
  observedAtUs: 'number',
};

/** Name of the first member that does not fit, or null. */
export function misfit(value: unknown, shape: Shape, name = ''): string | null {
  if (typeof value !== 'object' || value === null) return name;
  for (const key in shape) {
    const member = (value as Record<string, unknown>)[key];
    const kind = shape[key]!;
    const isFit = member === null ? kind.endsWith('or null') : kind.startsWith(typeof member);
    if (!isFit || (kind === 'number' && !Number.isFinite(member)))
      return name === '' ? key : `${name}.${key}`;
  }
  return null;
}
