/** Values of phrases, from the state of one tick only. */
import type { Situation } from '../fuse/situation.js';
import { healthPercent } from '../safety/health/health-score.js';
import { countryOf, jurisdictionProfile } from '../world/jurisdiction-profiles.js';
import { fromMps } from '../world/speed-units.js';
import { rounded } from './fill.js';
import type { Phrasebook, PhraseValues } from './phrasebook.js';

/** One international yard, exactly. */
const metresPerYard = 0.9144;

export function describe(situation: Situation, book: Phrasebook): PhraseValues {
  const { safety, advice, law, grip, condition, view } = situation;
  const { record } = safety;
  const unit = advice.unit;
  const values: { [name: string]: string | number } = {
    unit,
    distance: book.distances[situation.distanceUnit],
  };
  const put = (name: string, value: number | null, digits: number): void => {
    if (value !== null) values[name] = rounded(value, digits);
  };
  // Long distances and times are capped so that a number never outgrows its sentence.
  const bounded = (value: number | null): number | null => (value === null ? null : Math.min(value, 9999));
  const shown = (metres: number | null): number | null =>
    metres === null || situation.distanceUnit === 'm' ? metres : metres / metresPerYard;
  put('gap', bounded(shown(record.d)), 0);
  put('needed', bounded(shown(record.dmin)), 0);
  put('closing', bounded(record.dv), 1);
  put('ttc', bounded(record.ttc), 1);
  put('risk', record.r, 2);
  put('headway', bounded(advice.headwayS), 1);
  put('limit', advice.limit, 0);
  put('advice', advice.speed, 0);
  put('target', advice.targetMps === null ? null : fromMps(advice.targetMps, unit), 0);
  put('speed', record.v === null ? null : fromMps(record.v, unit), 0);
  put('factor', advice.speedFactor * 100, 0);
  put('grip_low', safety.situation.frictionLower, 2);
  put('grip', Math.min(1, safety.situation.frictionLower) * 100, 0);
  put('health', condition.healthRisk === null ? null : healthPercent(condition.healthRisk), 0);
  put('health_risk', condition.healthRisk, 2);
  const lead = view.leads.find((candidate) => candidate.id === safety.situation.lead?.id);
  put('lead_conf', lead === undefined ? null : lead.conf * 100, 0);
  put('grip_conf', grip.conf * 100, 0);
  put('law_conf', law.conf * 100, 0);
  values['citations'] = law.answer?.citations.length ?? 0;
  values['surface'] = book.surfaces[grip.surface] ?? (book.surfaces['unknown'] as string);
  values['indicator'] =
    book.indicators[condition.indicators[0] ?? 'none'] ?? (book.indicators['none'] as string);
  const { jurisdiction } = view;
  const country = jurisdiction === null ? undefined : book.countries[countryOf(jurisdiction)];
  if (country !== undefined) values['country'] = country;
  const side = jurisdiction === null ? undefined : jurisdictionProfile(jurisdiction)?.side;
  if (side !== undefined) values['side'] = book.sides[side] as string;
  return values;
}
