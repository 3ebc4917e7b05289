/**
 * Water vapour in air: saturation and dew point over liquid water by the Magnus formula with the coefficients of the WMO
 * (Guide to Instruments and Methods of Observation, WMO-No. 8, annex 4.B; within 0.6 % of tables between −20 and 35 °C), and absolute
 * humidity by the gas law with 461.5 J/(kg·K) for vapour.
 */

const pascals = 100; // 1 hPa
const vapourGasConstant = 461.5;
const kelvin = 273.15;

const magnus = { hpa: 6.112, factor: 17.62, offsetC: 243.12 } as const;

/** Vapour pressure of saturated air, hPa. */
export function saturationHpa(airC: number): number {
  return magnus.hpa * Math.exp((magnus.factor * airC) / (magnus.offsetC + airC));
}

/** Temperature to which air with this vapour pressure has to cool before water condenses; −Infinity for dry air. */
export function dewPointC(vapourHpa: number): number {
  if (vapourHpa <= 0) return Number.NEGATIVE_INFINITY;
  const log = Math.log(vapourHpa / magnus.hpa);
  return (magnus.offsetC * log) / (magnus.factor - log);
}

/** g of vapour in a m³ of air of this temperature. */
export function densityGpm3(vapourHpa: number, airC: number): number {
  return ((vapourHpa * pascals) / (vapourGasConstant * (airC + kelvin))) * 1000;
}

/** Vapour pressure of air that holds so many g a m³. */
export function pressureHpa(vapourGpm3: number, airC: number): number {
  return (vapourGpm3 * vapourGasConstant * (airC + kelvin)) / (1000 * pascals);
}

/** 0 … 100 and above, where fog hangs in the air */
export function relativeHumidityPercent(vapourGpm3: number, airC: number): number {
  return (100 * pressureHpa(vapourGpm3, airC)) / saturationHpa(airC);
}

/** g a m³ of air of this temperature and relative humidity. */
export function vapourAtGpm3(airC: number, relativePercent: number): number {
  return densityGpm3((saturationHpa(airC) * relativePercent) / 100, airC);
}
