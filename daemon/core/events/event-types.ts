/** Names of the events (core decision table); the order is the order of detection and of tie-breaks. */
export const eventTypes = [
  'hazard_rss',
  'low_friction',
  'vehicle_fault',
  'jurisdiction_change',
  'dynamic_limit_update',
  'foreign_sign',
  'uncertain_limit',
  'overspeed',
  'driver_query',
] as const;

export type EventType = (typeof eventTypes)[number];
