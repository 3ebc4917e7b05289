import type { BodySignals } from '../../sim/car-signals.js';
import type { CarlaSession } from '../session/carla-session.js';
import type { Actor } from '../wire/actor.js';
import type { EgoMoment } from './ego-car.js';

/** Parts of the ego that CARLA does not have, simulated beside it: steps with the session that drives the ego. */
export interface EgoCompanion {
  /** A session has begun, the first or one behind a lost connection. */
  begin(session: CarlaSession, ego: Actor): void;
  /** One step; what the body controller reports then. Returns at once. */
  step(moment: Omit<EgoMoment, 'body'>): BodySignals;
}
