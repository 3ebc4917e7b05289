/**
 * All numbers of the decision core as data, in two named presets.
 *
 * `paper-literal` holds Table II as printed. Its score 0.4·r − 0.55 is negative for every r ≤ 1, so it can
 * only advise; it says so and its adaptation is frozen. `default` keeps formulas and constants and multiplies
 * the two action costs by 0.15, which puts the escalation at TTC = 1.25 s for a healthy car.
 */
import { ours, type ParamDefinition, type ParamSection, type SectionValues } from './params/definition.js';
import { healthParams } from './params/health-params.js';
import { rssParams } from './params/monitor-params.js';
import { eventParams, freshnessParams, modeParams, speechParams } from './params/reaction-params.js';
import { actParams, adaptationParams, frictionParams, riskParams } from './params/risk-params.js';

export const paramSections = {
  risk: riskParams,
  friction: frictionParams,
  act: actParams,
  adaptation: adaptationParams,
  rss: rssParams,
  health: healthParams,
  events: eventParams,
  freshness: freshnessParams,
  speech: speechParams,
  modes: modeParams,
} as const satisfies Record<string, ParamSection>;

export type SectionName = keyof typeof paramSections;

export const presetNames = ['default', 'paper-literal'] as const;
export type PresetName = (typeof presetNames)[number];

/** A complete parameter set: plain numbers, one section a concern. */
export type Params = {
  readonly preset: PresetName;
  /** true: Δ and C_min stay what they are whatever the feedback */
  readonly adaptationFrozen: boolean;
} & { readonly [S in SectionName]: SectionValues<(typeof paramSections)[S]> };

/** Replacements for single values, by section and name. */
export type ParamOverrides = {
  readonly [S in SectionName]?: Partial<SectionValues<(typeof paramSections)[S]>>;
};

interface Preset {
  readonly adaptationFrozen: boolean;
  readonly act: Partial<Record<keyof typeof actParams, ParamDefinition>>;
}

const presets: Record<PresetName, Preset> = {
  default: {
    adaptationFrozen: false,
    act: {
      actCostRatio: ours(0.06, 'Table II × 0.15, calibrated on held-out traces: the printed cost never acts'),
      errorCostRatio: ours(0.03, 'Table II × 0.15, as the cost of acting'),
    },
  },
  'paper-literal': {
    adaptationFrozen: true,
    act: { confidenceMinRatio: ours(0, 'no such threshold in Table II') },
  },
};

/** The definitions (value, origin, source) that a preset is made of. */
export function presetDefinitions(preset: PresetName): Readonly<Record<SectionName, ParamSection>> {
  return { ...paramSections, act: { ...actParams, ...presets[preset].act } };
}

/** The parameter set of a preset, with single values replaced. Not validated: see `validateParams`. */
export function createParams(
  preset: PresetName,
  options: { readonly overrides?: ParamOverrides; readonly freezeAdaptation?: boolean } = {},
): Params {
  const definitions = presetDefinitions(preset);
  const sections: Record<string, Record<string, number>> = {};
  for (const [section, entries] of Object.entries(definitions)) {
    const values: Record<string, number> = {};
    for (const [name, definition] of Object.entries(entries)) values[name] = definition.value;
    sections[section] = { ...values, ...options.overrides?.[section as SectionName] };
  }
  return {
    preset,
    adaptationFrozen: presets[preset].adaptationFrozen || options.freezeAdaptation === true,
    ...sections,
  } as Params;
}

/** How many values of a set are ours: chosen here, or changed from what the preset has. */
export function countOurValues(params: Params): number {
  let count = 0;
  for (const [section, entries] of Object.entries(presetDefinitions(params.preset))) {
    const values: Readonly<Record<string, number>> = params[section as SectionName];
    for (const [name, definition] of Object.entries(entries)) {
      if (definition.origin === 'ours' || values[name] !== definition.value) count++;
    }
  }
  return count;
}

/**
 * Consecutive ticks on which the ACT condition must hold, the first one counted: 2 at 10 Hz, 4 at 20 Hz,
 * 10 at 50 Hz. The slack keeps a quotient such as 200 ms / 50 ms from being rounded up by its last bit.
 */
export function confirmTicks(periodUs: number, params: Params): number {
  const quotient = (params.act.confirmTimeS * 1e6) / periodUs;
  const nearest = Math.floor(quotient + 0.5);
  const needed = Math.abs(quotient - nearest) < 1e-9 ? nearest : Math.floor(quotient) + 1;
  return Math.max(params.act.confirmMinCount, needed);
}
