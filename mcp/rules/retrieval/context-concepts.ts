/** The flat context as concepts and sign codes, so that the situation takes part in the search. */
import type { FlatContext } from '../evaluate/flat-context.js';
import { readGantry, readSign } from '../evaluate/posted.js';
import { type Concept, concepts } from '../lexicon/concepts.js';

const known: ReadonlySet<string> = new Set(concepts);

export function conceptsOfContext(context: FlatContext): {
  readonly concepts: ReadonlySet<Concept>;
  readonly codes: readonly string[];
} {
  const found = new Set<Concept>();
  const add = (name: string): void => {
    if (known.has(name)) found.add(name as Concept);
  };
  if (context.road !== undefined) add(`road.${context.road}`);
  // Everybody drives a car: as a term it would find every provision that names one.
  if (context.vehicle !== undefined && context.vehicle !== 'car') add(`vehicle.${context.vehicle}`);
  if (context.wet === true) add('fact.wet');
  if (context.novice === true) add('fact.novice');
  if (context.chains === true) add('fact.chains');
  if (context.lit === true) add('fact.lit');
  if (context.trailer === true) add('fact.trailer');
  if (context.dangerous_goods === true) add('fact.dangerous_goods');
  if (context.visibility_m !== undefined && context.visibility_m < 100) add('fact.fog');
  if (context.traffic !== undefined) add(`fact.${context.traffic}`);
  const codes: string[] = [];
  const sign = context.sign === undefined ? null : readSign(context.sign);
  if (sign !== null && sign.code !== 'ring') codes.push(sign.code.toLowerCase());
  if (context.plate !== undefined) {
    add('sign.plate');
    codes.push(context.plate.toLowerCase());
  }
  if (context.gantry !== undefined) {
    add('sign.gantry');
    for (const { kind } of readGantry(context.gantry)) {
      if (kind === 'redx') add('sign.red_x');
      if (kind === 'yellow_arrow') add('sign.lane_arrow');
      if (kind === 'igl') add('sign.igl');
    }
  }
  return { concepts: found, codes };
}
