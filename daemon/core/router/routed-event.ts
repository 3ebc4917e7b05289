import type { EventType } from '../events/event-types.js';
import type { Params } from '../params.js';
import type { JsonObject } from '../tick.js';
import type { WorldView } from '../world/world-view.js';
import type { RoutedEvent } from './expert-calls.js';

/** What of an event matters for routing. */
export function routedEvent(
  type: EventType,
  payload: JsonObject,
  view: WorldView,
  params: Params,
): RoutedEvent {
  switch (type) {
    case 'dynamic_limit_update':
      return { type, hasWetPlate: payload['wet_plate'] === true };
    case 'low_friction':
      return { type, isStabilityActive: view.isAbsActive || view.isStabilityActive };
    case 'overspeed': {
      const ageS = payload['limit_age_s'];
      return { type, isLimitOld: typeof ageS === 'number' && ageS * 1e6 > params.freshness.limitUs };
    }
    case 'driver_query': {
      const intent = payload['intent'];
      return { type, intent: intent === 'road' || intent === 'car' ? intent : 'law' };
    }
    default:
      return { type };
  }
}
