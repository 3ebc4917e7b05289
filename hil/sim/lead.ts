/** The vehicle ahead: enters, cruises, brakes and leaves as the scenario says, within what the road allows. */
import { gravityMps2 } from './plant.js';

/** What the lead does from `fromS` on: goes for a speed, accelerating or braking at no more than the given rate. */
export interface LeadPhase {
  readonly fromS: number;
  readonly toMps: number;
  readonly rateMps2: number;
}

/** Appears `gapM` ahead of the ego at `entersS`; 0 < gap: a vehicle caught up with, or one that cuts in. */
export interface LeadScript {
  readonly id: string;
  readonly cls: 'car' | 'truck';
  readonly entersS: number;
  readonly leavesS: number;
  readonly entry: 'ahead' | 'cut_in';
  readonly gapM: number;
  readonly vMps: number;
  readonly phases: readonly LeadPhase[];
}

/** A cut-in needs this long from the first movement to being in our lane. */
const cutInS = 2.5;

export interface LeadState {
  readonly script: LeadScript;
  /** rear bumper along the route */
  rearM: number;
  vMps: number;
  axMps2: number;
  /** 0…1: how far it is in our lane */
  inLane: number;
}

export function enterLead(script: LeadScript, egoFrontM: number): LeadState {
  return {
    script,
    rearM: egoFrontM + script.gapM,
    vMps: script.vMps,
    axMps2: 0,
    inLane: script.entry === 'cut_in' ? 0 : 1,
  };
}

export function stepLead(state: LeadState, tS: number, mu: number, dtS: number): void {
  const phase = state.script.phases.findLast((candidate) => candidate.fromS <= tS);
  const targetMps = phase?.toMps ?? state.script.vMps;
  const rate = Math.min(phase?.rateMps2 ?? 1, mu * gravityMps2);
  const wanted = (targetMps - state.vMps) / dtS;
  state.axMps2 = Math.max(-rate, Math.min(rate, wanted));
  const vNext = Math.max(0, state.vMps + state.axMps2 * dtS);
  state.rearM += (state.vMps + vNext) * 0.5 * dtS;
  state.vMps = vNext;
  if (state.inLane < 1) state.inLane = Math.min(1, state.inLane + dtS / cutInS);
}
