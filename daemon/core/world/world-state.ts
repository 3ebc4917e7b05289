import { type ActorTracks, noTracks } from './actor-tracks.js';
import type { Fact, RoadFact, WeatherFact } from './facts.js';
import { type JurisdictionState, unknownJurisdiction } from './jurisdiction.js';
import { nothingPosted, type PostedLimits } from './posted-limits.js';
import type { HeldSignals } from './signals.js';

/** Everything known of the world, as it was last observed; ages are looked at when it is read. */
export interface WorldState {
  readonly signals: HeldSignals;
  readonly actors: ActorTracks;
  readonly weather: Fact<WeatherFact> | null;
  readonly road: Fact<RoadFact> | null;
  readonly posted: PostedLimits;
  readonly jurisdiction: JurisdictionState;
}

export function initialWorld(startJurisdiction: string | null): WorldState {
  return {
    signals: {},
    actors: noTracks,
    weather: null,
    road: null,
    posted: nothingPosted,
    jurisdiction: { ...unknownJurisdiction, committed: startJurisdiction },
  };
}
