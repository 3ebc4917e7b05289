/**
 * Which law applies: a jurisdiction is committed, and another one replaces it only on enough evidence, so that
 * a border seen twice or a misread plate does not flip the law back and forth.
 */
import type { Params } from '../params.js';
import type { DriveSide, Provenance, SpeedUnit } from './facts.js';
import { jurisdictionProfile } from './jurisdiction-profiles.js';

interface Observation {
  readonly path: string;
  readonly conf: number;
  readonly atUs: number;
}

export interface JurisdictionState {
  readonly committed: string | null;
  readonly committedAtUs: number;
  readonly previous: string | null;
  /** newest last */
  readonly observations: readonly Observation[];
  /** last unit and side seen, evidence of a border where they differ from the committed profile */
  readonly unit: { readonly value: SpeedUnit; readonly atUs: number } | null;
  readonly side: { readonly value: DriveSide; readonly atUs: number } | null;
}

export const unknownJurisdiction: JurisdictionState = {
  committed: null,
  committedAtUs: 0,
  previous: null,
  observations: [],
  unit: null,
  side: null,
};

/** Sightings of one tag within this time are one glimpse and count once. */
const glimpseUs = 1_000_000;
/** A map that jumps back to where we came from within this time needs the evidence of a camera. */
const reversalUs = 10_000_000;
/** The same goes while it still says the one as well as the other. */
const confirmedUs = 3_000_000;

/**
 * Takes one observation of a jurisdiction. A map fact commits at once; anything else when enough of the last
 * glimpses agree and the newest two are among them (alternating tags never commit).
 */
export function observeJurisdiction(
  state: JurisdictionState,
  path: string,
  conf: number,
  provenance: Provenance,
  atUs: number,
  params: Params,
): JurisdictionState {
  if (state.committed !== null && isSameOrParent(path, state.committed)) {
    return remember(state, { path: state.committed, conf, atUs }, params);
  }
  const isReversal = path === state.previous && isRecent(state, atUs);
  if (provenance === 'map' && !isReversal && conf >= params.events.etaRatio) return commit(state, path, atUs);
  const next = remember(state, { path, conf, atUs }, params);
  if (next === state) return state;
  const { observations } = next;
  const newest = observations[observations.length - 1];
  const before = observations[observations.length - 2];
  if (newest?.path !== path || before?.path !== path) return next;
  let agreeing = 0;
  for (const observation of observations) if (observation.path === path) agreeing++;
  return agreeing >= params.events.jurisdictionCommitCount ? commit(next, path, atUs) : next;
}

export function observeUnit(state: JurisdictionState, value: SpeedUnit, atUs: number): JurisdictionState {
  return state.unit !== null && atUs < state.unit.atUs ? state : { ...state, unit: { value, atUs } };
}

export function observeSide(state: JurisdictionState, value: DriveSide, atUs: number): JurisdictionState {
  return state.side !== null && atUs < state.side.atUs ? state : { ...state, side: { value, atUs } };
}

/**
 * Evidence that we are no longer where we think: unit or side seen since the last commitment contradict the
 * committed country's own.
 */
export function hasFlipped(state: JurisdictionState): 'units' | 'drive_side' | null {
  if (state.committed === null) return null;
  const profile = jurisdictionProfile(state.committed);
  if (profile === null) return null;
  if (state.unit !== null && state.unit.atUs > state.committedAtUs && state.unit.value !== profile.unit) {
    return 'units';
  }
  if (state.side !== null && state.side.atUs > state.committedAtUs && state.side.value !== profile.side) {
    return 'drive_side';
  }
  return null;
}

/** The newest glimpse, where it contradicts what is committed. */
export function contradicting(state: JurisdictionState): Observation | null {
  const newest = state.observations[state.observations.length - 1];
  return newest !== undefined && newest.path !== state.committed ? newest : null;
}

/** We came here, or were seen here, a moment ago. */
function isRecent(state: JurisdictionState, atUs: number): boolean {
  if (atUs - state.committedAtUs < reversalUs) return true;
  return state.observations.some(
    (observation) => observation.path === state.committed && atUs - observation.atUs < confirmedUs,
  );
}

function remember(state: JurisdictionState, observation: Observation, params: Params): JurisdictionState {
  const newest = state.observations[state.observations.length - 1];
  if (
    newest !== undefined &&
    newest.path === observation.path &&
    observation.atUs - newest.atUs < glimpseUs
  ) {
    return state;
  }
  const kept = state.observations.slice(-(params.events.jurisdictionWindowCount - 1));
  return { ...state, observations: [...kept, observation] };
}

function commit(state: JurisdictionState, path: string, atUs: number): JurisdictionState {
  return {
    ...state,
    committed: path,
    committedAtUs: atUs,
    previous: state.committed,
    observations: [{ path, conf: 1, atUs }],
  };
}

/** `GBR` seen while in `GBR/WLS` contradicts nothing: it is the same law seen less finely. */
function isSameOrParent(path: string, committed: string): boolean {
  return path === committed || committed.startsWith(`${path}/`);
}
