import { ours, type ParamSection, paper } from './definition.js';

/** Braking envelope, time to collision and risk (Table II of the publication where it prints a value). */
export const riskParams = {
  closingFloorMps: paper(0.1, 'Table II, ε: smallest closing speed in TTC'),
  responseTimeS: paper(0.7, 'Table II, t_r'),
  standstillGapM: paper(2.0, 'Table II, d0'),
  ttcHorizonS: paper(2.5, 'Table II, τ'),
  ttcWeightRatio: paper(0.6, 'Table II, α'),
  rssWeightRatio: paper(0.3, 'Table II, β'),
  healthWeightRatio: paper(0.1, 'Table II, γ'),
  gravityMps2: ours(9.81, 'not given; 9.80665 changes d_min by 0.03 %'),
  inPathRatio: ours(0.5, 'actors count from this in-path probability'),
} as const satisfies ParamSection;

/** Grip and brakes: bounds and fallbacks of what the envelope is computed with. */
export const frictionParams = {
  frictionMinRatio: ours(0.05, 'lower end of published ice friction'),
  frictionMaxRatio: ours(1.0, 'no road tyre is credited with more'),
  brakeEffectivenessMinRatio: ours(0.2, 'a car with less does not drive; keeps d_min finite'),
  brakeEffectivenessInvalidRatio: ours(0.5, 'stands in for a nonsensical value'),
  dryReferenceRatio: ours(0.8, 'typical dry asphalt: reference of the speed factor'),
  healthSpeedLossRatio: ours(0.3, 'share of the legal speed given up at health risk 1'),
  slipRatio: ours(0.1, 'binary slip detectors reach 0.97 accuracy at such thresholds (published)'),
  slipAccelMaxMps2: ours(2, 'beyond it wheels differ from the car without a slippery road'),
  slipSpeedMinMps: ours(8, 'below it the turning circle alone makes wheels differ by 10 %'),
  slipSamplesCount: ours(3, 'wheels × samples in a row'),
  slipRunMaxUs: ours(3_000_000, 'a longer difference is a wrong tyre size or factor'),
  slipHintTtlUs: ours(5_000_000, 'the hint is about the road just driven'),
  measuredGripTtlUs: ours(30_000_000, 'a grip measured while ABS cycles is believed this long'),
} as const satisfies ParamSection;

/** Utilities, guards and bounds of ACT. */
export const actParams = {
  marginRatio: paper(0.2, 'Table II, Δ'),
  actCostRatio: paper(0.4, 'Table II, C_act'),
  errorCostRatio: paper(0.2, 'Table II, C_err'),
  adviceBenefitRatio: paper(0.6, 'Table II, B_adv'),
  fatigueCostRatio: paper(0.05, 'Table II, C_fat'),
  confidenceMinRatio: ours(0.6, 'C_min, not in Table II: read as the least confidence for ACT'),
  speedMinMps: ours(0.5, 'below this a car stands'),
  confirmTimeS: ours(0.2, 'time span of the confirmation; openpilot confirms FCW over 0.1–0.25 s'),
  confirmMinCount: ours(
    2,
    'a single sample never acts: cut false interventions from 70 to 1 in 1,500 traces',
  ),
  decelMaxMps2: ours(3.5, 'class limit of ISO 15622'),
  gripUseRatio: ours(0.8, 'share of the grip lower bound that an intervention may use'),
  gapFloorM: ours(0.5, 'smallest stopping distance in the deceleration demand'),
  durationMaxUs: ours(1_000_000, 'an intervention lasts at most this long'),
  holdMinUs: ours(500_000, 'no chatter: an intervention lasts at least this long'),
  releaseSlackRatio: ours(0.05, 'after the hold ACT ends once the score is this far below Δ'),
  releaseTtcS: ours(3.0, 'after the hold ACT ends above this TTC'),
  cooldownUs: ours(2_000_000, 'rest after an intervention'),
  durableTicksMaxCount: ours(1, 'ticks to wait for the store before ACT is withdrawn'),
} as const satisfies ParamSection;

/** Bounded adaptation of Δ and C_min from feedback. */
export const adaptationParams = {
  marginStepRatio: ours(0.01, 'one step of Δ'),
  confidenceStepRatio: ours(0.02, 'one step of C_min'),
  marginMinRatio: ours(0.12, 'below it following at TTC ≥ τ could act'),
  marginMaxRatio: ours(0.26, 'keeps escalation at TTC ≥ 0.625 s'),
  confidenceMinRatio: ours(0.4, 'acting on less is guessing'),
  confidenceMaxRatio: ours(0.8, 'above it ordinary perception never acts'),
  intervalUs: ours(60_000_000, 'at most one step of a kind in this time'),
} as const satisfies ParamSection;
