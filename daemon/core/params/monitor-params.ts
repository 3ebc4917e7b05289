import { ours, type ParamSection } from './definition.js';

/**
 * The optional full-RSS monitor (Shalev-Shwartz et al., longitudinal and lateral). A driver-assisted car is
 * assumed: a low acceleration during the response time, braking with what the road is sure to give.
 */
export const rssParams = {
  responseTimeS: ours(0.7, 'as in the simplified rule, so that both are comparable'),
  otherResponseTimeS: ours(0.7, 'same driver assumption for the other car'),
  accelMaxMps2: ours(1.0, 'driver assisted; the library default of 3.5 fits no attentive driver'),
  brakeMinGripRatio: ours(0.9, 'share of μ_lo·g that the following car is sure to reach'),
  brakeMaxMps2: ours(8.0, 'library default for the leading car, capped by μ·g'),
  brakeCorrectRatio: ours(0.75, 'library default 3 / 4: comfort of the car in its correct lane'),
  standstillGapM: ours(2.0, 'as d0 of the deciding rule'),
  lateralAccelMaxMps2: ours(0.2, 'library default'),
  lateralBrakeMinMps2: ours(0.8, 'library default'),
  lateralFluctuationM: ours(0.1, 'lane keeping noise'),
  accelSpeedMaxMps: ours(100, 'no cap below the library range'),
} as const satisfies ParamSection;
