/** Names in a decision record as people read them: what it is, and the unit where it has one. */
const members: Readonly<Record<string, readonly [name: string, unit?: string]>> = {
  v: ['own speed', 'm/s'],
  ax: ['acceleration', 'm/s²'],
  cls: ['class'],
  d: ['gap', 'm'],
  dv: ['closing', 'm/s'],
  in_path: ['in our path'],
  conf: ['confidence'],
  prov: ['provenance'],
  age: ['age', 's'],
  roadClass: ['class'],
  lanesPerDir: ['lanes per direction'],
  precipitation: ['precipitation', '%'],
  precipitationDeposits: ['standing water', '%'],
  wetness: ['wetness', '%'],
  fogDensity: ['fog', '%'],
  mps: ['as', 'm/s'],
  target_mps: ['target', 'm/s'],
  speed_factor: ['speed factor'],
  headway: ['headway', 's'],
  mu_est: ['friction estimated'],
  mu_lo: ['friction at least'],
  mu_conf: ['friction confidence'],
  health_risk: ['health risk'],
  health_coverage: ['health known'],
  brake_effectiveness: ['brake effectiveness'],
};

export function memberName(key: string): string {
  return members[key]?.[0] ?? key.replaceAll('_', ' ');
}

/** The unit with a space before it; '' where there is none. */
export function memberUnit(key: string): string {
  const unit = members[key]?.[1];
  return unit === undefined ? '' : ` ${unit}`;
}
