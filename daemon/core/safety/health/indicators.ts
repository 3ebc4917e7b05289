/** What vehicle health is made of: names, groups and weights. */
import type { Params } from '../../params.js';

/** In the order in which they are summed. */
export const indicatorNames = [
  'brake_fluid',
  'abs',
  'esc',
  'ebd',
  'tcs',
  'eba',
  'pad_wear',
  'tyre_pressure',
  'coolant',
  'coolant_level',
  'oil_pressure',
  'oil_temperature',
  'low_voltage',
  'traction_battery',
  'transmission',
  'mil',
  'dtc',
  'lost_message',
  'bus_off',
  'dpf',
  'def',
  'service',
] as const;
export type IndicatorName = (typeof indicatorNames)[number];

export const healthGroups = ['brakes', 'tyres', 'engine', 'electric', 'dtc', 'comms', 'other'] as const;
export type HealthGroup = (typeof healthGroups)[number];

export type HealthValues = Params['health'];

export interface IndicatorDefinition {
  readonly group: HealthGroup;
  /** weight of severity 1; of several sources of one indicator (wheels, codes) the first or heaviest */
  readonly weight: keyof HealthValues;
}

export const indicators: Readonly<Record<IndicatorName, IndicatorDefinition>> = {
  brake_fluid: { group: 'brakes', weight: 'brakeFluidWeightRatio' },
  abs: { group: 'brakes', weight: 'absWeightRatio' },
  esc: { group: 'brakes', weight: 'escWeightRatio' },
  ebd: { group: 'brakes', weight: 'ebdWeightRatio' },
  tcs: { group: 'brakes', weight: 'tcsWeightRatio' },
  eba: { group: 'brakes', weight: 'ebaWeightRatio' },
  pad_wear: { group: 'brakes', weight: 'padWearWeightRatio' },
  tyre_pressure: { group: 'tyres', weight: 'tyreWorstWeightRatio' },
  coolant: { group: 'engine', weight: 'coolantWeightRatio' },
  coolant_level: { group: 'engine', weight: 'coolantWeightRatio' },
  oil_pressure: { group: 'engine', weight: 'oilPressureWeightRatio' },
  oil_temperature: { group: 'engine', weight: 'oilTemperatureWeightRatio' },
  low_voltage: { group: 'electric', weight: 'lowVoltageWeightRatio' },
  traction_battery: { group: 'electric', weight: 'tractionBatteryWeightRatio' },
  transmission: { group: 'engine', weight: 'transmissionWeightRatio' },
  mil: { group: 'dtc', weight: 'milSteadyWeightRatio' },
  dtc: { group: 'dtc', weight: 'dtcSafetyWeightRatio' },
  lost_message: { group: 'comms', weight: 'commsWeightRatio' },
  bus_off: { group: 'comms', weight: 'commsWeightRatio' },
  dpf: { group: 'other', weight: 'serviceWeightRatio' },
  def: { group: 'other', weight: 'serviceWeightRatio' },
  service: { group: 'other', weight: 'serviceWeightRatio' },
};

export const groupCaps: Readonly<Record<HealthGroup, keyof HealthValues>> = {
  brakes: 'brakesCapRatio',
  tyres: 'tyresCapRatio',
  engine: 'engineCapRatio',
  electric: 'electricCapRatio',
  dtc: 'dtcCapRatio',
  comms: 'commsCapRatio',
  other: 'otherCapRatio',
};
