/** Proposes a vehicle profile: which signals of a DBC are what, by name, unit, range and, where given, a log. */
import type { DecodePlan } from '../../dbc/decode-plan.js';
import { toCoreUnit } from '../../vss/units.js';
import type { Profile, ProfileSignal } from '../profile-schema.js';
import type { LogSurvey } from './log-survey.js';
import { fitByName, type NamedSignal, type NameFit, namedSignal } from './score-signal.js';
import { draftTargets } from './targets.js';

/** A signal proposed for a path. */
export interface Proposal {
  readonly path: string;
  /** `MESSAGE.SIGNAL` */
  readonly key: string;
  /** 0…1: how sure the proposal is; a person should look at everything below 0.8 */
  readonly confidence: number;
  readonly reasons: readonly string[];
  readonly spec: ProfileSignal;
  /** what the log shows, in the core's unit; null without a log */
  readonly observed: { readonly count: number; readonly min: number; readonly max: number } | null;
}

export interface Draft {
  /** null where nothing could be proposed */
  readonly profile: Profile | null;
  /** by falling confidence */
  readonly proposals: readonly Proposal[];
  /** signals that would fit a path too but were not chosen, best first, at most three a path */
  readonly alternatives: ReadonlyMap<string, readonly Proposal[]>;
  /** good names that the log speaks against */
  readonly rejected: readonly { readonly path: string; readonly key: string; readonly reason: string }[];
}

/** Below this a proposal is more likely wrong than right. */
const proposeFrom = 0.5;

/**
 * @param survey what a recording holds; without it names, units and ranges alone decide
 * @param files DBC files that the profile will name, with their SHA-256
 */
export function draftProfile(
  plan: DecodePlan,
  options: { name: string; files: Profile['dbc']; survey?: LogSurvey },
): Draft {
  const rejected: { path: string; key: string; reason: string }[] = [];
  const found: Proposal[] = [];
  for (let message = 0; message < plan.messageCount; message++) {
    for (
      let signal = plan.messageFirstSignal[message]!;
      signal < plan.messageFirstSignal[message + 1]!;
      signal++
    ) {
      if (plan.signalLastByte[signal] === 0xffff) continue;
      const named = namedSignal(plan, message, signal);
      if (!/^[^.\s]+\.[^.\s]+$/.test(named.key)) continue;
      for (const target of draftTargets) {
        const fit = fitByName(plan, named, target);
        if (fit === null || fit.score < proposeFrom - 0.15) continue;
        const judged = judge(plan, named, fit, options.survey);
        if (typeof judged !== 'string') found.push(judged);
        else if (fit.score >= proposeFrom)
          rejected.push({ path: fit.vss.path, key: named.key, reason: judged });
      }
    }
  }
  const all = comparedWithWheels(found);
  // Of equals the shorter name says it more directly; then any fixed order.
  all.sort((a, b) => b.confidence - a.confidence || a.key.length - b.key.length || (a.key < b.key ? -1 : 1));
  const { chosen, alternatives } = choose(all);
  const proposals = withSpeed(chosen);
  const signals = Object.fromEntries(
    [...proposals]
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map((proposal) => [proposal.key, proposal.spec]),
  );
  const profile: Profile | null =
    proposals.length === 0 ? null : { profile: 1, name: options.name, dbc: options.files, signals };
  return { profile, proposals, alternatives, rejected };
}

/** A vehicle speed that is not what the wheels say is something else, or in another unit. */
function comparedWithWheels(proposals: readonly Proposal[]): Proposal[] {
  let fastest: number | null = null;
  for (const { path, confidence, observed } of proposals) {
    if (!/Wheel\.(Left|Right)\.Speed$/.test(path) || confidence < 0.7 || observed === null) continue;
    fastest = Math.max(fastest ?? 0, observed.max);
  }
  return proposals.map((proposal) => {
    if (fastest === null || proposal.path !== 'Vehicle.Speed' || proposal.observed === null) return proposal;
    const differs = Math.abs(proposal.observed.max - fastest) > Math.max(0.5, 0.15 * fastest);
    // At rest all speeds agree; only movement confirms.
    const gain = differs ? -0.3 : fastest > 3 ? 0.1 : 0;
    if (gain === 0) return proposal;
    return {
      ...proposal,
      confidence: rounded(proposal.confidence + gain),
      reasons: [
        ...proposal.reasons,
        differs ? 'differs from the wheel speeds' : 'agrees with the wheel speeds',
      ],
    };
  });
}

function rounded(confidence: number): number {
  return Math.round(Math.max(0, Math.min(1, confidence)) * 100) / 100;
}

/** The log's word on a fit: a proposal, or why it is refused. */
function judge(
  plan: DecodePlan,
  named: NamedSignal,
  fit: NameFit,
  survey: LogSurvey | undefined,
): Proposal | string {
  const { vss } = fit;
  const reasons = [...fit.reasons];
  const base = baseSpec(fit);
  const period = roundedPeriod(plan.messageCycleMs[named.message] ?? survey?.periodMs(named.message) ?? null);
  if (period !== null) base.period_ms = period;
  const done = (confidence: number, observed: Proposal['observed']): Proposal => ({
    path: vss.path,
    key: named.key,
    confidence: rounded(confidence),
    reasons,
    spec: { ...base, ...(vss.path === 'Vehicle.Speed' ? { required: true } : {}) },
    observed,
  });
  if (survey === undefined) return done(fit.score * 0.9, null);

  const { message, signal } = named;
  const count = survey.count[signal]!;
  if (survey.frames[message] === 0) return 'message is not in the log';
  if (count === 0) return 'signal is never in its frames';
  if (survey.shortFrames[message]! > survey.frames[message]! / 10) {
    return 'frames are shorter than the DBC says';
  }
  if (survey.allOnes[signal] === count) return 'always all ones: not available';
  const toCore = (value: number): number => {
    const scaled = value * (base.scale ?? 1) + (base.offset ?? 0);
    return toCoreUnit(scaled, fit.conversion);
  };
  const ends = [toCore(survey.lowest[signal]!), toCore(survey.highest[signal]!)];
  const observed = { count, min: Math.min(...ends), max: Math.max(...ends) };
  if (observed.min > vss.max || observed.max < vss.min) {
    return `reads ${shown(observed.min)} … ${shown(observed.max)} ${vss.unit}: not plausible`;
  }
  let confidence = fit.score;
  if (observed.min < vss.min || observed.max > vss.max) {
    confidence -= 0.2;
    reasons.push('partly out of range in the log');
  } else {
    confidence += 0.05;
    reasons.push('plausible in the log');
  }
  if (survey.changes[signal]! > 0) {
    confidence += 0.1;
    reasons.push('varies');
  }
  if (vss.datatype === 'boolean' && observed.min > 0) {
    // Regulation goes on for seconds: what is set in every frame is "switched on", not "regulating".
    if (vss.path.endsWith('.IsEngaged') && vss.path.includes('.ADAS.')) return 'set in every frame';
    if (fit.isGuess || vss.path.endsWith('.IsError')) {
      confidence -= 0.15;
      reasons.push('set in every frame');
    }
  }
  if (survey.allOnes[signal]! > 0) base.invalid_raw = [2 ** plan.signalBits[signal]! - 1];
  const counter = survey.counter(message);
  const checksum = survey.checksum(message);
  if (counter) base.counter = counter;
  if (checksum) base.checksum = checksum;
  if (counter || checksum) {
    confidence += 0.03;
    reasons.push([counter && 'counter', checksum?.kind].filter(Boolean).join(' and ').concat(' verified'));
  }
  // Of two equal signals the more frequent one is the measurement, the other a copy for display.
  if (period !== null && period <= 50) confidence += 0.02;
  return done(confidence, observed);
}

type MutableSpec = { -readonly [K in keyof ProfileSignal]: ProfileSignal[K] };

function baseSpec(fit: NameFit): MutableSpec {
  const spec: MutableSpec = { vss: fit.vss.path };
  if (fit.statedUnit !== null) spec.unit = fit.statedUnit;
  if (fit.codes !== null && (fit.codes.off !== 0 || fit.codes.on !== 1)) {
    // value = (raw − off) / (on − off): 0 for off, 1 for on; everything else falls out of the range.
    const step = fit.codes.on - fit.codes.off;
    if (step !== 1) spec.scale = 1 / step;
    if (fit.codes.off !== 0) spec.offset = -fit.codes.off / step;
  }
  return spec;
}

function choose(sorted: readonly Proposal[]): {
  chosen: Proposal[];
  alternatives: Map<string, Proposal[]>;
} {
  const chosen = new Map<string, Proposal>();
  const usedKeys = new Set<string>();
  const alternatives = new Map<string, Proposal[]>();
  for (const proposal of sorted) {
    if (proposal.confidence >= proposeFrom && !chosen.has(proposal.path) && !usedKeys.has(proposal.key)) {
      chosen.set(proposal.path, proposal);
      usedKeys.add(proposal.key);
      continue;
    }
    const list = alternatives.get(proposal.path) ?? [];
    if (list.length < 3) alternatives.set(proposal.path, [...list, proposal]);
  }
  return { chosen: [...chosen.values()], alternatives };
}

const standInWheels = ['Row2.Wheel.Left', 'Row2.Wheel.Right', 'Row1.Wheel.Left', 'Row1.Wheel.Right'];

/**
 * Nothing can be decided without a vehicle speed. Where the DBC names none, a wheel's speed stands in (a rear
 * one first: most cars drive the front ones), said so and with a confidence that asks for a look.
 */
function withSpeed(chosen: readonly Proposal[]): Proposal[] {
  const byConfidence = (a: Proposal, b: Proposal): number => b.confidence - a.confidence;
  if (chosen.some((proposal) => proposal.path === 'Vehicle.Speed')) return [...chosen].sort(byConfidence);
  for (const wheel of standInWheels) {
    const stand = chosen.find((proposal) => proposal.path === `Vehicle.Chassis.Axle.${wheel}.Speed`);
    if (!stand || stand.confidence < 0.6) continue;
    const speed: Proposal = {
      ...stand,
      path: 'Vehicle.Speed',
      confidence: rounded(stand.confidence * 0.6),
      reasons: ['no vehicle speed found, one wheel stands in', ...stand.reasons],
      spec: { ...stand.spec, vss: 'Vehicle.Speed', required: true },
    };
    return [...chosen.filter((proposal) => proposal !== stand), speed].sort(byConfidence);
  }
  return [...chosen].sort(byConfidence);
}

const nominalPeriodsMs = [5, 10, 20, 25, 30, 40, 50, 100, 200, 250, 500, 1000, 2000, 5000];

/** Cycle times are round numbers; what is measured lies a little beside them. */
function roundedPeriod(periodMs: number | null): number | null {
  if (periodMs === null || periodMs <= 0) return null;
  const nominal = nominalPeriodsMs.find((each) => Math.abs(each - periodMs) <= 0.08 * each);
  return nominal ?? Math.max(1, Math.round(periodMs));
}

function shown(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** What decisions rest on most. */
export const wantedPaths: readonly string[] = [
  'Vehicle.Speed',
  'Vehicle.Chassis.Brake.IsBrakePedalPressed',
  'Vehicle.ADAS.ABS.IsError',
  'Vehicle.ADAS.ABS.IsEngaged',
  'Vehicle.Exterior.AirTemperature',
];

/** Wanted paths for which nothing was proposed; without the first no decision can be made. */
export function missingInputs(draft: Draft): string[] {
  const found = new Set(draft.proposals.map((proposal) => proposal.path));
  return wantedPaths.filter((path) => !found.has(path));
}
