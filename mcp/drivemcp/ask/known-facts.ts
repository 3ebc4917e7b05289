import { phrasebookOf } from '../../../daemon/core/explain/locales.js';
import { displayUnitOf } from '../../../daemon/core/world/jurisdiction-profiles.js';
import { fromMps } from '../../../daemon/core/world/speed-units.js';
import { textOf } from '../daemon-view.js';
import { type AskCase, say } from './answer-parts.js';
import { placeName } from './place-name.js';

/** What the answer went by, for the driver; null where nothing is known. */
export function knownFacts(one: AskCase): string | null {
  const { state } = one;
  const { book } = phrasebookOf(one.language);
  const unit = displayUnitOf(one.units, state.jurisdiction);
  const facts: string[] = [];
  if (state.jurisdiction !== null)
    facts.push(say(one, 'fact_jurisdiction', { value: placeName(state.jurisdiction, one.language) }));
  const road = textOf(state.context['road']);
  if (road !== null) {
    const { roads } = one.texts;
    const value = Object.hasOwn(roads, road) ? (roads[road] as string) : road.replaceAll('_', ' ');
    facts.push(say(one, 'fact_road', { value }));
  }
  const sign = textOf(state.context['sign']);
  if (sign !== null) facts.push(say(one, 'fact_sign', { value: sign }));
  if (state.surface !== null) {
    facts.push(say(one, 'fact_surface', { value: book.surfaces[state.surface] as string }));
  }
  if (state.speedMps !== null) {
    facts.push(say(one, 'fact_speed', { value: Math.round(fromMps(state.speedMps, unit)), unit }));
  }
  return facts.length === 0 ? null : facts.join(', ');
}
