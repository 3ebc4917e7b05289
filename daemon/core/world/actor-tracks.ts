import { compareStrings, flag, type TickNotes } from '../tick-notes.js';
import type { Actor, Provenance } from './facts.js';

/** A road user ahead as it was last seen. */
export interface Track {
  readonly id: string;
  readonly cls: Actor['cls'];
  readonly gapM: number;
  readonly closingMps: number;
  readonly inPath: number;
  readonly conf: number;
  readonly observedAtUs: number;
}

export interface ActorTracks {
  /** time of the newest observation of the road ahead, also of one that saw nobody; null = never observed */
  readonly observedAtUs: number | null;
  readonly provenance: Provenance | null;
  /** sorted by id */
  readonly tracks: readonly Track[];
}

/** Where a track is now. */
export interface PredictedActor {
  readonly id: string;
  readonly cls: Actor['cls'];
  /** not clamped: a negative gap is flagged where it is used */
  readonly gapM: number;
  readonly closingMps: number;
  readonly inPath: number;
  readonly conf: number;
  readonly ageUs: number;
}

export const noTracks: ActorTracks = { observedAtUs: null, provenance: null, tracks: [] };

/** v and the lead are fresh for 500 ms; a lost lead coasts as long. */
export const leadTtlUs = 500_000;
/** After this long without an observation the old tracks say nothing any more. */
const forgetAfterUs = 5_000_000;
const maxTracks = 32;

/**
 * Takes one observation of everybody ahead. An actor that is not in it coasts (it may be a dropout of the
 * detector); an actor with unusable numbers coasts too and is flagged.
 */
export function observeActors(
  before: ActorTracks,
  actors: readonly Actor[],
  conf: number,
  provenance: Provenance,
  observedAtUs: number,
  notes: TickNotes,
): ActorTracks {
  if (before.observedAtUs !== null && observedAtUs < before.observedAtUs) {
    flag(notes, 'out_of_order:actors');
    return before;
  }
  const byId = new Map<string, Track>();
  for (const track of before.tracks) {
    if (observedAtUs - track.observedAtUs <= leadTtlUs) byId.set(track.id, track);
  }
  for (const actor of actors) {
    if (!Number.isFinite(actor.gapM)) {
      flag(notes, 'nonfinite:d');
      continue;
    }
    if (!Number.isFinite(actor.closingMps)) {
      flag(notes, 'nonfinite:dv');
      continue;
    }
    const rival = byId.get(actor.id);
    if (rival !== undefined && rival.observedAtUs === observedAtUs && !isCloser(actor, rival)) continue;
    byId.set(actor.id, {
      id: actor.id,
      cls: actor.cls,
      gapM: actor.gapM,
      closingMps: actor.closingMps,
      inPath: actor.inPath,
      conf,
      observedAtUs,
    });
  }
  const tracks = [...byId.values()];
  if (tracks.length > maxTracks) {
    flag(notes, 'actors:too_many');
    tracks.sort((a, b) => a.gapM - b.gapM || compareStrings(a.id, b.id));
    tracks.length = maxTracks;
  }
  tracks.sort((a, b) => compareStrings(a.id, b.id));
  return { observedAtUs, provenance, tracks };
}

/** Of two actors under one id in one observation the closer one counts, whatever their order. */
function isCloser(actor: Actor, rival: Track): boolean {
  if (actor.gapM !== rival.gapM) return actor.gapM < rival.gapM;
  if (actor.closingMps !== rival.closingMps) return actor.closingMps > rival.closingMps;
  return actor.inPath > rival.inPath;
}

/**
 * Every actor in our path (inPath ≥ 0.5) extrapolated to the tick: d' = d − Δv·Δt, confidence falling to half
 * over the 500 ms it may coast. Older tracks are left in, for the safety evaluation to refuse by their age.
 */
export function predictInPath(state: ActorTracks, tUs: number): PredictedActor[] {
  const predicted: PredictedActor[] = [];
  for (const track of state.tracks) {
    if (track.inPath < 0.5) continue;
    const ageUs = Math.max(0, tUs - track.observedAtUs);
    const dtS = ageUs / 1_000_000;
    predicted.push({
      id: track.id,
      cls: track.cls,
      gapM: track.gapM - track.closingMps * dtS,
      closingMps: track.closingMps,
      inPath: track.inPath,
      conf: track.conf * (1 - 0.5 * Math.min(1, dtS / 0.5)),
      ageUs,
    });
  }
  return predicted;
}

/** Drops what has been stale for so long that it no longer stands for a lead that was lost a moment ago. */
export function forgetOldTracks(state: ActorTracks, tUs: number): ActorTracks {
  for (const track of state.tracks) {
    if (tUs - track.observedAtUs > forgetAfterUs) {
      return { ...state, tracks: state.tracks.filter((kept) => tUs - kept.observedAtUs <= forgetAfterUs) };
    }
  }
  return state;
}
