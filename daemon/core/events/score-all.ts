import type { Situation } from '../fuse/situation.js';
import type { Params } from '../params.js';
import type { Detection, Detections } from './detect.js';
import { queryIntent } from './query-intent.js';
import { scoreHazard, scoreLowFriction, scoreVehicleFault } from './score-hazard.js';
import {
  scoreDynamicLimit,
  scoreForeignSign,
  scoreJurisdictionChange,
  scoreOverspeed,
  scoreUncertainLimit,
} from './score-law.js';

/** Every detector on one situation. */
export function scoreAll(situation: Situation, params: Params): Detections {
  return {
    hazard_rss: scoreHazard(situation, params),
    low_friction: scoreLowFriction(situation, params),
    vehicle_fault: scoreVehicleFault(situation, params),
    jurisdiction_change: scoreJurisdictionChange(situation, params),
    dynamic_limit_update: scoreDynamicLimit(situation),
    foreign_sign: scoreForeignSign(situation),
    uncertain_limit: scoreUncertainLimit(situation, params),
    overspeed: scoreOverspeed(situation, params),
    driver_query: scoreQuery(situation),
  };
}

/** One question a tick: of several the last in the definite order of facts. */
function scoreQuery(situation: Situation): Detection | null {
  const text = situation.queries[situation.queries.length - 1];
  if (text === undefined) return null;
  // Every question is new, also the same one again.
  return { score: 1, subject: `query:${situation.tUs}`, payload: { intent: queryIntent(text) } };
}
