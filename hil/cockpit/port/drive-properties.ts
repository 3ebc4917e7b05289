/** What the drive tells: speed, gear, tyres, warnings, weather. All of it can be read only. */

import { meanC } from '../../sim/cabin/cabin-air.js';
import { fogOf } from '../../sim/cabin/glass-pane.js';
import { relativeHumidityPercent } from '../../sim/cabin/humid-air.js';
import { tyreWarningShare, wiperMode } from '../../sim/car-signals.js';
import type { Wheel } from '../../sim/plant.js';
import { property } from '../vhal/property-config.js';
import { cabinSeats, type SeatArea } from '../vhal/seats.js';
import { front, rear, tenth } from './climate-properties.js';
import type { Driven } from './cockpit-state.js';
import { type PropertyBinding, whileDriven } from './property-binding.js';

/** AOSP's VehicleGear; forward gears follow as GEAR_1 = 16, GEAR_2 = 32, … */
const gear = { NEUTRAL: 1, REVERSE: 2, PARK: 4, DRIVE: 8 } as const;
const gears = {
  ...gear,
  ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => [`GEAR_${n}`, 8 << n])),
};
const ignition = { UNDEFINED: 0, LOCK: 1, OFF: 2, ACC: 3, ON: 4, START: 5 } as const;
const occupancy = { UNKNOWN: 0, VACANT: 1, OCCUPIED: 2 } as const;
/** Lamps of the cluster; AOSP has no property for them. */
export const warningLamp = { ABS: 1, BRAKE_SYSTEM: 2, TYRE_PRESSURE: 4, STABILITY_CONTROL: 8 } as const;
const roadFriction = { DRY: 0, WET: 1, ICE: 2 } as const;
const wheelAreas: Readonly<Record<number, Wheel>> = { 1: 'FL', 2: 'FR', 4: 'RL', 8: 'RR' };
const wheels = { areas: [1, 2, 4, 8] };
const windows = { areas: [front, rear] };

const tankMl = 50_000;
const lowFuelPercent = 10;
/** AOSP's reference configuration */
const criticalTyreKpa = 137;

type Read = (driven: Driven, area: number) => boolean | number;

function continuous(name: string, id: number, unit: string | null, read: Read): PropertyBinding {
  return { config: property(name, id, 'READ', 'CONTINUOUS', { unit }), read: whileDriven(read) };
}

function onChange(
  name: string,
  id: number,
  read: Read,
  extra: Parameters<typeof property>[4] = {},
): PropertyBinding {
  return { config: property(name, id, 'READ', 'ON_CHANGE', extra), read: whileDriven(read) };
}

function constant(
  name: string,
  id: number,
  value: number,
  extra: Parameters<typeof property>[4] = {},
): PropertyBinding {
  return { config: property(name, id, 'READ', 'STATIC', extra), read: () => value };
}

export function gearSelection({ moment: { control, vMps } }: Driven): number {
  if (control.handBrake && Math.abs(vMps) < 0.1) return gear.PARK;
  return control.reverse ? gear.REVERSE : gear.DRIVE;
}

function lamps({ moment: { car } }: Driven): number {
  const { faults, model } = car;
  const lowest = Math.min(...Object.values(faults.tyreKpa));
  return (
    (faults.absFault ? warningLamp.ABS : 0) |
    (faults.escFault ? warningLamp.STABILITY_CONTROL : 0) |
    (faults.brakeFluidLow ? warningLamp.BRAKE_SYSTEM : 0) |
    (lowest < tyreWarningShare * model.placardKpa ? warningLamp.TYRE_PRESSURE : 0)
  );
}

export const driveProperties: readonly PropertyBinding[] = [
  continuous('PERF_VEHICLE_SPEED', 0x11600207, 'METER_PER_SEC', ({ moment }) => moment.vMps),
  continuous('PERF_ODOMETER', 0x11600204, 'KILOMETER', ({ odometerM }) => odometerM / 1000),
  continuous('PERF_STEERING_ANGLE', 0x11600209, 'DEGREES', ({ moment: { car } }) =>
    tenth((car.plant.curvaturePerM * car.model.wheelbaseM * car.model.steeringRatio * 180) / Math.PI),
  ),
  continuous('ENGINE_RPM', 0x11600305, 'RPM', ({ moment }) => Math.round(moment.car.powertrain.engineRpm)),
  continuous('ENGINE_COOLANT_TEMP', 0x11600301, 'CELSIUS', ({ moment }) =>
    tenth(moment.car.powertrain.coolantC),
  ),
  continuous('ENGINE_OIL_TEMP', 0x11600304, 'CELSIUS', ({ moment }) => tenth(moment.car.powertrain.oilC)),
  continuous('FUEL_LEVEL', 0x11600307, 'MILLILITER', ({ moment }) =>
    Math.round((moment.car.powertrain.fuelPercent * tankMl) / 100),
  ),
  onChange('FUEL_LEVEL_LOW', 0x11200405, ({ moment }) => moment.car.powertrain.fuelPercent < lowFuelPercent),
  constant('INFO_FUEL_CAPACITY', 0x11600104, tankMl, { unit: 'MILLILITER' }),
  constant('INFO_DRIVER_SEAT', 0x1540010a, cabinSeats[0]),
  onChange('GEAR_SELECTION', 0x11400400, gearSelection, { values: gear }),
  onChange(
    'CURRENT_GEAR',
    0x11400401,
    (driven) => {
      const selected = gearSelection(driven);
      return selected === gear.DRIVE ? 8 << driven.moment.car.powertrain.gear : selected;
    },
    { values: gears },
  ),
  onChange('PARKING_BRAKE_ON', 0x11200402, ({ moment }) => moment.control.handBrake),
  onChange('IGNITION_STATE', 0x11400409, () => ignition.ON, { values: ignition }),
  onChange('NIGHT_MODE', 0x11200407, ({ isNight }) => isNight),
  onChange('ABS_ACTIVE', 0x1120040a, ({ moment }) => moment.car.plant.absActive),
  onChange('TRACTION_CONTROL_ACTIVE', 0x1120040b, ({ moment }) => moment.car.plant.tcsActive),
  {
    config: property('TIRE_PRESSURE', 0x17600309, 'READ', 'CONTINUOUS', { ...wheels, unit: 'KILOPASCAL' }),
    read: whileDriven(({ moment }, area) => tenth(moment.car.faults.tyreKpa[wheelAreas[area] ?? 'FL'])),
  },
  constant('CRITICALLY_LOW_TIRE_PRESSURE', 0x1760030a, criticalTyreKpa, { ...wheels, unit: 'KILOPASCAL' }),
  {
    config: property('SEAT_OCCUPANCY', 0x15400bb0, 'READ', 'ON_CHANGE', {
      areas: cabinSeats,
      values: occupancy,
    }),
    read: ({ occupied }, area) => (occupied.has(area as SeatArea) ? occupancy.OCCUPIED : occupancy.VACANT),
  },
  continuous('ENV_OUTSIDE_TEMPERATURE', 0x11600703, 'CELSIUS', ({ outside }) => tenth(outside.ambientC)),
];

/** The simulator's own: real head units have none of them. */
export const vendorProperties: readonly PropertyBinding[] = [
  continuous('CABIN_HUMIDITY', 0x21600901, 'PERCENTAGE', ({ body: { air } }) =>
    tenth(Math.min(100, relativeHumidityPercent(air.vapourGpm3, meanC(air)))),
  ),
  {
    config: property('WINDSHIELD_FOG', 0x23600902, 'READ', 'CONTINUOUS', {
      ...windows,
      range: { min: 0, max: 1 },
    }),
    read: whileDriven(({ body }, area) =>
      thousandth(fogOf(area === front ? body.windscreen : body.rearWindow)),
    ),
  },
  onChange('RAIN_LEVEL', 0x21400903, ({ outside }) => wiperMode(outside.precipitation), {
    range: { min: 0, max: 3 },
  }),
  continuous('SOLAR_LOAD', 0x21600904, 'WATT_PER_SQUARE_METER', ({ outside }) =>
    Math.round(outside.solarWpm2),
  ),
  onChange('CO2_PPM', 0x21400905, ({ body }) => Math.round(body.air.co2Ppm / 10) * 10),
  onChange(
    'ROAD_FRICTION',
    0x21400908,
    // By wetness and frost as a forecast would say it; the friction of the road itself goes nowhere.
    ({ outside: { wetness, ambientC } }) =>
      wetness < 20 ? roadFriction.DRY : ambientC > 0 ? roadFriction.WET : roadFriction.ICE,
    { values: roadFriction },
  ),
  onChange('WARNING_LAMPS', 0x2140090a, lamps, { values: warningLamp, isBitMask: true }),
  {
    config: property('WINDSHIELD_DROPS', 0x2360090b, 'READ', 'CONTINUOUS', {
      ...windows,
      range: { min: 0, max: 1 },
    }),
    read: whileDriven(({ body }, area) => thousandth(area === front ? body.rain.drops : body.rearRain.drops)),
  },
];

function thousandth(value: number): number {
  return Math.round(value * 1000) / 1000;
}
