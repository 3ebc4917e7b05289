import type { WindscreenView } from '../../sim/cabin/car-body.js';
import type { BodySignals } from '../../sim/car-signals.js';
import type { CarlaSession } from '../session/carla-session.js';
import type { Actor } from '../wire/actor.js';
import type { EgoMoment } from './ego-car.js';

/** What the parts beside the server come to in one step. */
export interface CompanionStep {
  /** what the body controller reports */
  readonly body: BodySignals;
  /** what a camera behind the windscreen looks through; null where the server's own pictures have it */
  readonly windscreen: WindscreenView | null;
}

/** Parts of the ego that CARLA does not have, simulated beside it: steps with the session that drives the ego. */
export interface EgoCompanion {
  /** A session has begun, the first or one behind a lost connection. */
  begin(session: CarlaSession, ego: Actor): void;
  /** One step. Returns at once. */
  step(moment: Omit<EgoMoment, 'body'>): CompanionStep;
}
