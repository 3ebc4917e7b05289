/**
 * How a parameter is written down: its value, whose value it is, and where it comes from.
 *
 * Names carry the unit (`TimeS`, `GapM`, `Us`); a plain number is a `Ratio` or a `Count`.
 */

/** `paper`: printed in the publication this core implements. `ours`: chosen here, with the reason in `source`. */
export type ParamOrigin = 'paper' | 'ours';

export interface ParamDefinition {
  readonly value: number;
  readonly origin: ParamOrigin;
  readonly source: string;
}

export type ParamSection = Readonly<Record<string, ParamDefinition>>;

/** The numbers alone, as the core reads them. */
export type SectionValues<S extends ParamSection> = { readonly [K in keyof S]: number };

export function paper(value: number, source: string): ParamDefinition {
  return { value, origin: 'paper', source };
}

export function ours(value: number, source: string): ParamDefinition {
  return { value, origin: 'ours', source };
}
