import { ours, type ParamSection } from './definition.js';

/** Event detection (scores against η) and routing. */
export const eventParams = {
  etaRatio: ours(0.5, 'η of every event: more likely than not'),
  rearmRatio: ours(0.8, 'an event re-arms below this share of η …'),
  rearmHoldUs: ours(2_000_000, '… held this long'),
  lowFrictionOnsetRatio: ours(0.55, 'μ lower bound where low_friction starts'),
  lowFrictionSpanRatio: ours(0.25, 'μ span to score 1'),
  slipEvidenceRatio: ours(0.6, 'score of low_friction by slipping wheels: likely, not sure'),
  coldC: ours(3, 'road ice possible at or below'),
  coldWetnessRatio: ours(0.1, 'with at least this wetness'),
  faultFullRatio: ours(0.3, 'health risk at which vehicle_fault scores 1'),
  hazardTtcS: ours(4, 'hazard_rss starts at this TTC'),
  hazardTtcSpanS: ours(2, 'TTC span to score 1'),
  overspeedSpanRatio: ours(0.1, 'share of the target speed to score 1'),
  unitFlipEvidenceRatio: ours(0.6, 'weight of a unit or drive-side flip as evidence of a border'),
  jurisdictionWindowCount: ours(5, 'observations looked at'),
  jurisdictionCommitCount: ours(3, 'agreeing ones that commit'),
  lowConfidenceRatio: ours(0.5, 'a limit below it is uncertain'),
  healthPollUs: ours(5_000_000, 'low-frequency CAN health poll, 0.2 Hz'),
} as const satisfies ParamSection;

/** Ages from which a fact counts as absent, and what happens before. */
export const freshnessParams = {
  speedUs: ours(500_000, 'ego speed'),
  leadUs: ours(500_000, 'lead vehicle; also the longest coasting'),
  coastConfidenceLossRatio: ours(0.5, 'confidence lost over a full coast'),
  limitUs: ours(10_000_000, 'signs and limits, or one route segment'),
  frictionUs: ours(60_000_000, 'weather and μ'),
  healthUs: ours(10_000_000, 'vehicle health'),
} as const satisfies ParamSection;

/** Repeat suppression of speech and reuse of tool answers. */
export const speechParams = {
  repeatUs: ours(30_000_000, 'same key again'),
  hazardRepeatUs: ours(3_000_000, 'same hazard key again'),
  perMinuteMaxCount: ours(6, 'non-urgent utterances a minute'),
  followingRepeatUs: ours(60_000_000, 'following_too_close'),
  followingGapRatio: ours(0.5, 'only below this share of d_min'),
  followingHeadwayS: ours(1.0, 'or below this headway'),
  headwayMinS: ours(2, 'least headway advised'),
  bypassTtcS: ours(2.5, 'below it no limit applies'),
  rulesReuseUs: ours(60_000_000, 'answer of the rules expert'),
  weatherReuseUs: ours(5_000_000, 'answer of the weather expert'),
  canReuseUs: ours(1_000_000, 'answer of the CAN expert'),
  negativeReuseUs: ours(5_000_000, 'failed answers'),
} as const satisfies ParamSection;

/** Degraded modes. */
export const modeParams = {
  lateShareRatio: ours(0.5, 'a tick later than this share of the period counts as late'),
  lateTicksRatio: ours(0.01, 'share of late ticks that leaves NORMAL …'),
  lateWindowUs: ours(10_000_000, '… within this time'),
  missedTicksCount: ours(3, 'consecutive missed ticks that leave NORMAL'),
  auditLagUs: ours(1_000_000, 'audit lag that leaves NORMAL'),
  recoverUs: ours(3_000_000, 'cause gone this long before a mode is left upwards'),
  heartbeatUs: ours(1_000_000, 'audit heartbeat'),
} as const satisfies ParamSection;
