/** Texts of coded parameters (SAE J1979), in our own words. */

const fuelSystem: Readonly<Record<number, string>> = {
  0: 'off',
  1: 'open loop, not warm yet',
  2: 'closed loop',
  4: 'open loop, driving condition',
  8: 'open loop, fault',
  16: 'closed loop, fault of a sensor',
};

const labels: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  FUELSYS1: fuelSystem,
  FUELSYS2: fuelSystem,
  AIR_STAT: {
    1: 'upstream of the catalyst',
    2: 'downstream of the catalyst',
    4: 'off or to the atmosphere',
    8: 'pump on for diagnosis',
  },
  OBDSUP: {
    1: 'OBD II (California)',
    2: 'OBD (US federal)',
    3: 'OBD and OBD II',
    4: 'OBD I',
    5: 'no OBD',
    6: 'EOBD',
    7: 'EOBD and OBD II',
    8: 'EOBD and OBD',
    9: 'EOBD, OBD and OBD II',
    10: 'JOBD',
    11: 'JOBD and OBD II',
    12: 'JOBD and EOBD',
    13: 'JOBD, EOBD and OBD II',
    17: 'EMD',
    18: 'EMD+',
    19: 'HD OBD-C',
    20: 'HD OBD',
    21: 'WWH OBD',
    23: 'HD EOBD-I',
    24: 'HD EOBD-I N',
    25: 'HD EOBD-II',
    26: 'HD EOBD-II N',
    28: 'OBDBr-1',
    29: 'OBDBr-2',
    30: 'KOBD',
    31: 'IOBD I',
    32: 'IOBD II',
    33: 'HD EOBD-VI',
  },
  FUEL_TYP: {
    0: 'not available',
    1: 'petrol',
    2: 'methanol',
    3: 'ethanol',
    4: 'diesel',
    5: 'LPG',
    6: 'CNG',
    7: 'propane',
    8: 'electric',
    9: 'bi-fuel, on petrol',
    10: 'bi-fuel, on methanol',
    11: 'bi-fuel, on ethanol',
    12: 'bi-fuel, on LPG',
    13: 'bi-fuel, on CNG',
    14: 'bi-fuel, on propane',
    15: 'bi-fuel, on electricity',
    16: 'bi-fuel, electric and combustion',
    17: 'hybrid, petrol',
    18: 'hybrid, ethanol',
    19: 'hybrid, diesel',
    20: 'hybrid, electric',
    21: 'hybrid, electric and combustion',
    22: 'hybrid, regenerative',
    23: 'bi-fuel, on diesel',
  },
};

/** What a coded value means; undefined where the standard gives it no meaning. */
export function pidLabel(signal: string, value: number): string | undefined {
  return labels[signal]?.[value];
}

/** Coded values of which exactly one bit may be set; others are not valid and therefore not available. */
export function isOneBitCode(signal: string): boolean {
  return signal === 'FUELSYS1' || signal === 'FUELSYS2' || signal === 'AIR_STAT';
}
