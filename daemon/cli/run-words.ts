/** Parts of a run's summary in words. */
import type { InputKind } from '../runtime/inputs-seen.js';
import type { RunSummary } from '../runtime/run-summary.js';
import { count } from './table.js';

const meanings: Readonly<Record<InputKind, readonly [kind: string, means: string]>> = {
  speed: ['speed', 'nothing is decided'],
  jurisdiction: ['jurisdiction', 'no national rules'],
  road_class: ['road class', 'no legal limit by the kind of road'],
  signs_or_gantries: ['signs or gantries', 'no posted limit'],
  vehicles_ahead: ['vehicles ahead', 'no distance advice, no ACT'],
  weather: ['weather', 'grip is assumed'],
};

/** Kinds of input that never came and what that means; '' where all came. */
export function notSeen(missing: readonly InputKind[]): string {
  const parts: string[] = [];
  const hasNoLimit = missing.includes('road_class') && missing.includes('signs_or_gantries');
  if (hasNoLimit) parts.push('road class, signs or gantries (no limit is known)');
  for (const kind of missing) {
    if (hasNoLimit && (kind === 'road_class' || kind === 'signs_or_gantries')) continue;
    const [name, means] = meanings[kind];
    parts.push(`${name} (${means})`);
  }
  return parts.join(', ');
}

/** Why a whole run passed without a word; '' where something was said. */
export function whySilent({ decisions, ticks, modes, events, inputs_missing: missing }: RunSummary): string {
  if (decisions.act + decisions.speak > 0) return '';
  if (ticks === 0) return 'nothing: there was no tick';
  const quiet = (modes['MONITOR'] ?? 0) + (modes['STOPPED'] ?? 0);
  if (missing.includes('speed')) return 'nothing: without a valid speed there is nothing to advise on';
  if (quiet > ticks / 2) return `nothing: ${quiet} of ${ticks} ticks were in a mode that gives no advice`;
  if (Object.keys(events).length > 0)
    return 'nothing: no event reached the driver (each decision record says what held it back)';
  return missing.length > 0
    ? 'nothing: no event arose from what was seen (see below for what was not)'
    : 'nothing: no event arose that calls for words';
}

/** What the input held and what was done with what was irregular. */
export function inputWords(input: Readonly<Record<string, unknown>>): string {
  const told: readonly (readonly [string, (number: number) => string])[] = [
    ['diagnostics', (n) => `${count(n, 'damaged part')} left out`],
    ['gaps_squeezed_to_one_tick', (n) => `${count(n, 'more silence')} played as one tick`],
    ['clock_steps_back', (n) => `its clock was set back ${count(n, 'time')}: drive time went on`],
    ['frames_out_of_order', (n) => `${count(n, 'frame')} out of order: taken at the time of the one before`],
    ['gaps_shortened', (n) => `${count(n, 'long silence')} shortened`],
  ];
  const known = new Map(told);
  const kinds = Array.isArray(input['diagnostic_kinds']) ? input['diagnostic_kinds'].map(String) : [];
  return Object.entries(input)
    .filter(([name, value]) => typeof value === 'number' && (name === 'frames' || value > 0))
    .map(([name, value]) => {
      const number = Number(value);
      if (name === 'frames') return count(number, 'frame');
      if (name === 'diagnostics' && kinds.length > 0)
        return `${count(number, 'damaged part')} left out (${kinds.join(', ')})`;
      return known.get(name)?.(number) ?? `${number.toLocaleString('en-US')} ${name.replaceAll('_', ' ')}`;
    })
    .join('; ');
}
