/** HVAC_*: ids, types and modes as in AOSP's VehicleProperty.aidl, areas as in its reference configuration. */
import type { ClimateSettings, ZoneSettings } from '../../sim/cabin/climate.js';
import { fanLevels } from '../../sim/cabin/climate.js';
import { property } from '../vhal/property-config.js';
import { allSeats, cabinSeats, isLeft, type SeatArea } from '../vhal/seats.js';
import type { CockpitState } from './cockpit-state.js';
import { type PropertyBinding, whileDriven } from './property-binding.js';

export const hvacPowerOn = 0x15200510;
/** windows by their areas */
export const front = 0x1;
export const rear = 0x2;
const seats = { areas: cabinSeats };
const windows = { areas: [front, rear] };

/** AOSP's VehicleHvacFanDirection; sums of it are directions too */
const fanDirection = { FACE: 1, FLOOR: 2, FACE_AND_FLOOR: 3, DEFROST: 4, DEFROST_AND_FLOOR: 6 } as const;
const celsius = { min: 16, max: 28 } as const;

type Key<T> = {
  readonly [K in keyof ZoneSettings]: ZoneSettings[K] extends T ? K : never;
}[keyof ZoneSettings];
type Switch = {
  readonly [K in keyof ClimateSettings]: ClimateSettings[K] extends boolean ? K : never;
}[keyof ClimateSettings];

const bySeat = <T extends boolean | number>(key: Key<T>) => ({
  read: ({ seats: all }: CockpitState, area: number): boolean | number => all[area as SeatArea][key],
  write: ({ seats: all }: CockpitState, area: number, value: unknown): void => {
    Object.assign(all[area as SeatArea], { [key]: value });
  },
});

/** One evaporator, one flap: what one seat sets is set for all. */
const forAll = (key: Switch) => ({
  read: ({ settings }: CockpitState): boolean => settings.climate[key],
  write: ({ settings }: CockpitState, _area: number, value: unknown): void => {
    settings.climate[key] = value === true;
  },
});

const byWindow = (inFront: Switch, behind: Switch) => ({
  read: ({ settings }: CockpitState, area: number): boolean =>
    settings.climate[area === front ? inFront : behind],
  write: ({ settings }: CockpitState, area: number, value: unknown): void => {
    settings.climate[area === front ? inFront : behind] = value === true;
  },
});

export const climateProperties: readonly PropertyBinding[] = [
  {
    config: property('HVAC_POWER_ON', hvacPowerOn, 'READ_WRITE', 'ON_CHANGE', {
      ...seats,
      // what goes with it, as the reference configuration lists it
      configArray: [
        0x1540050f, 0x15200505, 0x1520050a, 0x15200512, 0x15400501, 0x15400500, 0x15200506, 0x15200508,
        0x15600502, 0x15600503,
      ],
    }),
    ...bySeat('power'),
  },
  {
    config: property('HVAC_AUTO_ON', 0x1520050a, 'READ_WRITE', 'ON_CHANGE', seats),
    ...bySeat('auto'),
    needsPower: true,
  },
  {
    config: property('HVAC_FAN_SPEED', 0x15400500, 'READ_WRITE', 'ON_CHANGE', {
      ...seats,
      range: { min: fanLevels.lowest, max: fanLevels.highest },
    }),
    ...bySeat('fanSpeed'),
    needsPower: true,
  },
  {
    config: property('HVAC_FAN_DIRECTION', 0x15400501, 'READ_WRITE', 'ON_CHANGE', {
      ...seats,
      values: fanDirection,
    }),
    ...bySeat('fanDirection'),
    needsPower: true,
  },
  {
    config: property('HVAC_FAN_DIRECTION_AVAILABLE', 0x15410511, 'READ', 'STATIC', seats),
    read: () => Object.values(fanDirection),
  },
  {
    config: property('HVAC_ACTUAL_FAN_SPEED_RPM', 0x1540050f, 'READ', 'ON_CHANGE', { ...seats, unit: 'RPM' }),
    read: whileDriven(({ body }, area) => {
      const { flow, fanLevel } = body.climate.zones[isLeft(area) ? 'left' : 'right'];
      return flow === 0 ? 0 : 400 * fanLevel;
    }),
    needsPower: true,
  },
  {
    config: property('HVAC_TEMPERATURE_SET', 0x15600503, 'READ_WRITE', 'ON_CHANGE', {
      ...seats,
      unit: 'CELSIUS',
      range: celsius,
      // lowest, highest and step in tenths of a degree, Celsius and Fahrenheit
      configArray: [160, 280, 5, 608, 824, 9],
    }),
    read: bySeat('temperatureC').read,
    write: (state, area, value) => {
      for (const seat of state.dual ? cabinSeats : [area]) bySeat('temperatureC').write(state, seat, value);
    },
    needsPower: true,
  },
  {
    config: property('HVAC_TEMPERATURE_CURRENT', 0x15600502, 'READ', 'ON_CHANGE', {
      ...seats,
      unit: 'CELSIUS',
    }),
    read: whileDriven(({ body }, area) => tenth(body.air.zoneC[isLeft(area) ? 'left' : 'right'])),
    needsPower: true,
  },
  {
    config: property('HVAC_AC_ON', 0x15200505, 'READ_WRITE', 'ON_CHANGE', seats),
    ...forAll('ac'),
    needsPower: true,
  },
  {
    config: property('HVAC_MAX_AC_ON', 0x15200506, 'READ_WRITE', 'ON_CHANGE', seats),
    ...forAll('maxAc'),
    needsPower: true,
  },
  {
    config: property('HVAC_MAX_DEFROST_ON', 0x15200507, 'READ_WRITE', 'ON_CHANGE', seats),
    ...forAll('maxDefrost'),
  },
  {
    config: property('HVAC_RECIRC_ON', 0x15200508, 'READ_WRITE', 'ON_CHANGE', seats),
    ...forAll('recirculation'),
    needsPower: true,
  },
  {
    config: property('HVAC_AUTO_RECIRC_ON', 0x15200512, 'READ_WRITE', 'ON_CHANGE', seats),
    ...forAll('autoRecirculation'),
    needsPower: true,
  },
  {
    config: property('HVAC_DUAL_ON', 0x15200509, 'READ_WRITE', 'ON_CHANGE', { areas: [allSeats] }),
    read: ({ dual }) => dual,
    write: (state, _area, value) => {
      state.dual = value === true;
      const { temperatureC } = state.seats[cabinSeats[0]];
      if (state.dual) for (const seat of cabinSeats) state.seats[seat].temperatureC = temperatureC;
    },
  },
  {
    config: property('HVAC_DEFROSTER', 0x13200504, 'READ_WRITE', 'ON_CHANGE', windows),
    ...byWindow('windscreenDefroster', 'rearDefroster'),
  },
  {
    config: property('HVAC_ELECTRIC_DEFROSTER_ON', 0x13200514, 'READ_WRITE', 'ON_CHANGE', windows),
    ...byWindow('electricWindscreen', 'electricRearWindow'),
  },
];

export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
