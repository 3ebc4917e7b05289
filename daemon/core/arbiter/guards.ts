import { edgeSlack } from '../params/reachability.js';
import type { Params } from '../params.js';
import type { SafetyAssessment } from '../safety/assessment.js';

/** Words for what blocks ACT; the first seven in one evaluation, the rest in the running daemon. */
export type Blocker =
  | 'no_rss_violation'
  | 'margin'
  | 'ego_speed_missing'
  | 'reverse'
  | 'below_v_act_min'
  | 'not_closing'
  | 'confidence'
  | DaemonBlocker;
export type DaemonBlocker = 'unconfirmed' | 'cooldown' | 'mode' | 'no_durable_record' | 'not_authorised';

/** Every condition of ACT that fails, in the order of evaluation; ACT is possible where the list is empty. */
export function actBlockers(assessment: SafetyAssessment, params: Params): Blocker[] {
  const { record, situation } = assessment;
  const blockers: Blocker[] = [];
  if (record.rss_viol !== 1) blockers.push('no_rss_violation');
  // A tie is no gain, also where it is one but for the last bits: 0.4·(0.3 + 0.1) − 0.04 comes out above 0.12,
  // and at that Δ no following at TTC ≥ τ may act. Written so that a NaN blocks too.
  if (!(record.score - record.delta > edgeSlack)) blockers.push('margin');
  if (situation.speedMps === null) blockers.push('ego_speed_missing');
  else if (situation.isReversing) blockers.push('reverse');
  else if (!(situation.speedMps >= params.act.speedMinMps)) blockers.push('below_v_act_min');
  if (situation.lead !== null && !(situation.lead.closingMps > params.risk.closingFloorMps)) {
    blockers.push('not_closing');
  }
  if (!(record.conf >= record.c_min)) blockers.push('confidence');
  return blockers;
}
