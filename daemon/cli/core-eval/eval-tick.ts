import {
  type AdaptationState,
  adapt,
  type FeedbackKind,
  feedbackKinds,
  initialAdaptation,
} from '../../core/arbiter/adaptation.js';
import { type ArbiterState, arbitrate, initialArbiterState } from '../../core/arbiter/arbiter.js';
import { actBlockers } from '../../core/arbiter/guards.js';
import { confirmTicks, createParams, type Params, type PresetName, presetNames } from '../../core/params.js';
import { assessSafety } from '../../core/safety/assessment.js';
import { estimateGrip, measuredGrip } from '../../core/safety/friction-estimate.js';
import { mpsPerUnit, speedFactor, targetSpeed } from '../../core/safety/target-speed.js';
import type { SpeedUnit } from '../../core/world/facts.js';
import { invalid, VectorFields } from './vector-fields.js';

const params = createParams('default');

export function evalGrip(id: string, inputs: VectorFields): Record<string, unknown> {
  const grip = estimateGrip({
    precipitation: inputs.numberOrNull('precipitation') ?? null,
    precipitationDeposits: inputs.numberOrNull('precipitation_deposits') ?? null,
    wetness: inputs.numberOrNull('wetness') ?? null,
    wiper: inputs.numberOrNull('wiper') ?? null,
    speedMps: inputs.numberOrNull('v') ?? null,
    tyreKpa: inputs.numberOrNull('tyre_kpa') ?? null,
    ambientC: inputs.numberOrNull('ambient_c') ?? null,
    measuredGripRatio: measuredGrip(
      inputs.booleanOr('abs_active', false),
      inputs.numberOrNull('ax') ?? null,
      params,
    ),
  });
  return {
    id,
    w: grip.wetness,
    mu_est: grip.estimate,
    mu_lo: grip.lower,
    risk_level: grip.riskLevel,
    v_hydroplane_mps: grip.hydroplaneMps,
  };
}

export function evalSpeedFactor(id: string, inputs: VectorFields): Record<string, unknown> {
  return { id, speed_factor: speedFactor(inputs.number('limit_mps'), inputs.number('mu'), params) };
}

export function evalTargetSpeed(id: string, inputs: VectorFields): Record<string, unknown> {
  const unit = inputs.string('unit');
  if (!isSpeedUnit(unit)) throw invalid(inputs.path('unit'), 'km/h or mph', unit);
  const target = targetSpeed(
    inputs.number('limit'),
    unit,
    inputs.number('mu'),
    inputs.numberOr('h', 0),
    params,
  );
  return {
    id,
    speed_factor: target.factor,
    target_mps: target.targetMps,
    advice: target.advice,
    tell_both: target.tellBoth,
  };
}

function isSpeedUnit(word: string): word is SpeedUnit {
  return Object.hasOwn(mpsPerUnit, word);
}

export function evalAdaptation(id: string, inputs: VectorFields): Record<string, unknown> {
  let state: AdaptationState = initialAdaptation(params);
  const steps = inputs.array('sequence').map((entry, i) => {
    const step = VectorFields.of(`${inputs.path('sequence')}[${i}]`, entry);
    const feedback = step.array('events').filter((word): word is FeedbackKind => isFeedback(word));
    const result = adapt(state, feedback, Math.round(step.number('t') * 1e6), params);
    state = result.state;
    return { delta: state.marginRatio, c_min: state.confidenceMinRatio, applied: result.applied };
  });
  return { id, steps };
}

function isFeedback(word: unknown): boolean {
  return feedbackKinds.some((kind) => kind === word);
}

/** A constant approach through the arbiter, as in the daemon with everything in order, once for each Δ. */
export function evalTrace(id: string, inputs: VectorFields): Record<string, unknown> {
  const preset = inputs.stringOr('preset', 'default') ?? 'default';
  if (!isPreset(preset)) throw invalid(inputs.path('preset'), presetNames.join(' or '), preset);
  const result: Record<string, unknown> = { id };
  for (const [i, delta] of inputs.array('deltas').entries()) {
    if (typeof delta !== 'number') throw invalid(`${inputs.path('deltas')}[${i}]`, 'a number', delta);
    result[String(delta)] = traceApproach(inputs, delta, createParams(preset));
  }
  return result;
}

function isPreset(word: string): word is PresetName {
  return presetNames.some((name) => name === word);
}

const tickCountMax = 1_000_000;

function traceApproach(
  inputs: VectorFields,
  marginRatio: number,
  traceParams: Params,
): Record<string, number | null> {
  const dt = inputs.number('dt');
  const ticks = inputs.number('ticks');
  if (!(dt > 0)) throw invalid(inputs.path('dt'), 'above 0', dt);
  if (!(ticks <= tickCountMax)) throw invalid(inputs.path('ticks'), `at most ${tickCountMax}`, ticks);
  const [startM, closingMps] = [inputs.number('d0'), inputs.number('dv')];
  const needed = inputs.numberOr('confirm_ticks', confirmTicks(dt * 1e6, traceParams));
  const mu = inputs.number('mu');
  const thresholds = { marginRatio, confidenceMinRatio: traceParams.act.confidenceMinRatio };

  let state: ArbiterState = initialArbiterState;
  let firstRaw: number | null = null;
  for (let tick = 0; tick < ticks; tick++) {
    const t = tick * dt;
    const gapM = startM - closingMps * t;
    if (gapM < 0) break;
    const safety = assessSafety(
      {
        speedMps: inputs.number('v'),
        lead: { gapM, closingMps },
        // The vector names the grip that is used, so the road is taken as dry.
        friction: { est: mu, lo: mu },
        road: 'dry',
        healthRisk: inputs.numberOr('h', 0),
      },
      thresholds,
      traceParams,
    );
    const printedT = Math.round(t * 1e6) / 1e6;
    if (firstRaw === null && actBlockers(safety, traceParams).length === 0) firstRaw = printedT;
    const arbitration = arbitrate(
      state,
      safety,
      {
        tick,
        tUs: t * 1e6,
        mode: 'NORMAL',
        store: { healthy: true, durableTick: tick, lagUs: 0 },
        actAuthorised: true,
        driverOverride: false,
        confirmTicks: needed,
      },
      traceParams,
    );
    state = arbitration.state;
    if (arbitration.isActStart) {
      const ttc = (startM - closingMps * printedT) / Math.max(traceParams.risk.closingFloorMps, closingMps);
      return { first_raw_act_t: firstRaw, first_confirmed_act_t: printedT, ttc_at_confirmed: ttc };
    }
  }
  return { first_raw_act_t: firstRaw, first_confirmed_act_t: null, ttc_at_confirmed: null };
}
