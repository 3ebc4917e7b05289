/**
 * The air in the car: temperature of each zone, water vapour, carbon dioxide, all of first order.
 *
 *   dT/dt = (T_out − T)/1117 s + 2.54·10⁻⁵·S + 0.0009·n + m·(T_vent − T)/150 s + (T_other − T)/120 s
 *
 * with the sun S in W/m², n people, and the flow m of the fan (0 … 1). Shell and sun are fitted to public guidance on parked
 * cars: about 19 °F in 10 minutes, 30 °F in 20, 45 °F in an hour at 35 °C.
 */
import { type ClimateAction, type Zone, zones } from './climate.js';
import { densityGpm3, saturationHpa, vapourAtGpm3 } from './humid-air.js';
import type { Outside } from './outside.js';

export interface CabinAir {
  readonly zoneC: Record<Zone, number>;
  vapourGpm3: number;
  co2Ppm: number;
  /** what comes out of the vents now: heat exchanger and evaporator take their time */
  readonly ventC: Record<Zone, number>;
  ventVapourGpm3: number;
}

/** Air of a middle-class car. */
export const cabinM3 = 2.8;
/** Breath and skin of somebody who sits: some 46 g/h (ASHRAE Handbook: 30 W of latent heat). */
const gramsPerPersonS = 0.013;
const shellS = 1117;
const solarCPerJpm2 = 2.54e-5;
const personCps = 0.0009;
const fullFlowS = 150;
const zoneExchangeS = 120;
const unitLagS = 15;
/** Changes of the cabin's air: through gaps, through the open flap, and what a full fan blows, fresh or recirculated. */
const exchangePerS = { gaps: 0.00014, flap: 0.0009, fresh: 0.015, recirculated: 0.01 } as const;
/** the evaporator's fins are kept above freezing; what leaves them is saturated there */
const evaporatorC = 6.5;
const co2 = { outsidePpm: 450, perPersonPpmPs: 0.3, flapS: 240, gapsS: 3600 } as const;

export function settledAir(cabinC: number, relativePercent: number): CabinAir {
  const vapourGpm3 = vapourAtGpm3(cabinC, relativePercent);
  return {
    zoneC: { left: cabinC, right: cabinC },
    vapourGpm3,
    co2Ppm: 500,
    ventC: { left: cabinC, right: cabinC },
    ventVapourGpm3: vapourGpm3,
  };
}

export function meanC({ zoneC }: Pick<CabinAir, 'zoneC'>): number {
  return (zoneC.left + zoneC.right) / 2;
}

/** What cooled fins leave in the air, g/m³. */
const driedGpm3 = densityGpm3(saturationHpa(evaporatorC), evaporatorC);

/**
 * Advances the air by `dtS` (a second at most).
 * @param toGlassGps vapour that condenses on all panes together, g/s; negative where they dry
 */
export function stepAir(
  air: CabinAir,
  action: ClimateAction,
  outside: Outside,
  people: number,
  toGlassGps: number,
  dtS: number,
): void {
  const lag = Math.min(1, dtS / unitLagS);
  const before = { ...air.zoneC };
  for (const zone of zones) {
    const { ventC, flow } = action.zones[zone];
    const other = before[zone === 'left' ? 'right' : 'left'];
    const own = before[zone];
    air.ventC[zone] += (ventC - air.ventC[zone]) * lag;
    air.zoneC[zone] +=
      dtS *
      ((outside.ambientC - own) / shellS +
        solarCPerJpm2 * outside.solarWpm2 +
        personCps * people +
        (flow * (air.ventC[zone] - own)) / fullFlowS +
        (other - own) / zoneExchangeS);
  }
  const drawnGpm3 = action.recirculates ? air.vapourGpm3 : outside.vapourGpm3;
  const blownGpm3 = action.dries ? Math.min(drawnGpm3, driedGpm3) : drawnGpm3;
  air.ventVapourGpm3 += (blownGpm3 - air.ventVapourGpm3) * lag;
  const { gaps, flap, fresh, recirculated } = exchangePerS;
  air.vapourGpm3 +=
    dtS *
    ((people * gramsPerPersonS - toGlassGps) / cabinM3 +
      (gaps + (action.recirculates ? 0 : flap)) * (outside.vapourGpm3 - air.vapourGpm3) +
      (action.recirculates ? recirculated : fresh) * action.flow * (air.ventVapourGpm3 - air.vapourGpm3));
  air.vapourGpm3 = Math.max(0, air.vapourGpm3);
  const isAired = !action.recirculates && action.flow > 0;
  air.co2Ppm +=
    dtS *
    (people * (isAired ? 0 : co2.perPersonPpmPs) +
      (co2.outsidePpm - air.co2Ppm) / (isAired ? co2.flapS : co2.gapsS));
}
