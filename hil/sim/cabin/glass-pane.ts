/**
 * A pane: its temperature, and the film of water on its inside.
 *
 *   C·dT/dt = h_in·(T_air − T) + h_jet·(T_vent − T) + h_out·(T_out − T) + P
 *   dM/dt   = k_air·(ρ_air − ρ_sat(T)) + k_jet·(ρ_vent − ρ_sat(T)),   k = h/(ρ·c_p)
 *
 * k is the Lewis relation between the transfer of heat and of mass. Water condenses where the air's dew point is above the
 * glass, and dries where it is below; no other rule decides.
 */
import { densityGpm3, pressureHpa, saturationHpa } from './humid-air.js';

export interface PaneKind {
  readonly areaM2: number;
  /** electric heating while it is on, W/m²; assumed */
  readonly heaterWpm2: number;
}

export interface GlassPane {
  readonly kind: PaneKind;
  glassC: number;
  /** water on the inside */
  filmGpm2: number;
}

export interface AroundPane {
  readonly cabinC: number;
  readonly cabinVapourGpm3: number;
  readonly outsideC: number;
  /** of the car */
  readonly vMps: number;
  /** air blown at it; `strength` 0 … 1 of the fan's full flow */
  readonly jet: { readonly strength: number; readonly ventC: number; readonly vapourGpm3: number };
  readonly isHeated: boolean;
}

export const windscreenKind: PaneKind = { areaM2: 1.2, heaterWpm2: 350 };
export const rearWindowKind: PaneKind = { areaM2: 0.9, heaterWpm2: 200 };
export const sideWindowsKind: PaneKind = { areaM2: 1.9, heaterWpm2: 0 };

/** Laminated glass of 4.5 mm: 2500 kg/m³ · 750 J/(kg·K). */
const heatCapacityJpm2K = 2500 * 750 * 0.0045;
/** Still air inside: 1/R_si with R_si = 0.13 m²K/W (ISO 6946), of which radiation is some 4.5. */
const insideWpm2K = 7.7;
const insideConvectiveWpm2K = insideWpm2K - 4.5;
/** The defroster's jet at full flow, mean over the pane; chosen so that a windscreen is clear in a minute or two. */
const jetWpm2K = 4;
/** Air never stands quite still around a car. */
const calmMps = 2;
/** ρ·c_p of air, J/(m³·K) */
const airHeatJpm3K = 1.2 * 1005;
/** A pane with so much water in fine drops is as good as white: a cover of hemispheres of 2 µm. */
const opaqueGpm2 = 1.3;
/** What is more runs down. */
const wettestGpm2 = 2 * opaqueGpm2;

export function settledPane(kind: PaneKind, cabinC: number, outsideC: number): GlassPane {
  const out = outsideWpm2K(calmMps);
  return { kind, glassC: (insideWpm2K * cabinC + out * outsideC) / (insideWpm2K + out), filmGpm2: 0 };
}

/** 0 clear … 1 opaque */
export function fogOf({ filmGpm2 }: Pick<GlassPane, 'filmGpm2'>): number {
  return Math.min(1, filmGpm2 / opaqueGpm2);
}

/**
 * Heat from the outside of a plate to wind along it (Jürges 1924, after McAdams, Heat Transmission): 5.7 + 3.8·v below
 * 5 m/s, 7.1·v^0.78 above.
 */
export function outsideWpm2K(vMps: number): number {
  const wind = Math.max(calmMps, Math.abs(vMps));
  return wind < 5 ? 5.7 + 3.8 * wind : 7.1 * wind ** 0.78;
}

/** Advances a pane by `dtS` (a second at most) and says how much vapour it took from the air, g/s. */
export function stepPane(pane: GlassPane, around: AroundPane, dtS: number): number {
  const { jet, cabinC, outsideC } = around;
  const out = outsideWpm2K(around.vMps);
  const jetHeat = jetWpm2K * jet.strength;
  const heatWpm2 =
    insideWpm2K * (cabinC - pane.glassC) +
    jetHeat * (jet.ventC - pane.glassC) +
    out * (outsideC - pane.glassC) +
    (around.isHeated ? pane.kind.heaterWpm2 : 0);
  pane.glassC += (heatWpm2 * dtS) / heatCapacityJpm2K;
  const saturatedHpa = saturationHpa(pane.glassC);
  const fromAir = (vapourGpm3: number, airC: number): number =>
    densityGpm3(pressureHpa(vapourGpm3, airC) - saturatedHpa, pane.glassC) / airHeatJpm3K;
  const fluxGpm2s =
    insideConvectiveWpm2K * fromAir(around.cabinVapourGpm3, cabinC) +
    jetHeat * fromAir(jet.vapourGpm3, jet.ventC);
  const before = pane.filmGpm2;
  pane.filmGpm2 = Math.min(wettestGpm2, Math.max(0, before + fluxGpm2s * dtS));
  // What runs down has left the air all the same.
  const tookGpm2 = Math.max(-before, fluxGpm2s * dtS);
  return (tookGpm2 * pane.kind.areaM2) / dtS;
}
