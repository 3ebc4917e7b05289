/**
 * The numbers behind one decision, as they are printed and audited (names of the vector files).
 * Undefined quantities are null, never NaN or Infinity.
 */
export interface SafetyRecord {
  readonly v: number | null;
  readonly d: number | null;
  readonly dv: number | null;
  readonly mu_used: number;
  readonly a_brake: number;
  readonly dmin: number | null;
  readonly ttc: number | null;
  readonly ttc_term: number;
  readonly rss_viol: 0 | 1;
  readonly h_used: number;
  readonly r: number;
  readonly u_act: number;
  readonly u_speak: number;
  readonly score: number;
  readonly delta: number;
  readonly c_min: number;
  readonly conf: number;
  readonly flags: readonly string[];
}
