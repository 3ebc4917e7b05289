/**
 * Drops on the outside of a windscreen and the wipers that take them off.
 *
 * Drops fall at random places, so the covered share c of the glass grows as in a Boolean model: dc/dt = a·(1 − c), with the
 * area a that they wet in a second of a square metre. Sizes are those of Marshall and Palmer (J. Meteorology 5 (1948) 165):
 * N(D) = 8000·exp(−Λ·D) a m³ and mm, Λ = 4.1·R^−0.21 a mm with R in mm/h, so ∫N·D²·dD = 2·8000/Λ³.
 */

export interface RainOnGlass {
  /** covered share, 0 … 1 */
  drops: number;
  /** since the last stroke, s */
  sinceWipeS: number;
}

export const dryGlass = (): RainOnGlass => ({ drops: 0, sinceWipeS: 0 });

const dropsPerM3mm = 8000;
/** A drop of diameter D spreads to about 2·D on clean glass; assumed. */
const spread = 2;
/** mean fall of rain drops */
const fallMps = 4;
/** A windscreen leans by 60° from the vertical: rain falls on its cosine, the car drives it into its sine. */
const leanRad = Math.PI / 3;
/** a stroke leaves this share of what was there */
const leftByStroke = 0.08;
/** Wind takes drops up the glass above some 15 m/s, and air dries what is left in minutes; assumed. */
const blownPerM = 0.002;
const blownFromMps = 15;
const dryingPerS = 1 / 300;

/** Share of dry glass that rain wets in a second. */
export function wettingPerS(rainMmph: number, vMps: number): number {
  if (rainMmph <= 0) return 0;
  const lambdaPerMm = 4.1 * rainMmph ** -0.21;
  const mm2PerM3 = ((2 * dropsPerM3mm) / lambdaPerMm ** 3) * (Math.PI / 4) * spread * spread;
  const throughMps = fallMps * Math.sin(leanRad) + Math.abs(vMps) * Math.cos(leanRad);
  return mm2PerM3 * 1e-6 * throughMps;
}

/** Advances by `dtS`; `periodS` of the wipers, null where they rest. */
export function stepRain(
  glass: RainOnGlass,
  rainMmph: number,
  vMps: number,
  periodS: number | null,
  dtS: number,
): void {
  const wetting = wettingPerS(rainMmph, vMps);
  const leaving = dryingPerS + blownPerM * Math.max(0, Math.abs(vMps) - blownFromMps);
  // Solved over the step, so that a long step cannot overshoot.
  const rate = wetting + leaving;
  const target = wetting / rate;
  glass.drops = target + (glass.drops - target) * Math.exp(-rate * dtS);
  glass.sinceWipeS += dtS;
  if (periodS === null || glass.sinceWipeS < periodS - 1e-9) return;
  glass.sinceWipeS = periodS >= dtS ? glass.sinceWipeS - periodS : 0;
  glass.drops *= leftByStroke;
}
