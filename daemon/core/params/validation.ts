import type { Params, SectionName } from '../params.js';
import { paramSections } from '../params.js';
import { actLine, edgeSlack, marginRange } from './reachability.js';

export interface ParamProblem {
  /** `section.name` */
  readonly key: string;
  readonly message: string;
}

const costs = ['actCostRatio', 'errorCostRatio', 'adviceBenefitRatio', 'fatigueCostRatio'] as const;
const weights = ['ttcWeightRatio', 'rssWeightRatio', 'healthWeightRatio'] as const;
const positive = [
  ['risk', 'closingFloorMps'],
  ['risk', 'ttcHorizonS'],
  ['risk', 'gravityMps2'],
  ['friction', 'frictionMinRatio'],
  ['friction', 'brakeEffectivenessMinRatio'],
  ['friction', 'dryReferenceRatio'],
  ['act', 'confirmTimeS'],
  ['act', 'gapFloorM'],
] as const;

/** Everything that makes a parameter set unusable; empty where it may be loaded. */
export function validateParams(params: Params): ParamProblem[] {
  const problems: ParamProblem[] = [];
  const report = (key: string, message: string): void => {
    problems.push({ key, message });
  };
  for (const section of Object.keys(paramSections) as SectionName[]) {
    const values: Readonly<Record<string, unknown>> = params[section] ?? {};
    for (const name of Object.keys(paramSections[section])) {
      if (values[name] === undefined) report(`${section}.${name}`, 'is missing');
    }
    for (const [name, value] of Object.entries(values)) {
      const key = `${section}.${name}`;
      if (!Object.hasOwn(paramSections[section], name)) report(key, 'there is no such parameter');
      else if (typeof value !== 'number' || !Number.isFinite(value))
        report(key, `must be a finite number, is ${String(value)}`);
      else if (value < 0 && name !== 'coldC' && key !== 'act.marginRatio')
        report(key, `must not be negative, is ${value}`);
    }
  }
  if (problems.length > 0) return problems;

  for (const [section, name] of positive) {
    const values: Readonly<Record<string, number>> = params[section];
    if (!((values[name] ?? 0) > 0)) report(`${section}.${name}`, 'must be above 0');
  }
  const sum = weights.reduce((total, name) => total + params.risk[name], 0);
  if (sum > 1 + edgeSlack) {
    report(
      'risk',
      `the weights of TTC, RSS and health sum to ${sum}, which is more than 1: risk could exceed 1`,
    );
  }
  for (const name of costs) {
    if (params.act[name] > 1) report(`act.${name}`, `must be at most 1, is ${params.act[name]}`);
  }
  if (!(actLine(params).k > 0))
    report('act.adviceBenefitRatio', 'must be below 1: ACT would never gain on SPEAK');
  validateOrder(params, report);
  validateRamps(params, report);
  if (!params.adaptationFrozen) validateAdaptation(params, report);
  return problems;
}

type Report = (key: string, message: string) => void;

function validateOrder(params: Params, report: Report): void {
  const { friction, act, adaptation } = params;
  if (friction.frictionMaxRatio < friction.frictionMinRatio)
    report('friction.frictionMaxRatio', 'is below frictionMinRatio');
  if (friction.brakeEffectivenessMinRatio > 1) report('friction.brakeEffectivenessMinRatio', 'is above 1');
  if (act.confirmMinCount < 1) report('act.confirmMinCount', 'must be at least 1');
  if (act.durationMaxUs < act.holdMinUs) report('act.durationMaxUs', 'is shorter than holdMinUs');
  if (adaptation.marginMaxRatio < adaptation.marginMinRatio)
    report('adaptation.marginMaxRatio', 'is below marginMinRatio');
  if (adaptation.confidenceMaxRatio < adaptation.confidenceMinRatio)
    report('adaptation.confidenceMaxRatio', 'is below confidenceMinRatio');
}

/** A ramp from a value to the same value has no slope: severities on it would not be numbers. */
function validateRamps(params: Params, report: Report): void {
  const values: Readonly<Record<string, number>> = params.health;
  for (const name of Object.keys(values)) {
    if (!name.includes('Onset')) continue;
    const full = name.replace('Onset', 'Full');
    if (values[full] === values[name]) report(`health.${full}`, `must differ from ${name}`);
  }
  if (!(params.health.tyrePlacardKpa > 0)) report('health.tyrePlacardKpa', 'must be above 0');
}

/** Feedback may move Δ only where following stays safe and ACT stays reachable. */
function validateAdaptation(params: Params, report: Report): void {
  const { act, adaptation } = params;
  const range = marginRange(params);
  if (adaptation.marginMinRatio < range.min - edgeSlack) {
    report(
      'adaptation.marginMinRatio',
      `${adaptation.marginMinRatio} is below ${range.min}: ordinary following could lead to ACT`,
    );
  }
  if (adaptation.marginMaxRatio >= range.max - edgeSlack) {
    report(
      'adaptation.marginMaxRatio',
      `${adaptation.marginMaxRatio} is not below ${range.max}: a sound car could never ACT`,
    );
  }
  const isInside = (value: number, min: number, max: number): boolean =>
    value >= min - edgeSlack && value <= max + edgeSlack;
  if (!isInside(act.marginRatio, adaptation.marginMinRatio, adaptation.marginMaxRatio))
    report('act.marginRatio', 'starts outside the bounds of its adaptation');
  if (!isInside(act.confidenceMinRatio, adaptation.confidenceMinRatio, adaptation.confidenceMaxRatio))
    report('act.confidenceMinRatio', 'starts outside the bounds of its adaptation');
}

/** What a person must know about the loaded set, for banner and reports; null where nothing needs saying. */
export function announceParams(params: Params): string | null {
  const line = actLine(params);
  if (line.isReachable) return null;
  return `advisory only: ACT unreachable (needs risk above ${shown(line.rStar)}, the largest is ${shown(line.rMax)})`;
}

/** 0.6 + 0.3 + 0.1 is 1 to people. */
function shown(value: number): number {
  return Math.round(value * 1e9) / 1e9;
}
